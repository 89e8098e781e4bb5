/** A check of gradients: numerical and analytical Jacobian and their difference, for one pair at a time. */

import { html, nothing } from "lit";

import { heat, mostDifferent, negligible, scale, toCsv, worst } from "../lib/jacobian.js";
import { brief, fit, size, subtract } from "../lib/number.js";
import { checkName, checkWords } from "../lib/run-words.js";
import { t } from "../lib/words.js";
import { icon } from "./icons.js";
import { analyst, meaning, pairWords } from "./jacobian-words.js";
import { lineLink, Panel } from "./panel.js";
import { download } from "./copy-download.js";

/**
 * @typedef {import("../lib/types.js").GradcheckRecord} GradcheckRecord
 * @typedef {import("../lib/types.js").JacobianPair} JacobianPair
 * @typedef {import("../lib/number.js").Entry} Entry
 * @typedef {import("../lib/number.js").Real} Real
 */

/** Up to so many columns are written in numbers; tables of fewer have room for more figures. */
const READABLE_COLUMNS = 6;
const FEW_COLUMNS = 2;
const SHORTEST = 3;
const CHARACTERS = 5;
const MANY_CHARACTERS = 7;
const DRAWN_COLUMNS = 64;
const FINE_COLUMNS = 24;

/** So many entries are listed of a Jacobian too wide to be drawn. */
const LISTED = 20;

/** Tables with more rows than this, or rows of more characters, may have to scroll. */
const LOW_ROWS = 8;
const SHORT_ROW = 30;

class JacobianView extends Panel {
  /** @override */
  static properties = { record: { attribute: false }, chosen: { state: true } };

  constructor() {
    super();
    /** @type {GradcheckRecord | null} */
    this.record = null;
    this.chosen = 0;
  }

  /** The first pair that fails is the one to look at. @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("record")) this.chosen = Math.max(0, this.record?.pairs.findIndex((pair) => pair.failing > 0) ?? 0);
  }

  /** @override */
  render() {
    const check = this.record;
    if (!check) return nothing;
    const pair = check.pairs[this.chosen];
    const name = checkName(check);
    return html`<article class="panel" aria-label=${checkWords(check)}>
      <header>
        <h3 tabindex="-1">${pair ? t("{check}: {pair}", { check: name, pair: pairWords(pair) }) : name}</h3>
        <span class="end">${lineLink(check.span)}</span>
      </header>
      ${check.pairs.length > 1 ? this.pairs(check) : nothing}
      ${pair ? html`${meaning(check, pair)}${this.tables(check, pair)}${this.settings(check, pair)}` : html`<p class="meaning">${check.message?.split("\n")[0] ?? t("There was nothing to compare.")}</p>`}
    </article>`;
  }

  /** @param {GradcheckRecord} check */
  pairs(check) {
    return html`<div class="pairs" role="group" aria-label=${t("Output and input")}>
      ${check.pairs.map((pair, index) => {
        const good = pair.failing === 0;
        return html`<button type="button" aria-pressed=${index === this.chosen} @click=${() => (this.chosen = index)}>
          <span class=${good ? "good" : "bad"}>${icon(good ? "pass" : "fail")}</span>${pairWords(pair)}<span class="unseen"> ${good ? t("agrees") : t("differs")}</span>
        </button>`;
      })}
    </div>`;
  }

  /** @param {GradcheckRecord} check @param {JacobianPair} pair */
  tables(check, pair) {
    const numerical = /** @type {Entry[][] | null} */ (pair.numerical);
    const analytical = /** @type {Entry[][] | null} */ (pair.analytical);
    const columns = numerical?.[0]?.length ?? 0;
    if (!numerical || !analytical || columns > DRAWN_COLUMNS) return this.worstList(check, pair);
    const difference = numerical.map((entries, row) => entries.map((entry, column) => subtract(entry, analytical[row]?.[column] ?? 0)));
    const top = scale([...numerical.flat(), ...analytical.flat()]);
    const readable = columns <= READABLE_COLUMNS;
    const room = columns <= FEW_COLUMNS ? MANY_CHARACTERS : CHARACTERS;
    const projected = check.mode === "fast";
    const rounding = negligible(pair, projected ? 0 : size(/** @type {Real} */ (check.atol)));
    const written = [...numerical.flat(), ...analytical.flat(), ...difference.flat().filter((entry) => !(size(entry) <= rounding))];
    const widest = Math.max(SHORTEST, ...written.flatMap((entry) => fit(entry, room).map((text) => text.length)));
    const tall = numerical.length > LOW_ROWS;
    const scrolls = tall || (readable && columns * widest > SHORT_ROW);
    return html`<div class="jacobians ${readable ? "readable" : ""} ${tall ? "tall" : ""}" .style=${`--columns: ${columns}; --characters: ${widest}`} tabindex=${scrolls ? "0" : nothing} role=${scrolls ? "group" : nothing} aria-label=${scrolls ? t("Jacobians") : nothing}>
      ${this.table({ caption: t("numerical"), entries: numerical, top, room, projected })}
      ${this.table({ caption: analyst(check), entries: analytical, top, room, projected })}
      ${this.table({ caption: t("difference"), entries: difference, top, room, projected, judged: pair, rounding })}
    </div>`;
  }

  /**
   * One of the three; `room` is for how many characters, `judged` is the pair whose difference it is, and `rounding` what is nothing in it.
   * @param {{caption: string, entries: Entry[][], top: number, room: number, projected: boolean, judged?: JacobianPair, rounding?: number}} content
   */
  table({ caption, entries, top, room, projected, judged, rounding = 0 }) {
    const columns = entries[0]?.length ?? 0;
    const density = columns > FINE_COLUMNS ? "dense fine" : columns > READABLE_COLUMNS ? "dense" : "";
    const worstPlace = judged && judged.failing > 0 && !projected ? worst(judged) : null;
    const named = projected ? t("{table}; one random projection", { table: caption }) : t("{table}; rows: input entries, columns: output entries", { table: caption });
    return html`<figure>
      <table class="heat ${judged ? "difference" : ""} ${density}">
        <caption class="unseen">${named}</caption>
        <tbody>
          ${entries.map(
            (row, r) => html`<tr>
              ${row.map((entry, c) => {
                const isWorst = worstPlace?.row === r && worstPlace.column === c;
                const warmth = Number.isFinite(size(entry)) ? `h${size(entry) <= rounding ? 0 : heat(entry, top)}` : "odd";
                const pieces = size(entry) && size(entry) <= rounding ? ["≈0"] : fit(entry, room);
                return html`<td class="${warmth} ${isWorst ? "worst" : ""}" title=${projected ? brief(entry, 6) : `[${r}, ${c}] ${brief(entry, 6)}`}>${pieces.map((piece) => html`<span>${piece}</span>`)}${isWorst ? html`<span class="worst-word"><span class="unseen"> </span>${t("worst")}</span>` : nothing}</td>`;
              })}
            </tr>`,
          )}
        </tbody>
      </table>
      <figcaption>${caption}</figcaption>
    </figure>`;
  }

  /** @param {GradcheckRecord} check @param {JacobianPair} pair */
  worstList(check, pair) {
    const listed = mostDifferent(pair, LISTED);
    if (!listed.length) return nothing;
    return html`<table class="worst-list">
      <caption class="unseen">${t("The entries that differ most")}</caption>
      <thead><tr><th scope="col">${t("row")}</th><th scope="col">${t("column")}</th><th scope="col">${t("numerical")}</th><th scope="col">${analyst(check)}</th></tr></thead>
      <tbody>${listed.map((one) => html`<tr><td>${one.row}</td><td>${one.column}</td><td>${brief(one.numerical, 4)}</td><td>${brief(one.analytical, 4)}</td></tr>`)}</tbody>
    </table>`;
  }

  /** @param {GradcheckRecord} check @param {JacobianPair} pair */
  settings(check, pair) {
    const name = `${checkName(check)}-${pair.output}-${pair.input}.csv`;
    const act = () => download(name, toCsv(pair, check.mode === "fast"), "text/csv");
    return html`<div class="settings">
      <span>eps ${brief(/** @type {Real} */ (check.eps))} · atol ${brief(/** @type {Real} */ (check.atol))} · rtol ${brief(/** @type {Real} */ (check.rtol))}</span>
      <button class="ghost" type="button" aria-label=${t("Download CSV")} title=${t("Download CSV")} @click=${act}>${icon("down")}CSV</button>
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
