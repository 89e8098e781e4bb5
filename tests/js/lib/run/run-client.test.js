import assert from "node:assert/strict";
import { test } from "node:test";

import { backoff, Run } from "../../../../static/js/lib/run/run-client.js";

/** @typedef {import("../../../../static/js/lib/run/run-client.js").RunNews} RunNews */

const RESULT = { id: "r1", outcome: "finished" };

/** @param {...[string, unknown]} events */
function stream(...events) {
  const body = events.map(([name, data], at) => `id: ${at}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("");
  return new Response(body, { headers: { "content-type": "text/event-stream", "x-run-id": "r1" } });
}

/** @param {number} status @param {unknown} body @param {Record<string, string>} [headers] */
function answer(status, body, headers = {}) {
  return new Response(JSON.stringify(body), { status, headers });
}

/** Runs against answers given in turn; an Error is thrown by fetch. @param {(Response | Error | (() => Promise<Response>))[]} answers */
function play(...answers) {
  /** @type {RunNews[]} */
  const news = [];
  /** @type {string[]} */
  const asked = [];
  /** @type {typeof globalThis.fetch} */
  const fetch = async (url, options) => {
    asked.push(`${options?.method} ${url}`);
    if (options?.method === "DELETE") return new Response("{}", { status: 202 });
    const next = answers.shift();
    if (next instanceof Error) throw next;
    if (typeof next === "function") return next();
    return next ?? answer(500, {});
  };
  const run = new Run({ source: "1" }, (one) => news.push(one), { fetch, wait: async () => undefined });
  return { run, news, asked, types: () => news.map((one) => one.type) };
}

test("the news of a run come in order and end with its result", async () => {
  const { run, types } = play(
    stream(["queued", { id: "r1", position: 1 }], ["started", { id: "r1" }], ["stdout", { text: "2" }], ["result", RESULT]),
  );
  await run.start();
  assert.deepEqual(types(), ["sending", "queued", "started", "stdout", "result"]);
});

test("a server out of reach is asked again until it answers", async () => {
  const { run, news, types } = play(
    new TypeError("offline"),
    answer(503, { error: { code: "unavailable", message: "later" } }),
    stream(["result", RESULT]),
  );
  await run.start();
  assert.equal(types().at(-1), "result");
  assert.deepEqual(
    news.flatMap((one) => (one.type === "waiting" ? [[one.reason, one.seconds]] : [])),
    [
      ["unreachable", 1],
      ["unreachable", 2],
      ["unreachable", 1],
    ],
  );
});

test("a run that breaks off after it was accepted is lost, and not sent again", async () => {
  const { run, asked, types } = play(stream(["started", { id: "r1" }], ["stdout", { text: "half" }]), stream(["result", RESULT]));
  await run.start();
  assert.deepEqual(types(), ["sending", "started", "stdout", "lost"]);
  assert.equal(asked.length, 1);
});

test("a stream that fails or that cannot be read is a lost run, too", async () => {
  const failing = new ReadableStream({ pull: (controller) => controller.error(new TypeError("network")) });
  for (const response of [new Response(failing), new Response("event: stdout\ndata: {half\n\n")]) {
    const { run, asked, types } = play(response);
    await run.start();
    assert.deepEqual([types().at(-1), asked.length], ["lost", 1]);
  }
});

test("a fault of the server is told as a lost run, and nothing is sent again", async () => {
  const faults = [
    answer(503, { error: { code: "lost", message: "" } }),
    answer(500, { error: { code: "internal", message: "" } }),
    new Response("<h1>Bad gateway</h1>", { status: 502 }),
  ];
  for (const response of [
    ...faults,
    stream(["error", { code: "lost", message: "" }]),
    stream(["error", { code: "internal", message: "" }]),
  ]) {
    const { run, asked, types } = play(response);
    await run.start();
    assert.deepEqual([types().at(-1), asked.length], ["lost", 1]);
  }
});

test("a run that was not accepted, as the stream says, is sent again", async () => {
  const { run, asked, types } = play(
    stream(["queued", { id: "r1", position: 1 }], ["error", { code: "unavailable", message: "" }]),
    stream(["result", RESULT]),
  );
  await run.start();
  assert.deepEqual(types(), ["sending", "queued", "waiting", "sending", "result"]);
  assert.equal(asked.length, 2);
});

test("a run that had to give way in a full queue is sent again, and the reader told that others are there", async () => {
  const { run, news, types } = play(
    stream(["queued", { id: "r1", position: 1 }], ["error", { code: "queue_full", message: "full" }]),
    stream(["result", RESULT]),
  );
  await run.start();
  assert.deepEqual(types(), ["sending", "queued", "waiting", "sending", "result"]);
  assert.ok(news.some((one) => one.type === "waiting" && one.reason === "busy"));
});

test("a server that will not run programs says so in its words", async () => {
  const { run, news, asked } = play(answer(503, { error: { code: "unconfined", message: "no sandbox" } }));
  await run.start();
  assert.deepEqual(news.at(-1), { type: "refused", message: "no sandbox", recorded: false });
  assert.equal(asked.length, 1);
});

test("over the limit, it waits as long as the server says", async () => {
  const { run, news } = play(answer(429, { error: { message: "five are waiting" } }, { "retry-after": "3" }), stream(["result", RESULT]));
  await run.start();
  const waits = news.filter((one) => one.type === "waiting");
  assert.deepEqual(
    waits.map((one) => one.seconds),
    [3, 2, 1],
  );
  assert.deepEqual([waits[0]?.reason, waits[0]?.message], ["busy", "five are waiting"]);
});

test("an answer that will not change is told once", async () => {
  const { run, news, asked } = play(answer(422, { error: { code: "too_long", message: "source: expected less" } }));
  await run.start();
  assert.deepEqual(news.at(-1), { type: "refused", message: "source: expected less", recorded: false });
  assert.equal(asked.length, 1);
});

test("stopping asks the server to stop the run by its id", async () => {
  /** @type {(response: Response) => void} */
  let respond = () => undefined;
  const { run, asked, types } = play(() => new Promise((resolve) => (respond = resolve)));
  const over = run.start();
  const { readable, writable } = new TransformStream();
  const writer = writable.getWriter();
  respond(new Response(readable, { headers: { "x-run-id": "r1" } }));
  await writer.write(new TextEncoder().encode('event: started\ndata: {"id":"r1"}\n\n'));
  const stopped = run.stop();
  await writer.write(new TextEncoder().encode('event: result\ndata: {"id":"r1","outcome":"stopped"}\n\n'));
  await Promise.all([over, stopped]);
  assert.deepEqual(asked, ["POST /api/runs", "DELETE /api/runs/r1"]);
  assert.equal(types().at(-1), "result");
});

test("stopping while the server is out of reach gives up asking", async () => {
  const { run, types } = play(new TypeError("offline"), new TypeError("offline"));
  run.surroundings.wait = async () => run.stop();
  await run.start();
  assert.equal(types().at(-1), "cancelled");
});

test("pauses grow up to a quarter of a minute", () => assert.deepEqual([0, 1, 2, 3, 4, 9].map(backoff), [1, 2, 4, 8, 15, 15]));

test("the page's language goes with the request, for answers that come before its body is read", async () => {
  const asked = /** @type {unknown[]} */ ([]);
  const fetch = /** @type {typeof globalThis.fetch} */ (
    async (_, options) => {
      asked.push(/** @type {any} */ (options).headers["accept-language"]);
      return stream(["result", RESULT]);
    }
  );
  for (const lang of /** @type {("zh-Hans" | undefined)[]} */ (["zh-Hans", undefined])) {
    await new Run({ source: "1", ...(lang ? { lang } : {}) }, () => undefined, { fetch, wait: async () => undefined }).start();
  }
  assert.deepEqual(asked, ["zh-Hans", undefined]);
});
