/**
 * The row under a graph's picture with which the reader steps through a backward pass: a slider, one sentence for each step, and the
 * gradients of the step as tables. It dispatches `pass-step` with `{pass, at}` when another step is shown.
 */

import { html, LitElement, nothing } from "lit";

import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { lineLink, placeLink, tool } from "../results/panel.js";
import "./gradient-table.js";

/**
 * @typedef {import("../../lib/trace/backward-pass.js").BackwardPass} BackwardPass
 * @typedef {import("../../lib/trace/backward-pass.js").Shown} Shown
 */

const PLAY_MS = 1200;

export class StepsView extends LitElement {
  /** @override */
  static properties = {
    passes: { attribute: false },
    cell: { attribute: false },
    chosen: { state: true },
    at: { state: true },
    playing: { state: true },
  };

  constructor() {
    super();
    /** The passes that can be chosen. @type {BackwardPass[]} */
    this.passes = [];
    /** The cell whose result is shown. @type {import("../../state/cell-state.js").CellState | null} */
    this.cell = null;
    this.chosen = 0;
    this.at = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.playing = undefined;
  }

  /** @override */
  createRenderRoot() {
    return this;
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.pause();
  }

  get pass() {
    return this.passes[this.chosen] ?? null;
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (!changed.has("passes")) return;
    this.pause();
    this.chosen = Math.max(
      0,
      this.passes.findIndex(({ replay: { raised, steps } }) => raised && steps.length > 0),
    );
    this.at = 0;
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  updated(changed) {
    if (!changed.has("passes") && !changed.has("chosen") && !changed.has("at")) return;
    this.dispatchEvent(new CustomEvent("pass-step", { bubbles: true, detail: { pass: this.pass, at: this.at } }));
  }

  /** Shows a step of a pass. @param {import("../../lib/types.js").ReplayRecord} replay @param {number} at */
  show({ id }, at) {
    this.pause();
    this.chosen = Math.max(
      0,
      this.passes.findIndex((pass) => pass.replay.id === id),
    );
    this.go(at);
  }

  /** @param {number} at */
  go(at) {
    const last = (this.pass?.steps.length ?? 1) - 1;
    this.at = Math.min(Math.max(0, at), last);
    if (this.at === last) this.pause();
  }

  /** @param {number} at */
  step(at) {
    this.pause();
    this.go(at);
  }

  play() {
    if (this.playing !== undefined) return this.pause();
    if (this.at === (this.pass?.steps.length ?? 1) - 1) this.at = 0;
    this.playing = setInterval(() => this.go(this.at + 1), PLAY_MS);
  }

  pause() {
    clearInterval(this.playing);
    this.playing = undefined;
  }

  /** @override */
  render() {
    const { pass } = this;
    if (!pass) return html`<p class="panel-meaning">${t("No backward pass ran, so there are no steps.")}</p>`;
    return html`<div class="backward-pass">${this.choice(pass)} ${pass.steps.length ? this.row(pass) : nothing} ${this.note(pass)}</div>`;
  }

  /** The choice of the pass if there are several, otherwise the line that requested it. @param {BackwardPass} pass */
  choice(pass) {
    const names = this.passes.map(({ replay: { call, number, of, span } }) => {
      const asked = span ? t("{call} in line {line}", { call: `${call}()`, line: span.line }) : `${call}()`;
      return of > 1 ? t("{call} ({number} of {count})", { call: asked, number, count: of }) : asked;
    });
    if (this.passes.length < 2) return lineLink(pass.replay.span, names[0]);
    const choose = (/** @type {Event} */ event) => {
      this.pause();
      this.chosen = /** @type {HTMLSelectElement} */ (event.target).selectedIndex;
      this.at = 0;
    };
    return html`<select class="which-select" aria-label=${t("Backward pass")} @change=${choose}>
        ${names.map((name, index) => html`<option ?selected=${index === this.chosen}>${name}</option>`)}
      </select>`;
  }

  /** @param {BackwardPass} pass */
  row({ steps }) {
    const { at } = this;
    const step = steps[at];
    if (!step) return nothing;
    const told = t("Step {number} of {count}", { number: at + 1, count: steps.length });
    const shown = [...step.received, ...step.sent].filter(({ gradient }) => gradient?.shape?.length);
    return html`<div class="pass-slider">
        ${tool(t("Step back"), icon("back"), () => this.step(at - 1), at === 0)}
        <input
          type="range"
          min="1"
          max=${steps.length}
          .value=${String(at + 1)}
          aria-label=${t("Step of the backward pass")}
          aria-valuetext="${told}: ${step.words}"
          @input=${(/** @type {Event} */ event) => this.step(Number(/** @type {HTMLInputElement} */ (event.target).value) - 1)}
        />
        ${tool(t("Step forward"), icon("forward"), () => this.step(at + 1), at === steps.length - 1)}
        ${tool(this.playing === undefined ? t("Play") : t("Pause"), icon(this.playing === undefined ? "play" : "pause"), () => this.play())}
        <span class="count">${told}</span>
      </div>
      <p class="pass-words ${step.failed ? "failed" : ""}">${step.words} ${placeLink(step.span, this.cell)}</p>
      ${shown.length ? html`<div class="gradient-figures">${shown.map(table)}</div>` : nothing}`;
  }

  /** Why there are no steps, or not all. @param {BackwardPass} pass */
  note({ replay: { note } }) {
    if (!note) return nothing;
    return html`<p class="panel-meaning">${noteWords(note)}</p>`;
  }
}

/** @param {"nodes" | "steps" | "entries"} note */
function noteWords(note) {
  switch (note) {
    case "nodes":
      return t("The graph of this pass has too many nodes, so its steps are not shown.");
    case "steps":
      return t("The pass has more steps; these are the first.");
    case "entries":
      return t("Of some gradients only the shape is shown, since all of them together are too large.");
  }
}

/** @param {Shown} shown */
function table({ name, gradient }) {
  return html`<gradient-table .name=${name} .gradient=${gradient}></gradient-table>`;
}

customElements.define("steps-view", StepsView);
