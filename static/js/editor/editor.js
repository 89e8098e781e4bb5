/** The CodeMirror editor of a code cell: for Python, with a label for screen readers and a Tab key that does not trap the focus. */

import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLineGutter, keymap, lineNumbers, placeholder } from "@codemirror/view";

import { toUtf16 } from "../lib/python/positions.js";
import { t } from "../lib/words.js";
import { blanks } from "./blanks.js";
import { cellKeys } from "./cell-keys.js";
import { assistFromFirstUse } from "./first-use.js";
import { colours, python } from "./colours.js";
import { coveredTop } from "./covered-top.js";
import { litLines, onCursorLine, setLit } from "./lit-lines.js";
import { tabKeys } from "./tab-keys.js";
import { typing } from "./typing.js";
import { setUnderlines, underlines } from "./underlines.js";

/**
 * @typedef {"resting" | "writing" | "walking"} Mode  "writing": Tab indents; "walking": the arrow keys move between cells
 *
 * @typedef {object} EditorOptions
 * @property {HTMLElement} parent
 * @property {string} text
 * @property {string} label the name for screen readers
 * @property {string} describedBy the id of the hint on keys
 * @property {string} nonce of the page's content-security policy, for CodeMirror's own style element
 * @property {string} [placeholder]
 * @property {(thenMoves: boolean) => void} onRun `thenMoves`: whether the focus then moves to the next cell
 * @property {(text: string) => void} onChange
 * @property {(mode: Mode) => void} onMode
 * @property {(by: 1 | -1) => boolean} onWalk
 * @property {(line: number) => void} [onPoint] called with the line, from 1, that was pressed
 * @property {(line: number) => void} [onLine] called with the line, from 1, to which the learner moved the cursor
 */

/** How long the cursor is shown and hidden together, in milliseconds; 0, which is always shown, for those who ask for less motion. */
const blinkRate = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 1200);

export class Editor {
  /** @param {EditorOptions} options */
  constructor(options) {
    const keys = cellKeys({ ...options, onWalking: (walking) => options.onMode(walking ? "walking" : "resting") });
    this.walk = keys.walk;
    this.view = new EditorView({
      parent: options.parent,
      state: EditorState.create({
        doc: options.text,
        extensions: [
          EditorView.cspNonce.of(options.nonce),
          lineNumbers({
            domEventHandlers: { mousedown: (view, block) => (options.onPoint?.(view.state.doc.lineAt(block.from).number), false) },
          }),
          highlightActiveLineGutter(),
          history(),
          drawSelection({ cursorBlinkRate: blinkRate() }),
          bracketMatching(),
          indentUnit.of("    "),
          EditorState.tabSize.of(4),
          EditorState.phrases.of({ "Selection deleted": t("Selection deleted") }),
          python,
          syntaxHighlighting(colours),
          underlines,
          litLines,
          coveredTop,
          options.onLine ? onCursorLine(options.onLine) : [],
          blanks(),
          pointing(options.onPoint),
          typing,
          keys.extension,
          assistFromFirstUse(),
          tabKeys((writing) => options.onMode(writing ? "writing" : "resting")),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({
            "aria-label": options.label,
            "aria-describedby": options.describedBy,
            autocapitalize: "off",
            spellcheck: "false",
            tabindex: "0",
          }),
          placeholder(options.placeholder ?? ""),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) options.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Replaces the text as one step that undo reverts. The cursor keeps its place in text that does not change. @param {string} text */
  replace(text) {
    const old = this.text;
    const most = Math.min(old.length, text.length);
    let from = 0;
    while (from < most && old[from] === text[from]) from++;
    let end = 0;
    while (end < most - from && old.at(-1 - end) === text.at(-1 - end)) end++;
    this.view.dispatch({
      changes: { from, to: old.length - end, insert: text.slice(from, text.length - end) },
      annotations: isolateHistory.of("full"),
    });
  }

  /** Underlines these pieces, and no others. @param {import("./underlines.js").Underline[]} pieces */
  underline(pieces) {
    this.view.dispatch({ effects: setUnderlines.of(pieces) });
  }

  /** Lights a span, with notes, until the text changes; null lights none. @param {import("./lit-lines.js").Lit | null} lit */
  light(lit) {
    this.view.dispatch({ effects: setLit.of(lit) });
  }

  /** Takes the focus. @param {boolean} walking */
  take(walking) {
    this.view.focus();
    this.view.dom.scrollIntoView({ block: "nearest" });
    if (walking) this.walk();
  }

  /** Moves the cursor to a place and focuses the editor. @param {number} line @param {number | null} [column] */
  goTo(line, column = null) {
    const place = this.locate(line, column);
    if (!place) return;
    this.view.dispatch({ selection: { anchor: place.from }, scrollIntoView: true });
    this.view.focus();
  }

  /** @param {number} line @param {number | null} column */
  locate(line, column) {
    const { doc } = this.view.state;
    if (line < 1 || line > doc.lines) return null;
    const { from, text } = doc.line(line);
    const indent = text.length - text.trimStart().length;
    const start = column === null ? indent : Math.min(toUtf16(text, column), text.length);
    return { line: from, from: from + start, to: from + Math.max(start, text.trimEnd().length) };
  }
}

/**
 * Reports the line that the mouse is pressed on.
 *
 * It does not listen to `click`: browsers send none if the line is redrawn while the button is down, which happens when completion loads
 * after the first press. It does not use the coordinates alone: an editor that was just scrolled into view does not know its line heights
 * yet.
 * @param {((line: number) => void) | undefined} onPoint
 */
function pointing(onPoint) {
  return EditorView.domEventHandlers({
    mousedown: (event, view) => {
      if (event.button !== 0) return;
      const line = event.target instanceof Element ? event.target.closest(".cm-line") : null;
      const at = line ? view.posAtDOM(line) : view.posAtCoords({ x: event.clientX, y: event.clientY });
      if (at !== null) onPoint?.(view.state.doc.lineAt(at).number);
    },
  });
}
