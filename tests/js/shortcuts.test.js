import assert from "node:assert/strict";
import { test } from "node:test";

import { pageAction } from "../../static/js/lib/shortcuts.js";

const key = (/** @type {string} */ name, more = {}) => ({ key: name, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more });

test("keys turn the page and open the help", () => {
  assert.deepEqual([pageAction(key("PageDown"), false), pageAction(key("PageUp"), false), pageAction(key("?", { shiftKey: true }), false)], ["next", "previous", "help"]);
});

test("in an editor keys write", () => assert.equal(pageAction(key("?"), true), null));

test("keys of the browser are left to it", () => assert.equal(pageAction(key("PageDown", { ctrlKey: true }), false), null));
