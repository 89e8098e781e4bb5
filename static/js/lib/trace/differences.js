/**
 * Compares a second run of a program with the first. A program that prints the time, or an address, prints something different each time.
 * The page then says so, because the steps are those of the second run.
 */

/** @typedef {import("../types.js").RunRecord} RunRecord */

/**
 * @typedef {object} Compared  what is compared of a run
 * @property {string} outcome
 * @property {{type: string, cell?: string | null, line?: number | null} | null} [error]
 * @property {string} stdout
 * @property {string} stderr
 * @property {RunRecord[]} records
 *
 * @typedef {object} Differences
 * @property {boolean} ending whether the two runs ended differently
 * @property {boolean} records whether they made different records
 * @property {{line: number, first: string, second: string}[]} lines the printed lines that differ, numbered from 1
 */

/** The kinds of records that only a second run makes, and those that say what the doctor found. */
export const TRACED = new Set(["replay", "saved", "traced_graph", "diagnosis", "examined"]);

const MOST_LINES = 20;

/** The differences of two runs; null if there are none. @param {Compared} first @param {Compared} second @returns {Differences | null} */
export function compare(first, second) {
  const ending = describeEnding(first) !== describeEnding(second);
  const records = describeRecords(first.records) !== describeRecords(second.records);
  const lines = [...differentLines(first.stdout, second.stdout), ...differentLines(first.stderr, second.stderr)].slice(0, MOST_LINES);
  return ending || records || lines.length ? { ending, records, lines } : null;
}

/** @param {Compared} run */
function describeEnding({ outcome, error }) {
  return JSON.stringify([outcome, error?.type, error?.cell, error?.line]);
}

/** The structure of the records of an ordinary run: their kinds, ids and places, and the nodes of graphs, but no values. @param {RunRecord[]} records */
function describeRecords(records) {
  const ordinary = records.filter(({ kind }) => !TRACED.has(kind));
  return JSON.stringify(
    ordinary.map((record) => [record.kind, record.id, record.span, record.kind === "graph" ? record.nodes.map(({ id }) => id) : null]),
  );
}

/** @param {string} first @param {string} second */
function differentLines(first, second) {
  const [before, after] = [first.split("\n"), second.split("\n")];
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => ({
    line: at + 1,
    first: before[at] ?? "",
    second: after[at] ?? "",
  })).filter((line) => line.first !== line.second);
}
