/**
 * What is known of one cell: its text and how it relates to the lesson's, its run, and the results that are to be seen.
 *
 * Fields are signals; methods are what a reader can want of a cell.
 */

import { computed, signal } from "@preact/signals-core";

import { Run } from "../lib/run-client.js";
import { advance, IDLE, isBusy } from "./run-state.js";

/**
 * @typedef {import("./run-state.js").RunState} RunState
 * @typedef {import("../lib/run-client.js").RunNews} RunNews
 * @typedef {import("./page-state.js").PageState} PageState
 *
 * @typedef {object} CellFacts  what the page says of a cell
 * @property {string} id
 * @property {number} number in the lesson, 0 where there is only one
 * @property {string} filename
 * @property {string} runtime
 * @property {string[]} after the ids of the cells that are replayed before it
 * @property {string} raises the exception that ends it as its lesson declares, or ""
 * @property {string} starter
 * @property {string} [exercise] the id of the exercise whose source it is, if it is not a cell of the lesson
 *
 * @typedef {object} Errand  what is sent instead of a plain run
 * @property {import("../lib/run-client.js").Route} route
 * @property {{lang: string}} request
 * @property {Record<string, string>} sources what the results are made of, by cell
 * @property {(news: RunNews) => void} hear is told the news, after the cell
 *
 * @typedef {{kind: "changed"} | {kind: "elsewhere", text: string}} Conflict  the lesson changed under an edit, or another tab wrote
 */

/** A run shorter than this shows nothing of its beginning, so that nothing flickers. */
const CALM_MS = 250;

export class CellState {
  /** @param {CellFacts} facts @param {PageState} page */
  constructor(facts, page) {
    this.facts = facts;
    this.page = page;
    const restored = page.drafts.restore(facts.id, facts.starter);
    this.text = signal(restored.kind === "starter" ? facts.starter : restored.text);
    const other = page.drafts.other(facts.id);
    const conflict = other !== null ? { kind: "elsewhere", text: other } : restored.kind === "changed" ? { kind: "changed" } : null;
    this.conflict = signal(/** @type {Conflict | null} */ (conflict));
    /** What the last reset threw away, if nothing was written since. */
    this.undoable = signal(page.drafts.undoable(facts.id));
    /** The latest run, at once. */
    this.run = signal(IDLE);
    /** The latest run as it is shown: what stood before stays until there is something new. */
    this.shown = signal(IDLE);
    /** The latest run that came to a result. */
    this.last = signal(IDLE);
    /** What the results were made of, by cell. */
    this.sources = signal(/** @type {Record<string, string> | null} */ (null));
    /** When results of an earlier visit ended, in ms since 1970; 0 where they are of this one. */
    this.restoredFrom = signal(0);
    /** The line that was clicked last, from 1; 0 before that. */
    this.clicked = signal(0);
    this.busy = computed(() => isBusy(this.shown.value));
    this.changed = computed(() => this.text.value !== this.facts.starter);
    this.stale = computed(() => Object.entries(this.sources.value ?? {}).some(([id, text]) => this.page.find(id)?.text.value !== text));
    /** Whether the latest run has shown and printed nothing yet, so that what the one before showed stands in for it. */
    this.old = computed(() => this.last.value.result !== null && this.shown.value.result === null && this.shown.value.pieces.length === 0);
    this.results = computed(() => (this.old.value ? this.last.value : this.shown.value));
    /** What it printed, without the places of what it showed. */
    this.printed = computed(() => ({ ...this.results.value, pieces: this.results.value.pieces.filter((piece) => "stream" in piece) }));
    this.filled = computed(() => this.results.value.result !== null || this.results.value.pieces.length > 0);
    /** The id of the replayed cell in which the run failed, or null. */
    this.failedIn = computed(() => this.otherCell(this.results.value.result?.error?.cell ?? null));
    /** @type {Run | null} */
    this.client = null;
    /** Whose source this is. @type {import("./exercise-state.js").ExerciseState | null} */
    this.exercise = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.calm = undefined;
  }

  get id() {
    return this.facts.id;
  }

  /** @param {string | null} cell */
  otherCell(cell) {
    return cell === this.id || (this.facts.exercise && cell === this.facts.exercise) ? null : cell;
  }

  /** @param {string} text */
  edit(text) {
    if (text === this.text.value) return;
    this.text.value = text;
    this.page.keep(this);
    this.undoable.value = this.page.drafts.undoable(this.id);
  }

  reset() {
    const text = this.text.value;
    if (this.conflict.value?.kind === "changed") this.conflict.value = null;
    this.text.value = this.facts.starter;
    this.page.drafts.reset(this.id, this.facts.starter, text);
    this.undoable.value = this.page.drafts.undoable(this.id);
  }

  undoReset() {
    if (this.undoable.value !== null) this.edit(this.undoable.value);
  }

  /** An earlier text comes back; what it takes the place of can be had back. @param {string} text */
  bringBack(text) {
    const before = this.text.value;
    this.edit(text);
    this.page.drafts.remember(this.id, before);
    this.undoable.value = before;
  }

  /** The kept edit stays; it now belongs to the lesson's new code. */
  keepMine() {
    this.conflict.value = null;
    this.page.keep(this);
  }

  /** Another tab has written to this cell. @param {string} text */
  hear(text) {
    if (text !== this.text.value) this.conflict.value = { kind: "elsewhere", text };
    else if (this.conflict.value?.kind === "elsewhere") this.conflict.value = null;
  }

  takeOther() {
    const conflict = this.conflict.value;
    if (conflict?.kind !== "elsewhere") return;
    this.conflict.value = null;
    this.edit(conflict.text);
  }

  /** Runs what is written, or what an errand says; a run under way is not disturbed. @param {Errand | null} [errand] */
  async start(errand = null) {
    if (this.client) return;
    this.sources.value = errand?.sources ?? this.page.sourcesOf(this);
    this.restoredFrom.value = 0;
    this.calm = setTimeout(() => this.showNow(), CALM_MS);
    const tell = (/** @type {RunNews} */ news) => (this.take(news), errand?.hear(news));
    this.client = new Run(errand?.request ?? this.page.order(this), tell, undefined, errand?.route);
    await this.client.start();
    this.client = null;
  }

  async stop() {
    await this.client?.stop();
  }

  /** Asks again at once, if the run waits to. */
  tryNow() {
    this.client?.tryNow();
  }

  /** @param {RunNews} news */
  take(news) {
    this.run.value = advance(this.run.value, news);
    const { phase } = this.run.value;
    if (this.calm === undefined || phase === "waiting" || !isBusy(this.run.value)) this.showNow();
    if (news.type === "result" && phase === "done") this.page.finish(this);
  }

  showNow() {
    clearTimeout(this.calm);
    this.calm = undefined;
    this.shown.value = this.run.value;
    if (this.run.value.result) this.last.value = this.run.value;
  }

  /** Results of an earlier visit, unless something has run since. @param {import("./kept-results.js").Kept} kept */
  restore(kept) {
    if (this.run.value !== IDLE) return;
    this.sources.value = kept.sources;
    this.restoredFrom.value = kept.at;
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
