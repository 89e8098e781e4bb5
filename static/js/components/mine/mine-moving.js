/** Exports the reader's work as a zip file, and imports such a file. */

import { html, nothing } from "lit";

import { countWords, failureWords } from "../../lib/me/me-words.js";
import { fetchExport, importWork } from "../../lib/me/me-client.js";
import { t } from "../../lib/words.js";
import { MineElement } from "../page/page-element.js";
import { download } from "../results/copy-download.js";

/**
 * @typedef {{phase: "idle"} | {phase: "busy" | "said" | "failed", words: string} | {phase: "brought", counts: Record<string, any>}} Moving
 */

class MineMoving extends MineElement {
  /** @override */
  static properties = { moving: { state: true } };

  constructor() {
    super();
    /** @type {Moving} */
    this.moving = { phase: "idle" };
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("mine")) this.replaceChildren();
  }

  /** @override */
  render() {
    if (!this.mine) return nothing;
    const busy = this.moving.phase === "busy";
    const empty = this.mine.known?.made_ms === null;
    return html`<p class="button-row">
        <button class="button" type="button" ?disabled=${busy || empty} @click=${() => void this.take()}>${t("Download my work")}</button>
        <button class="button quiet" type="button" ?disabled=${busy} @click=${() => this.choose()}>${t("Import a zip…")}</button>
        <input
          class="unseen"
          type="file"
          name="zip"
          accept=".zip,application/zip"
          tabindex="-1"
          aria-label=${t("A zip of your work")}
          @change=${(/** @type {Event} */ event) => void this.bring(/** @type {HTMLInputElement} */ (event.target))}
        />
      </p>
      <div role="status">${this.told()}</div>`;
  }

  told() {
    const { moving } = this;
    switch (moving.phase) {
      case "busy":
        return html`<p class="status"><span class="status-pulse"></span>${moving.words}</p>`;
      case "said":
        return html`<p class="said-so">${moving.words}</p>`;
      case "failed":
        return html`<p class="failure-words">${moving.words}</p>`;
      case "brought":
        return brought(moving.counts);
      default:
        return nothing;
    }
  }

  async take() {
    this.moving = { phase: "busy", words: t("Packing your work.") };
    this.moving = await saveExport();
  }

  choose() {
    /** @type {HTMLInputElement} */ (this.querySelector("input")).click();
  }

  /** @param {HTMLInputElement} field */
  async bring(field) {
    const zip = field.files?.[0];
    if (!zip) return;
    this.moving = { phase: "busy", words: t("Importing {name}.", { name: zip.name }) };
    const answer = await importWork(zip);
    field.value = ""; // so that the same file can be chosen again
    this.moving = answer.ok ? { phase: "brought", counts: answer.value } : { phase: "failed", words: failureWords(answer) };
    if (answer.ok) this.dispatchEvent(new CustomEvent("work-brought", { bubbles: true }));
  }
}

/**
 * Downloads the reader's work as a zip file. Returns the message about it.
 * @returns {Promise<{phase: "said" | "failed", words: string}>}
 */
export async function saveExport() {
  const answer = await fetchExport();
  if (!answer.ok) return { phase: "failed", words: failureWords(answer) };
  const today = new Date();
  const twoDigits = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const name = `gradroom-${today.getFullYear()}-${twoDigits(today.getMonth() + 1)}-${twoDigits(today.getDate())}.zip`;
  download(name, new Uint8Array(await answer.value.arrayBuffer()), "application/zip");
  return { phase: "said", words: t("{name} is among your downloads.", { name }) };
}

/** @param {Record<string, any>} counts what the server imported, already had, and stored beside other texts */
function brought({ taken = {}, beside = 0 }) {
  const lines = countWords(taken).filter(([, count]) => count > 0);
  return html`<div class="mine-brought">
    ${
      lines.length
        ? html`<p><strong>${t("Your work is here. This is new:")}</strong></p>
            <dl class="mine-figures">
              ${lines.map(
                ([words, count]) =>
                  html`<div>
                    <dt>${words}</dt>
                    <dd>${count}</dd>
                  </div>`,
              )}
            </dl>`
        : html`<p><strong>${t("Everything in this zip was here already.")}</strong></p>`
    }
    ${
      beside
        ? html`<p>
            ${t(
              "Texts that differ from the ones here: {count}. The ones here stay as they are; those of the zip are in the " +
                "History of their cells.",
              { count: beside },
            )}
          </p>`
        : nothing
    }
  </div>`;
}

customElements.define("mine-moving", MineMoving);
