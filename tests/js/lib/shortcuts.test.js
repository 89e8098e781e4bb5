import assert from "node:assert/strict";
import { test } from "node:test";

import { asksForHelp, asksForSearch, pageAction } from "../../../static/js/lib/shortcuts.js";

const key = (/** @type {string} */ name, more = {}) => ({
  key: name,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
});

const END = { atStart: false, atEnd: true, busy: false };
const START = { atStart: true, atEnd: false, busy: false };

test("keys turn the page at its ends", () => {
  assert.deepEqual([pageAction(key("PageDown"), false, END), pageAction(key("PageUp"), false, START)], ["next", "previous"]);
});

test("a question mark asks for help, where it is not written", () => {
  assert.deepEqual(
    [asksForHelp(key("?", { shiftKey: true }), false), asksForHelp(key("?"), true), asksForHelp(key("?", { ctrlKey: true }), false)],
    [true, false, false],
  );
});

test("where there is more to scroll, keys scroll", () => {
  assert.deepEqual([pageAction(key("PageDown"), false, START), pageAction(key("PageUp"), false, END)], [null, null]);
});

test("a key that is held down stops at the end of the page", () =>
  assert.equal(pageAction(key("PageDown", { repeat: true }), false, END), null));

test("in an editor keys write, but for the one that stops", () => {
  assert.deepEqual([pageAction(key("PageDown"), true, END), pageAction(key(".", { ctrlKey: true }), true, END)], [null, "stop"]);
});

test("keys of the browser are left to it", () => assert.equal(pageAction(key("PageDown", { ctrlKey: true }), false, END), null));

test("no page is turned while something runs", () => {
  assert.deepEqual(
    [pageAction(key("PageDown"), false, { ...END, busy: true }), pageAction(key("PageUp"), false, { ...START, busy: true })],
    [null, null],
  );
});

test("a slash searches, where it is not written", () => {
  assert.deepEqual(
    [asksForSearch(key("/"), false), asksForSearch(key("/", { shiftKey: true }), false), asksForSearch(key("/"), true)],
    [true, true, false],
  );
});

test("Ctrl+K and Cmd+K search from everywhere, unless the editor took the key", () => {
  const presses = [{ ctrlKey: true }, { metaKey: true }, { ctrlKey: true, defaultPrevented: true }, { ctrlKey: true, shiftKey: true }, {}];
  assert.deepEqual(
    presses.map((more) => asksForSearch(key("k", more), true)),
    [true, true, false, false, false],
  );
});
