/** A dialog that shows earlier versions of a text, compares them with the present one and restores them. It is loaded on demand. */

import { diffLines } from "diff";
import { html, nothing } from "lit";

import { moment, t } from "../../lib/words.js";
import { icon } from "./icons.js";
import "./page-base.js";
import { PageElement } from "./page-element.js";

/**
 * @typedef {object} Past  one earlier version
 * @property {number | null} at in ms since 1970; null if unknown
 * @property {string} source
 * @property {unknown} words the reason why it was stored
 * @property {unknown} [about] further facts, shown above its text
 * @property {boolean} [current] whether it is the present version; if absent, the texts are compared
 *
 * @typedef {object} Look  what the dialog shows
 * @property {string} title
 * @property {string} now the present text
 * @property {Past[]} pasts newest first
 * @property {string} none the message if there are no versions
 * @property {{same: string, compared: string}} words about the chosen version
 * @property {string} [note] a remark above the versions
 * @property {(past: Past) => void} restore
 */

/**
 * Opens the dialog, unless one is already open. Returns a function that updates what it shows.
 * @param {Look} look
 * @returns {((look: Look) => void) | null}
 */
export function showHistory(look) {
  if (document.querySelector("dialog.history")) return null;
  const dialog = document.createElement("dialog");
  dialog.className = "history";
  dialog.setAttribute("aria-labelledby", "history-title");
  const versions = Object.assign(new VersionHistory(), { look, chosen: look.pasts[0] ?? null });
  dialog.append(versions);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return (more) => versions.show(more);
}

class VersionHistory extends PageElement {
  /** @override */
  static properties = { look: { attribute: false }, chosen: { attribute: false } };

  constructor() {
    super();
    /** @type {Look | null} */
    this.look = null;
    /** @type {Past | null} */
    this.chosen = null;
    /** Whether the reader has chosen a version. */
    this.touched = false;
  }

  /** Updates the dialog. The version that the reader has chosen remains chosen if it is still listed. @param {Look} look */
  show(look) {
    const { touched, chosen } = this;
    this.look = look;
    this.chosen = (touched && look.pasts.find((one) => one.source === chosen?.source && one.at === chosen?.at)) || (look.pasts[0] ?? null);
  }

  /** @override */
  render() {
    const { look, chosen } = this;
    if (!look) return nothing;
    return html`<button class="ghost square close" type="button" aria-label=${t("Close")} @click=${() => this.close()}>
        ${icon("close")}
      </button>
      <h2 id="history-title">${look.title}</h2>
      ${look.note ? html`<p class="history-note" role="status">${look.note}</p>` : nothing}
      ${chosen ? this.versions(look, chosen) : html`<p>${look.none}</p>`}`;
  }

  /** @param {Look} look @param {Past} chosen */
  versions(look, chosen) {
    const same = chosen.current ?? look.now === chosen.source;
    return html`<div class="history-versions">
      <fieldset>
        <legend class="unseen">${t("Version")}</legend>
        ${look.pasts.map((one) => this.choice(one, look.pasts))}
      </fieldset>
      <div class="history-version">
        ${chosen.about ?? nothing}
        <p id="version-words">${same ? look.words.same : look.words.compared}</p>
        <pre tabindex="0" role="region" aria-labelledby="version-words">${same ? chosen.source : difference(look.now, chosen.source)}</pre>
        <button class="button" type="button" ?disabled=${same} @click=${() => this.restore(look, chosen)}>
          ${t("Restore this version")}
        </button>
      </div>
    </div>`;
  }

  /** @param {Past} past @param {Past[]} pasts all of them */
  choice(past, pasts) {
    const { at, words } = past;
    return html`<label
      ><input type="radio" name="version" .checked=${past === this.chosen} @change=${() => this.choose(past)} />
      <span
        >${
          at === null
            ? words
            : html`${moment(
                at,
                pasts.map((one) => one.at),
              )}<small>${words}</small>`
        }</span
      ></label
    >`;
  }

  /** @param {Past} past */
  choose(past) {
    this.touched = true;
    this.chosen = past;
  }

  /** @param {Look} look @param {Past} past */
  restore(look, past) {
    this.close();
    look.restore(past);
  }

  close() {
    this.closest("dialog")?.close();
  }
}

/**
 * The difference line by line: what would be removed, what would be added, and what is unchanged.
 * @param {string} now
 * @param {string} then
 */
function difference(now, then) {
  return diffLines(now, then).map(({ value, added, removed }) => {
    const lines = (/** @type {string} */ sign) =>
      value
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `${sign} ${line}\n`)
        .join("");
    if (added) return html`<ins>${lines("+")}</ins>`;
    return removed ? html`<del>${lines("−")}</del>` : lines(" ");
  });
}

customElements.define("version-history", VersionHistory);
