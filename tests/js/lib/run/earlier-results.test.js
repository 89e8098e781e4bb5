import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { renewState, withPitfall } from "../../../../static/js/lib/run/earlier-results.js";
import { KeptResults } from "../../../../static/js/state/kept-results.js";
import { memoryAsyncStore } from "../../stores.js";

const LESSON = "backward-twice/sinh-bad";
const KEY = `${LESSON}/sinh-bad`;

/** What a browser had stored before there was one list of records. */
const { results: stored } = JSON.parse(await readFile(new URL("../../../browser/earlier_storage.json", import.meta.url), "utf8"));
const earlier = stored[KEY].kept.state;

test("a result that was stored in the earlier format is read with its records", () => {
  const state = renewState(earlier);
  assert.ok(state);
  assert.deepEqual(
    state.records.map(({ id }) => id),
    ["graph-1", "gradcheck-1", "value-1"],
  );
  assert.deepEqual(
    state.records.map(({ span }) => span?.line),
    [5, 6, 8],
  );
  assert.deepEqual(state.records[0]?.span, { cell: "sinh-bad", line: 5, column: null, end_line: null, end_column: null });
  assert.deepEqual(state.pieces, [
    { stream: "stdout", text: "before\n" },
    { stream: "stdout", text: "after\n" },
  ]);
  assert.equal(state.result?.records, state.records);
  assert.equal(state.result?.stdout, "before\nafter\n");
});

test("nothing but the names and the places of records changes", () => {
  const state = renewState(earlier);
  assert.ok(state);
  const { kind, id, span, refs, ...fields } = /** @type {any} */ (state.records[0]);
  const { kind: kindBefore, cell, line, ...fieldsBefore } = earlier.displays[0];
  assert.deepEqual([kind, fields], [kindBefore, fieldsBefore]);
  assert.doesNotMatch(JSON.stringify(state), /"(displays?|functions|diagnoses)":/);
});

test("an error has its pitfall under the present name", async () => {
  const fields = { type: "NameError", message: "m", cell: null, line: 1, column: null, traceback: [], explanation: null, name: "loss" };
  const error = { ...fields, stumble: "earlier-run" };
  const renewed = { ...fields, pitfall: "earlier-run" };
  const result = { ...earlier.result, error };
  assert.deepEqual(renewState({ ...earlier, result })?.result?.error, renewed);
  const store = memoryAsyncStore();
  const kept = new KeptResults(() => store, LESSON);
  const state = { ...renewState(earlier), result: { ...renewState(earlier)?.result, error } };
  await store.set(KEY, { format: 2, kept: { at: 1, sources: {}, state } });
  assert.deepEqual((await kept.read("sinh-bad"))?.state.result?.error, renewed);
});

test("a state with the present names stays as it is", () => {
  for (const result of [null, { error: null }, { error: { type: "E", pitfall: "earlier-run" } }]) {
    const state = /** @type {any} */ ({ result });
    assert.equal(withPitfall(state), state);
  }
});

test("a record of the same kind has the next number, and one without a line no span", () => {
  const displays = [
    { kind: "value", cell: null, line: null, text: "1" },
    { kind: "spectrum", line: 2 },
    { kind: "value", cell: null, line: 3, text: "2" },
  ];
  const state = renewState({ ...earlier, pieces: [], displays });
  assert.deepEqual(
    state?.records.map(({ id, span }) => [id, span?.line ?? null]),
    [
      ["value-1", null],
      ["spectrum-1", 2],
      ["value-2", 3],
    ],
  );
});

test("what is no result of that format is dropped", () => {
  for (const state of [
    null,
    undefined,
    {},
    { records: [] },
    { ...earlier, displays: undefined },
    { ...earlier, pieces: null },
    { ...earlier, result: null },
  ]) {
    assert.equal(renewState(state), null);
  }
});

test("stored results are read in either format; what cannot be read is as good as none", async () => {
  const store = memoryAsyncStore();
  const kept = new KeptResults(() => store, LESSON);
  await store.set(KEY, stored[KEY]);
  const found = await kept.read("sinh-bad");
  assert.equal(found?.at, stored[KEY].kept.at);
  assert.equal(found?.state.records.length, 3);
  assert.ok(found);
  await kept.keep("sinh-bad", found);
  assert.deepEqual(await kept.read("sinh-bad"), found);
  for (const entry of [
    { format: 1000, kept: found },
    { version: "1", kept: { at: 1, sources: {}, state: { ...earlier, displays: [null] } } },
    { version: "1" },
  ]) {
    await store.set(KEY, entry);
    assert.equal(await kept.read("sinh-bad"), null);
  }
});
