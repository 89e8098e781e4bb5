import assert from "node:assert/strict";
import { test } from "node:test";

import { toUtf16, wellFormed } from "../../../../static/js/lib/python/positions.js";

test("an emoji is one code point and two units", () => assert.equal(toUtf16("a😀b", 2), 3));

test("a column past the end is the end", () => assert.equal(toUtf16("ab", 9), 2));

test("lone surrogates and NUL are replaced, and pairs are kept", () =>
  assert.equal(wellFormed("\uD800a😀\uDC00\0"), "\uFFFDa😀\uFFFD\uFFFD"));
