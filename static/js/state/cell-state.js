/**
 * The state of one cell: its text (see `DraftState`), its run, and the results that are shown.
 *
 * Its fields are signals; its methods are the actions that a reader can take on a cell.
 */

import { computed, signal } from "@preact/signals-core";

import { Run } from "../lib/run/run-client.js";
import { QUIET } from "../lib/run/run-words.js";
import { DraftState } from "./saving/draft-state.js";
import { FindingsState } from "./findings-state.js";
import { advance, IDLE, isBusy } from "./run-state.js";
import { TraceState } from "./trace-state.js";

/**
 * @typedef {import("./run-state.js").RunState} RunState
 * @typedef {import("../lib/run/run-client.js").RunNews} RunNews
 * @typedef {import("../lib/types.js").RunRequest} RunRequest
 * @typedef {import("./page-state.js").PageState} PageState
 *
 * @typedef {object} CellFacts  the facts about a cell in the page's HTML
 * @property {string} id
 * @property {number} number in the lesson; 0 if there is only one cell
 * @property {string} filename
 * @property {string} runtime
 * @property {string[]} after the ids of the cells that are replayed before it
 * @property {string} raises the exception that ends it as its lesson declares, or ""
 * @property {string} starter
 * @property {boolean} [forChecks] whether only the checks of an exercise call it, so that the page folds it
 * @property {string} [exercise] the id of the exercise whose source it is, if it is not a cell of the lesson
 *
 * @typedef {object} RunSpec  a request to send instead of the present text of the cell and those before it
 * @property {import("../lib/run/run-client.js").Route} [route]
 * @property {RunRequest | {lang: string}} request
 * @property {Record<string, string>} sources the text that is run, by cell
 * @property {(news: RunNews) => void} [onNews] is called with each event after the cell has handled it
 */

/** A run that ends within this time does not show its start, which avoids flicker. */
const SHOW_AFTER_MS = 250;

/** @extends {DraftState<CellFacts>} */
export class CellState extends DraftState {
  /** @param {CellFacts} facts @param {PageState} page */
  constructor(facts, page) {
    super(facts, page);
    /** The latest run, updated with each event. */
    this.run = signal(IDLE);
    /** The latest run as it is shown. The previous one remains until the new one has something to show. */
    this.shown = signal(IDLE);
    /** The latest run that has a result. */
    this.last = signal(IDLE);
    /** The sources that produced the results, by cell. */
    this.sources = signal(/** @type {Record<string, string> | null} */ (null));
    /** When the shown results of an earlier visit were made, in ms since 1970; 0 if the results are of this visit. */
    this.restoredFrom = signal(0);
    /** The line, from 1, that was pressed last. It is a new object each time, so that pressing the same line again counts. */
    this.pressed = signal(/** @type {{line: number} | null} */ (null));
    /** What the editor lights and notes at the ends of lines; null after the text has changed. */
    this.lit = signal(/** @type {import("../editor/lit-lines.js").Lit | null} */ (null));
    /** The line, from 1, to which the learner moved the cursor last; null before that. */
    this.cursorLine = signal(/** @type {number | null} */ (null));
    this.busy = computed(() => isBusy(this.shown.value));
    this.stale = computed(() => Object.entries(this.sources.value ?? {}).some(([id, text]) => this.page.find(id)?.text.value !== text));
    /** Whether the latest run has shown and printed nothing yet, so that the results of the previous one are shown. */
    this.old = computed(() => this.last.value.result !== null && isEmpty(this.shown.value));
    this.results = computed(() => (this.old.value ? this.last.value : this.shown.value));
    /** Whether a run or a submission has results. */
    this.filled = computed(() => !isEmpty(this.results.value) || Boolean(this.exercise?.judged.value));
    /** Whether there is anything to show beside the text. Printed output is shown under the cell. */
    this.beside = computed(
      () =>
        hasBeside(this.results.value) ||
        this.trace.graphs.value.length > 0 ||
        this.trace.call.value !== null ||
        this.findings.all.value.length > 0 ||
        this.findings.examined.value.length > 0 ||
        (isBusy(this.shown.value) && hasBeside(this.last.value)) ||
        Boolean(this.exercise?.judged.value || this.exercise?.checks.value.length),
    );
    /** The id of the replayed cell in which the run failed, or null. */
    this.failedIn = computed(() => this.otherCell(this.results.value.result?.error?.cell ?? null));
    /** The predictions that are asked about this cell. */
    this.predictions = signal(/** @type {import("./tasks/prediction-state.js").PredictionState[]} */ ([]));
    /** Whether one of them is open, so that nothing may give its answer away. */
    this.asked = computed(() => this.predictions.value.some(({ told }) => told.value === null));
    this.trace = new TraceState(this);
    this.findings = new FindingsState(this);
    /**
     * What is to be underlined in a text that need not have run, while it is the cell's text.
     * @type {import("@preact/signals-core").Signal<{text: string, underlines: import("../editor/underlines.js").Underline[]} | null>}
     */
    this.marks = signal(null);
    /** @type {Run | null} */
    this.client = null;
    /** Resolves when the latest run has ended. @type {Promise<void>} */
    this.ended = Promise.resolve();
    /** The exercise whose source this cell is, or null. */
    this.ofExercise = signal(/** @type {import("./tasks/exercise-state.js").ExerciseState | null} */ (null));
    /** Whether the latest request was a submission rather than a run. */
    this.graded = signal(true);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.showTimer = undefined;
  }

  get exercise() {
    return this.ofExercise.value;
  }

  /** @param {string | null} cell */
  otherCell(cell) {
    return cell === this.id || (this.facts.exercise && cell === this.facts.exercise) ? null : cell;
  }

  /** Runs the cell's text, or what `spec` says. Does nothing while a run is active. @param {RunSpec | null} [spec] */
  async start(spec = null) {
    if (this.client) return;
    if (spec === null) this.saver?.ran();
    this.trace.drop();
    this.findings.drop();
    this.sources.value = spec?.sources ?? this.page.sourcesOf(this);
    this.restoredFrom.value = 0;
    this.graded.value = spec?.route?.last === "submission";
    this.showTimer = setTimeout(() => this.showNow(), SHOW_AFTER_MS);
    const tell = (/** @type {RunNews} */ news) => (this.take(news), spec?.onNews?.(news));
    this.client = new Run(spec?.request ?? this.page.order(this), tell, undefined, spec?.route);
    this.ended = this.client.start();
    await this.ended;
    this.client = null;
    if (!this.graded.value) void this.trace.follow(this.run.value);
  }

  /** A spec that runs the cell, and the cells before it, with the text that the lesson gives them. @returns {RunSpec} */
  given() {
    const sources = this.page.startersOf(this);
    return { request: this.page.orderOf(this, sources), sources };
  }

  async stop() {
    await this.client?.stop();
  }

  /** Ends the run's pause before its next attempt. */
  tryNow() {
    this.client?.tryNow();
  }

  /** @param {RunNews} news */
  take(news) {
    this.run.value = advance(this.run.value, news);
    const { phase } = this.run.value;
    if (this.showTimer === undefined || phase === "waiting" || !isBusy(this.run.value)) this.showNow();
    if (news.type === "result" && phase === "done") this.page.finish(this);
  }

  showNow() {
    clearTimeout(this.showTimer);
    this.showTimer = undefined;
    this.shown.value = this.run.value;
    if (this.run.value.result) this.last.value = this.run.value;
  }

  /** Shows results of an earlier visit, unless the cell has been run since. @param {import("./kept-results.js").Kept} kept */
  restore(kept) {
    if (this.run.value !== IDLE) return;
    this.sources.value = kept.sources;
    this.restoredFrom.value = kept.at;
    this.trace.drop();
    this.findings.drop();
    this.shown.value = this.last.value = kept.state;
  }

  /** Whether the latest run ended as its lesson declares. */
  get asDeclared() {
    const { result } = this.run.value;
    if (!result) return false;
    const { raises } = this.facts;
    return raises ? result.outcome === "raised" && result.error?.type === raises : result.outcome === "finished";
  }
}

/** @param {RunState} state */
function hasBeside({ result, records }) {
  return records.length > 0 || (result !== null && !QUIET.includes(result.outcome));
}

/** @param {RunState} state */
function isEmpty({ result, pieces, records }) {
  return result === null && pieces.length === 0 && records.length === 0;
}
