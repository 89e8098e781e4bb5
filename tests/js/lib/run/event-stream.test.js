import assert from "node:assert/strict";
import { test } from "node:test";

import { parseBlock, readEvents } from "../../../../static/js/lib/run/event-stream.js";

/** @param {Uint8Array[]} chunks */
function streamOf(chunks) {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

test("events come out whole however the bytes are cut", async () => {
  const bytes = new TextEncoder().encode(
    'id: 0\nevent: stdout\ndata: {"text":"好😀"}\n\n: keep-alive\n\nid: 1\nevent: result\ndata: {}\n\n',
  );
  for (const size of [1, 2, 3, 7, 1000]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
    const events = [];
    for await (const event of readEvents(streamOf(chunks))) events.push(event);
    assert.deepEqual(events, [
      { id: "0", event: "stdout", data: '{"text":"好😀"}' },
      { id: "1", event: "result", data: "{}" },
    ]);
  }
});

test("an event that is not complete is not told", async () => {
  const events = [];
  for await (const event of readEvents(streamOf([new TextEncoder().encode("data: 1\n\ndata: 2\n")]))) events.push(event.data);
  assert.deepEqual(events, ["1"]);
});

test("several data lines are one text", () => assert.equal(parseBlock("data: a\ndata: b")?.data, "a\nb"));

test("a comment is no event", () => assert.equal(parseBlock(": keep-alive"), null));

test("a blank line is found wherever it is cut, in both ways to end a line", async () => {
  for (const end of ["\n", "\r\n"]) {
    const bytes = new TextEncoder().encode(`data: 1${end}${end}data: ${"x".repeat(10)}${end}${end}`);
    for (let at = 0; at <= bytes.length; at++) {
      const events = [];
      for await (const event of readEvents(streamOf([bytes.slice(0, at), bytes.slice(at)]))) events.push(event.data);
      assert.deepEqual(events, ["1", "x".repeat(10)]);
    }
  }
});

test("a line of megabytes in many pieces is looked through once, not once a piece", async () => {
  const piece = new TextEncoder().encode("x".repeat(2_000));
  const chunks = [new TextEncoder().encode("data: "), ...Array.from({ length: 4_000 }, () => piece), new TextEncoder().encode("\n\n")];
  let looked = 0;
  const { split } = String.prototype;
  String.prototype.split = /** @type {any} */ (
    function (/** @type {any[]} */ ...given) {
      looked += this.length;
      return split.apply(this, /** @type {any} */ (given));
    }
  );
  try {
    for await (const { data } of readEvents(streamOf(chunks))) assert.equal(data.length, 8_000_000);
  } finally {
    String.prototype.split = split;
  }
  assert.ok(looked < 4 * 8_000_000, `${looked} characters`);
});
