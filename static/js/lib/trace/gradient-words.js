/** Gradients as text: short ones as numbers, others by their shape. */

import { brief, size } from "../numbers/number.js";
import { t } from "../words.js";

/**
 * @typedef {import("../types.js").Gradient} Gradient
 * @typedef {import("../numbers/number.js").Entry} Entry
 */

/** A vector of at most this many entries is written in full. */
const SHORT = 4;

/** A shape as Python writes it: (3,) or (2, 4). @param {number[]} shape */
export function shapeWords(shape) {
  return `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
}

/** The entries of a gradient in the order of its rows; null if they are not known. @param {Gradient} gradient @returns {Entry[] | null} */
export function entriesOf({ values, shape }) {
  if (values === null || values === undefined || !shape) return null;
  // a complex entry is a pair, so the nesting is as deep as the shape says and not as deep as the arrays are
  return shape.length === 0
    ? [/** @type {Entry} */ (values)]
    : /** @type {Entry[]} */ (/** @type {any[]} */ (values).flat(shape.length - 1));
}

/** A gradient within a sentence; "None" for none. @param {Gradient | null | undefined} gradient */
export function gradientWords(gradient) {
  if (!gradient) return t("None");
  const { shape } = gradient;
  const entries = entriesOf(gradient);
  if (!shape) return t("a gradient");
  if (!entries) return t("a gradient of shape {shape}", { shape: shapeWords(shape) });
  if (shape.length === 0) return brief(entries[0] ?? 0);
  if (shape.length === 1 && entries.length <= SHORT) return `[${entries.map((entry) => brief(entry)).join(", ")}]`;
  if (entries.every((entry) => size(entry) === 0)) return t("zeros of shape {shape}", { shape: shapeWords(shape) });
  return t("a gradient of shape {shape}", { shape: shapeWords(shape) });
}

/** A gradient beside an edge of the picture: shorter than in a sentence. @param {Gradient | null | undefined} gradient */
export function edgeWords(gradient) {
  if (!gradient) return t("None");
  const entries = entriesOf(gradient);
  const { shape } = gradient;
  if (!shape) return "?";
  if (!entries) return shapeWords(shape);
  if (shape.length === 0) return brief(entries[0] ?? 0);
  if (entries.every((entry) => size(entry) === 0)) return `0 ${shapeWords(shape)}`;
  return shape.length === 1 && entries.length < SHORT ? `[${entries.map((entry) => brief(entry, 2)).join(", ")}]` : shapeWords(shape);
}
