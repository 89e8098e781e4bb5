/** Sentences about a path that a double backward lacks, and about what cut it. */

import { add } from "../graph/walk.js";
import { inARow, t } from "../words.js";

/**
 * @typedef {import("../types.js").MissingPath} MissingPath
 * @typedef {import("../types.js").PathCut} PathCut
 */

/** Groups the paths that start at the same input and whose saved tensors are used in the same line. @param {MissingPath[]} paths */
export function groupPaths(paths) {
  /** @type {Map<string, MissingPath[]>} */
  const groups = new Map();
  for (const path of paths) add(groups, JSON.stringify([path.source, path.used]), path);
  return [...groups.values()];
}

/** @param {MissingPath[]} paths those of one group */
export function missingWords(paths) {
  const saved = inARow(
    paths.map((path) => (path.made ? t("{saved} (line {line})", { saved: path.saved, line: path.made.line }) : path.saved)),
  );
  const values = { saved, source: paths[0]?.source ?? "?", used: paths[0]?.used?.line ?? "?" };
  return paths.length === 1
    ? t(
        "Missing path: forward computes {saved} from {source} while nothing is recorded. Where backward uses it, in line {used}, it is a " +
          "constant for autograd, so the second derivative lacks what should flow through it.",
        values,
      )
    : t(
        "Missing paths: forward computes {saved} from {source} while nothing is recorded. Where backward uses them, in line {used}, they " +
          "are constants for autograd, so the second derivative lacks what should flow through them.",
        values,
      );
}

/** @param {PathCut} cut */
export function cutWords({ reason, method, span }) {
  const values = { method, line: span?.line ?? "?" };
  switch (reason) {
    case "detach":
      return t("detach() in line {line} of {method} ends the path of the gradient here.", values);
    case "data":
      return t(".data in line {line} of {method} ends the path of the gradient here.", values);
    case "no_grad":
      return t("no_grad in line {line} of {method} ends the path of the gradient here.", values);
    case "item":
      return t("A number is taken out of a tensor in line {line} of {method}; no gradient follows a number.", values);
    case "numpy":
      return t("Line {line} of {method} computes with NumPy, which records nothing.", values);
    case "once_differentiable":
      return t("once_differentiable in line {line} allows no second derivative.", values);
  }
}
