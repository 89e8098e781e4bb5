/** Beside the board: what fails in the same way for several members, with a link that shows one of these answers to the class. */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { BoardElement } from "./board-element.js";

/** @typedef {import("../../lib/board/board-client.js").Cluster} Cluster */

/** The name of the window with the projector's page, so that a second answer is shown in the same one. */
export const PROJECTOR = "gradroom-projector";

class BoardClusters extends BoardElement {
  /** @override */
  render() {
    const { board } = this;
    if (!board) return nothing;
    const clusters = board.clusters.value;
    return html`<h2>${t("Same failing check")}</h2>
      ${
        clusters.length
          ? html`<ol>
              ${clusters.map((one) => html`<li>${this.cluster(board, one)}</li>`)}
            </ol>`
          : html`<p class="side-note">${t("No check fails for two or more.")}</p>`
      }`;
  }

  /** @param {import("../../state/board-state.js").BoardState} board @param {Cluster} cluster */
  cluster(board, cluster) {
    const { attempts } = cluster;
    const url = projectorAddress(board, attempts[0] ?? 0, attempts);
    return html`<p class="cluster-count">${attempts.length}</p>
      <div>
        <p class="cluster-words">${board.failureWords(cluster)}</p>
        <p class="side-note">${board.placeWords(cluster)}</p>
        <p><a href=${url} target=${PROJECTOR}>${t("Show one on the projector")}</a></p>
      </div>`;
  }
}

/**
 * The address of the page that shows an attempt to the class.
 * @param {import("../../state/board-state.js").BoardState} board
 * @param {number} attempt
 * @param {number[]} [among] attempts to turn to
 */
export function projectorAddress(board, attempt, among = []) {
  const query = among.length > 1 ? `?among=${among.slice(0, 100).join(",")}` : "";
  return `/${board.lang}/teach/${board.id}/show/${attempt}${query}`;
}

customElements.define("board-clusters", BoardClusters);
