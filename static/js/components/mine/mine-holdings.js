/** How much of the reader's work the server stores, and how much only this browser. */

import { html, nothing } from "lit";

import { countWords, failureWords } from "../../lib/me/me-words.js";
import { day, fileSize, t } from "../../lib/words.js";
import { MineElement } from "../page/page-element.js";

/**
 * @typedef {import("../../state/mine-state.js").MineState} MineState
 * @typedef {import("../../lib/me/me-client.js").Holdings} Holdings
 */

const DAY_MS = 86_400_000;

class MineHoldings extends MineElement {
  /** @override */
  willUpdate() {
    if (this.mine?.holdings.value) dropPlain(this);
  }

  /** @override */
  render() {
    const answer = this.mine?.holdings.value;
    if (!answer) return nothing;
    if (!answer.ok) return html`<p class="failure-words" role="status">${failureWords(answer)}</p>`;
    const { value } = answer;
    if (value.made_ms === null) return html`<p>${t("Nothing of yours is kept.")}</p>`;
    return html`<dl class="mine-figures">
        ${figures(value).map(
          ([words, count]) =>
            html`<div>
              <dt>${words}</dt>
              <dd>${count}</dd>
            </div>`,
        )}
      </dl>
      <p class="side-note">${t("{head} {rest}", { head: t("Kept since {day}.", { day: day(value.made_ms) }), rest: until(value) })}</p>`;
  }
}

/** @param {Holdings} holdings @returns {[string, number | string][]} */
function figures({ bytes, limit_bytes, ...counts }) {
  return [...countWords(counts), [t("Size (at most {most})", { most: fileSize(limit_bytes) }), fileSize(bytes)]];
}

/** @param {Holdings} holdings */
function until({ retention_days: days }) {
  if (days === 0) return t("It stays until you delete it.");
  return t("It will be deleted {days} days after your last visit; if you do not come back, on {day}.", {
    days,
    day: day(Date.now() + days * DAY_MS),
  });
}

/** Removes the text that the server shows until the figures are known. @param {HTMLElement} element */
function dropPlain(element) {
  element.querySelector(":scope > .plain")?.remove();
}

class MineBrowser extends MineElement {
  /** @override */
  willUpdate() {
    if (this.mine?.browser.value) dropPlain(this);
  }

  /** @override */
  render() {
    const kept = this.mine?.browser.value;
    if (!kept) return nothing;
    const { programs, results, unsaved } = kept;
    return html`<dl class="mine-figures">
        <div>
          <dt><a href="/${document.documentElement.lang}/playground">${t("Programs of the playground")}</a></dt>
          <dd>${programs}</dd>
        </div>
        <div>
          <dt>${t("Cells whose last results are kept")}</dt>
          <dd>${results}</dd>
        </div>
        ${
          unsaved
            ? html`<div>
                <dt>${t("Texts that the server does not have yet")}</dt>
                <dd>${unsaved}</dd>
              </div>`
            : nothing
        }
      </dl>
      <p class="side-note">
        ${t("There are also your settings. None of this is in the zip: programs of the playground can be downloaded there.")}
      </p>`;
  }
}

customElements.define("mine-holdings", MineHoldings);
customElements.define("mine-browser", MineBrowser);
