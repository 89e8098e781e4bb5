/** Earlier versions of the program that is open: what each would bring and take, and the way back to it. Loaded when asked for. */

import "./page-base.js";
import { diffLines } from "diff";
import { html, nothing } from "lit";

import { runtimeName } from "../lib/runtimes.js";
import { moment, t } from "../lib/words.js";
import { icon } from "./icons.js";
import { PageElement } from "./page-element.js";

/**
 * @typedef {import("../state/programs.js").Programs} Programs
 * @typedef {import("../state/history.js").Version} Version
 */

/** @param {Programs} programs */
export async function openHistory(programs) {
  const id = programs.current.value;
  const versions = await programs.history.read(id);
  if (programs.current.value !== id || document.querySelector("dialog.history")) return; // another program was opened meanwhile, or this asked for twice
  const dialog = document.createElement("dialog");
  dialog.className = "history";
  dialog.setAttribute("aria-labelledby", "history-title");
  dialog.append(Object.assign(new ProgramHistory(), { programs, versions, chosen: versions[0] ?? null }));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

class ProgramHistory extends PageElement {
  /** @override */
  static properties = { programs: { attribute: false }, versions: { attribute: false }, chosen: { attribute: false } };

  constructor() {
    super();
    /** @type {Programs | null} */
    this.programs = null;
    /** @type {Version[]} */
    this.versions = [];
    /** @type {Version | null} */
    this.chosen = null;
  }

  /** @override */
  render() {
    const name = this.programs?.program.value?.name ?? "";
    return html`<button class="ghost square close" type="button" aria-label=${t("Close")} @click=${() => this.close()}>${icon("close")}</button>
      <h2 id="history-title">${t("History of {name}", { name })}</h2>
      ${this.chosen ? this.versionsOf(this.chosen) : html`<p>${t("There is none yet. A version is kept each time the program is run, and when something else takes its place.")}</p>`}`;
  }

  /** @param {Version} chosen */
  versionsOf(chosen) {
    const now = this.programs?.cell.value?.text.value ?? "";
    const same = now === chosen.source && this.programs?.program.value?.runtime === chosen.runtime;
    return html`<div class="versions">
      <fieldset><legend class="unseen">${t("Version")}</legend>${this.versions.map((one) => this.choice(one))}</fieldset>
      <div class="version">
        <p id="version-words">${same ? t("This is the program as it is now.") : t("Compared with the program as it is now:")}</p>
        <pre tabindex="0" role="region" aria-labelledby="version-words">${same ? chosen.source : difference(now, chosen.source)}</pre>
        <button class="button" type="button" ?disabled=${same} @click=${() => this.restore(chosen)}>${t("Restore this version")}</button>
      </div>
    </div>`;
  }

  /** @param {Version} version */
  choice(version) {
    const { at, why, runtime } = version;
    const reasons = { run: t("when it was run"), replaced: t("replaced by an example"), restored: t("before an earlier one came back") };
    const several = new Set(this.versions.map((one) => one.runtime)).size > 1;
    return html`<label><input type="radio" name="version" .checked=${version === this.chosen} @change=${() => (this.chosen = version)} />
      <span>${moment(at)}<small>${reasons[why]}${several ? ` · ${runtimeName(runtime)}` : nothing}</small></span></label>`;
  }

  /** @param {Version} version */
  restore(version) {
    this.close();
    void this.programs?.restore(version);
  }

  close() {
    this.closest("dialog")?.close();
  }
}

/** Line by line: what would go, what would come, and what stays. @param {string} now @param {string} then */
function difference(now, then) {
  return diffLines(now, then).map(({ value, added, removed }) => {
    const lines = (/** @type {string} */ sign) => value.replace(/\n$/, "").split("\n").map((line) => `${sign} ${line}\n`).join("");
    if (added) return html`<ins>${lines("+")}</ins>`;
    return removed ? html`<del>${lines("−")}</del>` : lines(" ");
  });
}

customElements.define("program-history", ProgramHistory);
