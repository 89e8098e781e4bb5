/** The setting whether predictions that were wrong are asked again. */

import { html, nothing } from "lit";

import { failureWords } from "../../lib/me/me-words.js";
import { setReviews } from "../../lib/me/me-client.js";
import { t } from "../../lib/words.js";
import { MineElement } from "../page/page-element.js";

class MineReviews extends MineElement {
  /** @override */
  static properties = { told: { state: true } };

  constructor() {
    super();
    this.told = "";
  }

  /** @override */
  render() {
    const known = this.mine?.known;
    if (!known) return nothing;
    return html`<label class="choice-line"
        ><input
          type="checkbox"
          name="reviews"
          .checked=${known.reviews}
          @change=${(/** @type {Event} */ event) => void this.turn(/** @type {HTMLInputElement} */ (event.target))}
        />${t("Show them on the home page")}</label
      >
      <p class="failure-words" role="status">${this.told}</p>`;
  }

  /** @param {HTMLInputElement} box */
  async turn(box) {
    const answer = await setReviews(box.checked);
    this.told = answer.ok ? "" : failureWords(answer);
    if (!answer.ok) box.checked = !box.checked;
  }
}

customElements.define("mine-reviews", MineReviews);
