/**
 * What a page with cells wires together: the cells, the results of the active one beside the text or under it, what is sent
 * for a run, and which results no longer belong to the text.
 */

import { CodeCell } from "../components/code-cell.js";
import { openHelp } from "../components/help-dialog.js";
import { announced } from "../components/records.js";
import { RunResults } from "../components/run-results.js";
import { NARROW } from "../lib/breakpoints.js";
import { Drafts, parseEntry } from "../lib/drafts.js";
import { wellFormed } from "../lib/positions.js";
import { isBusy } from "../lib/run-state.js";
import { announcement } from "../lib/run-words.js";
import { pageAction } from "../lib/shortcuts.js";
import { t } from "../lib/words.js";
import { readPage } from "./plain.js";

/** @typedef {import("../lib/types.js").RunRequest} RunRequest */

/** Where keys write or scroll, and so do not turn the page. */
const OWN_KEYS = "input, textarea, select, [contenteditable='true'], dialog, aside, run-results, run-output, pre";

export class Workbench {
  /** @param {string} scope under which edits are kept @param {(cell: CodeCell, upstream: Record<string, string>) => RunRequest} request @param {string} [placeholder] */
  constructor(scope, request, placeholder) {
    this.request = request;
    this.lang = readPage().lang;
    this.drafts = new Drafts(() => window.localStorage, scope);
    this.cells = [...document.querySelectorAll("code-cell")].filter((cell) => cell instanceof CodeCell);
    this.aside = /** @type {HTMLElement} */ (document.querySelector("aside.results"));
    this.empty = /** @type {HTMLElement} */ (this.aside.querySelector(".empty"));
    this.live = /** @type {HTMLElement} */ (document.getElementById("live"));
    /** @type {Map<string, RunResults>} */
    this.results = new Map();
    /** @type {Map<string, Record<string, string>>} what each cell's latest run was made of */
    this.ran = new Map();
    this.active = this.cells[0] ?? null;
    /** @type {RunResults | undefined} */
    this.shownResults = undefined;
    this.warned = false;
    const nonce = /** @type {HTMLScriptElement | null} */ (document.querySelector("script[nonce]"))?.nonce ?? "";
    for (const cell of this.cells) {
      this.results.set(cell.cell, this.findResults(cell));
      cell.bring({ drafts: this.drafts, nonce, request: (one) => this.order(one), names: (id) => this.nameCell(id), numbers: (id) => this.numberCell(id), placeholder: placeholder ?? "" });
    }
    this.listen();
    this.place();
    this.warn();
  }

  /** @param {CodeCell} cell */
  findResults(cell) {
    const results = /** @type {RunResults} */ (document.querySelector(`run-results[for="${cell.cell}"]`));
    results.heading = cell.number ? t("Results of cell {number}, {filename}", { number: cell.number, filename: cell.filename }) : t("Results");
    return results;
  }

  listen() {
    document.addEventListener("cell-active", (event) => this.activate(this.target(event)));
    document.addEventListener("cell-start", (event) => this.remember(this.target(event)));
    document.addEventListener("cell-state", (event) => this.show(this.target(event)));
    document.addEventListener("cell-edit", () => (this.compare(), this.warn()));
    document.addEventListener("show-display", (event) => this.point(/** @type {CustomEvent<{index: number}>} */ (event)));
    document.addEventListener("go-to-line", (event) => this.goTo(/** @type {CustomEvent<{cell: string | null, line: number, column: number | null}>} */ (event)));
    document.addEventListener("keydown", (event) => this.press(event));
    document.querySelector('[data-action="help"]')?.addEventListener("click", openHelp);
    window.addEventListener("storage", (event) => this.hear(event));
    matchMedia(NARROW).addEventListener("change", () => this.place());
  }

  /** @param {Event} event @returns {CodeCell} */
  target(event) {
    return /** @type {CustomEvent<CodeCell>} */ (event).detail;
  }

  /** @param {string | null} id */
  find(id) {
    return this.cells.find((cell) => cell.cell === id) ?? null;
  }

  /** @param {string | null} id */
  nameCell(id) {
    const cell = this.find(id);
    return cell ? t("cell {number} ({filename})", { number: cell.number, filename: cell.filename }) : (id ?? "");
  }

  /** @param {string} id */
  numberCell(id) {
    const cell = this.find(id);
    return cell ? t("cell {number}", { number: cell.number }) : id;
  }

  /** The cells that a cell continues, as they are written now. @param {CodeCell} cell @returns {Record<string, string>} */
  upstream(cell) {
    return Object.fromEntries(cell.continues.flatMap((id) => (this.find(id) ? [[id, wellFormed(this.find(id)?.text ?? "")]] : [])));
  }

  /** @param {CodeCell} cell @returns {RunRequest} */
  order(cell) {
    const upstream = this.upstream(cell);
    const edited = Object.fromEntries(Object.entries(upstream).filter(([id, text]) => text !== this.find(id)?.starter));
    return { lang: this.lang, ...this.request(cell, edited) };
  }

  /** @param {CodeCell} cell */
  remember(cell) {
    this.ran.set(cell.cell, { ...this.upstream(cell), [cell.cell]: cell.text });
    this.compare();
  }

  /** Which results no longer belong to the text. */
  compare() {
    for (const cell of this.cells) {
      const ran = this.ran.get(cell.cell);
      const edited = ran !== undefined && Object.entries(ran).some(([id, text]) => this.find(id)?.text !== text);
      const results = this.results.get(cell.cell);
      if (results) results.edited = edited;
      if (edited !== cell.edited) {
        cell.edited = edited;
        cell.draw();
      }
    }
  }

  /** @param {CodeCell} cell */
  show(cell) {
    const results = this.results.get(cell.cell);
    if (!results) return;
    results.state = cell.shown;
    this.settle();
    const { phase, reason, result } = cell.state;
    if (result && phase === "done") this.live.textContent = announcement(cell.called, result, announced(result.displays), cell.faultCell);
    else if (phase === "lost") this.live.textContent = t("The run was lost before it ended. Nothing you wrote is lost.");
    else if (phase === "waiting" && reason === "unreachable") this.live.textContent = t("The server is out of reach. Your code is kept.");
  }

  /** @param {CodeCell} cell */
  activate(cell) {
    if (cell === this.active && cell.active) return;
    this.active = cell;
    for (const one of this.cells) {
      one.active = one === cell;
      one.draw();
    }
    this.settle();
  }

  /** Beside the text only the active cell's results are to be seen; a cell that was not run leaves the last ones in place. */
  settle() {
    const wide = !matchMedia(NARROW).matches;
    const chosen = this.active && this.results.get(this.active.cell);
    if (chosen?.filled) this.shownResults = chosen;
    for (const results of this.results.values()) results.hidden = wide && results !== this.shownResults;
    this.empty.hidden = this.shownResults !== undefined;
  }

  /** Puts the results where there is room: beside the text, or each under its cell. */
  place() {
    const narrow = matchMedia(NARROW).matches;
    for (const cell of this.cells) {
      const results = this.results.get(cell.cell);
      if (!results) continue;
      if (narrow) cell.after(results);
      else this.aside.append(results);
    }
    this.settle();
  }

  /** @param {CustomEvent<{index: number}>} event */
  point(event) {
    const cell = event.target instanceof Element ? event.target.closest("code-cell") : null;
    if (!(cell instanceof CodeCell)) return;
    this.activate(cell);
    this.results.get(cell.cell)?.point(event.detail.index);
  }

  /** @param {CustomEvent<{cell: string | null, line: number, column: number | null}>} event */
  goTo(event) {
    const origin = event.target instanceof Element ? event.target.closest("run-results, code-cell") : null;
    const within = origin?.getAttribute("for") ?? origin?.getAttribute("cell");
    const cell = this.find(event.detail.cell ?? within ?? this.active?.cell ?? null);
    if (document.fullscreenElement) void document.exitFullscreen();
    cell?.editor.goTo(event.detail.line, event.detail.column);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const writing = event.target instanceof Element && event.target.closest(OWN_KEYS) !== null;
    const { scrollY, innerHeight } = window;
    const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const action = pageAction(event, writing, { atStart: scrollY <= 1, atEnd, busy: this.cells.some((cell) => isBusy(cell.state)) });
    if (action === "help") openHelp();
    if (action === "stop" && this.stop()) event.preventDefault();
    const link = action === "next" || action === "previous" ? document.querySelector(`a[rel="${action === "next" ? "next" : "prev"}"]`) : null;
    if (action === "help" || link) event.preventDefault();
    if (link instanceof HTMLAnchorElement) link.click();
  }

  /** Stops the active cell's run, or if it has none whatever runs; false if nothing does. */
  stop() {
    const running = this.cells.filter((cell) => isBusy(cell.state));
    const chosen = running.filter((cell) => cell === this.active);
    for (const cell of chosen.length ? chosen : running) cell.stop();
    return running.length > 0;
  }

  /** Another tab has written. @param {StorageEvent} event */
  hear(event) {
    const cell = this.cells.find((one) => this.drafts.key(one.cell) === event.key);
    if (!cell) return;
    const entry = event.newValue === null ? null : parseEntry(event.newValue);
    cell.notice(entry?.text ?? cell.starter);
  }

  /** Says once, and before leaving, that this browser keeps nothing. */
  warn() {
    if (this.drafts.lasting || this.warned) return;
    this.warned = true;
    const notice = document.createElement("div");
    notice.className = "notice";
    notice.setAttribute("role", "status");
    const words = document.createElement("p");
    words.textContent = t("This browser does not keep your edits. Copy what you need before you leave.");
    notice.append(words);
    document.body.append(notice);
    window.addEventListener("beforeunload", (event) => {
      if (this.drafts.memory.size > 0) event.preventDefault();
    });
  }
}
