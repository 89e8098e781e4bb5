import assert from "node:assert/strict";
import { test } from "node:test";

import { toNotebook } from "../../../../static/js/lib/program/notebook.js";

const SOURCE = "import torch\n\nx = torch.ones(2)\nprint(x)\n";

/** What nbformat 4.5's schema asks of a notebook with code cells only. @param {any} notebook */
function validate(notebook) {
  assert.deepEqual(Object.keys(notebook).sort(), ["cells", "metadata", "nbformat", "nbformat_minor"]);
  assert.equal(notebook.nbformat, 4);
  assert.equal(notebook.nbformat_minor, 5);
  assert.equal(typeof notebook.metadata.kernelspec.name, "string");
  assert.equal(typeof notebook.metadata.kernelspec.display_name, "string");
  assert.equal(typeof notebook.metadata.language_info.name, "string");
  const ids = new Set();
  for (const cell of notebook.cells) {
    assert.deepEqual(Object.keys(cell).sort(), ["cell_type", "execution_count", "id", "metadata", "outputs", "source"]);
    assert.equal(cell.cell_type, "code");
    assert.match(cell.id, /^[a-zA-Z0-9-_]{1,64}$/);
    assert.equal(cell.execution_count, null);
    assert.deepEqual(cell.outputs, []);
    assert.ok(cell.source.every((/** @type {unknown} */ line) => typeof line === "string"));
    ids.add(cell.id);
  }
  assert.equal(ids.size, notebook.cells.length);
}

test("a program is one cell, line by line", () => {
  const notebook = JSON.parse(toNotebook(SOURCE));
  validate(notebook);
  assert.equal(notebook.cells.length, 1);
  assert.deepEqual(notebook.cells[0].source, ["import torch\n", "\n", "x = torch.ones(2)\n", "print(x)"]);
});

test("parts that are marked become cells", () => {
  const notebook = JSON.parse(toNotebook("# cell 1: a.py\na = 1\n\n\n# cell 2: b.py\nprint(a)\n# %% more\nprint(2)\n"));
  validate(notebook);
  assert.deepEqual(
    notebook.cells.map((/** @type {any} */ cell) => cell.source.join("")),
    ["# cell 1: a.py\na = 1", "# cell 2: b.py\nprint(a)", "# %% more\nprint(2)"],
  );
});

test("an empty program is a notebook without cells", () => {
  const notebook = JSON.parse(toNotebook("\n"));
  validate(notebook);
  assert.deepEqual(notebook.cells, []);
});

test("parts that are marked in Chinese become cells, too", () => {
  const notebook = JSON.parse(toNotebook("# 单元格 1：a.py\na = 1\n\n\n# 单元格 12：b.py\nprint(a)\n"));
  assert.deepEqual(
    notebook.cells.map((/** @type {any} */ cell) => cell.source.join("")),
    ["# 单元格 1：a.py\na = 1", "# 单元格 12：b.py\nprint(a)"],
  );
});
