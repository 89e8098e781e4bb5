import assert from "node:assert/strict";
import { test } from "node:test";

import { judge, noteDone, noteVisit, readLast, readProgress, whereToGoOn } from "../../../../static/js/state/tasks/progress.js";

test("cells that were run are remembered once each", () => {
  let kept = "{}";
  const open = () => ({
    getItem: () => kept,
    setItem: (/** @type {string} */ _, /** @type {string} */ value) => void (kept = value),
    removeItem: () => undefined,
  });
  noteDone(open, "a/b", "one");
  noteDone(open, "a/b", "one");
  assert.deepEqual(readProgress(open), { "a/b": ["one"] });
});

test("without storage progress lasts as long as the page", () => {
  const open = () => {
    throw new Error("SecurityError");
  };
  noteDone(/** @type {() => never} */ (open), "a/b", "one");
  assert.deepEqual(readProgress(/** @type {() => never} */ (open)), { "a/b": ["one"] });
});

test("a lesson is new, tried or done", () => {
  assert.deepEqual([judge(undefined, 3).state, judge(["a"], 3).state, judge(["a", "b", "c"], 3).state], ["new", "tried", "done"]);
});

test("one goes on where one was last, or after it when that is done", () => {
  const lessons = [
    { path: "a", done: false },
    { path: "b", done: true },
    { path: "c", done: false },
  ];
  assert.deepEqual(
    ["", "a", "b", "c"].map((last) => whereToGoOn(lessons, last)?.path),
    ["a", "a", "c", "c"],
  );
  assert.equal(whereToGoOn([{ path: "a", done: true }], "a"), undefined);
});

test("the lesson read last is remembered where there is storage", () => {
  let kept = "";
  const open = () => ({
    getItem: () => kept,
    setItem: (/** @type {string} */ _, /** @type {string} */ value) => void (kept = value),
    removeItem: () => undefined,
  });
  noteVisit(open, "a/b");
  assert.equal(readLast(open), "a/b");
  const none = /** @type {() => never} */ (
    () => {
      throw new Error("SecurityError");
    }
  );
  noteVisit(none, "a/b");
  assert.equal(readLast(none), "");
});
