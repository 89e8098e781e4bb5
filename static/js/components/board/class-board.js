/** The board: groups of rows. A row has a member's name and place, what fails, and why it is in its group. It opens a drawer. */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { GROUPS } from "../../lib/board/arrangement.js";
import { groupWords, minutesSince, reasonWords, spanWords } from "../../lib/board/board-words.js";
import { t } from "../../lib/words.js";
import { BoardElement } from "./board-element.js";

/**
 * @typedef {import("../../lib/board/board-client.js").BoardRow} BoardRow
 * @typedef {import("../../lib/board/arrangement.js").Group} Group
 * @typedef {import("../../state/board-state.js").BoardState} BoardState
 */

/** The groups that are shown although nobody is in them. @type {Group[]} */
const LASTING = ["hand", "stuck"];

class ClassBoard extends BoardElement {
  /** @override */
  render() {
    const { board } = this;
    if (!board) return nothing;
    const groups = GROUPS.map((group) => ({ group, members: board.arrangement.value[group].filter((member) => board.row(member)) }));
    const first = groups.find(({ members }) => members.length);
    return html`${groups.map((one) => this.group(board, one.group, one.members, one === first))}`;
  }

  /** @param {BoardState} board @param {Group} group @param {number[]} members @param {boolean} isFirst of those that are not empty */
  group(board, group, members, isFirst) {
    if (!members.length && !LASTING.includes(group)) return nothing;
    return html`<section class="board-group ${group}" aria-labelledby="group-${group}">
      <h2 id="group-${group}">${groupWords(group)} <span class="board-count">${members.length}</span></h2>
      ${isFirst ? this.heads() : nothing}
      ${
        members.length
          ? html`<ul>
              ${repeat(
                members,
                (member) => member,
                (member) => html`<li>${this.row(board, /** @type {BoardRow} */ (board.row(member)), group)}</li>`,
              )}
            </ul>`
          : html`<p class="side-note">${group === "hand" ? t("No hand is raised.") : t("Nobody is stuck.")}</p>`
      }
    </section>`;
  }

  heads() {
    const heads = [t("Learner"), t("Exercise"), t("Failing check"), t("Why here"), t("For how long")];
    return html`<p class="board-heads">${heads.map((words) => html`<span>${words}</span> `)}</p>`;
  }

  /** @param {BoardState} board @param {BoardRow} row @param {Group} group in which it stands */
  row(board, row, group) {
    const isGone = !board.rows.value.has(row.member);
    const marks = [isGone ? "gone" : "", row.group === group ? "" : "moved", board.opened.value === row.member ? "opened" : ""];
    const minutes = minutesSince(row.since_ms, board.now.value);
    return html`<button
      class="board-row ${marks.filter(Boolean).join(" ")}"
      type="button"
      data-member=${row.member}
      aria-expanded=${board.opened.value === row.member}
      @click=${() => void (board.opened.value === row.member ? board.close() : board.show(row.member))}
    >
      <span class="board-name" title=${board.nameOf(row)}
        ><bdi>${board.nameOf(row)}</bdi>${row.number && !board.hidesNames.value ? html` <small>${row.number}</small>` : nothing}</span
      >
      <span class="board-place" title=${board.placeWords(row)}>${board.placeWords(row)}</span>
      <span class="board-failing">${board.failureWords(row)}</span>
      <span class="board-reason">${isGone ? t("has left the class") : reasonWords(row)}${this.helper(row)}</span>
      <span class="board-minutes">${row.since_ms ? spanWords(minutes) : nothing}</span>
      ${row.group === group || isGone ? nothing : html`<span class="board-move">→ ${groupWords(row.group)}</span>`}
    </button>`;
  }

  /** The helper who is coming, if the reason does not name them. @param {BoardRow} row */
  helper(row) {
    if (!row.helper || row.reason === "coming") return nothing;
    return html` <span class="board-helper">${t("{name} is coming", { name: row.helper })}</span>`;
  }
}

customElements.define("class-board", ClassBoard);
