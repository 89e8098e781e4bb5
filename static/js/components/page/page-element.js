/**
 * The base classes of the page's components. They render into the page's own DOM and update when a signal that they read changes. Those of
 * a cell, of an exercise and of the reader's stored work render nothing until the page sets that property.
 */

import { SignalWatcher } from "@lit-labs/preact-signals";
import { LitElement } from "lit";

export class PageElement extends SignalWatcher(LitElement) {
  /** @override */
  createRenderRoot() {
    return this;
  }
}

export class CellElement extends PageElement {
  /** @override @type {import("lit").PropertyDeclarations} */
  static properties = { cell: { attribute: false } };

  constructor() {
    super();
    /** @type {import("../../state/cell-state.js").CellState | null} */
    this.cell = null;
  }
}

export class ExerciseElement extends PageElement {
  /** @override @type {import("lit").PropertyDeclarations} */
  static properties = { exercise: { attribute: false } };

  constructor() {
    super();
    /** @type {import("../../state/tasks/exercise-state.js").ExerciseState | null} */
    this.exercise = null;
  }
}

export class MineElement extends PageElement {
  /** @override @type {import("lit").PropertyDeclarations} */
  static properties = { mine: { attribute: false } };

  constructor() {
    super();
    /** @type {import("../../state/mine-state.js").MineState | null} */
    this.mine = null;
  }
}
