/** The order of a board's rows. Rows move only when the reader asks for it, so that none slips away under a finger. */

/**
 * @typedef {import("./board-client.js").BoardRow} BoardRow
 * @typedef {BoardRow["group"]} Group
 * @typedef {Record<Group, number[]>} Arrangement  the members of each group, in their order
 */

/** @type {Group[]} */
export const GROUPS = ["hand", "stuck", "working", "away"];

/**
 * The rows in groups: hands and those who are stuck by how long, the others by name.
 * @param {Map<number, BoardRow>} rows
 * @returns {Arrangement}
 */
export function arrange(rows) {
  const groups = /** @type {Record<Group, BoardRow[]>} */ ({ hand: [], stuck: [], working: [], away: [] });
  for (const row of rows.values()) groups[row.group].push(row);
  const since = (/** @type {BoardRow} */ one, /** @type {BoardRow} */ other) => (one.since_ms ?? 0) - (other.since_ms ?? 0);
  const names = new Intl.Collator(undefined, { numeric: true });
  const byName = (/** @type {BoardRow} */ one, /** @type {BoardRow} */ other) =>
    names.compare(one.name, other.name) || one.member - other.member;
  groups.hand.sort(since);
  groups.stuck.sort(since);
  groups.working.sort(byName);
  groups.away.sort(byName);
  const ids = (/** @type {Group} */ group) => groups[group].map((row) => row.member);
  return { hand: ids("hand"), stuck: ids("stuck"), working: ids("working"), away: ids("away") };
}

/**
 * The members who would be in another group, or in none, if the rows were arranged anew.
 * @param {Arrangement} arrangement
 * @param {Map<number, BoardRow>} rows
 * @returns {Set<number>}
 */
export function findMoved(arrangement, rows) {
  const moved = new Set(rows.keys());
  for (const group of GROUPS) {
    for (const member of arrangement[group]) {
      if (rows.get(member)?.group === group) moved.delete(member);
      else moved.add(member);
    }
  }
  return moved;
}
