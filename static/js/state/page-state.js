/**
 * What is known of a page with cells: the cells, which of them the reader is at, and whose results stand beside the text.
 *
 * Fields are signals; methods are what a reader can want of the page.
 */

import { computed, effect, signal } from "@preact/signals-core";

import { defines } from "../lib/python/defined-names.js";
import { wellFormed } from "../lib/python/positions.js";
import { t } from "../lib/words.js";
import { CellState } from "./cell-state.js";
import { isBusy } from "./run-state.js";

/**
 * @typedef {import("./saving/drafts.js").Drafts} Drafts
 * @typedef {import("./kept-results.js").KeptResults} KeptResults
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./cell-state.js").CellFacts} CellFacts
 * @typedef {import("../lib/types.js").RunRequest} RunRequest
 *
 * @typedef {object} Kept  what the browser keeps, and for whom
 * @property {Drafts} drafts
 * @property {KeptResults} results
 * @property {Settings} settings
 *
 * @typedef {object} Target  where the keyboard is to go
 * @property {CellState} cell
 * @property {number} [line] from 1
 * @property {number | null} [column] in code points, from 0
 * @property {boolean} [walking] whether the arrow keys go on from cell to cell
 *
 * @typedef {number | "error" | {check: string}} Part  of a cell's results: a record, by its index, the error, or a check, by its id
 *
 * @typedef {(cell: CellState, edited: Record<string, string>) => RunRequest} MakeRequest  `edited`: the replayed cells that differ from the
 *   lesson's
 */

export class PageState {
  /** @param {CellFacts[]} facts @param {Kept} kept @param {MakeRequest} request */
  constructor(facts, kept, request) {
    this.drafts = kept.drafts;
    this.kept = kept.results;
    this.settings = kept.settings;
    this.request = request;
    /** Whether edits outlive the page. */
    this.lasting = signal(kept.drafts.lasting);
    this.list = signal(/** @type {CellState[]} */ ([]));
    /** What is written beside the cells. @type {import("./saving/draft-state.js").DraftState[]} */
    this.others = [];
    for (const one of facts) this.add(one);
    this.active = signal(/** @type {CellState | null} */ (null));
    /** Whose results are to stand in the column as soon as it has any. */
    this.wanted = signal(/** @type {CellState | null} */ (null));
    this.column = signal(/** @type {CellState | null} */ (null));
    /** What of a cell's results is to be brought into sight. */
    this.pointed = signal(/** @type {{cell: CellState, part: Part | null} | null} */ (null));
    /** The cells that have results. */
    this.filled = computed(() => this.cells.filter((cell) => cell.beside.value));
    this.target = signal(/** @type {Target | null} */ (null));
    /** Where the keyboard went of itself after a run, whose results are to stay in sight. @type {CellState | null} */
    this.movedTo = null;
    this.busy = computed(() => this.cells.some((cell) => isBusy(cell.run.value)));
    effect(() => {
      if (this.wanted.value?.beside.value) this.column.value = this.wanted.value;
      else if (!this.column.value?.beside.value) this.column.value = null;
    });
  }

  /** All that the learner writes on this page. */
  get texts() {
    return [...this.cells, ...this.others];
  }

  get cells() {
    return this.list.value;
  }

  /** A page's cells are those that its HTML has; a playground's come as its programs are opened. @param {CellFacts} facts */
  add(facts) {
    const cell = new CellState(facts, this);
    this.list.value = [...this.list.peek(), cell];
    return cell;
  }

  /** @param {string | null} id @returns {CellState | null} */
  find(id) {
    return this.cells.find((cell) => cell.id === id) ?? null;
  }

  /** What a cell is called within a sentence; "" for none. @param {string | null} id */
  numberOf(id) {
    const cell = this.find(id);
    return cell?.facts.number ? t("cell {number}", { number: cell.facts.number }) : (id ?? "");
  }

  /** As `numberOf`, with its file. @param {string | null} id */
  nameOf(id) {
    const cell = this.find(id);
    return cell ? t("cell {number} ({filename})", { number: cell.facts.number, filename: cell.facts.filename }) : (id ?? "");
  }

  /**
   * The nearest cell before this one, or else after it, that defines a name and is not replayed before it.
   * @param {string} name
   * @param {CellState} cell
   */
  whoDefines(name, cell) {
    const at = this.cells.indexOf(cell);
    const others = [...this.cells.slice(0, at).reverse(), ...this.cells.slice(at + 1)];
    return others.find((one) => !one.facts.exercise && !cell.facts.after.includes(one.id) && defines(one.text.value, name)) ?? null;
  }

  /** The reader points at this cell. @param {CellState} cell */
  choose(cell) {
    this.movedTo = null;
    this.activate(cell);
  }

  /** The reader is at this cell; a cell that has no results leaves those of another in the column. @param {CellState} cell */
  activate(cell) {
    this.active.value = cell;
    if (cell === this.movedTo) return;
    this.movedTo = null;
    if (cell.beside.value) this.wanted.value = cell;
  }

  /**
   * Runs a cell and shows its results; `thenMoves`: the keyboard goes on to the next cell, if the reader wants that.
   * @param {CellState} cell
   * @param {{thenMoves?: boolean, spec?: import("./cell-state.js").RunSpec | null}} [how]
   */
  run(cell, { thenMoves = false, spec = null } = {}) {
    this.active.value = cell;
    this.wanted.value = cell;
    const ended = cell.start(spec);
    this.movedTo = thenMoves && this.settings.movesOn.value ? this.following(cell) : null;
    if (this.movedTo) this.send(this.movedTo);
    return ended;
  }

  /** Stops the active cell's run, or if it has none whatever runs; false if nothing does. */
  stop() {
    const running = this.cells.filter((cell) => cell.client);
    const chosen = running.filter((cell) => cell === this.active.value);
    for (const cell of chosen.length ? chosen : running) void cell.stop();
    return running.length > 0;
  }

  /** The cell, or the exercise's, before or after one of a lesson. @param {CellState} cell @param {1 | -1} by */
  neighbour(cell, by) {
    const inLesson = cell.facts.number || cell.facts.exercise;
    return (inLesson && this.cells[this.cells.indexOf(cell) + by]) || null;
  }

  /** The next cell that a reader is to run. @param {CellState} cell @returns {CellState | null} */
  following(cell) {
    const next = this.neighbour(cell, 1);
    return next?.facts.forChecks ? this.following(next) : next;
  }

  /** Sends the keyboard to a cell. @param {CellState} cell @param {boolean} [walking] */
  send(cell, walking = false) {
    this.active.value = cell;
    this.target.value = { cell, walking };
  }

  /**
   * The keyboard goes to a neighbour, if there is one. A cell without a number stands alone.
   * @param {CellState} cell
   * @param {1 | -1} by
   * @param {boolean} [walking]
   */
  walk(cell, by, walking = false) {
    const next = this.neighbour(cell, by);
    if (next) this.send(next, walking);
    return next !== null;
  }

  /**
   * @param {string | null} id
   * @param {number} line
   * @param {number | null} column
   * @param {CellState | null} [from] whose result names the place
   */
  goTo(id, line, column, from = null) {
    const cell = (id === null ? from : this.find(id)) ?? this.active.value;
    if (cell) this.target.value = { cell, line, column };
  }

  /** The reader wants to see a part of a cell's results, or where they begin. @param {CellState} cell @param {Part | null} part */
  point(cell, part) {
    this.activate(cell);
    this.pointed.value = { cell, part };
  }

  /**
   * What a run of this cell is made of: the cells that it continues and its own text, as they are now. An exercise continues cells as the
   * lesson gives them.
   * @param {CellState} cell
   * @returns {Record<string, string>}
   */
  sourcesOf(cell) {
    const upstream = cell.facts.exercise ? [] : cell.facts.after.flatMap((id) => this.find(id) ?? []);
    return Object.fromEntries([...upstream, cell].map((one) => [one.id, one.text.value]));
  }

  /** The same as the lesson gives them. @param {CellState} cell @returns {Record<string, string>} */
  startersOf(cell) {
    return Object.fromEntries([...cell.facts.after.flatMap((id) => this.find(id) ?? []), cell].map((one) => [one.id, one.facts.starter]));
  }

  /** @param {CellState} cell @returns {RunRequest} */
  order(cell) {
    const upstream = cell.facts.after.flatMap((id) => this.find(id) ?? []);
    const edited = upstream.filter((one) => one.changed.value).map((one) => [one.id, wellFormed(one.text.value)]);
    return this.request(cell, Object.fromEntries(edited));
  }

  /** A run of this cell came to a result. @param {CellState} cell */
  finish(cell) {
    if (cell.sources.value && !this.drafts.heldBack.has(cell.id))
      void this.kept.keep(cell.id, { at: Date.now(), sources: cell.sources.value, state: cell.run.value });
  }

  /**
   * Brings back the results of an earlier visit; of those that have something beside the text, those that ended last stand in the column.
   * @param {CellState[]} [cells]
   */
  async restore(cells = this.cells) {
    const found = await Promise.all(cells.map(async (cell) => ({ cell, kept: await this.kept.read(cell.id) })));
    const kept = found.flatMap(({ cell, kept }) => (kept ? [{ cell, kept }] : []));
    for (const one of kept) one.cell.restore(one.kept);
    const newest = kept.sort((a, b) => b.kept.at - a.kept.at).find(({ cell }) => cell.beside.value || cell.exercise);
    if (newest && !this.wanted.value) this.wanted.value = newest.cell;
  }

  /** Another tab has changed what is kept under a key; null: all of it. @param {string | null} key */
  onStorage(key) {
    for (const one of this.texts) {
      if (key === null || this.drafts.key(one.id) === key) one.follow();
    }
  }
}
