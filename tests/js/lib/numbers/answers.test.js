import assert from "node:assert/strict";
import { test } from "node:test";

import { answerWords, parseAnswer } from "../../../../static/js/lib/numbers/answers.js";

test("a number is read as people write it, and nothing else is one", () => {
  assert.deepEqual(
    ["2.718", " −1e-3 ", ".5", "3.", "２", "", "two", "1,5", "NaN"].map((text) => parseAnswer("value", text)),
    [2.718, -0.001, 0.5, 3, 2, null, null, null, null],
  );
});

test("a shape is read as it is said, typed or printed", () => {
  const shapes = ["2, 3", "2x3", "2 × 3", "(4,)", "torch.Size([2, 3])", "2，3", "5", "()", "[]", "", "2, a", "-1, 2", "2, 3.5"];
  assert.deepEqual(
    shapes.map((text) => parseAnswer("shape", text)),
    [[2, 3], [2, 3], [2, 3], [4], [2, 3], [2, 3], [5], [], [], null, null, null, null],
  );
});

test("lines, nodes and choices are whole numbers, names are names", () => {
  assert.deepEqual(
    [parseAnswer("line", "12"), parseAnswer("nodes", "1.5"), parseAnswer("choice", "2"), parseAnswer("choice", "")],
    [12, null, 2, null],
  );
  assert.deepEqual(
    [parseAnswer("isolated", "grad_x"), parseAnswer("verdict", "passes"), parseAnswer("verdict", "")],
    ["grad_x", "passes", null],
  );
});

test("an answer in words", () => {
  assert.deepEqual(
    [
      answerWords("shape", [2, 3]),
      answerWords("shape", [4]),
      answerWords("shape", []),
      answerWords("verdict", "fails"),
      answerWords("line", 3),
      answerWords("isolated", "none"),
      answerWords("value", 2.5),
    ],
    ["(2, 3)", "(4,)", "()", "it fails", "line 3", "none of them", "2.5"],
  );
});
