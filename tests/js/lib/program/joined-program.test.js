import assert from "node:assert/strict";
import { test } from "node:test";

import { joinProgram } from "../../../../static/js/lib/program/joined-program.js";
import { useMessages } from "../../../../static/js/lib/words.js";

/** @param {number} number @param {string} text @param {string} [raises] */
function part(number, text, raises = "") {
  return { number, filename: `file_${number}.py`, raises, text };
}

test("a cell that continues none is its own text", () => {
  assert.equal(joinProgram([part(3, "x = 1\n")]), "x = 1\n");
});

test("cells that are continued come first, each under its name", () => {
  assert.equal(
    joinProgram([part(1, "x = 1\n\n"), part(2, "print(x)", "ValueError")]),
    "# cell 1: file_1.py\nx = 1\n\n\n# cell 2: file_2.py\nprint(x)\n",
  );
});

test("a cell that ends with the exception it declares lets the next one run", () => {
  assert.equal(
    joinProgram([part(1, "def f():\n    return 1\n\nf() / 0\n", "ZeroDivisionError"), part(2, "print(f())\n")]),
    "# cell 1: file_1.py\ntry:\n    def f():\n        return 1\n\n    f() / 0\n" +
      'except Exception as error:\n    if type(error).__name__ != "ZeroDivisionError":\n        raise\n\n\n' +
      "# cell 2: file_2.py\nprint(f())\n",
  );
});

test("lines within a string stay as they are", () => {
  const text = 'a = """one\ntwo\n  three"""\nb = f"""{a}\nfour"""\nraise ValueError\n';
  const joined = joinProgram([part(1, text, "ValueError"), part(2, "print(a)\n")]);
  assert.ok(joined.includes('    a = """one\ntwo\n  three"""\n    b = f"""{a}\nfour"""\n    raise ValueError\n'));
});

test("cells are named in the language of the page", () => {
  useMessages({ "cell {number}: {filename}": "单元格 {number}：{filename}" });
  assert.equal(
    joinProgram([part(1, "x = 1\n"), part(2, "print(x)\n")]),
    "# 单元格 1：file_1.py\nx = 1\n\n\n# 单元格 2：file_2.py\nprint(x)\n",
  );
  useMessages({});
});
