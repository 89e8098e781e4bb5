/** How the run of a cell stands, in one line under its code. */

import { html, nothing } from "lit";

import { endWords, timeWords } from "../lib/run-words.js";
import { runtimeName } from "../lib/runtimes.js";
import { moment, pieces, t } from "../lib/words.js";
import { IDLE } from "../state/run-state.js";
import { lineLink } from "./panel.js";
import { PageElement } from "./page-element.js";

/** @typedef {import("../state/cell-state.js").CellState} CellState */

const TICK_MS = 100;

class RunStatus extends PageElement {
  /** @override */
  static properties = { cell: { attribute: false }, elapsed: { state: true } };

  constructor() {
    super();
    /** @type {CellState | null} */
    this.cell = null;
    this.elapsed = 0;
    /** @type {number | undefined} */
    this.clock = undefined;
    this.since = 0;
  }

  get state() {
    return this.cell?.shown.value ?? IDLE;
  }

  /** @override */
  updated() {
    const running = this.cell?.shown.peek().phase === "running";
    if (running && this.clock === undefined) {
      this.since = performance.now();
      this.clock = window.setInterval(() => (this.elapsed = performance.now() - this.since), TICK_MS);
    } else if (!running) {
      this.halt();
    }
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.halt();
  }

  halt() {
    window.clearInterval(this.clock);
    this.clock = undefined;
    this.elapsed = 0;
  }

  /** @override */
  render() {
    switch (this.state.phase) {
      case "idle":
      case "cancelled":
        return nothing;
      case "sending":
        return this.line(html`<span class="pulse"></span>${t("Sending")}`);
      case "queued":
        return this.line(html`<span class="pulse"></span>${this.waits()}`);
      case "running":
        return this.line(html`<span class="pulse"></span>${t("Running")}<span class="end">${t("{seconds} s", { seconds: (this.elapsed / 1000).toFixed(1) })}</span>`);
      case "waiting":
        return this.waiting();
      case "refused":
        return this.line(
          html`<span>${pieces("{head} {rest}", { head: html`<strong>${t("Not run.")}</strong>`, rest: this.state.message })}</span>${this.state.recorded ? this.again(t("Show what was recorded"), true) : nothing}`,
        );
      case "lost":
        return this.lost();
      case "done":
        return this.done();
    }
  }

  /** @param {unknown} content @param {string} [kind] */
  line(content, kind = "") {
    return html`<div class="status ${kind}">${content}</div>`;
  }

  waits() {
    const { starting, position } = this.state;
    if (starting) return t("{runtime} is starting; this takes some seconds, once", { runtime: runtimeName(starting) });
    return t("Waiting in the queue, place {position}", { position });
  }

  waiting() {
    const { reason, message, seconds } = this.state;
    const why = reason === "busy" ? message || t("The server is busy.") : t("The server is out of reach. Your code is kept.");
    const again = () => this.cell?.tryNow();
    return this.line(
      html`<span>${t("{head} {rest}", { head: why, rest: t("Trying again in {seconds} s.", { seconds }) })}</span><button class="link" type="button" @click=${again}>${t("Try now")}</button>`,
      "waiting",
    );
  }

  lost() {
    return this.line(html`<span>${t("The run was lost before it ended. Nothing you wrote is lost.")}</span>${this.again(t("Run it again"))}`, "waiting");
  }

  /** The button goes, and the keyboard to the cell's Run. @param {string} words @param {boolean} [given] as the lesson gives it */
  again(words, given) {
    const run = () => {
      /** @type {HTMLElement | null} */ (this.closest(".cell")?.querySelector(".run"))?.focus();
      if (this.cell) void this.cell.page.run(this.cell, { spec: given ? this.cell.given() : null });
    };
    return html`<button class="link" type="button" @click=${run}>${words}</button>`;
  }

  done() {
    const { result } = this.state;
    const { cell } = this;
    if (!result || !cell) return nothing;
    const bad = result.outcome !== "finished" && result.outcome !== "stopped";
    const { error, recorded } = result;
    const words = endWords(result, cell.page.numberOf(cell.failedIn.value));
    const told = bad && error?.line ? pieces("{outcome}, {place}", { outcome: words, place: lineLink(error) }) : words;
    const from = cell.restoredFrom.value;
    return this.line(
      html`<span class=${bad ? "bad" : ""}>${told}</span>${from ? html`<span class="restored">${t("kept from {time}", { time: moment(from) })}</span>` : nothing}
        ${cell.stale.value ? html`<span class="edited">${t("Edited since this run")}</span>` : nothing}<span class=${recorded ? "edited" : "end"}>${timeWords(result)}</span>${recorded?.remedy}`,
    );
  }
}

customElements.define("run-status", RunStatus);
