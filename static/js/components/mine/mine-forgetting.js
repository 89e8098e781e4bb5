/**
 * Removes the reader's work from this computer, or deletes it everywhere. A dialog says what will be removed and offers the zip file first.
 */

import { html, nothing } from "lit";

import { failureWords } from "../../lib/me/me-words.js";
import { deleteEverything, leave } from "../../lib/me/me-client.js";
import { t } from "../../lib/words.js";
import { beginLeaving, cancelLeaving, clearBrowser, wasLeaving } from "../../state/saving/this-browser.js";
import { icon } from "../page/icons.js";
import { saveExport } from "./mine-moving.js";
import { MineElement } from "../page/page-element.js";

/** @typedef {"leave" | "delete"} Way */

class MineForgetting extends MineElement {
  /** @override */
  static properties = { way: { state: true }, sure: { state: true }, busy: { state: true }, told: { state: true } };

  constructor() {
    super();
    /** @type {Way} */
    this.way = "leave";
    /** Whether the reader has confirmed that everything is to be deleted. */
    this.sure = false;
    this.busy = false;
    /** @type {{phase: "said" | "failed", words: string} | null} */
    this.told = null;
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("mine")) this.replaceChildren();
    if (changed.has("mine") && this.mine && wasLeaving()) void this.forget();
  }

  /** @override */
  render() {
    if (!this.mine) return nothing;
    return html`<div class="way-out">
        <div>
          <h3>${t("Someone else is using this computer")}</h3>
          <p>${t("This browser forgets you, and the next person begins with nothing.")}</p>
        </div>
        <button class="button quiet" type="button" @click=${() => void this.open("leave")}>${t("Hand it over…")}</button>
      </div>
      <div class="way-out">
        <div>
          <h3>${t("Delete everything")}</h3>
          <p>${t("Nothing of yours is left, neither on the server nor in this browser.")}</p>
        </div>
        <button class="button quiet danger" type="button" @click=${() => void this.open("delete")}>${t("Delete…")}</button>
      </div>
      <dialog class="forgetting-dialog" aria-labelledby="forgetting-title" @close=${() => (this.told = null)}>
        <button class="ghost square close" type="button" aria-label=${t("Close")} @click=${() => this.close()}>${icon("close")}</button>
        ${this.way === "leave" ? this.leaving() : this.deleting()}
        <div role="status">
          ${this.told ? html`<p class=${this.told.phase === "failed" ? "failure-words" : "said-so"}>${this.told.words}</p>` : nothing}
        </div>
      </dialog>`;
  }

  leaving() {
    const days = this.mine?.known?.retention_days ?? 0;
    const unsaved = this.mine?.browser.value?.unsaved ?? 0;
    return html`<h2 id="forgetting-title">${t("Someone else is using this computer")}</h2>
      <ul>
        <li>${t("This browser forgets what it keeps: edits, results, settings, and the programs of the playground.")}</li>
        <li>
          ${
            days
              ? t("What the server keeps stays there for {days} days after your last visit, but this browser no longer leads to it.", {
                  days,
                })
              : t("What the server keeps stays there, but this browser no longer leads to it.")
          }
        </li>
        ${
          unsaved
            ? html`<li>
                <strong
                  >${t("Texts that are in this browser only, and not in the zip: {count}. Open their lessons first.", {
                    count: unsaved,
                  })}</strong
                >
              </li>`
            : nothing
        }
        <li>${t("The zip is your way back: import it on another computer, or here when it is your turn again.")}</li>
        ${
          this.mine?.known?.classes.length
            ? html`<li>${t("So is the resume code of your class. On the page of the class you can make a new one.")}</li>`
            : nothing
        }
      </ul>
      ${this.buttons(t("Forget me on this computer"))}`;
  }

  deleting() {
    return html`<h2 id="forgetting-title">${t("Delete everything")}</h2>
      <ul>
        <li>
          ${t(
            "On the server: your texts with their earlier versions, your submissions with their receipts, your " +
              "predictions, and your progress.",
          )}
        </li>
        ${
          this.mine?.known?.classes.length
            ? html`<li>${t("In your classes: your name, and the notes and points that teachers gave you.")}</li>`
            : nothing
        }
        <li>${t("In this browser: edits, results, settings, and the programs of the playground.")}</li>
        <li>${t("This cannot be undone. Only the server’s backups still have your work, until newer ones replace them.")}</li>
      </ul>
      <label class="choice-line"
        ><input
          type="checkbox"
          name="sure"
          .checked=${this.sure}
          @change=${(/** @type {Event} */ event) => (this.sure = /** @type {HTMLInputElement} */ (event.target).checked)}
        />${t("Yes, delete all of it.")}</label
      >
      ${this.buttons(t("Delete everything"))}`;
  }

  /** @param {string} words */
  buttons(words) {
    const nothingKept = this.mine?.known?.made_ms === null;
    return html`<p class="button-row">
      <button class="button" type="button" ?disabled=${this.busy || nothingKept} @click=${() => void this.take()}>
        ${t("Download my work first")}
      </button>
      <button
        class="button quiet danger"
        type="button"
        ?disabled=${this.busy || (this.way === "delete" && !this.sure)}
        @click=${() => void this.forget()}
      >
        ${words}
      </button>
    </p>`;
  }

  /** @param {Way} way */
  async open(way) {
    this.way = way;
    this.sure = false;
    this.told = null;
    await this.updateComplete;
    this.querySelector("dialog")?.showModal();
  }

  async take() {
    this.busy = true;
    this.told = await saveExport();
    this.busy = false;
  }

  /** Stops other tabs before the cookie changes, so that none of them sends old work as that of the next user. */
  async forget() {
    this.busy = true;
    beginLeaving();
    const answer = await (this.way === "leave" ? leave() : deleteEverything());
    this.busy = false;
    if (!answer.ok && answer.code !== "no_learner") {
      // with `no_learner`, the server does not know this browser's reader any more, so there is nothing to cancel
      cancelLeaving();
      this.told = { phase: "failed", words: failureWords(answer) };
      return;
    }
    await clearBrowser();
    location.hash = this.way === "leave" ? "left" : "deleted";
    location.reload();
  }

  close() {
    this.querySelector("dialog")?.close();
  }
}

customElements.define("mine-forgetting", MineForgetting);
