import assert from "node:assert/strict";
import { test } from "node:test";

import { Drafts } from "../../../static/js/state/saving/drafts.js";
import { KeptResults } from "../../../static/js/state/kept-results.js";
import { PageState } from "../../../static/js/state/page-state.js";
import { Settings } from "../../../static/js/state/settings.js";
import { memoryAsyncStore, memoryStore } from "../stores.js";

/** @typedef {import("../../../static/js/state/cell-state.js").CellFacts} CellFacts */

const FACTS = [
  { id: "first", number: 1, filename: "first.py", runtime: "torch", after: [], raises: "", starter: "x = 1" },
  { id: "second", number: 2, filename: "second.py", runtime: "torch", after: ["first"], raises: "ValueError", starter: "print(x)" },
  { id: "third", number: 3, filename: "third.py", runtime: "torch", after: [], raises: "", starter: "pass" },
];

const result = (/** @type {object} */ more = {}) => ({
  outcome: "finished",
  stdout: "",
  stderr: "",
  records: [],
  error: null,
  timing: { total_ms: 5 },
  ...more,
});

/** A result that has something to be seen beside the text. */
const shown = (/** @type {object} */ more = {}) => result({ records: [{ kind: "value", id: "value-1" }], ...more });

/** What the server answers to each run, in order. @param {object[]} results @returns {any[]} what it was sent */
function answering(...results) {
  /** @type {any[]} */
  const sent = [];
  globalThis.fetch = async (_, init) => {
    sent.push(JSON.parse(String(init?.body)));
    return new Response(`event: result\ndata: ${JSON.stringify(results.shift())}\n\n`, {
      headers: { "content-type": "text/event-stream" },
    });
  };
  return sent;
}

function open(store = memoryStore(), asyncStore = memoryAsyncStore()) {
  const kept = {
    drafts: new Drafts(() => store, "lesson"),
    results: new KeptResults(() => asyncStore, "lesson"),
    settings: new Settings(() => store),
  };
  return new PageState(FACTS, kept, (cell, source, sources) => ({ source, cell: cell.id, sources }));
}

const FIRST = "gradroom/draft/lesson/first";

/** A page on such a storage, and its first cell. @param {ReturnType<typeof memoryStore>} store */
function follower(store) {
  const page = open(store);
  return { page, first: cellsOf(page).first };
}

/** @param {PageState} page */
function cellsOf(page) {
  const [first, second, third] = page.cells;
  assert.ok(first && second && third);
  return { first, second, third };
}

test("an edit is kept, and comes back with the page", () => {
  const store = memoryStore();
  cellsOf(open(store)).first.edit("x = 2");
  const { first } = cellsOf(open(store));
  assert.deepEqual([first.text.value, first.changed.value], ["x = 2", true]);
});

test("a run sends the cells that it continues only where they were edited", async () => {
  const page = open();
  const { first, second } = cellsOf(page);
  const sent = answering(result(), result());
  await page.run(second);
  first.edit("x = 2");
  await page.run(second);
  assert.deepEqual(
    sent.map((one) => one.sources),
    [{}, { first: "x = 2" }],
  );
});

test("results are stale while any text that they were made of differs", async () => {
  const page = open();
  const { first, second } = cellsOf(page);
  answering(result());
  await page.run(second);
  assert.equal(second.stale.value, false);
  first.edit("x = 2");
  assert.equal(second.stale.value, true);
  first.edit("x = 1");
  assert.equal(second.stale.value, false);
});

test("the column shows the cell that was run, also when the keyboard has gone on to the next", async () => {
  const page = open();
  const { first, second } = cellsOf(page);
  answering(shown());
  const ended = page.run(first, { thenMoves: true });
  assert.equal(page.target.value?.cell, second);
  assert.equal(page.active.value, second);
  await ended;
  assert.equal(page.column.value, first);
});

test("a reader who wants to stay stays, and the last cell has none after it", async () => {
  const page = open();
  const { first, third } = cellsOf(page);
  answering(result(), result());
  await page.run(third, { thenMoves: true });
  assert.equal(page.target.value, null);
  page.settings.movesOn.value = false;
  await page.run(first, { thenMoves: true });
  assert.equal(page.target.value, null);
});

test("settings outlive the page", () => {
  const store = memoryStore();
  open(store).settings.movesOn.value = false;
  assert.equal(open(store).settings.movesOn.value, false);
});

test("a cell without results leaves those of another in the column", async () => {
  const page = open();
  const { first, second } = cellsOf(page);
  answering(shown());
  await page.run(first);
  page.activate(second);
  assert.equal(page.column.value, first);
});

test("a cell that only printed leaves the results of another in the column, and is no choice there", async () => {
  const page = open();
  const { first, second } = cellsOf(page);
  answering(shown(), result({ stdout: "1\n" }), result({ outcome: "raised", error: { type: "ValueError", cell: null } }));
  await page.run(first);
  await page.run(second);
  page.activate(second);
  assert.equal(page.column.value, first);
  assert.deepEqual(page.filled.value, [first]);
  await page.run(second);
  assert.equal(page.column.value, second, "an error is told beside the text");
});

test("nothing is left in the column of what is not there any more", async () => {
  const page = open();
  const { first } = cellsOf(page);
  answering(shown(), result());
  await page.run(first);
  await page.run(first);
  assert.equal(page.column.value, null);
});

test("a cell counts when it ended as its lesson declares, and only then", async () => {
  const page = open();
  const { first, second } = cellsOf(page);
  const syntax = result({ outcome: "raised", error: { type: "SyntaxError", cell: null } });
  answering(syntax, result(), syntax, result({ outcome: "raised", error: { type: "ValueError", cell: null } }));
  const counts = [];
  for (const cell of [first, first, second, second]) {
    await page.run(cell);
    counts.push(cell.asDeclared);
  }
  assert.deepEqual(counts, [false, true, false, true]);
});

test("the last results come back with the page, and nothing runs", async () => {
  const store = memoryStore();
  const asyncStore = memoryAsyncStore();
  const page = open(store, asyncStore);
  answering(shown({ stdout: "1\n" }));
  await page.run(cellsOf(page).first);
  await asyncStore.settled();
  globalThis.fetch = () => assert.fail("something was run");
  const again = open(store, asyncStore);
  await again.restore();
  const { first } = cellsOf(again);
  assert.equal(first.results.value.result?.stdout, "1\n");
  assert.ok(first.restoredFrom.value > 0);
  assert.equal(again.column.value, first);
  assert.equal(first.stale.value, false);
  first.edit("x = 2");
  assert.equal(first.stale.value, true);
});

test("only the newest results are kept, and nothing that is too large", async () => {
  const asyncStore = memoryAsyncStore();
  const kept = new KeptResults(() => asyncStore, "lesson");
  const entry = (/** @type {number} */ at, stdout = "") =>
    /** @type {any} */ ({ at, sources: {}, state: { phase: "done", pieces: [], records: [], result: result({ stdout }) } });
  for (let at = 0; at < 70; at++) await kept.keep(`cell-${at}`, entry(at));
  assert.equal(await kept.read("cell-0"), null);
  assert.equal((await kept.read("cell-69"))?.at, 69);
  await kept.keep("cell-69", entry(70, "x".repeat(4_000_000)));
  assert.equal(await kept.read("cell-69"), null);
});

/** What another tab keeps of a cell. @param {string} text @param {object} [more] */
const written = (text, more = {}) => JSON.stringify({ starter: "s", text, undo: null, ...more });

test("what another tab writes is followed by a text that this one has not changed since", () => {
  const store = memoryStore();
  const { first, page } = follower(store);
  store.setItem(FIRST, written("x = 3"));
  page.onStorage(FIRST);
  assert.deepEqual([first.text.value, first.conflict.value], ["x = 3", null]);
  first.edit("x = 4"); // on top of the other's
  assert.deepEqual([first.text.value, first.conflict.value], ["x = 4", null]);
  store.removeItem(FIRST);
  page.onStorage(null);
  assert.equal(first.text.value, first.facts.starter);
});

test("what another tab wrote, and this one has not heard of, is not written over but offered", () => {
  const store = memoryStore();
  const { first, page } = follower(store);
  store.setItem(FIRST, written("theirs"));
  first.edit("mine");
  assert.deepEqual([first.text.value, first.conflict.value], ["mine", { kind: "elsewhere", text: "theirs", saved: false }]);
  page.onStorage(FIRST); // late
  assert.deepEqual([first.text.value, first.conflict.value?.kind], ["mine", "elsewhere"]);
  const { first: again } = follower(store);
  assert.deepEqual([again.text.value, again.conflict.value], ["mine", { kind: "elsewhere", text: "theirs", saved: false }]);
  again.reset();
  assert.equal(follower(store).first.conflict.value?.kind, "elsewhere");
  again.takeOther();
  assert.deepEqual([again.text.value, follower(store).first.conflict.value], ["theirs", null]);
  page.onStorage(FIRST);
  assert.deepEqual([first.text.value, first.conflict.value], ["theirs", null]);
});

test("who keeps the own text has chosen, here and in the other tab", () => {
  const store = memoryStore();
  const { first } = follower(store);
  store.setItem(FIRST, written("theirs"));
  first.edit("mine");
  const { first: there, page } = follower(store);
  first.keepMine();
  page.onStorage(FIRST);
  assert.deepEqual([there.text.value, there.conflict.value, first.conflict.value], ["mine", null, null]);
});

test("word of the very text that is kept takes no notice away that the lesson has changed", () => {
  const store = memoryStore();
  const entry = JSON.stringify({ starter: "another", text: "x = 3", undo: null });
  store.setItem("gradroom/draft/lesson/first", entry);
  const page = open(store);
  const { first } = cellsOf(page);
  page.onStorage(FIRST); // late, of what was written before this page was loaded
  assert.deepEqual(first.conflict.value, { kind: "changed" });
});

test("a place in another cell's code sends the keyboard there", () => {
  const page = open();
  const { first, second } = cellsOf(page);
  page.goTo("first", 2, null, second);
  assert.deepEqual(page.target.value, { cell: first, line: 2, column: null });
  page.goTo(null, 1, 4, second);
  assert.equal(page.target.value?.cell, second);
});

test("after moving on, the results of the run stay in sight until the reader points to the next cell", async () => {
  const page = open();
  const { first, second } = cellsOf(page);
  answering(shown(), shown());
  await page.run(second);
  const ended = page.run(first, { thenMoves: true });
  page.activate(second); // as the focus does
  await ended;
  assert.equal(page.column.value, first);
  page.choose(second);
  assert.equal(page.column.value, second);
});

test("what a run prints takes the place of earlier output at once", async () => {
  const { first } = cellsOf(open());
  answering(result({ stdout: "old" }));
  await first.page.run(first);
  first.take({ type: "sending" });
  first.showNow();
  assert.equal(first.old.value, true);
  first.take({ type: "stdout", text: "new" });
  assert.deepEqual([first.old.value, first.results.value.pieces], [false, [{ stream: "stdout", text: "new" }]]);
});
