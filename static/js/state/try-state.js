/** An edit that the text invites to: whether it can be made, and what it takes to take it back. */

import { computed, signal } from "@preact/signals-core";

/**
 * @typedef {import("./cell-state.js").CellState} CellState
 * @typedef {{cell: string, find: string, replace: string}} Edit
 */

export class TryState {
  /** @param {Edit[]} edits @param {CellState} cell the one that is run */
  constructor(edits, cell) {
    this.cell = cell;
    this.edits = edits;
    /** All edits that the page's text invites to. @type {TryState[]} */
    this.all = [this];
    /** What stood in the cells before the edit, and what stands there through it. @type {import("@preact/signals-core").Signal<Map<CellState, [string, string]> | null>} */
    this.memory = signal(null);
    this.state = computed(() => this.judge());
  }

  /** The cells that are edited. */
  get cells() {
    const { page } = this.cell;
    return [...new Set(this.edits.flatMap((edit) => page.find(edit.cell) ?? []))];
  }

  /**
   * "open": it can be made; "made": it stands as it was made; "there": it stands, made by another or at an earlier visit; "gone": the text to
   * find is not there once.
   * @returns {"open" | "made" | "there" | "gone"}
   */
  judge() {
    const remembered = this.memory.value;
    const { cells } = this;
    if (remembered && cells.every((cell) => cell.text.value === remembered.get(cell)?.[1])) return "made";
    if (cells.every((cell) => cell.changed.value && cell.text.value === this.edited(cell, cell.facts.starter))) return "there";
    return cells.every((cell) => this.edited(cell, this.base(cell)) !== null) ? "open" : "gone";
  }

  /** What stands in a cell, or would if what was tried there before were taken back. @param {CellState} cell */
  base(cell) {
    const others = this.all.filter((one) => one !== this);
    for (const { memory } of others) {
      const [before, now] = memory.value?.get(cell) ?? [];
      if (before !== undefined && now === cell.text.value) return before;
    }
    const tried = cell.changed.value && others.some((one) => one.edited(cell, cell.facts.starter) === cell.text.value);
    return tried ? cell.facts.starter : cell.text.value;
  }

  /** The text with this cell's edits, or null where one cannot be made. @param {CellState} cell @param {string} text */
  edited(cell, text) {
    let now = text;
    for (const { find, replace } of this.edits.filter((edit) => edit.cell === cell.id)) {
      const at = now.indexOf(find);
      if (at < 0 || now.indexOf(find, at + 1) >= 0) return null;
      now = now.slice(0, at) + replace + now.slice(at + find.length);
    }
    return now;
  }

  /** Makes the edits, unless they stand already, and runs the cell. What else was tried is taken back, so that one thing is seen at a time. */
  async make() {
    const stands = this.state.value === "there";
    if (this.state.value !== "open" && !stands) return;
    for (const other of stands ? [] : this.all) other.takeBack();
    this.memory.value = new Map(this.cells.map((cell) => [cell, stands ? [cell.facts.starter, cell.text.value] : [cell.text.value, this.edited(cell, cell.text.value) ?? cell.text.value]]));
    for (const [cell, [, now]] of this.memory.value) cell.edit(now);
    await this.cell.page.run(this.cell);
  }

  /** Brings back what stood there before. */
  takeBack() {
    if (this.state.value !== "made" && this.state.value !== "there") return;
    for (const cell of this.cells) cell.edit(this.memory.value?.get(cell)?.[0] ?? cell.facts.starter);
    this.memory.value = null;
  }
}
