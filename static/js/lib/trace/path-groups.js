/** Groups missing paths that one sentence can describe. */

import { add } from "../graph/walk.js";

/** @typedef {import("../types.js").MissingPath} MissingPath */

/** Groups the paths that start at the same input and whose saved tensors are used in the same line. @param {MissingPath[]} paths */
export function groupPaths(paths) {
  /** @type {Map<string, MissingPath[]>} */
  const groups = new Map();
  for (const path of paths) add(groups, JSON.stringify([path.source, path.used]), path);
  return [...groups.values()];
}
