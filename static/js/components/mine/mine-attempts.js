/** The submissions of one exercise with their receipts. They are fetched when the reader opens the list. */

import { html, nothing } from "lit";

import { attemptWords, failureWords, versionWords } from "../../lib/me/me-words.js";
import { readAttempts } from "../../lib/me/me-client.js";
import { moment, t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { PageElement } from "../page/page-element.js";

/** @typedef {import("../../lib/me/me-client.js").SentAttempt} SentAttempt */

class MineAttempts extends PageElement {
  /** @override */
  static properties = { standing: { attribute: false }, answer: { state: true } };

  constructor() {
    super();
    /** @type {"tried" | "passed" | "shown"} */
    this.standing = "tried";
    /** @type {import("../../lib/me/me-client.js").Answer<{attempts: SentAttempt[]}> | null} */
    this.answer = null;
  }

  /** @override */
  connectedCallback() {
    this.replaceChildren();
    super.connectedCallback();
  }

  /** @override */
  render() {
    const { title = "", url = "" } = this.dataset;
    const words = { tried: t("tried"), passed: t("passed"), shown: t("passed after seeing the solution") }[this.standing];
    return html`<details @toggle=${(/** @type {Event} */ event) => void this.open(/** @type {HTMLDetailsElement} */ (event.target))}>
      <summary>
        <span>${title}</span><span class="standing-mark ${this.standing}">${this.standing === "tried" ? nothing : icon("pass")}${words}</span>
      </summary>
      <div role="status">${this.list()}</div>
      <p><a href=${url}>${t("To the exercise")}</a></p>
    </details>`;
  }

  list() {
    const { answer } = this;
    if (!answer) return nothing;
    if (!answer.ok) return html`<p class="failure-words">${failureWords(answer)}</p>`;
    if (!answer.value.attempts.length) return html`<p class="side-note">${t("No submission is kept on the server.")}</p>`;
    return html`<div class="table" tabindex="0" role="region" aria-label=${t("Submissions")}>
      <table>
        <thead>
          <tr>
            <th>${t("Time")}</th>
            <th>${t("Result")}</th>
            <th>${t("Receipt")}</th>
          </tr>
        </thead>
        <tbody>
          ${answer.value.attempts.map(
            (one) =>
              html`<tr>
                <td>${moment(Date.parse(one.at))}</td>
                <td>${attemptWords(one)} <span class="side-note">${versionWords(one)}</span></td>
                <td><code>${one.receipt}</code></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** @param {HTMLDetailsElement} details */
  async open(details) {
    if (details.open) this.answer = await readAttempts(this.dataset["exercise"] ?? "");
  }
}

customElements.define("mine-attempts", MineAttempts);
