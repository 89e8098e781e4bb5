/**
 * What a run printed.
 *
 * Of many lines, only the first and the last are shown, with the number of the others, which the reader can open. A page can have several
 * such outputs; each then has its own `label`.
 */

import "../page/page-base.js";
import { html, nothing } from "lit";
import { guard } from "lit/directives/guard.js";

import { blocksOf, FIRST, fold, stepFrom } from "../../lib/output/fold-lines.js";
import { PrintedLines } from "../../lib/output/printed-lines.js";
import { IDLE } from "../../state/run-state.js";
import { classesOf } from "../../lib/output/text-style.js";
import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { PageElement } from "../page/page-element.js";
import { tool } from "../results/panel.js";
import { copyAndTell } from "../results/copy-download.js";

/**
 * @typedef {import("../../state/run-state.js").RunState} RunState
 * @typedef {import("../../lib/output/line.js").Line} Line
 */

/** How many milliseconds and characters of output are parsed before the page is painted again. */
const READ_MS = 12;
const READ_CHARACTERS = 8192;
const FRAME_MS = 16;

class RunOutput extends PageElement {
  /** @override */
  static properties = { state: { attribute: false }, label: {}, opened: { state: true }, copied: { state: true } };

  constructor() {
    super();
    /** @type {RunState} */
    this.state = IDLE;
    this.label = "";
    this.printed = new PrintedLines();
    /** How many of the folded lines the reader has opened. */
    this.opened = 0;
    this.copied = false;
    this.drawnAt = -FRAME_MS;
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    window.addEventListener("beforeprint", this.openAll);
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener("beforeprint", this.openAll);
  }

  /** Opens the folded lines before the page is printed, because nobody can open them on paper. */
  openAll = () => {
    if (!fold(this.printed.entries.length, 0).folded) return;
    this.opened = this.printed.entries.length;
    this.performUpdate();
  };

  /** @override Updates at once, and then at most once a frame, however many pieces arrive. */
  async scheduleUpdate() {
    if (performance.now() - this.drawnAt < FRAME_MS) await new Promise(requestAnimationFrame);
    super.scheduleUpdate();
    this.drawnAt = performance.now();
  }

  /** @override */
  willUpdate() {
    const { pieces } = this.state;
    const printed = this.printed.followedBy(pieces);
    if (printed !== this.printed) this.opened = 0;
    this.printed = printed;
    const end = performance.now() + READ_MS;
    do printed.read(pieces, READ_CHARACTERS);
    while (printed.behind && performance.now() < end);
  }

  /** @override */
  updated() {
    if (this.printed.behind) setTimeout(() => this.requestUpdate());
  }

  /** @override */
  render() {
    const { entries } = this.printed;
    if (!entries.length) return nothing;
    const { result } = this.state;
    const cut = result?.stdout_truncated || result?.stderr_truncated;
    const cutOff = cut ? html`<div class="cut">${t("Cut off here: a run may print no more than this.")}</div>` : nothing;
    // Whitespace between the pieces of the template would be visible in the output.
    return html`<div class="output-printed">
      <div class="output" tabindex="0" role="region" aria-label=${this.label || t("Printed")}>${this.lines(entries)}${cutOff}</div>
      ${tool(
        this.copied ? t("Copied") : t("Copy what was printed"),
        icon(this.copied ? "pass" : "copy"),
        () => void copyAndTell(this, this.printed.text),
      )}
    </div>`;
  }

  /** @param {Line[]} entries */
  lines(entries) {
    const { folded, shown } = fold(entries.length, this.opened);
    if (!folded) return entries.map((entry, index) => this.line(entry, entries[index - 1]));
    const last = FIRST + folded;
    const words = shown ? t("Fold these lines") : t("… {count} more lines", { count: folded.toLocaleString("en") });
    const press = () => (this.opened = shown ? 0 : this.more(0, folded));
    return [
      ...entries.slice(0, FIRST).map((entry, index) => this.line(entry, entries[index - 1])),
      html`<button class="output-fold" type="button" aria-expanded=${shown > 0} @click=${press}>${words}</button>`,
      blocksOf(FIRST, FIRST + shown).map(([from, to]) => this.block(entries, from, to)),
      shown && shown < folded ? this.rest(shown, folded) : nothing,
      ...entries.slice(last).map((entry, index) => this.line(entry, entries[last + index - 1])),
    ];
  }

  /**
   * Some of the opened lines, drawn again only when one of them changed.
   * @param {Line[]} entries
   * @param {number} from
   * @param {number} to
   */
  block(entries, from, to) {
    let changed = 0;
    for (let index = from; index < to; index += 1) changed = Math.max(changed, entries[index]?.changed ?? 0);
    const draw = () => entries.slice(from, to).map((entry, index) => this.line(entry, entries[from + index - 1]));
    return html`<div class="block">${guard([this.printed, from, to, changed], draw)}</div>`;
  }

  /** The number of folded lines that are shown after the next press. @param {number} shown @param {number} folded */
  more(shown, folded) {
    const { entries } = this.printed;
    const weight = (/** @type {Line | undefined} */ entry) => (entry ? 1 + entry.pack().length : 1);
    return shown + stepFrom(FIRST + shown, FIRST + folded, (line) => weight(entries[line]));
  }

  /** @param {number} shown @param {number} folded */
  rest(shown, folded) {
    const open = () => {
      this.opened = this.more(shown, folded);
      this.querySelector(/** @type {"div"} */ (".output"))?.focus({ preventScroll: true });
    };
    const words = t("… {count} more lines", { count: (folded - shown).toLocaleString("en") });
    return html`<button class="output-fold" type="button" @click=${open}>${words}</button>`;
  }

  /** @param {Line} line @param {Line} [before] */
  line(line, before) {
    const spans = line.pack();
    const begins = line.stream === "stderr" && before?.stream !== "stderr" ? "begins" : "";
    const styled = spans.map(({ text, style }) => (style ? html`<span class=${classesOf(style)}>${text}</span>` : text));
    return html`<div class="line ${line.stream} ${begins}" ?hidden=${line.blank}>${styled}</div>`;
  }
}

customElements.define("run-output", RunOutput);
