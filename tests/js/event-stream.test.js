import assert from "node:assert/strict";
import { test } from "node:test";

import { parseBlock, readEvents } from "../../static/js/lib/event-stream.js";

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
  const bytes = new TextEncoder().encode('id: 0\nevent: stdout\ndata: {"text":"好😀"}\n\n: keep-alive\n\nid: 1\nevent: result\ndata: {}\n\n');
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
