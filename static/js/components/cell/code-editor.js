/** The editor of a cell. It writes what the learner types to `cell.text`, and shows a text that something else wrote there. */

import { effect, untracked } from "@preact/signals-core";
import { nothing } from "lit";

import { Editor } from "../../editor/editor.js";
import { t } from "../../lib/words.js";
import { CellElement } from "../page/page-element.js";

/**
 * @typedef {import("../../state/cell-state.js").CellState} CellState
 * @typedef {import("../../editor/editor.js").Mode} Mode
 */

class CodeEditor extends CellElement {
  constructor() {
    super();
    /** @type {Editor | null} */
    this.editor = null;
    /** @type {(() => void)[]} */
    this.ends = [];
  }

  /** @override */
  render() {
    return nothing;
  }

  /** @override */
  firstUpdated() {
    const { cell } = this;
    if (!cell) return;
    const editor = (this.editor = this.make(cell));
    this.ends = [
      effect(() => {
        const text = cell.text.value;
        if (text !== editor.text) editor.replace(text);
      }),
      effect(() => this.underline(cell, editor)),
      effect(() => editor.light(cell.lit.value)),
      effect(() => this.follow(cell, editor)),
    ];
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    for (const end of this.ends) end();
    this.editor?.view.destroy(); // the editor listens to the window and the document
  }

  /** @param {CellState} cell */
  make(cell) {
    const { number, id, filename } = cell.facts;
    const { page, exercise } = cell;
    return new Editor({
      parent: this,
      text: cell.text.value,
      nonce: /** @type {HTMLScriptElement | null} */ (document.querySelector("script[nonce]"))?.nonce ?? "",
      label: number
        ? t("Code editor, cell {number}", { number })
        : exercise
          ? t("Code editor, {filename}", { filename })
          : t("Code editor"),
      describedBy: `keys-${id}`,
      placeholder: number || exercise ? "" : t("Write a program here, or choose an example."),
      onRun: (thenMoves) => void (exercise && !thenMoves ? exercise.submit() : page.run(cell, { thenMoves: thenMoves && !exercise })),
      onPoint: (line) => (cell.pressed.value = { line }),
      onLine: (line) => (cell.cursorLine.value = line),
      onChange: (text) => {
        cell.lit.value = null; // the editor has cleared it
        cell.edit(text);
      },
      onMode: (mode) => this.dispatchEvent(new CustomEvent("editor-mode", { bubbles: true, detail: mode })),
      onWalk: (by) => page.walk(cell, by, true),
    });
  }

  /**
   * Underlines what the runs of the page's cells found in this text, unless it has changed since. For a text that has not run, underlines
   * its marks.
   * @param {CellState} cell
   * @param {Editor} editor
   */
  underline(cell, editor) {
    const text = cell.text.peek();
    const found = cell.page.cells.flatMap((from) => {
      const here = from.findings.underlines.filter((one) => one.cell === cell);
      return from.sources.peek()?.[cell.id] === text ? here.map(({ underline }) => underline) : [];
    });
    const marks = cell.marks.value;
    const isMarked = marks?.text === text && cell.sources.value?.[cell.id] !== text;
    editor.underline(isMarked ? marks.underlines : found);
  }

  /** Focuses the editor when `page.target` names this cell. @param {CellState} cell @param {Editor} editor */
  follow(cell, editor) {
    const target = cell.page.target.value;
    if (target?.cell !== cell) return;
    if (document.fullscreenElement) void document.exitFullscreen();
    this.closest("details")?.setAttribute("open", "");
    // Handlers of the focus event read signals. Untracked, because a change of those signals must not focus the editor again.
    untracked(() => (target.line ? editor.goTo(target.line, target.column ?? null) : editor.take(target.walking ?? false)));
  }
}

customElements.define("code-editor", CodeEditor);
