/**
 * What a pair of Jacobians says: the difference, the worst entry, how hot each entry is, and one fact in words' place.
 * Everything here follows from the record; nothing is guessed.
 */

import { exact, isFinite, size, subtract } from "./number.js";

/**
 * @typedef {import("./types.js").JacobianPair} JacobianPair
 * @typedef {import("./number.js").Entry} Entry
 * @typedef {{row: number, column: number, numerical: Entry, analytical: Entry, difference: Entry}} Place
 *
 * @typedef {{fact: "agree"} | {fact: "zero"} | {fact: "not-zero"} | {fact: "not-a-number"} | {fact: "factor", factor: number} | {fact: "transposed"} | {fact: "differ"}} Finding
 */

export const HEAT_STEPS = 7;

/** Every entry with its two values; for a large Jacobian the worst ones that were kept. @param {JacobianPair} pair @returns {Place[]} */
export function places(pair) {
  if (pair.numerical && pair.analytical) {
    const analytical = /** @type {Entry[][]} */ (pair.analytical);
    return /** @type {Entry[][]} */ (pair.numerical).flatMap((entries, row) =>
      entries.map((entry, column) => place(row, column, entry, analytical[row]?.[column] ?? 0)),
    );
  }
  return (pair.worst ?? []).map((one) => place(one.row, one.column, /** @type {Entry} */ (one.numerical), /** @type {Entry} */ (one.analytical)));
}

/** @param {number} row @param {number} column @param {Entry} numerical @param {Entry} analytical @returns {Place} */
function place(row, column, numerical, analytical) {
  return { row, column, numerical, analytical, difference: subtract(numerical, analytical) };
}

/** The entries that differ most, those that are no numbers first; none that are equal. @param {JacobianPair} pair @param {number} count @returns {Place[]} */
export function mostDifferent(pair, count) {
  const rank = (/** @type {Place} */ one) => (Number.isNaN(size(one.difference)) ? Infinity : size(one.difference));
  return places(pair)
    .map((one) => ({ one, rank: rank(one) }))
    .filter((entry) => entry.rank > 0)
    .sort((a, b) => (a.rank === b.rank ? 0 : b.rank - a.rank))
    .slice(0, count)
    .map(({ one }) => one);
}

/** The entry that differs most. @param {JacobianPair} pair @returns {Place | null} */
export function worst(pair) {
  return mostDifferent(pair, 1)[0] ?? null;
}

/** Up to what size a difference is rounding: any of a pair that agrees, else the tolerance, if there are differences beyond it. @param {JacobianPair} pair @param {number} atol */
export function negligible(pair, atol) {
  if (pair.failing === 0) return Infinity;
  const top = worst(pair);
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
  return Math.max(1, Math.ceil((own / top) * HEAT_STEPS));
}

/** The plainest thing that is true of a whole pair. @param {JacobianPair} pair @param {boolean} passed of the whole check @returns {Finding} */
export function find(pair, passed) {
  const all = places(pair);
  if (pair.failing === 0 && (passed || !all.some((one) => !isFinite(one.difference)))) return { fact: "agree" };
  if (all.some((one) => !Array.isArray(one.analytical) && !isFinite(one.analytical))) return { fact: "not-a-number" };
  if (!pair.numerical || !pair.analytical) return { fact: "differ" };
  const top = scale(all.map((one) => one.numerical));
  if (all.every((one) => size(one.analytical) === 0)) return { fact: "zero" };
  if (top < 1e-9) return { fact: "not-zero" };
  const factor = commonFactor(all, top);
  if (factor !== null) return { fact: "factor", factor };
  return isTransposed(pair, top) ? { fact: "transposed" } : { fact: "differ" };
}

/** k, if every analytical entry is k times the numerical one. @param {Place[]} all @param {number} top */
function commonFactor(all, top) {
  if (!all.every((one) => isFinite(one.numerical) && isFinite(one.analytical))) return null;
  const largest = all.find((one) => size(one.numerical) === top);
  if (!largest) return null;
  const factor = Number(largest.analytical) / Number(largest.numerical);
  const fits = all.every((one) => Math.abs(Number(one.analytical) - factor * Number(one.numerical)) <= 1e-4 * top * Math.abs(factor));
  return fits && Math.abs(factor - 1) > 1e-3 ? Number(factor.toPrecision(4)) : null;
}

/** @param {JacobianPair} pair @param {number} top */
function isTransposed(pair, top) {
  const numerical = /** @type {Entry[][]} */ (pair.numerical);
  const analytical = /** @type {Entry[][]} */ (pair.analytical);
  if (numerical.length < 2 || numerical.length !== numerical[0]?.length) return false;
  return numerical.every((entries, row) => entries.every((entry, column) => size(subtract(entry, analytical[column]?.[row] ?? 0)) <= 1e-4 * top));
}

/** One line an entry: row, column, numerical, analytical, difference; a projection has no place. @param {JacobianPair} pair @param {boolean} [projected] */
export function toCsv(pair, projected = false) {
  const lines = places(pair).map((one) => [...(projected ? [] : [one.row, one.column]), exact(one.numerical), exact(one.analytical), exact(one.difference)].join(","));
  return [`${projected ? "" : "input_index,output_index,"}numerical,analytical,difference`, ...lines, ""].join("\r\n");
}
