import assert from "node:assert/strict";
import { test } from "node:test";

import { splitAt, toCodePoints, toUtf16, wellFormed } from "../../static/js/lib/positions.js";

test("an emoji is one code point and two units", () => {
  assert.equal(toUtf16("a😀b", 2), 3);
  assert.equal(toCodePoints("a😀b", 3), 2);
});

test("a column past the end is the end", () => assert.equal(toUtf16("ab", 9), 2));

test("text is cut between code points", () => assert.deepEqual(splitAt("😀好b", 2), ["😀好", "b"]));

test("lone surrogates and NUL are replaced, and pairs are kept", () => assert.equal(wellFormed("\uD800a😀\uDC00\0"), "\uFFFDa😀\uFFFD\uFFFD"));
