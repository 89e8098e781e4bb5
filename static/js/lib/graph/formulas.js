/**
 * PyTorch's derivative formulas, which its wheel ships as derivatives.yaml and `python -m bootstrap.derivative_formulas` lists.
 *
 * @typedef {{input: string, formula: string}} InputFormula  `grad` in a formula is the gradient that the node receives; a node with
 *   several of them has `grads[0]`, `grads[1]`, … or a name for each. `result` is what forward returned.
 */

/** @type {Record<string, Record<string, string>>} */
let known = {};
/** @type {Promise<void> | null} */
let loading = null;

/** Loads the formulas; later calls do nothing. If that fails, no node has a formula. */
export function loadFormulas() {
  loading ??= fetchFormulas().then(
    (formulas) => void (known = formulas),
    (problem) => console.warn("the formulas of PyTorch's nodes could not be loaded", problem),
  );
  return loading;
}

/**
 * The formulas of a node in the order of its `next_functions`; a list of tensors is one input. Empty before the formulas are loaded, and
 * for a node that has none.
 * @param {string} label the type name of the node, such as "MulBackward0", which may be followed by more lines
 * @returns {InputFormula[]}
 */
export function formulaOf(label) {
  const name = label.trim().split("\n", 1)[0] ?? "";
  const formulas = Object.hasOwn(known, name) ? known[name] : {};
  return Object.entries(formulas ?? {}).map(([input, formula]) => ({ input, formula }));
}

async function fetchFormulas() {
  if (!FORMULAS_FILE) throw new Error("they were not built");
  const answer = await fetch(new URL(FORMULAS_FILE, import.meta.url));
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}
