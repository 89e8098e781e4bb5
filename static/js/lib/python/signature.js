/** The parameters of a signature, and the parameter that receives the argument at the cursor. */

/**
 * @typedef {{from: number, to: number, name: string}} Parameter  its position in the signature; `name` includes asterisks
 * @typedef {{index: number, keyword: string}} Argument  the number of commas before it, and its keyword or ""
 */

/** @param {string} signature e.g. "(input, *, out=None) -> Tensor" @returns {Parameter[]} */
export function parametersOf(signature) {
  const parameters = [];
  let depth = 0;
  let start = 1;
  for (let at = 0; at < signature.length; at++) {
    const letter = signature[at] ?? "";
    if ("([{".includes(letter)) depth++;
    if (")]}".includes(letter)) depth--;
    if ((letter === "," && depth === 1) || !depth) {
      const text = signature.slice(start, at);
      const from = start + text.length - text.trimStart().length;
      if (text.trim()) parameters.push({ from, to: start + text.trimEnd().length, name: /^[^=:\s]*/.exec(text.trim())?.[0] ?? "" });
      start = at + 1;
    }
    if (!depth) break;
  }
  return parameters;
}

/**
 * The parameter that receives an argument; null if there is none.
 * @param {string} signature
 * @param {Argument} argument
 * @returns {Parameter | null}
 */
export function parameterFor(signature, { index, keyword }) {
  const parameters = parametersOf(signature).filter(({ name }) => name !== "/");
  if (keyword) return parameters.find(({ name }) => name === keyword) ?? parameters.find(({ name }) => name.startsWith("**")) ?? null;
  const end = parameters.findIndex(({ name }) => name.startsWith("*"));
  const positional = end < 0 ? parameters : parameters.slice(0, end);
  const rest = parameters[end];
  return positional[index] ?? (rest && /^\*\w/.test(rest.name) ? rest : null);
}

/**
 * The first signature that has a parameter for this argument, or else the first signature.
 * @param {string[]} signatures
 * @param {Argument} argument
 */
export function fittingSignature(signatures, argument) {
  return signatures.find((signature) => parameterFor(signature, argument)) ?? signatures[0] ?? "";
}
