import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

import { SearchState } from "../../../static/js/state/search-state.js";

/** @typedef {import("../../../static/js/lib/search-client.js").SearchAnswer} SearchAnswer */

/** @param {string[]} titles @returns {SearchAnswer} */
function found(...titles) {
  return { ok: true, results: titles.map((title) => ({ kind: "page", title, where: "", excerpt: [], url: `/en/${title}` })) };
}

/** @type {{query: string, signal: AbortSignal, give: (answer: SearchAnswer) => Promise<void>}[]} */
let asked = [];
/** @type {SearchState} */
let state;

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  Object.assign(globalThis, { window: globalThis });
  asked = [];
  state = new SearchState(
    (query, signal) =>
      new Promise((answer) => asked.push({ query, signal, give: async (given) => (answer(given), void (await state.answered)) })),
  );
});

/** @param {string} text */
function typed(text) {
  state.type(text);
  mock.timers.tick(80);
  return /** @type {(typeof asked)[0]} */ (asked.at(-1));
}

const titles = () => state.results.map(({ title }) => title);

test("the server is asked once for what is typed without a pause", () => {
  for (const text of ["v", "vm", "vma", "vmap"]) state.type(text);
  mock.timers.tick(80);
  assert.deepEqual(
    asked.map(({ query }) => query),
    ["vmap"],
  );
});

test("results stay until those of the next query are there", async () => {
  await typed("vm").give(found("one"));
  const next = typed("vmap");
  assert.deepEqual([titles(), state.waiting.value], [["one"], true]);
  await next.give(found("two"));
  assert.deepEqual([titles(), state.waiting.value], [["two"], false]);
});

test("an answer to an earlier query is dropped, and its request cancelled", async () => {
  const [early, late] = [typed("vm"), typed("vmap")];
  await late.give(found("two"));
  await early.give(found("one"));
  assert.deepEqual([titles(), early.signal.aborted, late.signal.aborted], [["two"], true, false]);
});

test("an empty field has no results, and no answer that is still on its way changes this", async () => {
  await typed("vm").give(found("one"));
  const early = typed("vmap");
  state.type(" ");
  await early.give(found("two"));
  assert.deepEqual([state.answer.value, state.waiting.value], [null, false]);
});

test("what is opened belongs to the present query, even if that is not asked yet", async () => {
  await typed("vm").give(found("one"));
  state.type("vmap");
  const chosen = state.settle();
  void asked[1]?.give(found("two"));
  assert.equal((await chosen)?.title, "two");
});

test("nothing is opened if something else is typed meanwhile", async () => {
  state.type("vm");
  const chosen = state.settle();
  state.type("vmap");
  void asked[0]?.give(found("one"));
  assert.equal(await chosen, null);
});

test("arrow keys go around, and after them Home and End go to the ends", async () => {
  await typed("v").give(found("one", "two", "three"));
  assert.equal(state.move("End"), false);
  const places = ["ArrowUp", "ArrowDown", "ArrowDown", "End", "Home"].map((key) => (state.move(key), state.chosen.value));
  assert.deepEqual(places, [2, 0, 1, 2, 0]);
});

test("without results no key is taken", () => assert.equal(state.move("ArrowDown"), false));

test("a server that is too busy is asked again when it said", async () => {
  await typed("vmap").give({ ok: false, retryAfter: 3 });
  mock.timers.tick(2999);
  assert.equal(asked.length, 1);
  mock.timers.tick(1);
  await asked[1]?.give(found("one"));
  assert.deepEqual(titles(), ["one"]);
});
