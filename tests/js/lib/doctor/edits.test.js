import assert from "node:assert/strict";
import { test } from "node:test";

import { applied, preview } from "../../../../static/js/lib/doctor/edits.js";

/** @typedef {import("../../../../static/js/lib/types.js").Edit} Edit */

const TEXT = "def f(x):\n    y = '😀' + g(x)\n    return y\n\nz = 1";

/** @param {number} line @param {number | null} column @param {number} end_line @param {number | null} end_column @param {string} text @returns {Edit} */
function edit(line, column, end_line, end_column, text) {
  return { span: { cell: null, line, column, end_line, end_column }, text };
}

/** @param {string} text @param {Edit[]} edits */
function rows(text, edits) {
  const sign = { same: " ", before: "-", after: "+" };
  return preview(text, edits)?.map((group) =>
    group.map(
      ({ kind, number, pieces }) => `${number}${sign[kind]}${pieces.map((one) => (one.changed ? `[${one.text}]` : one.text)).join("")}`,
    ),
  );
}

test("columns are code points, and the order of the edits does not matter", () => {
  const edits = [edit(5, 4, 5, 5, "2"), edit(2, 16, 2, 17, "w"), edit(2, 4, 2, 5, "yy")];
  assert.equal(applied(TEXT, edits), "def f(x):\n    yy = '😀' + g(w)\n    return y\n\nz = 2");
});

test("an edit may insert lines, remove lines, and go over several", () => {
  assert.equal(applied(TEXT, [edit(3, 0, 3, 0, "    y = 2 * y\n")]), TEXT.replace("    return", "    y = 2 * y\n    return"));
  assert.equal(applied(TEXT, [edit(2, 0, 3, 0, "")]), "def f(x):\n    return y\n\nz = 1");
  assert.equal(applied(TEXT, [edit(2, null, 3, null, "    pass")]), "def f(x):\n    pass\n\nz = 1");
});

for (const [why, edits] of /** @type {[string, Edit[]][]} */ ([
  ["there is none", []],
  ["one is after the end of the text", [edit(6, 0, 6, 1, "x")]],
  ["two overlap", [edit(2, 4, 2, 9, "x"), edit(2, 8, 2, 10, "y")]],
  ["one ends before it begins", [edit(2, 9, 2, 4, "x")]],
]))
  test(`nothing is changed if ${why}`, () => {
    assert.equal(applied(TEXT, edits), null);
    assert.equal(preview(TEXT, edits), null);
  });

test("a preview has the lines before and after, what changed in them, and a line around them", () => {
  assert.deepEqual(rows(TEXT, [edit(2, 16, 2, 17, "w")]), [
    ["1 def f(x):", "2-    y = '😀' + g([x])", "2+    y = '😀' + g([w])", "3     return y"],
  ]);
});

test("edits that are apart are apart in the preview, and later lines count those that were inserted", () => {
  assert.deepEqual(rows(`${TEXT}\na\nb\nc`, [edit(1, 0, 1, 0, "import g\n"), edit(8, 0, 8, 1, "d")]), [
    ["1+[import g]", "1 def f(x):"],
    ["7 b", "8-[c]", "9+[d]"],
  ]);
});

test("a line that is inserted after a line, or removed, leaves its neighbours as they are", () => {
  assert.deepEqual(rows(TEXT, [edit(2, 18, 2, 18, "\n    h(y)")]), [["2     y = '😀' + g(x)", "3+[    h(y)]", "3     return y"]]);
  assert.deepEqual(rows(TEXT, [edit(2, 0, 3, 0, "")]), [["1 def f(x):", "2-[    y = '😀' + g(x)]", "3     return y"]]);
});
