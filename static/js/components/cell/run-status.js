/**
 * The status of a cell's latest run or submission, as one line in the cell's head. Pressing the line shows the result that it describes. If
 * the learner has to decide something, the note under the code says so (run-hindrance.js).
 */

import { severityWords } from "../../lib/doctor/findings.js";
import { html, nothing } from "lit";

import { endWords, timeWords } from "../../lib/run/run-words.js";
import { runtimeName } from "../../lib/run/runtimes.js";
import { moment, t } from "../../lib/words.js";
import { countChecks, firstFailing } from "../../state/tasks/exercise-state.js";
import { IDLE } from "../../state/run-state.js";
import { icon } from "../page/icons.js";
import { CellElement } from "../page/page-element.js";
import { withException } from "../results/panel.js";
import { isShownByRecord, verdict, verdicts, verdictWords } from "../results/records.js";

/**
 * @typedef {import("../../state/cell-state.js").CellState} CellState
 * @typedef {import("../../state/tasks/exercise-state.js").ExerciseState} ExerciseState
 *
 * @typedef {object} Ending
 * @property {boolean | null} good null if neither
 * @property {string[]} words
 * @property {string} [exception] the name of its class, which occurs in the words
 * @property {string} [where] the check that does not pass
 * @property {string} [time]
 * @property {import("../../state/page-state.js").Part | null} part the part of the results that a press shows
 */

const TICK_MS = 100;
/** The phases whose elapsed time is shown. */
const COUNTED = ["running", "queued"];

class RunStatus extends CellElement {
  /** @override */
  static properties = { elapsed: { state: true } };

  constructor() {
    super();
    this.elapsed = 0;
    /** @type {number | undefined} */
    this.clock = undefined;
    this.counting = "";
    this.since = 0;
  }

  get state() {
    return this.cell?.shown.value ?? IDLE;
  }

  /** @override */
  updated() {
    const { phase, starting } = this.cell?.shown.peek() ?? IDLE;
    const counting = COUNTED.includes(phase) ? phase + starting : "";
    if (counting === this.counting) return;
    this.halt();
    this.counting = counting;
    if (!counting) return;
    this.since = performance.now();
    this.clock = window.setInterval(() => (this.elapsed = performance.now() - this.since), TICK_MS);
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.halt();
  }

  halt() {
    window.clearInterval(this.clock);
    this.clock = undefined;
    this.counting = "";
    this.elapsed = 0;
  }

  /** @override */
  render() {
    const { cell, state } = this;
    if (!cell) return nothing;
    switch (state.phase) {
      case "sending":
        return this.under(t("Sending"));
      case "queued":
        return this.under(
          state.starting
            ? t("{runtime} is starting; this takes some seconds, once", { runtime: runtimeName(state.starting) })
            : t("Waiting in the queue, place {position}", { position: state.position }),
          state.starting ? t("{seconds} s", { seconds: Math.floor(this.elapsed / 1000) }) : "",
        );
      case "running":
        return this.under(t("Running"), t("{seconds} s", { seconds: (this.elapsed / 1000).toFixed(1) }));
      case "waiting":
        return this.under(t("Trying again in {seconds} s.", { seconds: state.seconds }));
      default:
        return this.ended(cell);
    }
  }

  /** The words for a run or a submission that has not ended. @param {string} words @param {string} [time] */
  under(words, time = "") {
    return html`<div class="status" title=${words}>
      <span class="status-pulse"></span><span class="words">${words}</span>${time ? html`<span class="end">${time}</span>` : nothing}
    </div>`;
  }

  /** @param {CellState} cell */
  ended(cell) {
    const { exercise } = cell;
    if (exercise?.shownBusy.value && this.state.phase === "done") {
      const count = exercise.checks.value.length;
      return this.under(count ? t("Checking; {count} decided", { count }) : t("Checking"));
    }
    const ending = (cell.graded.value && exercise && ofSubmission(exercise)) || this.ofRun(cell);
    if (!ending) return nothing;
    const { good, words, exception, where, time, part } = ending;
    const judged = cell.graded.value && exercise?.judged.value;
    const ungraded = exercise && ["lost", "refused"].includes(exercise.grading.value.phase);
    const stale = judged ? !ungraded && exercise.stale.value : cell.stale.value && this.state.result !== null;
    const said = words.join(" · ");
    const told = [said, where].filter(Boolean).join(" · ");
    // The verdict alone is enough when the text has changed since.
    const shown = stale
      ? withException(said.split(" · ", 1)[0] ?? "", exception)
      : html`${withException(said, exception)}${where ? html`<span class="where"> · ${where}</span>` : nothing}`;
    const notes = html`${
      stale ? html`<span class="edited">${t("edited since")}</span>` : nothing
    }${time && (!stale || this.state.result?.recorded) ? html`<span class="end">${time}</span>` : nothing}`;
    const kind = good === null ? "" : good ? "ok" : judged ? "other" : "no";
    const line = html`${good === null ? nothing : icon(good ? "pass" : judged ? "open" : "alert")}<span class="words">${shown}</span
      >${notes}`;
    if (!cell.beside.value) return html`<div class="status ${kind}" title=${told}>${line}</div>`;
    return html`<button class="status ${kind}" type="button" title=${told} @click=${() => cell.page.point(cell, part)}>${line}</button>`;
  }

  /** @param {CellState} cell @returns {Ending | null} */
  ofRun(cell) {
    const { phase, result, records } = this.state;
    if (phase === "refused") return { good: false, words: [t("Not run.")], part: null };
    if (phase === "lost") return { good: false, words: [t("The run was lost.")], part: null };
    if (phase !== "done" || !result) return null;
    const { outcome, error } = result;
    const checks = isShownByRecord(records, result) ? [] : verdicts(records);
    const bad = (outcome !== "finished" && outcome !== "stopped") || checks.some((one) => !one.passed);
    const from = cell.restoredFrom.value ? t("kept from {time}", { time: moment(cell.restoredFrom.value) }) : "";
    const first = records.findIndex((record) => verdict(record)?.passed === false);
    const found =
      bad || cell.findings.reach !== "all" ? null : (cell.findings.all.value.find(({ severity }) => severity !== "hint") ?? null);
    const finding = found
      ? [
          severityWords(found.severity),
          found.span && cell.otherCell(found.span.cell) === null ? t("line {line}", { line: found.span.line }) : "",
        ]
      : [];
    return {
      good: bad || found?.severity === "error" ? false : checks.length ? true : null,
      words: [
        ...endWords(result, cell.page.numberOf(cell.failedIn.value)),
        ...(checks.length ? verdictWords(records) : []),
        ...finding,
        from,
      ].filter(Boolean),
      ...(error && outcome === "raised" ? { exception: error.type } : {}),
      time: timeWords(result),
      part: first >= 0 ? first : error || found ? "error" : records.length ? 0 : null,
    };
  }
}

/** Returns how the latest submission ended, or null if there is none. @param {ExerciseState} exercise @returns {Ending | null} */
function ofSubmission({ judged, grading, lang }) {
  const { phase } = grading.value;
  if (phase === "lost" || phase === "refused") return { good: false, words: [t("Not graded.")], part: null };
  const submission = judged.value?.submission;
  if (!submission) return null;
  const { passed } = submission;
  const { good, total } = countChecks(submission);
  const first = firstFailing(submission);
  const where = passed || judged.value?.lang !== lang ? "" : (first?.title ?? t("hidden checks"));
  return {
    good: passed,
    words: [passed ? t("Passed · {good} of {total}", { good, total }) : t("Not yet · {good} of {total}", { good, total })],
    where,
    part: { check: first?.id ?? "" },
  };
}

customElements.define("run-status", RunStatus);
