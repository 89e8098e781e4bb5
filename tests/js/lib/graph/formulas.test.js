import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";

/** @typedef {typeof import("../../../../static/js/lib/graph/formulas.js")} Formulas */

const MUL = { self: "grad * other", other: "grad * self" };
let copies = 0;

afterEach(() => mock.restoreAll());

/** The module as a page has it that has not loaded the formulas. @param {() => Promise<Response>} fetchFile @param {string} [file] */
async function load(fetchFile, file = "formulas-1A2B.json") {
  Object.assign(globalThis, { FORMULAS_FILE: file });
  mock.method(console, "warn", () => {});
  const fetched = mock.method(globalThis, "fetch", fetchFile);
  /** @type {Formulas} */
  const module = await import(`../../../../static/js/lib/graph/formulas.js?copy=${copies++}`);
  return { ...module, fetched };
}

test("a node has a formula for each input, in their order", async () => {
  const { loadFormulas, formulaOf } = await load(async () => Response.json({ MulBackward0: MUL }));
  await loadFormulas();
  assert.deepEqual(formulaOf("MulBackward0"), [
    { input: "self", formula: "grad * other" },
    { input: "other", formula: "grad * self" },
  ]);
  assert.deepEqual(formulaOf("MulBackward0\n(2, 3)"), formulaOf("MulBackward0"));
});

test("what PyTorch has no formula of has none", async () => {
  const { loadFormulas, formulaOf } = await load(async () => Response.json({ MulBackward0: MUL }));
  assert.deepEqual(formulaOf("MulBackward0"), []);
  await loadFormulas();
  for (const label of ["CubeBackward", "AccumulateGrad", "toString", "__proto__", ""]) assert.deepEqual(formulaOf(label), []);
});

test("the file beside the scripts is fetched once", async () => {
  const { loadFormulas, fetched } = await load(async () => Response.json({}));
  await Promise.all([loadFormulas(), loadFormulas()]);
  await loadFormulas();
  assert.equal(fetched.mock.callCount(), 1);
  assert.match(String(fetched.mock.calls[0]?.arguments[0]), /\/formulas-1A2B\.json$/);
});

test("without the file no node has a formula, and nothing fails", async () => {
  const answers = [async () => Promise.reject(new TypeError("offline")), async () => new Response("", { status: 404 })];
  for (const answer of answers) {
    const { loadFormulas, formulaOf } = await load(answer);
    await loadFormulas();
    assert.deepEqual(formulaOf("MulBackward0"), []);
  }
});

test("a page that was built without formulas asks for none", async () => {
  const { loadFormulas, fetched } = await load(async () => Response.json({ MulBackward0: MUL }), "");
  await loadFormulas();
  assert.equal(fetched.mock.callCount(), 0);
});
