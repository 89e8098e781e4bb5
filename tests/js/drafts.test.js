import assert from "node:assert/strict";
import { test } from "node:test";

import { Drafts, hash } from "../../static/js/state/drafts.js";

function memory() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    kept,
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
    removeItem: (/** @type {string} */ key) => void kept.delete(key),
  };
}

test("an edit is restored", () => {
  const store = memory();
  new Drafts(() => store, "a/b").keep("c", "start", "mine");
  assert.deepEqual(new Drafts(() => store, "a/b").restore("c", "start"), { kind: "kept", text: "mine" });
});

test("an edit of a lesson that has changed since is known as such", () => {
  const store = memory();
  new Drafts(() => store, "a/b").keep("c", "start", "mine");
  assert.deepEqual(new Drafts(() => store, "a/b").restore("c", "new start"), { kind: "changed", text: "mine" });
});

test("an edit that the lesson has caught up with is none", () => {
  const store = memory();
  new Drafts(() => store, "a/b").keep("c", "start", "mine");
  assert.deepEqual(new Drafts(() => store, "a/b").restore("c", "mine"), { kind: "starter" });
});

test("a cell without edits leaves nothing behind", () => {
  const store = memory();
  const drafts = new Drafts(() => store, "a/b");
  drafts.keep("c", "start", "mine");
  drafts.keep("c", "start", "start");
  assert.equal(store.kept.size, 0);
});

test("a reset can be undone, also after a reload, until something is written", () => {
  const store = memory();
  new Drafts(() => store, "a/b").reset("c", "start", "mine");
  const drafts = new Drafts(() => store, "a/b");
  assert.deepEqual(drafts.restore("c", "start"), { kind: "starter" });
  assert.equal(drafts.undoable("c"), "mine");
  drafts.keep("c", "start", "other");
  assert.equal(drafts.undoable("c"), null);
});

test("a full storage keeps the edit in memory and says so", () => {
  const store = { ...memory(), setItem: () => { throw new Error("QuotaExceededError"); } };
  const drafts = new Drafts(() => store, "a/b");
  drafts.keep("c", "start", "mine");
  assert.equal(drafts.lasting, false);
  assert.deepEqual(drafts.restore("c", "start"), { kind: "kept", text: "mine" });
});

test("a browser without storage still works", () => {
  const drafts = new Drafts(() => { throw new Error("SecurityError"); }, "a/b");
  drafts.keep("c", "start", "mine");
  assert.deepEqual([drafts.lasting, drafts.restore("c", "start").kind], [false, "kept"]);
});

test("what is not an entry of ours is ignored", () => {
  const store = memory();
  store.setItem("gradroom/draft/a/b/c", "{not json");
  assert.deepEqual(new Drafts(() => store, "a/b").restore("c", "start"), { kind: "starter" });
});

test("texts that differ in one character have different hashes", () => assert.notEqual(hash("x = 1"), hash("x = 2")));
