import assert from "node:assert/strict";
import { test } from "node:test";

import { Drafts, hash } from "../../../../static/js/state/saving/drafts.js";

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

function openOnce() {
  const store = memory();
  return () => store;
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
  const store = {
    ...memory(),
    setItem: () => {
      throw new Error("QuotaExceededError");
    },
  };
  const drafts = new Drafts(() => store, "a/b");
  drafts.keep("c", "start", "mine");
  assert.equal(drafts.lasting, false);
  assert.deepEqual(drafts.restore("c", "start"), { kind: "kept", text: "mine" });
});

test("a browser without storage still works", () => {
  const drafts = new Drafts(() => {
    throw new Error("SecurityError");
  }, "a/b");
  drafts.keep("c", "start", "mine");
  assert.deepEqual([drafts.lasting, drafts.restore("c", "start").kind], [false, "kept"]);
});

test("what is not an entry of ours is ignored", () => {
  const store = memory();
  store.setItem("gradroom/draft/a/b/c", "{not json");
  assert.deepEqual(new Drafts(() => store, "a/b").restore("c", "start"), { kind: "starter" });
});

test("texts that differ in one character have different hashes", () => assert.notEqual(hash("x = 1"), hash("x = 2")));

/**
 * What is kept here and what the server has are brought together.
 * @param {{before?: string, mine?: string, sent?: string[]}} here
 * @param {{version: number, source: string | null}} server
 */
function meet({ before, mine, sent = [] }, server) {
  const store = memory();
  const drafts = new Drafts(() => store, "a/b");
  if (before !== undefined) drafts.keep("c", "start", before);
  if (before !== undefined) drafts.noteSaved("c", before === "start" ? null : before, 3);
  if (mine !== undefined) drafts.keep("c", "start", mine);
  for (const one of sent) drafts.noteSent("c", one);
  const meeting = drafts.meet("c", "start", server);
  const entry = drafts.read("c");
  return [meeting, entry?.text ?? "start", entry?.version ?? 0, drafts.unsaved("c"), entry?.other ?? null];
}

test("a browser that has nothing takes what the server has", () => {
  assert.deepEqual(meet({}, { version: 2, source: "theirs" }), ["theirs", "theirs", 2, false, null]);
  assert.deepEqual(meet({}, { version: 2, source: null }), ["same", "start", 2, false, null]);
});

test("what only the server changed is taken, what only the browser changed is to be sent", () => {
  assert.deepEqual(meet({ before: "both" }, { version: 4, source: "theirs" }), ["theirs", "theirs", 4, false, null]);
  assert.deepEqual(meet({ before: "both" }, { version: 4, source: null }), ["theirs", "start", 4, false, null]);
  assert.deepEqual(meet({ before: "both", mine: "mine" }, { version: 3, source: "both" }), ["ours", "mine", 3, true, null]);
  assert.deepEqual(meet({ before: "both", mine: "start" }, { version: 3, source: "both" }), ["ours", "start", 3, true, null]);
});

test("where both changed, both are offered, and what is chosen comes after the server's", () => {
  assert.deepEqual(meet({ before: "both", mine: "mine" }, { version: 4, source: "theirs" }), ["both", "mine", 3, true, "theirs"]);
  const drafts = new Drafts(openOnce(), "a/b");
  drafts.keep("c", "start", "mine");
  drafts.meet("c", "start", { version: 4, source: "theirs" });
  drafts.settle("c", "start");
  assert.deepEqual([drafts.read("c")?.version, drafts.unsaved("c")], [4, true]);
});

test("the same change on both sides is no conflict", () => {
  assert.deepEqual(meet({ before: "both", mine: "equal" }, { version: 9, source: "equal" }), ["same", "equal", 9, false, null]);
  assert.deepEqual(meet({ mine: "start" }, { version: 9, source: "start" }), ["same", "start", 9, false, null]);
});

test("a text of ours whose answer was lost is not another's", () => {
  assert.deepEqual(meet({ before: "both", mine: "later", sent: ["ours"] }, { version: 4, source: "ours" }), [
    "ours",
    "later",
    4,
    true,
    null,
  ]);
});

test("a server that has lost it, or another learner's, is sent what is here", () => {
  assert.deepEqual(meet({ before: "mine" }, { version: 0, source: null }), ["ours", "mine", 0, true, null]);
});

test("a page that is older than what this browser knows takes nothing away: what is kept here is sent again", () => {
  const drafts = new Drafts(openOnce(), "a/b");
  drafts.keep("c", "start", "later");
  drafts.noteSaved("c", "later", 4);
  assert.equal(drafts.meetPage("c", "start", { version: 3, source: "earlier" }), "ours");
  assert.deepEqual([drafts.read("c")?.text, drafts.read("c")?.version, drafts.unsaved("c")], ["later", 4, true]);
  drafts.noteSaved("c", "later", 4);
  assert.equal(drafts.unsaved("c"), false);
});

test("a server that was set back has the text once it says so, whatever number it gives", () => {
  const drafts = new Drafts(openOnce(), "a/b");
  drafts.keep("c", "start", "later");
  drafts.noteSaved("c", "later", 9);
  drafts.meetPage("c", "start", { version: 3, source: "earlier" });
  drafts.noteSaved("c", "later", 4);
  assert.deepEqual([drafts.read("c")?.version, drafts.unsaved("c")], [4, false]);
  drafts.noteSaved("c", "of before", 2); // an answer that was overtaken
  assert.deepEqual([drafts.read("c")?.version, drafts.unsaved("c")], [4, false]);
});

test("a page with the text that is kept here, or a newer one, or none, is met as the server is", () => {
  const drafts = new Drafts(openOnce(), "a/b");
  drafts.keep("c", "start", "mine");
  drafts.noteSaved("c", "mine", 4);
  assert.equal(drafts.meetPage("c", "start", { version: 3, source: "mine" }), "same");
  assert.equal(drafts.meetPage("c", "start", { version: 5, source: "theirs" }), "theirs");
  assert.equal(drafts.meetPage("c", "start", { version: 0, source: null }), "ours");
});

test("an entry of earlier days is one that the server never had", () => {
  const store = memory();
  store.setItem("gradroom/draft/a/b/c", JSON.stringify({ starter: hash("start"), text: "mine", undo: null, other: null }));
  const drafts = new Drafts(() => store, "a/b");
  assert.deepEqual(
    [drafts.unsaved("c"), drafts.meet("c", "start", { version: 0, source: null }), drafts.unsaved("c")],
    [true, "ours", true],
  );
});

test("a choice that is open between two tabs comes first", () => {
  const drafts = new Drafts(openOnce(), "a/b");
  drafts.keep("c", "start", "mine");
  drafts.offer("c", "of a tab");
  assert.deepEqual([drafts.meet("c", "start", { version: 2, source: "theirs" }), drafts.read("c")?.other], ["both", "of a tab"]);
});

test("an answer that comes late sets nothing back", () => {
  const drafts = new Drafts(openOnce(), "a/b");
  drafts.keep("c", "start", "second");
  drafts.noteSaved("c", "second", 2);
  drafts.noteSaved("c", "first", 1);
  assert.equal(drafts.unsaved("c"), false);
});
