/** Finds nodes of a graph by what they are called, what they are, or their id. */

/**
 * @typedef {import("./twin.js").Row} Row
 */

/**
 * The ids of the rows that have each of the words in their name or their kind, or that have the whole as their id; none for no words.
 * @param {Row[]} rows @param {string} words @param {(row: Row) => string} kindOf what a row's node is, in the page's language
 * @returns {string[]}
 */
export function search(rows, words, kindOf) {
  const wanted = words.trim().toLowerCase();
  const each = wanted.split(/\s+/).filter(Boolean);
  if (!each.length) return [];
  return rows
    .filter((row) => {
      const text = `${row.label} ${row.node.label} ${row.node.makes ?? ""} ${kindOf(row)}`.toLowerCase();
      return row.node.id.toLowerCase() === wanted || each.every((word) => text.includes(word));
    })
    .map((row) => row.node.id);
}

/** The next place in a list that goes round. @param {number} at -1 for none yet @param {number} step @param {number} count */
export function next(at, step, count) {
  if (!count) return -1;
  return at < 0 ? (step > 0 ? 0 : count - 1) : (at + step + count) % count;
}
