/**
 * The state of a page with cells: the cells, the active one, and the cell whose results are shown beside the text.
 *
 * Its fields are signals; its methods are the actions that a reader can take on the page.
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
 * @typedef {object} Kept  what the browser stores for this page
 * @property {Drafts} drafts
 * @property {KeptResults} results
 * @property {Settings} settings
 *
 * @typedef {object} Target  where the focus is to move
 * @property {CellState} cell
 * @property {number} [line] from 1
 * @property {number | null} [column] in code points, from 0
 * @property {boolean} [walking] whether the arrow keys continue to move between cells
 *
 * @typedef {import("../lib/trace/line-notes.js").PlacedNote} PlacedNote
 *
 * @typedef {number | "error" | {check: string}} Part  of a cell's results: the index of a record, the error, or the id of a check
 *
 * @typedef {(cell: CellState, source: string, edited: Record<string, string>) => RunRequest} MakeRequest  `source`: the cell's text.
 *   `edited`: that of the cells that run first and differ from the lesson's
 */

export class PageState {
  /** @param {CellFacts[]} facts @param {Kept} kept @param {MakeRequest} makeRequest */
  constructor(facts, kept, makeRequest) {
    this.drafts = kept.drafts;
    this.kept = kept.results;
    this.settings = kept.settings;
    this.makeRequest = makeRequest;
    /** Whether the browser can store edits. */
    this.lasting = signal(kept.drafts.lasting);
    this.list = signal(/** @type {CellState[]} */ ([]));
    /** The learner's texts that are not in cells. @type {import("./saving/draft-state.js").DraftState[]} */
    this.others = [];
    for (const one of facts) this.add(one);
    this.active = signal(/** @type {CellState | null} */ (null));
    /** The cell whose results are shown in the column once it has any. */
    this.wanted = signal(/** @type {CellState | null} */ (null));
    this.column = signal(/** @type {CellState | null} */ (null));
    /** The part of a cell's results to scroll to. */
    this.pointed = signal(/** @type {{cell: CellState, part: Part | null} | null} */ (null));
    /** The cells that have results to show beside the text. */
    this.filled = computed(() => this.cells.filter((cell) => cell.beside.value));
    this.target = signal(/** @type {Target | null} */ (null));
    /**
     * The cell to which the focus moved automatically after a run. Its activation does not replace the results of that run.
     * @type {CellState | null}
     */
    this.movedTo = null;
    this.busy = computed(() => this.cells.some((cell) => isBusy(cell.run.value)));
    effect(() => {
      if (this.wanted.value?.beside.value) this.column.value = this.wanted.value;
      else if (!this.column.value?.beside.value) this.column.value = null;
    });
  }

  /** Whether the cells are a lesson's, whose path is the scope of its drafts, so that the server stores their texts. */
  get ofLesson() {
    return this.drafts.scope.includes("/");
  }

  /** All texts that the learner writes on this page. */
  get texts() {
    return [...this.cells, ...this.others];
  }

  get cells() {
    return this.list.value;
  }

  /** Adds a cell. A lesson's cells are those in its HTML; the playground adds a cell when a program is opened. @param {CellFacts} facts */
  add(facts) {
    const cell = new CellState(facts, this);
    this.list.value = [...this.list.peek(), cell];
    return cell;
  }

  /** @param {string | null} id @returns {CellState | null} */
  find(id) {
    return this.cells.find((cell) => cell.id === id) ?? null;
  }

  /** The name of a cell within a sentence; "" for none. @param {string | null} id */
  numberOf(id) {
    const cell = this.find(id);
    return cell?.facts.number ? t("cell {number}", { number: cell.facts.number }) : (id ?? "");
  }

  /** The name of a cell within a sentence, with its file. @param {string | null} id */
  nameOf(id) {
    const cell = this.find(id);
    return cell ? t("cell {number} ({filename})", { number: cell.facts.number, filename: cell.facts.filename }) : (id ?? "");
  }

  /**
   * The nearest cell before this one, or else after it, that defines a name and is not among the cells that run first.
   * @param {string} name
   * @param {CellState} cell
   */
  whoDefines(name, cell) {
    const at = this.cells.indexOf(cell);
    const others = [...this.cells.slice(0, at).reverse(), ...this.cells.slice(at + 1)];
    return others.find((one) => !one.facts.exercise && !cell.facts.after.includes(one.id) && defines(one.text.value, name)) ?? null;
  }

  /** Activates a cell at which the reader points. @param {CellState} cell */
  choose(cell) {
    this.movedTo = null;
    this.activate(cell);
  }

  /** Makes a cell the active one. If it has no results, the column continues to show those of another cell. @param {CellState} cell */
  activate(cell) {
    this.active.value = cell;
    if (cell === this.movedTo) return;
    this.movedTo = null;
    if (cell.beside.value) this.wanted.value = cell;
  }

  /**
   * Runs a cell and shows its results. With `thenMoves`, the focus moves to the next cell unless the reader's settings forbid it.
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

  /** Stops the active cell's run, or if it has none, all runs. Returns false if there is no run. */
  stop() {
    const running = this.cells.filter((cell) => cell.client);
    const chosen = running.filter((cell) => cell === this.active.value);
    for (const cell of chosen.length ? chosen : running) void cell.stop();
    return running.length > 0;
  }

  /**
   * The cell of the lesson, or of an exercise, before or after this one; null if there is none.
   * @param {CellState} cell
   * @param {1 | -1} by
   */
  neighbour(cell, by) {
    const inLesson = cell.facts.number || cell.facts.exercise;
    return (inLesson && this.cells[this.cells.indexOf(cell) + by]) || null;
  }

  /** The next cell that the reader runs. Cells that only checks call are skipped. @param {CellState} cell @returns {CellState | null} */
  following(cell) {
    const next = this.neighbour(cell, 1);
    return next?.facts.forChecks ? this.following(next) : next;
  }

  /** Moves the focus to a cell. @param {CellState} cell @param {boolean} [walking] */
  send(cell, walking = false) {
    this.active.value = cell;
    this.target.value = { cell, walking };
  }

  /**
   * Moves the focus to a neighbouring cell; returns false if there is none. A cell of the playground has no neighbours.
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
   * @param {CellState | null} [from] the cell whose result names the place
   */
  goTo(id, line, column, from = null) {
    const cell = (id === null ? from : this.find(id)) ?? this.active.value;
    if (cell) this.target.value = { cell, line, column };
  }

  /**
   * Lights a span in its cell's editor, and writes notes at the ends of lines; nothing else is lit. Where the text has changed since it ran,
   * nothing is.
   * @param {import("../lib/types.js").Span | null} span
   * @param {PlacedNote[]} notes
   * @param {CellState} from the cell whose result contains them
   */
  light(span, notes, from) {
    for (const cell of this.cells) {
      const isHere = (/** @type {string | null} */ id) => (this.find(id) ?? from) === cell;
      const here = { span: span && isHere(span.cell) ? span : null, notes: notes.filter((note) => isHere(note.cell)) };
      const isSame = cell.text.peek() === from.sources.peek()?.[cell.id];
      cell.lit.value = isSame && (here.span || here.notes.length) ? here : null;
    }
  }

  /** Shows a part of a cell's results, or their beginning. @param {CellState} cell @param {Part | null} part */
  point(cell, part) {
    this.activate(cell);
    this.pointed.value = { cell, part };
  }

  /**
   * The sources of a run of this cell: the present text of the cells that it continues, and its own. An exercise continues the cells as the
   * lesson gives them.
   * @param {CellState} cell
   * @returns {Record<string, string>}
   */
  sourcesOf(cell) {
    const upstream = cell.facts.exercise ? [] : cell.facts.after.flatMap((id) => this.find(id) ?? []);
    return Object.fromEntries([...upstream, cell].map((one) => [one.id, one.text.value]));
  }

  /** The sources of a run of this cell as the lesson gives them. @param {CellState} cell @returns {Record<string, string>} */
  startersOf(cell) {
    return Object.fromEntries([...cell.facts.after.flatMap((id) => this.find(id) ?? []), cell].map((one) => [one.id, one.facts.starter]));
  }

  /** @param {CellState} cell @returns {RunRequest} */
  order(cell) {
    return this.orderOf(cell, this.sourcesOf(cell));
  }

  /**
   * A request that runs these sources, by cell, in place of the present texts.
   * @param {CellState} cell
   * @param {Record<string, string>} sources
   * @returns {RunRequest}
   */
  orderOf(cell, sources) {
    const edited = cell.facts.after.filter((id) => sources[id] !== undefined && sources[id] !== this.find(id)?.facts.starter);
    const texts = Object.fromEntries(edited.map((id) => [id, wellFormed(sources[id] ?? "")]));
    return this.makeRequest(cell, wellFormed(sources[cell.id] ?? ""), texts);
  }

  /** Stores the result of a run of this cell. @param {CellState} cell */
  finish(cell) {
    if (cell.sources.value && !this.drafts.heldBack.has(cell.id))
      void this.kept.keep(cell.id, { at: Date.now(), sources: cell.sources.value, state: cell.run.value });
  }

  /**
   * Restores the results of an earlier visit. The column shows the newest that have something beside the text.
   * @param {CellState[]} [cells]
   */
  async restore(cells = this.cells) {
    const found = await Promise.all(cells.map(async (cell) => ({ cell, kept: await this.kept.read(cell.id) })));
    const kept = found.flatMap(({ cell, kept }) => (kept ? [{ cell, kept }] : []));
    for (const one of kept) one.cell.restore(one.kept);
    const newest = kept.sort((a, b) => b.kept.at - a.kept.at).find(({ cell }) => cell.beside.value || cell.exercise);
    if (newest && !this.wanted.value) this.wanted.value = newest.cell;
  }

  /** Adopts a text that another tab has stored under a key; null: all texts. @param {string | null} key */
  onStorage(key) {
    for (const one of this.texts) {
      if (key === null || this.drafts.key(one.id) === key) one.follow();
    }
  }
}
