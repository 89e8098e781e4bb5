/** Finds nodes of a graph by their name, kind or id. */

/**
 * @typedef {import("./twin.js").Row} Row
 */

/**
 * The ids of the rows whose name or kind contains each of the words, or whose id is the whole text. Without words, none.
 * @param {Row[]} rows
 * @param {string} words
 * @param {(row: Row) => string} kindOf the kind of a row's node, in the page's language
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

/**
 * The next index in a list of `count` items. After the last comes the first.
 * @param {number} at -1 for none yet
 * @param {number} step
 * @param {number} count
 */
export function next(at, step, count) {
  if (!count) return -1;
  return at < 0 ? (step > 0 ? 0 : count - 1) : (at + step + count) % count;
}
