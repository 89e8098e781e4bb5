/**
 * What the components of a page share: they live in the page's own DOM and draw again when a signal that they read has changed. Those of a
 * cell, of an exercise, and of what is kept of the reader draw nothing before the page has given it to them.
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
