/** Above the board: what is new and can be let in, whether the server is there, and whether names are hidden. */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { BoardElement } from "./board-element.js";

class BoardBar extends BoardElement {
  /** @override */
  render() {
    const { board } = this;
    if (!board) return nothing;
    const moved = board.moved.value.size;
    return html`<div class="board-news" role="status">
        ${moved ? html`<button class="button" type="button" @click=${() => board.update()}>${t("{count} new: update", { count: moved })}</button>` : nothing}
        ${this.reach(board.reach.value)}
      </div>
      <label class="choice-line"
        ><input type="checkbox" .checked=${board.hidesNames.value} @change=${() => board.toggleNames()} />
        <span>${t("Hide names")}</span></label
      >`;
  }

  /** @param {import("../../state/board-state.js").Reach} reach */
  reach(reach) {
    switch (reach) {
      case "lost":
        return html`<p class="board-lost">${t("The connection is lost. What stands here may be old; it is tried again.")}</p>`;
      case "unreadable":
        return html`<p class="board-lost">${t("The board cannot be read right now. It is tried again.")}</p>`;
      case "ended":
        return html`<p class="board-lost">
          ${t("You are signed out, or no longer teach this class.")} <a href="">${t("Load again")}</a>
        </p>`;
      default:
        return nothing;
    }
  }
}

customElements.define("board-bar", BoardBar);
