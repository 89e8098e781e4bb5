/** A gradient check: the numerical and analytical Jacobians and their difference, for one pair of output and input at a time. */

import { html, nothing } from "lit";

import { drawn, heat, negligible, scale, toCsv, worst, worstBlock } from "../../lib/numbers/jacobian.js";
import { brief, fit, size } from "../../lib/numbers/number.js";
import { checkName, checkWords } from "../../lib/run/run-words.js";
import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { analyst, entryWords, meaning, pairWords, rangeWords } from "./jacobian-words.js";
import { foreign, lineLink, Panel, panel } from "./panel.js";
import { download } from "./copy-download.js";

/**
 * @typedef {import("../../lib/types.js").GradcheckRecord} GradcheckRecord
 * @typedef {import("../../lib/types.js").JacobianPair} JacobianPair
 * @typedef {import("../../lib/numbers/jacobian.js").Place} Place
 * @typedef {import("../../lib/numbers/number.js").Real} Real
 */

/** The most columns for which entries are shown as numbers. Tables with fewer columns have room for more digits. */
const READABLE_COLUMNS = 6;
const FEW_COLUMNS = 2;
const SHORTEST = 3;
const CHARACTERS = 5;
const MANY_CHARACTERS = 7;
const FINE_COLUMNS = 24;

/** Tables with more rows than this, or with more characters in a row, may have to scroll. */
const LOW_ROWS = 8;
const SHORT_ROW = 30;

/** Tables with more entries are drawn when they become visible, since 4,096 entries take a second. */
const MANY_ENTRIES = 1024;

class JacobianView extends Panel {
  /** @override */
  static properties = { record: { attribute: false }, chosen: { state: true }, inSight: { state: true } };

  constructor() {
    super();
    /** @type {GradcheckRecord | null} */
    this.record = null;
    this.chosen = 0;
    /** Whether the view is or was visible. */
    this.inSight = false;
    this.watch = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && this.comeIntoSight());
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    if (this.inSight) return;
    this.watch.observe(this);
    window.addEventListener("beforeprint", this.drawForPaper);
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.watch.disconnect();
    window.removeEventListener("beforeprint", this.drawForPaper);
  }

  comeIntoSight() {
    this.inSight = true;
    this.watch.disconnect();
    window.removeEventListener("beforeprint", this.drawForPaper);
  }

  drawForPaper = () => {
    this.comeIntoSight();
    this.performUpdate();
  };

  /** Shows the first pair that fails. @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("record")) this.chosen = Math.max(0, this.record?.pairs.findIndex((pair) => pair.failing > 0) ?? 0);
  }

  /** @override */
  render() {
    const check = this.record;
    if (!check) return nothing;
    const pair = check.pairs[this.chosen];
    const name = checkName(check);
    return panel(
      {
        label: checkWords(check),
        heading: pair ? t("{check}: {pair}", { check: name, pair: pairWords(pair) }) : checkWords(check),
        end: lineLink(check.span),
      },
      html`${check.pairs.length > 1 ? this.pairs(check) : nothing}
      ${
        pair
          ? html`${meaning(check, pair)}${this.tables(check, pair)}${this.settings(check, pair)}`
          : html`<p class="panel-meaning">${check.message ? foreign(check.message.split("\n")[0] ?? "") : t("There was nothing to compare.")}</p>`
      }`,
    );
  }

  /** @param {GradcheckRecord} check */
  pairs(check) {
    return html`<div class="jacobian-pairs" role="group" aria-label=${t("Output and input")}>
      ${check.pairs.map((pair, index) => {
        const good = pair.failing === 0;
        return html`<button type="button" aria-pressed=${index === this.chosen} @click=${() => (this.chosen = index)}>
          <span class=${good ? "good" : "bad"}>${icon(good ? "pass" : "fail")}</span>${pairWords(pair)}<span class="unseen">
            ${good ? t("agrees") : t("differs")}</span
          >
        </button>`;
      })}
    </div>`;
  }

  /** @param {GradcheckRecord} check @param {JacobianPair} pair */
  tables(check, pair) {
    const { blocks } = pair;
    const worstOnes = worstBlock(pair);
    const [first, last] = [worstOnes[0]?.[0], worstOnes.at(-1)?.at(-1)];
    return html`${
      blocks
        ? html`<p class="stands-for">
            ${t("Each cell: the entry of {rows} × {columns} that differs most.", { rows: blocks.rows, columns: blocks.columns })}
          </p>`
        : nothing
    }
    ${this.heatmaps(check, pair, drawn(pair))}
    ${
      first && last
        ? html`<p class="stands-for">${rangeWords(pair, first, last)}</p>
            ${this.heatmaps(check, pair, worstOnes)}`
        : nothing
    }`;
  }

  /** @param {GradcheckRecord} check @param {JacobianPair} pair @param {Place[][]} places */
  heatmaps(check, pair, places) {
    if (!places.length) return nothing;
    const columns = places[0]?.length ?? 0;
    if (!this.inSight && places.length * columns > MANY_ENTRIES) return html`<div class="jacobians tall waiting"></div>`;
    const all = places.flat();
    const readable = columns <= READABLE_COLUMNS;
    const room = columns <= FEW_COLUMNS ? MANY_CHARACTERS : CHARACTERS;
    const projected = check.mode === "fast";
    const rounding = negligible(pair, projected ? 0 : size(/** @type {Real} */ (check.atol)));
    const written = all.flatMap((one) => [one.numerical, one.analytical, ...(size(one.difference) <= rounding ? [] : [one.difference])]);
    const widest = Math.max(SHORTEST, ...written.flatMap((entry) => fit(entry, room).map((text) => text.length)));
    const tall = places.length > LOW_ROWS;
    const scrolls = tall || (readable && columns * widest > SHORT_ROW);
    const drawing = { pair, places, room, projected, top: scale(all.flatMap((one) => [one.numerical, one.analytical])) };
    return html`<div
      class="jacobians ${readable ? "readable" : ""} ${tall ? "tall" : ""}"
      .style=${`--columns: ${columns}; --characters: ${widest}`}
      tabindex=${scrolls ? "0" : nothing}
      role=${scrolls ? "group" : nothing}
      aria-label=${scrolls ? t("Jacobians") : nothing}
    >
      ${this.table(drawing, "numerical", t("numerical"))} ${this.table(drawing, "analytical", analyst(check))}
      ${this.table(drawing, "difference", t("difference"), rounding)}
    </div>`;
  }

  /**
   * One of the three tables. `room` is the number of characters of an entry, `top` the largest size of all entries, and `rounding` the size
   * up to which an entry counts as zero.
   * @param {{pair: JacobianPair, places: Place[][], room: number, projected: boolean, top: number}} drawing
   * @param {"numerical" | "analytical" | "difference"} which
   * @param {string} caption
   * @param {number} [rounding]
   */
  table({ pair, places, room, projected, top }, which, caption, rounding = 0) {
    const columns = places[0]?.length ?? 0;
    const density = columns > FINE_COLUMNS ? "dense fine" : columns > READABLE_COLUMNS ? "dense" : "";
    const worstPlace = which === "difference" && pair.failing > 0 && !projected ? worst(places) : null;
    const named = projected
      ? t("{table}; one random projection", { table: caption })
      : t("{table}; rows: input entries, columns: output entries", { table: caption });
    return html`<figure>
      <table class="heat-table ${which} ${density}">
        <caption class="unseen">
          ${named}
        </caption>
        <tbody>
          ${places.map(
            (row) =>
              html`<tr>
                ${row.map((one) => {
                  const entry = one[which];
                  const isWorst = one === worstPlace;
                  const warmth = Number.isFinite(size(entry)) ? `h${size(entry) <= rounding ? 0 : heat(entry, top)}` : "odd";
                  const pieces = size(entry) && size(entry) <= rounding ? ["≈0"] : fit(entry, room);
                  const value = brief(entry, 6);
                  return html`<td
                    class="${warmth} ${isWorst ? "worst" : ""}"
                    title=${projected ? value : t("{entry}: {value}", { entry: entryWords(pair, one), value })}
                  >
                    ${pieces.map(
                      (piece) => html`<span>${piece}</span>`,
                    )}${isWorst ? html`<span class="worst-word"><span class="unseen"> </span>${t("worst")}</span>` : nothing}
                  </td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
      <figcaption>${caption}</figcaption>
    </figure>`;
  }

  /** @param {GradcheckRecord} check @param {JacobianPair} pair */
  settings(check, pair) {
    const name = `${checkName(check)}-${pair.output}-${pair.input}.csv`;
    const act = () => download(name, toCsv(pair, check.mode === "fast"), "text/csv");
    return html`<div class="jacobian-settings">
      <span
        >eps ${brief(/** @type {Real} */ (check.eps))} · atol ${brief(/** @type {Real} */ (check.atol))} · rtol
        ${brief(/** @type {Real} */ (check.rtol))}</span
      >
      <button class="ghost" type="button" aria-label=${t("Download CSV")} title=${t("Download CSV")} @click=${act}>
        ${icon("down")}CSV
      </button>
    </div>`;
  }
}

/** @param {GradcheckRecord} record */
export function view(record) {
  return html`<jacobian-view .record=${record}></jacobian-view>`;
}

export const name = checkWords;

/** @param {GradcheckRecord} check */
export function verdict(check) {
  return check.passed === null ? null : { passed: check.passed, words: checkWords(check) };
}

customElements.define("jacobian-view", JacobianView);
