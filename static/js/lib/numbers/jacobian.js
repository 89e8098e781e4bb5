/**
 * What is drawn of a pair of Jacobians: its entries, or one of each block; the difference, the worst entry, how hot each entry is.
 * Everything here follows from the record; nothing is guessed.
 */

import { exact, size, subtract } from "./number.js";

/**
 * @typedef {import("../types.js").JacobianPair} JacobianPair
 * @typedef {import("./number.js").Entry} Entry
 * @typedef {{row: number, column: number, numerical: Entry, analytical: Entry, difference: Entry}} Place
 */

export const HEAT_STEPS = 7;

/**
 * The entries that are drawn: all, or of each block the one that was sent; none of a large Jacobian as it was stored before there were
 * blocks.
 * @param {JacobianPair} pair
 * @returns {Place[][]}
 */
export function drawn(pair) {
  if (pair.blocks) return pair.blocks.entries.map((row) => row.map((entry) => place(...entry)));
  return pairUp(pair.numerical ?? [], pair.analytical ?? []);
}

/** All entries of the worst block, if there are blocks and one differs. @param {JacobianPair} pair @returns {Place[][]} */
export function worstBlock(pair) {
  const block = pair.blocks?.worst;
  return block ? pairUp(block.numerical, block.analytical, block.row, block.column) : [];
}

/**
 * @param {Entry[][]} numerical
 * @param {Entry[][]} analytical
 * @param {number} [row] of the first
 * @param {number} [column]
 * @returns {Place[][]}
 */
function pairUp(numerical, analytical, row = 0, column = 0) {
  return numerical.map((entries, r) => entries.map((entry, c) => place(row + r, column + c, entry, analytical[r]?.[c] ?? 0)));
}

/** @param {number} row @param {number} column @param {Entry} numerical @param {Entry} analytical @returns {Place} */
function place(row, column, numerical, analytical) {
  return { row, column, numerical, analytical, difference: subtract(numerical, analytical) };
}

/** The entry that differs most, one that is no number first; null if none differs. @param {Place[][]} places @returns {Place | null} */
export function worst(places) {
  const rank = (/** @type {Place} */ one) => (Number.isNaN(size(one.difference)) ? Infinity : size(one.difference));
  const [first, ...others] = places.flat();
  const top = first && others.reduce((most, one) => (rank(one) > rank(most) ? one : most), first);
  return top && rank(top) > 0 ? top : null;
}

/**
 * Up to what size a difference is rounding: any of a pair that agrees, else the tolerance, if there are differences beyond it.
 * @param {JacobianPair} pair
 * @param {number} atol
 */
export function negligible(pair, atol) {
  if (pair.failing === 0) return Infinity;
  const top = worst(drawn(pair));
  return top && size(top.difference) <= atol ? 0 : atol;
}

/** The largest size among finite entries, by which heat is measured. @param {Entry[]} entries */
export function scale(entries) {
  return entries.reduce((/** @type {number} */ top, entry) => (Number.isFinite(size(entry)) ? Math.max(top, size(entry)) : top), 0);
}

/** From 0, nothing, to HEAT_STEPS. @param {Entry} entry @param {number} top the largest size around */
export function heat(entry, top) {
  const own = size(entry);
  if (!own || !top || !Number.isFinite(own)) return 0;
  return Math.min(Math.max(1, Math.ceil((own / top) * HEAT_STEPS)), HEAT_STEPS); // a difference can be larger than both sides
}

/**
 * An entry of a tensor as it is written after its name: 7 in the shape (2, 4) is [1, 3]; nothing for the only one of a tensor without axes.
 * @param {number} entry
 * @param {number[] | null | undefined} shape
 * @returns {string}
 */
export function index(entry, shape) {
  if (!shape) return `[${entry}]`;
  let rest = entry;
  /** @type {number[]} */
  const indices = [];
  for (const side of [...shape].reverse()) {
    indices.unshift(rest % side);
    rest = Math.floor(rest / side);
  }
  return indices.length ? `[${indices.join(", ")}]` : "";
}

/**
 * One line an entry that was sent: row, column, numerical, analytical, difference; a projection has no place.
 * @param {JacobianPair} pair
 * @param {boolean} [projected]
 */
export function toCsv(pair, projected = false) {
  const places = new Map([...drawn(pair), ...worstBlock(pair)].flat().map((one) => [`${one.row},${one.column}`, one]));
  const lines = Array.from(places, ([at, one]) =>
    [...(projected ? [] : [at]), exact(one.numerical), exact(one.analytical), exact(one.difference)].join(","),
  );
  return [`${projected ? "" : "input_index,output_index,"}numerical,analytical,difference`, ...lines, ""].join("\r\n");
}
