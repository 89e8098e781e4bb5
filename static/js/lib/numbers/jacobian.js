/**
 * The entries of a pair of Jacobians that are drawn: all of them, or one for each block; with their difference, the worst entry and the
 * heat of each entry. Everything is computed from the record.
 */

import { exact, size, subtract } from "./number.js";

/**
 * @typedef {import("../types.js").JacobianPair} JacobianPair
 * @typedef {import("./number.js").Entry} Entry
 * @typedef {{row: number, column: number, numerical: Entry, analytical: Entry, difference: Entry}} Place
 */

export const HEAT_STEPS = 7;

/**
 * The entries that are drawn: all of them, or for each block the one that was sent. None for a large Jacobian that was stored before there
 * were blocks.
 * @param {JacobianPair} pair
 * @returns {Place[][]}
 */
export function drawn(pair) {
  if (pair.blocks) return pair.blocks.entries.map((row) => row.map((entry) => place(...entry)));
  return pairUp(pair.numerical ?? [], pair.analytical ?? []);
}

/** All entries of the worst block; none if there are no blocks or none of them differs. @param {JacobianPair} pair @returns {Place[][]} */
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

/**
 * The entry with the largest difference; NaN counts as the largest. Null if no entry differs.
 * @param {Place[][]} places
 * @returns {Place | null}
 */
export function worst(places) {
  const rank = (/** @type {Place} */ one) => (Number.isNaN(size(one.difference)) ? Infinity : size(one.difference));
  const [first, ...others] = places.flat();
  const top = first && others.reduce((most, one) => (rank(one) > rank(most) ? one : most), first);
  return top && rank(top) > 0 ? top : null;
}

/**
 * The largest difference that counts as rounding: any if the pair agrees; otherwise the tolerance, or 0 if no difference exceeds it.
 * @param {JacobianPair} pair
 * @param {number} atol
 */
export function negligible(pair, atol) {
  if (pair.failing === 0) return Infinity;
  const top = worst(drawn(pair));
  return top && size(top.difference) <= atol ? 0 : atol;
}

/** The largest size among finite entries, relative to which heat is measured. @param {Entry[]} entries */
export function scale(entries) {
  return entries.reduce((/** @type {number} */ top, entry) => (Number.isFinite(size(entry)) ? Math.max(top, size(entry)) : top), 0);
}

/** The heat of an entry, from 0 (no colour) to HEAT_STEPS. @param {Entry} entry @param {number} top the largest size around */
export function heat(entry, top) {
  const own = size(entry);
  if (!own || !top || !Number.isFinite(own)) return 0;
  return Math.min(Math.max(1, Math.ceil((own / top) * HEAT_STEPS)), HEAT_STEPS); // a difference can be larger than `top`
}

/**
 * The index of a tensor's entry as it is written after the tensor's name: entry 7 in the shape (2, 4) is "[1, 3]". "" for the only entry of
 * a tensor without axes.
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
 * A CSV file with one line for each entry that was sent: row, column, numerical, analytical, difference. Projections have no row and
 * column.
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
