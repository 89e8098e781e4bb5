/** Sentences about a path that a double backward lacks, and about what cut it. */

import { t } from "../words.js";

/**
 * @typedef {import("../types.js").MissingPath} MissingPath
 * @typedef {import("../types.js").PathCut} PathCut
 */

/** @param {MissingPath} path */
export function missingWords({ saved, source, made, used }) {
  const lines = { saved, source, made: made?.line ?? "?", used: used?.line ?? "?" };
  return t(
    "Missing path: forward computes {saved} from {source} in line {made} while nothing is recorded, and backward uses it in line {used}. " +
      "So autograd takes {saved} for a constant, and the second derivative lacks what flows through it.",
    lines,
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
