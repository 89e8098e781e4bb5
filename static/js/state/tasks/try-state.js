/**
 * The edits that a lesson's text suggests. Edits accumulate: each is applied to the present text and can be undone without the others. If
 * two edits change the same text, the later replaces the earlier. What the reader wrote by hand is preserved.
 */

import { computed, signal } from "@preact/signals-core";

/**
 * @typedef {import("../cell-state.js").CellState} CellState
 * @typedef {import("../run-state.js").RunState} RunState
 * @typedef {{cell: string, find: string, replace: string}} Edit
 * @typedef {{tried: TryState, made: boolean, before: RunState | null, now: RunState}} Told  the outcome of the latest edit, which was
 *   `made` or undone, and what the cell showed before
 * @typedef {(made: TryState[]) => TryState[]} Change  computes the new edits of a cell from the present ones
 */

/** The most edits of a cell that are searched to find which of them an earlier visit has made. Each further edit doubles the work. */
const MOST_TOGETHER = 6;

/** The edits that a page's text suggests, and which of them were made. */
export class Tries {
  constructor() {
    /** @type {TryState[]} */
    this.list = [];
    /** The edits that were made, in order. @type {import("@preact/signals-core").Signal<TryState[]>} */
    this.made = signal([]);
    /** The text of each cell before the first edit. @type {Map<CellState, string>} */
    this.origins = new Map();
    this.told = signal(/** @type {Told | null} */ (null));
    /** The latest change of each cell. Only that change is run. @type {Map<CellState, object>} */
    this.latest = new Map();
  }

  /**
   * The edits that produce a cell's present text, and the text without them.
   * @param {CellState} cell
   * @returns {{made: TryState[], origin: string}}
   */
  standing(cell) {
    const text = cell.text.value;
    const made = this.made.value.filter((one) => one.cells.includes(cell));
    const origin = this.origins.get(cell) ?? cell.facts.starter;
    if (made.length && fold(made, cell, origin) === text) return { made, origin };
    const { starter } = cell.facts;
    const earlier = cell.changed.value
      ? subsets(this.list.filter((one) => one.cells.includes(cell)).slice(0, MOST_TOGETHER)).find(
          (some) => fold(some, cell, starter) === text,
        )
      : undefined;
    return earlier ? { made: earlier, origin: starter } : { made: [], origin: text };
  }

  /**
   * Replaces the edits of some cells by those that `change` returns. Then runs the cell of one edit, after an active run has ended.
   * @param {CellState[]} cells
   * @param {Change} change
   * @param {TryState} tried
   */
  async change(cells, change, tried) {
    const plans = cells.map((cell) => ({ cell, ...this.standing(cell) }));
    const now = new Set(plans.flatMap(({ made }) => change(made)));
    const stay = this.made.value.filter((one) => now.has(one) || !one.cells.some((cell) => cells.includes(cell)));
    const made = now.has(tried);
    this.made.value = [...[...new Set([...stay, ...now])].filter((one) => one !== tried), ...(made ? [tried] : [])];
    for (const { cell, made, origin } of plans) {
      this.origins.set(cell, origin);
      cell.edit(fold(change(made), cell, origin) ?? origin);
    }
    const { cell } = tried;
    const turn = {};
    this.latest.set(cell, turn);
    this.told.value = null;
    while (cell.client) await cell.ended;
    if (this.latest.get(cell) !== turn) return;
    const before = cell.last.value.result ? cell.last.value : null;
    await cell.page.run(cell);
    if (cell.run.value.phase === "done") this.told.value = { tried, made, before, now: cell.run.value };
  }
}

export class TryState {
  /**
   * @param {Edit[]} edits
   * @param {CellState} cell the cell that is run
   * @param {Tries} tries of the page
   * @param {string} words the lesson's text about it
   */
  constructor(edits, cell, tries, words = "") {
    this.cell = cell;
    this.edits = edits;
    this.tries = tries;
    this.words = words;
    tries.list.push(this);
    this.state = computed(() => this.judge());
    /** Whether the shown results are those of the text with this edit. */
    this.seen = computed(() => this.state.value === "made" && cell.results.value.result !== null && !cell.stale.value);
  }

  /** Whether the latest message is about this edit and its present state. */
  get isTold() {
    const told = this.tries.told.value;
    return told?.tried === this && told.made === (this.state.value === "made");
  }

  /** The cells that this edit changes. */
  get cells() {
    const { page } = this.cell;
    return [...new Set(this.edits.flatMap((edit) => page.find(edit.cell) ?? []))];
  }

  /**
   * "made": the edit is in the text; "open": it can be made; "replaces": it can be made in place of another; "gone": the text to find does
   * not occur exactly once.
   * @returns {"made" | "open" | "replaces" | "gone"}
   */
  judge() {
    if (this.cells.every((cell) => this.tries.standing(cell).made.includes(this))) return "made";
    if (this.fits(this.inPlaceOf(null))) return "open";
    return this.inTheWay ? "replaces" : "gone";
  }

  /** Whether the edits in its cells can be changed in this way. @param {Change} change */
  fits(change) {
    return this.cells.every((cell) => {
      const { made, origin } = this.tries.standing(cell);
      return fold(change(made), cell, origin) !== null;
    });
  }

  /**
   * A change that adds this edit and removes another, and what remains of this edit in some of its cells.
   * @param {TryState | null} other
   * @returns {Change}
   */
  inPlaceOf(other) {
    return (made) => [...made.filter((one) => one !== other && one !== this), this];
  }

  /** The edit that this one would replace. @returns {TryState | null} */
  get inTheWay() {
    const others = new Set(this.cells.flatMap((cell) => this.tries.standing(cell).made));
    return [...others].find((other) => other !== this && this.fits(this.inPlaceOf(other))) ?? null;
  }

  /** Makes the edit and runs the cell. */
  async make() {
    const state = this.state.value;
    if (state === "made" || state === "gone") return;
    const other = state === "replaces" ? this.inTheWay : null;
    const cells = new Set([...this.cells, ...(other?.cells ?? [])]);
    await this.tries.change([...cells], this.inPlaceOf(other), this);
  }

  /** Undoes the edit and runs the cell. If later edits depend on this one, they are undone, too. */
  async takeBack() {
    if (this.state.value !== "made") return;
    /** @type {Change} */
    const alone = (made) => made.filter((one) => one !== this);
    await this.tries.change(this.cells, this.fits(alone) ? alone : (made) => made.slice(0, made.indexOf(this)), this);
  }

  /** A cell's text with this edit; null if it cannot be made. @param {CellState} cell @param {string} text */
  edited(cell, text) {
    let now = text;
    for (const { find, replace } of this.edits.filter((edit) => edit.cell === cell.id)) {
      const at = now.indexOf(find);
      if (at < 0 || now.indexOf(find, at + 1) >= 0) return null;
      now = now.slice(0, at) + replace + now.slice(at + find.length);
    }
    return now;
  }
}

/**
 * A cell's text with these edits in order; null if one of them cannot be made.
 * @param {TryState[]} tries
 * @param {CellState} cell
 * @param {string} text
 */
function fold(tries, cell, text) {
  return tries.reduce((/** @type {string | null} */ now, one) => (now === null ? null : one.edited(cell, now)), text);
}

/** All subsets except the empty one, largest first. @param {TryState[]} tries */
function subsets(tries) {
  const all = Array.from({ length: 2 ** tries.length - 1 }, (_, number) => tries.filter((_one, index) => (number + 1) & (1 << index)));
  return all.sort((a, b) => b.length - a.length);
}
