/**
 * What the page knows of each kind of record: the view that shows it, and the name that it has in the list under its cell.
 * A kind that stands in no line of the table is shown as unknown, never as something else.
 */

import { html } from "lit";

import { checkWords } from "../lib/run-words.js";
import { t } from "../lib/words.js";
import { faultName } from "./fault-view.js";

/**
 * @typedef {import("../lib/types.js").Display} Display
 * @typedef {{passed: boolean, words: string}} Verdict
 */

/**
 * `verdict`: what stands above all results, of a record that passes or fails; null of one that does neither.
 * @template Shown
 * @typedef {object} RecordKind
 * @property {(display: Shown) => import("lit").TemplateResult} view
 * @property {(display: Shown) => string} name
 * @property {(display: Shown) => Verdict | null} [verdict]
 */

/** @type {{[Kind in Display["kind"]]: RecordKind<Extract<Display, {kind: Kind}>>}} */
const KINDS = {
  graph: { view: (display) => html`<graph-view .display=${display}></graph-view>`, name: () => t("Graph") },
  gradcheck: { view: (display) => html`<jacobian-view .display=${display}></jacobian-view>`, name: checkWords, verdict: (check) => (check.passed === null ? null : { passed: check.passed, words: checkWords(check) }) },
  value: { view: (display) => html`<value-view .display=${display}></value-view>`, name: () => t("Value") },
  figure: { view: (display) => html`<figure-view .display=${display}></figure-view>`, name: () => t("Figure") },
  fault: { view: (display) => html`<fault-view .display=${display}></fault-view>`, name: faultName },
};

/** The views come with the first run, or with what is kept of one, not with the page. */
export function loadViews() {
  return import("./views.js");
}

/** @type {RecordKind<Display>} */
const UNKNOWN = { view: (display) => html`<unknown-view .display=${display}></unknown-view>`, name: (display) => display.kind };

/** @param {Display} display @returns {RecordKind<Display>} */
function kindOf(display) {
  return Object.hasOwn(KINDS, display.kind) ? /** @type {RecordKind<any>} */ (KINDS[display.kind]) : UNKNOWN;
}

/** @param {Display} display */
export function view(display) {
  void loadViews();
  return kindOf(display).view(display);
}

/** What a display is called in the list under its cell. @param {Display} display */
export function name(display) {
  return kindOf(display).name(display);
}

/** Whether it passes or fails, or null. @param {Display} display */
export function verdict(display) {
  return kindOf(display).verdict?.(display) ?? null;
}

/** Of the displays that pass or fail. @param {Display[]} displays @returns {Verdict[]} */
export function verdicts(displays) {
  return displays.flatMap((display) => verdict(display) ?? []);
}

/** What screen readers announce: each verdict, then the names of all else, each once. @param {Display[]} displays */
export function announced(displays) {
  const others = displays.filter((display) => !verdict(display));
  return [...verdicts(displays).map(({ words }) => words), ...new Set(others.map(name))];
}
