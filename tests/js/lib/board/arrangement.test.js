import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange, findMoved } from "../../../../static/js/lib/board/arrangement.js";

/** @typedef {import("../../../../static/js/lib/board/board-client.js").BoardRow} BoardRow */

/** @param {[number, string, BoardRow["group"], number?][]} members */
function rows(members) {
  return new Map(members.map(([member, name, group, since]) => [member, { member, name, group, reason: "", since_ms: since ?? null }]));
}

test("who waits longest stands first, the others stand by name", () => {
  const found = arrange(
    rows([
      [1, "Zoe", "stuck", 30],
      [2, "Ana", "stuck", 50],
      [3, "b 10", "working", 9],
      [4, "b 2", "working", 1],
      [5, "Cy", "hand", 7],
    ]),
  );
  assert.deepEqual(found, { hand: [5], stuck: [1, 2], working: [4, 3], away: [] });
});

test("moved are those who would stand in another group, who are new and who are gone", () => {
  const before = arrange(
    rows([
      [1, "a", "stuck"],
      [2, "b", "working"],
      [3, "c", "away"],
      [4, "d", "working"],
    ]),
  ); // prettier-ignore
  const after = rows([
    [1, "a", "stuck", 99],
    [2, "b", "hand"],
    [4, "d", "working"],
    [5, "e", "away"],
  ]); // prettier-ignore
  assert.deepEqual([...findMoved(before, after)].sort(), [2, 3, 5]);
  assert.deepEqual(findMoved(arrange(after), after).size, 0);
});
