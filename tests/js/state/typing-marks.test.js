import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { markWhileTyping, PAUSE_MS } from "../../../static/js/state/typing-marks.js";
import { answering, openLesson, RESULT } from "../lesson_page.js";

const WRONG = "class A(Function):\n    pass";
const SPAN = { cell: null, line: 1, column: 0, end_line: 1, end_column: 5 };
const FOUND = { kind: "diagnosis", code: "one", severity: "error", span: SPAN, message: "One.", change: "", edits: [], explains: [] };
const UNDERLINE = { span: SPAN, message: "One.", severity: "error" };

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

/** A cell that is marked, the requests that were sent, and what answers them. */
function open() {
  const { second: cell } = openLesson();
  /** @type {{body: any, signal: AbortSignal, answer: (response: Response) => void}[]} */
  const asked = [];
  const dispose = markWhileTyping(cell, "en", (_url, init) => {
    const { signal, body } = /** @type {{signal: AbortSignal, body: string}} */ (init);
    return new Promise((answer, reject) => {
      signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
      asked.push({ body: JSON.parse(body), signal, answer });
    });
  });
  return { cell, asked, dispose };
}

/** Lets what was awaited go on. */
const settled = () => new Promise((done) => setImmediate(done));
const answer = (/** @type {object[]} */ ...records) => new Response(JSON.stringify({ ...RESULT, records }));

test("a text is read once nobody has typed for a while, and what is found is marked", async () => {
  const { cell, asked } = open();
  cell.edit(WRONG);
  mock.timers.tick(PAUSE_MS - 1);
  assert.equal(asked.length, 0);
  mock.timers.tick(1);
  assert.deepEqual(asked[0]?.body, { source: WRONG, lang: "en" });
  asked[0]?.answer(answer(FOUND));
  await settled();
  assert.deepEqual(cell.marks.value, { text: WRONG, underlines: [UNDERLINE] });
});

test("the pause begins again with each key", () => {
  const { cell, asked } = open();
  for (const end of ["a", "b", "c"]) {
    cell.edit(WRONG + end);
    mock.timers.tick(PAUSE_MS - 1);
  }
  assert.equal(asked.length, 0);
  mock.timers.tick(1);
  assert.deepEqual(
    asked.map(({ body }) => body.source),
    [`${WRONG}c`],
  );
});

test("the text as it was opened is not read, nor one with nothing that the rules are about", () => {
  const { cell, asked } = open();
  mock.timers.tick(PAUSE_MS);
  cell.edit("print(1)");
  mock.timers.tick(PAUSE_MS);
  assert.equal(asked.length, 0);
});

test("a request is given up when somebody types on, and its answer marks nothing", async () => {
  const { cell, asked } = open();
  cell.edit(WRONG);
  mock.timers.tick(PAUSE_MS);
  cell.edit(`${WRONG} `);
  assert.equal(asked[0]?.signal.aborted, true);
  asked[0]?.answer(answer(FOUND));
  await settled();
  assert.equal(cell.marks.value, null);
});

test("a text that ran is not read: its run says what is wrong", async () => {
  const { cell, asked } = open();
  answering([["result", RESULT]]);
  cell.edit(WRONG);
  await cell.start();
  mock.timers.tick(PAUSE_MS);
  assert.equal(asked.length, 0);
  cell.edit(`${WRONG} `);
  mock.timers.tick(PAUSE_MS);
  assert.equal(asked.length, 1);
});

test("a request is given up when the program runs: the second run needs the place of the reading", async () => {
  const { cell, asked } = open();
  answering([["result", RESULT]]);
  cell.edit(WRONG);
  mock.timers.tick(PAUSE_MS);
  assert.equal(asked[0]?.signal.aborted, false);
  const ended = cell.start();
  assert.equal(asked[0]?.signal.aborted, true);
  await ended;
  assert.equal(cell.marks.value, null);
});

test("a server that refuses, or is out of reach, marks nothing", async () => {
  const { cell, asked } = open();
  const body = JSON.stringify({ error: { code: "gave_way", message: "No." } });
  cell.edit(WRONG);
  mock.timers.tick(PAUSE_MS);
  asked[0]?.answer(new Response(body, { status: 503 }));
  await settled();
  assert.equal(cell.marks.value, null);
  cell.edit(`${WRONG} `);
  mock.timers.tick(PAUSE_MS);
  asked[1]?.answer(new Response("no JSON"));
  await settled();
  assert.equal(cell.marks.value, null);
});

test("a program that was closed is not read", () => {
  const { cell, asked, dispose } = open();
  cell.edit(WRONG);
  dispose();
  mock.timers.tick(PAUSE_MS);
  cell.edit(`${WRONG} `);
  mock.timers.tick(PAUSE_MS);
  assert.equal(asked.length, 0);
});
