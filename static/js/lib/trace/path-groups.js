/** Groups missing paths that one sentence can describe. */

import { add } from "../graph/walk.js";

/** @typedef {import("../types.js").MissingPath} MissingPath */

/**
 * Groups the paths that start at the same input and whose saved tensors are used in the same line. A group names each saved tensor once,
 * though the gradients of several inputs may use it.
 * @param {MissingPath[]} paths
 */
export function groupPaths(paths) {
  /** @type {Map<string, MissingPath[]>} */
  const groups = new Map();
  for (const path of paths) {
    const key = JSON.stringify([path.source, path.used]);
    if (!groups.get(key)?.some(({ saved }) => saved === path.saved)) add(groups, key, path);
  }
  return [...groups.values()];
}
