/** The base class of the board's parts. They render nothing until the page sets `board`. */

import { PageElement } from "../page/page-element.js";

export class BoardElement extends PageElement {
  /** @override @type {import("lit").PropertyDeclarations} */
  static properties = { board: { attribute: false } };

  constructor() {
    super();
    /** @type {import("../../state/board-state.js").BoardState | null} */
    this.board = null;
  }
}
