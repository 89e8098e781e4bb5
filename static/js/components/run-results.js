/** What a run showed: the verdicts first, then each record in the order they were made. */

import { html, nothing } from "lit";

import { IDLE, isBusy } from "../lib/run-state.js";
import { duration, outcomeWords } from "../lib/run-words.js";
import { t } from "../lib/words.js";
import { icon } from "./icons.js";
import { Panel } from "./panel.js";
import { verdicts, view } from "./records.js";

/** @typedef {import("../lib/run-state.js").RunState} RunState */

const POINTED_MS = 1600;

export class RunResults extends Panel {
  /** @override */
  static properties = { state: { attribute: false }, edited: { attribute: false }, heading: { attribute: false } };

  constructor() {
    super();
    /** @type {RunState} */
    this.state = IDLE;
    this.edited = false;
    this.heading = "";
    /** @type {RunState | null} the latest that came to a result */
    this.last = null;
  }

  /** Whether there is anything to see. */
  get filled() {
    return this.state.result !== null || this.state.displays.length > 0 || this.last !== null;
  }

  /** Whether the latest run has shown nothing yet, so that what the one before showed stands in for it. */
  get old() {
    return this.last !== null && this.state.result === null && this.state.displays.length === 0;
  }

  /** @returns {RunState} */
  get seen() {
    return this.old && this.last ? this.last : this.state;
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("state") && this.state.result) this.last = this.state;
  }

  /** Brings a display into sight, marks it for a moment, and takes the keyboard to its heading. @param {number} index */
  point(index) {
    const panel = this.querySelectorAll(".displays > * > .panel")[index];
    if (!panel) return;
    panel.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    panel.querySelector("h3")?.focus({ preventScroll: true });
    panel.classList.add("pointed");
    setTimeout(() => panel.classList.remove("pointed"), POINTED_MS);
  }

  /** @override */
  render() {
    if (!this.filled) return nothing;
    const { displays, result } = this.seen;
    return html`<div class="${this.edited ? "stale" : ""} ${this.old ? "old" : ""}" aria-busy=${isBusy(this.state)}>
      <div class="results-head"><h2>${this.heading}</h2>${result ? html`<span class="end">${duration(result.timing.total_ms)}</span>` : nothing}</div>
      ${this.verdicts()}
      <div class="displays">${displays.map(view)}</div>
      ${!displays.length && result ? html`<p class="quiet-note">${this.quiet()}</p>` : nothing}
    </div>`;
  }

  verdicts() {
    const { displays, result } = this.seen;
    const checks = verdicts(displays);
    const unusual = result && result.outcome !== "finished" && !(result.error?.type === "GradcheckError" && checks.some((check) => !check.passed));
    if (!checks.length && !unusual && !this.edited && !this.old) return nothing;
    return html`<ul class="verdicts">
      ${this.old ? html`<li class="verdict now">${this.now()}</li>` : nothing}
      ${checks.map((check) => html`<li class="verdict ${check.passed ? "ok" : "no"}">${icon(check.passed ? "pass" : "fail")}${check.words}</li>`)}
      ${unusual ? html`<li class="verdict no">${icon("alert")}${outcomeWords(result)}</li>` : nothing}
      ${this.edited && !this.old ? html`<li class="verdict edited">${t("Edited since this run")}</li>` : nothing}
    </ul>`;
  }

  /** Why results of an earlier run are still there. */
  now() {
    if (!isBusy(this.state)) return t("From the run before");
    return html`<span class="pulse"></span>${this.state.phase === "running" || this.state.phase === "sending" ? t("Running") : t("Waiting")}`;
  }

  quiet() {
    const { result } = this.seen;
    if (result?.outcome !== "finished") return "";
    return result.stdout || result.stderr ? t("Printed output is below the code.") : t("It ran and printed nothing.");
  }
}

customElements.define("run-results", RunResults);
