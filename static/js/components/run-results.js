/** What a run showed: the verdicts first, then each graph, check and value in the order they were made. */

import { html, nothing } from "lit";

import { IDLE, isBusy } from "../lib/run-state.js";
import { checkWords, duration, outcomeWords } from "../lib/run-words.js";
import { t } from "../lib/words.js";
import { icon } from "./icons.js";
import { Panel } from "./panel.js";
import "./graph-view.js";
import "./jacobian-view.js";
import "./value-view.js";

/**
 * @typedef {import("../lib/run-state.js").RunState} RunState
 * @typedef {import("../lib/types.js").Display} Display
 */

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
  }

  /** Whether there is anything to see. */
  get filled() {
    return this.state.result !== null || this.state.displays.length > 0;
  }

  /** Brings a display into sight and marks it for a moment. @param {number} index */
  point(index) {
    const panel = this.querySelectorAll(".displays > * > .panel")[index];
    if (!panel) return;
    panel.scrollIntoView({ block: "nearest", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    panel.classList.add("pointed");
    setTimeout(() => panel.classList.remove("pointed"), POINTED_MS);
  }

  /** @override */
  render() {
    if (!this.filled) return nothing;
    const { displays, result } = this.state;
    return html`<div class=${this.edited ? "stale" : ""}>
      <div class="results-head"><h2>${this.heading}</h2>${result ? html`<span class="end">${duration(result.timing.total_ms)}</span>` : nothing}</div>
      ${this.verdicts()}
      <div class="displays">${displays.map((display) => this.view(display))}</div>
      ${!displays.length && !isBusy(this.state) ? html`<p class="quiet-note">${this.quiet()}</p>` : nothing}
    </div>`;
  }

  verdicts() {
    const { displays, result } = this.state;
    const checks = displays.filter((display) => display.kind === "gradcheck");
    const unusual = result && result.outcome !== "finished" && !(result.error?.type === "GradcheckError" && checks.some((check) => !check.passed));
    if (!checks.length && !unusual && !this.edited) return nothing;
    return html`<ul class="verdicts">
      ${checks.map((check) => html`<li class="verdict ${check.passed ? "ok" : "no"}">${icon(check.passed ? "pass" : "fail")}${checkWords(check.order, check.passed)}</li>`)}
      ${unusual ? html`<li class="verdict no">${icon("alert")}${outcomeWords(result)}</li>` : nothing}
      ${this.edited ? html`<li class="verdict edited">${t("Edited since this run")}</li>` : nothing}
    </ul>`;
  }

  quiet() {
    const { result } = this.state;
    if (result?.outcome !== "finished") return "";
    return result.stdout || result.stderr ? t("What it printed stands under the code.") : t("It ran and printed nothing.");
  }

  /** @param {Display} display */
  view(display) {
    switch (display.kind) {
      case "graph":
        return html`<graph-view .display=${display}></graph-view>`;
      case "gradcheck":
        return html`<jacobian-view .display=${display}></jacobian-view>`;
      default:
        return html`<value-view .display=${display}></value-view>`;
    }
  }
}

customElements.define("run-results", RunResults);
