import assert from "node:assert/strict";
import { test } from "node:test";

import { judge, noteRun, readProgress } from "../../static/js/lib/progress.js";

test("cells that were run are remembered once each", () => {
  let kept = "{}";
  const open = () => ({ getItem: () => kept, setItem: (/** @type {string} */ _, /** @type {string} */ value) => void (kept = value), removeItem: () => undefined });
  noteRun(open, "a/b", "one");
  noteRun(open, "a/b", "one");
  assert.deepEqual(readProgress(open), { "a/b": ["one"] });
});

test("a browser without storage has no progress and no error", () => {
  const open = () => { throw new Error("SecurityError"); };
  noteRun(/** @type {() => never} */ (open), "a/b", "one");
  assert.deepEqual(readProgress(/** @type {() => never} */ (open)), {});
});

test("a lesson is new, tried or done", () => {
  assert.deepEqual([judge(undefined, 3).state, judge(["a"], 3).state, judge(["a", "b", "c"], 3).state], ["new", "tried", "done"]);
});
