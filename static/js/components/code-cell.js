/**
 * A cell: the editor in the place of the server's picture of the code, its buttons, and under it how its run went.
 *
 * It keeps every edit, runs by itself when told to (the page says what to send), and tells what happens by events:
 * `cell-edit`, `cell-state`, `cell-active`.
 */

import { html, nothing, render } from "lit";

import { Editor } from "../editor/editor.js";
import { Run } from "../lib/run-client.js";
import { advance, IDLE, isBusy } from "../lib/run-state.js";
import { t } from "../lib/words.js";
import { icon } from "./icons.js";
import { copy } from "./takeaway.js";
import "./run-error.js";
import "./run-output.js";
import "./run-status.js";

/**
 * @typedef {import("../lib/drafts.js").Drafts} Drafts
 * @typedef {import("../lib/run-state.js").RunState} RunState
 * @typedef {import("../lib/run-client.js").RunNews} RunNews
 * @typedef {import("../lib/types.js").RunError} RunError
 * @typedef {import("../lib/types.js").RunRequest} RunRequest
 *
 * @typedef {object} CellPage  what a cell asks of its page
 * @property {Drafts} drafts
 * @property {string} nonce
 * @property {(cell: CodeCell) => RunRequest} request what to send for a run
 * @property {(cell: string | null) => string} names
 * @property {(cell: string) => string} numbers the name of a cell without its file's
 * @property {string} [placeholder]
 */

/** A run shorter than this shows nothing of its beginning, so that nothing flickers. */
const CALM_MS = 250;

export class CodeCell extends HTMLElement {
  constructor() {
    super();
    // Both are there once the page has brought the cell to life; nothing happens in a cell before.
    this.page = /** @type {CellPage} */ (/** @type {unknown} */ (null));
    this.editor = /** @type {Editor} */ (/** @type {unknown} */ (null));
    this.starter = "";
    /** @type {HTMLElement | null} */
    this.hint = null;
    this.state = IDLE;
    /** The last state worth showing: what stood before stays until there is something new. */
    this.shown = IDLE;
    this.edited = false;
    this.active = false;
    this.writing = false;
    this.copied = false;
    /** @type {"" | "changed" | "elsewhere"} */
    this.conflict = "";
    this.elsewhere = "";
    /** @type {Run | null} */
    this.run = null;
    this.startedAt = 0;
    /** The text that the latest run is made of. */
    this.sent = "";
  }

  get cell() {
    return this.getAttribute("cell") ?? "";
  }

  get number() {
    return Number(this.getAttribute("number"));
  }

  get filename() {
    return this.getAttribute("filename") ?? "";
  }

  /** The ids of the cells that are replayed before this one. */
  get continues() {
    return (this.getAttribute("after") ?? "").split(" ").filter(Boolean);
  }

  get text() {
    return this.editor.text;
  }

  /** What it is called in sentences. */
  get called() {
    return this.number ? t("Cell {number}", { number: this.number }) : this.filename;
  }

  /** @param {CellPage} page */
  bring(page) {
    this.page = page;
    const code = this.inside(".cell-code");
    this.starter = (code.querySelector("pre")?.textContent ?? "").replace(/\n$/, "");
    const restored = page.drafts.restore(this.cell, this.starter);
    this.conflict = restored.kind === "changed" ? "changed" : "";
    const hint = document.createElement("span");
    hint.className = "keys";
    hint.id = `keys-${this.cell}`;
    code.replaceChildren();
    this.hint = hint;
    this.editor = this.edit(code, restored.kind === "starter" ? this.starter : restored.text, page);
    this.inside(".cell-name").after(hint);
    this.addEventListener("focusin", () => this.tell("cell-active"));
    this.addEventListener("pointerdown", () => this.tell("cell-active"));
    this.addEventListener("try-now", () => this.run?.tryNow());
    this.addEventListener("run-again", () => (this.inside(".run").focus(), void this.start()));
    this.showHint(false);
    this.draw();
  }

  /** @param {HTMLElement} parent @param {string} text @param {CellPage} page */
  edit(parent, text, page) {
    return new Editor({
      parent,
      text,
      nonce: page.nonce,
      label: this.number ? t("Code editor, cell {number}", { number: this.number }) : t("Code editor"),
      describedBy: `keys-${this.cell}`,
      placeholder: page.placeholder ?? "",
      onRun: () => void this.start(),
      onChange: (now) => this.onChange(now),
      onMode: (writing) => this.showHint(writing),
    });
  }

  /** @param {string} now */
  onChange(now) {
    if (this.conflict === "elsewhere") this.conflict = "";
    this.page.drafts.keep(this.cell, this.starter, now);
    this.draw();
    this.tell("cell-edit");
  }

  /** Runs what is written; a run under way is not disturbed. */
  async start() {
    if (isBusy(this.state)) return;
    this.editor.unmark();
    this.startedAt = performance.now();
    this.sent = this.text;
    this.tell("cell-active");
    this.tell("cell-start");
    const calm = setTimeout(() => (this.draw(), this.tell("cell-state")), CALM_MS);
    this.run = new Run(this.page.request(this), (news) => this.take(news));
    await this.run.start();
    clearTimeout(calm);
    this.run = null;
  }

  stop() {
    void this.run?.stop();
  }

  /** @param {RunNews} news */
  take(news) {
    this.state = advance(this.state, news);
    if (news.type === "result" && news.result.error) this.mark(news.result.error);
    this.draw();
    this.tell("cell-state");
  }

  /** Marks the line of an error, if it is in this cell and the text is still the one that ran. @param {RunError} error */
  mark({ cell, line, column }) {
    if (line && (cell === null || cell === this.cell) && this.text === this.sent) this.editor.mark(line, column);
  }

  /** The name of the cell in which the run failed, if it was one that is replayed before this. */
  get faultCell() {
    const cell = this.shown.result?.error?.cell ?? null;
    return cell === null || cell === this.cell ? "" : this.page.numbers(cell);
  }

  /** Whether the beginning of a run is still too young to be shown. */
  get calm() {
    return isBusy(this.state) && this.state.phase !== "waiting" && performance.now() - this.startedAt < CALM_MS;
  }

  /** Does what a button says; where that takes the button away, the keyboard goes on to what took its place. @param {() => void} act */
  press(act) {
    const held = this.contains(document.activeElement);
    act();
    if (held && !this.contains(document.activeElement)) this.inside(".undo, .run").focus();
  }

  reset() {
    const text = this.text;
    this.conflict = "";
    this.editor.replace(this.starter);
    this.page.drafts.reset(this.cell, this.starter, text);
    this.draw();
  }

  undoReset() {
    const text = this.page.drafts.undoable(this.cell);
    if (text !== null) this.editor.replace(text);
  }

  /** The kept edit stays; it now belongs to the lesson's new code. */
  keepMine() {
    this.conflict = "";
    this.page.drafts.keep(this.cell, this.starter, this.text);
    this.draw();
  }

  /** Another tab has written to this cell. @param {string} text */
  notice(text) {
    this.conflict = text === this.text ? "" : "elsewhere";
    this.elsewhere = text;
    this.draw();
  }

  takeOther() {
    this.conflict = "";
    this.editor.replace(this.elsewhere);
  }

  /** @param {boolean} writing */
  showHint(writing) {
    this.writing = writing;
    if (this.hint) this.hint.textContent = writing ? t("Esc, then Tab leaves the editor") : t("Type to edit; Tab moves on");
  }

  /** @param {string} selector @returns {HTMLElement} */
  inside(selector) {
    return /** @type {HTMLElement} */ (this.querySelector(selector));
  }

  /** @param {string} name */
  tell(name) {
    this.dispatchEvent(new CustomEvent(name, { bubbles: true, detail: this }));
  }

  draw() {
    if (!this.calm) this.shown = this.state;
    this.inside(".cell").classList.toggle("active", this.active);
    render(this.buttons(), this.inside(".cell-head .end"));
    render(this.foot(), this.inside(".cell-foot"));
  }

  buttons() {
    const changed = this.text !== this.starter;
    /** @param {() => void} act */
    const press = (act) => () => this.press(act);
    const undoable = !changed && this.page.drafts.undoable(this.cell) !== null;
    const busy = isBusy(this.state) && !this.calm;
    const copied = async () => {
      this.copied = await copy(this.text);
      this.draw();
      setTimeout(() => ((this.copied = false), this.draw()), 1500);
    };
    return html`<button class="ghost square" type="button" aria-label=${t("Copy the code")} title=${t("Copy the code")} @click=${copied}>${icon(this.copied ? "pass" : "copy")}</button>
      ${changed ? html`<button class="ghost undo" type="button" @click=${press(() => this.reset())}>${t("Reset")}</button>` : nothing}
      ${undoable ? html`<button class="ghost undo" type="button" @click=${press(() => this.undoReset())}>${t("Undo reset")}</button>` : nothing}
      <button class="run ${busy ? "stop" : ""}" type="button" aria-keyshortcuts=${busy ? "Control+. Meta+." : "Shift+Enter"} @click=${() => (busy ? this.stop() : this.start())}>
        ${busy ? t("Stop") : html`${t("Run")}<kbd aria-hidden="true">⇧ ↵</kbd>`}
      </button>`;
  }

  foot() {
    return html`<div role="status">${this.note()}</div><run-output .state=${this.shown}></run-output>
      <run-status .state=${this.shown} .edited=${this.edited} .elsewhere=${this.faultCell}></run-status>
      <run-error .state=${this.shown} cell=${this.cell} .names=${this.page.names}></run-error>`;
  }

  note() {
    /** @param {() => void} act */
    const press = (act) => () => this.press(act);
    if (this.conflict === "changed") {
      return html`<div class="cell-note">
        <p>${t("The lesson’s code has changed since you edited this cell. Here is your version.")}</p>
        <button class="link" type="button" @click=${press(() => this.keepMine())}>${t("Keep mine")}</button>
        <button class="link" type="button" @click=${press(() => this.reset())}>${t("Take the lesson’s")}</button>
      </div>`;
    }
    if (this.conflict !== "elsewhere") return nothing;
    return html`<div class="cell-note">
      <p>${t("This cell was edited in another tab.")}</p>
      <button class="link" type="button" @click=${press(() => this.takeOther())}>${t("Show that version")}</button>
      <button class="link" type="button" @click=${press(() => this.keepMine())}>${t("Keep this one")}</button>
    </div>`;
  }
}

customElements.define("code-cell", CodeCell);
