/** Lights a piece of the text, such as the source of a graph's node, writes notes at the ends of lines, and reports the line to which the learner moves the cursor. */

import { StateEffect, StateField, Transaction } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";

import { toUtf16 } from "../lib/python/positions.js";

/**
 * @typedef {import("@codemirror/state").Text} Text
 *
 * @typedef {object} Span  as records have it: lines from 1, columns from 0 in code points, the end exclusive
 * @property {number} line
 * @property {number | null} [column] from the first character that is not a space, if it is missing
 * @property {number | null} [end_line] the first line, if it is missing
 * @property {number | null} [end_column] to the end of the line, if it is missing
 *
 * @typedef {{line: number, words: string}} Note  what is written at the end of a line
 * @typedef {{span: Span | null, notes: Note[]}} Lit
 */

class NoteWidget extends WidgetType {
  /** @param {string} words */
  constructor(words) {
    super();
    this.words = words;
  }

  /** @override @param {NoteWidget} other */
  eq(other) {
    return other.words === this.words;
  }

  /** @override */
  toDOM() {
    const note = document.createElement("span");
    note.className = "cm-line-note";
    note.textContent = this.words;
    return note;
  }
}

const mark = Decoration.mark({ class: "cm-lit" });

/** Lights a span, with notes, instead of the previous one; null lights none. @type {import("@codemirror/state").StateEffectType<Lit | null>} */
export const setLit = StateEffect.define();

/** The lit pieces. A change of the text clears them. @type {StateField<import("@codemirror/view").DecorationSet>} */
export const litLines = StateField.define({
  create: () => Decoration.none,
  update(lit, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setLit)) return decorate(transaction.state.doc, effect.value);
    }
    return transaction.docChanged ? Decoration.none : lit;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** @param {Text} text @param {Lit | null} lit */
function decorate(text, lit) {
  const marks = lit?.span ? piecesOf(text, lit.span).map(({ from, to }) => mark.range(from, to)) : [];
  const notes = (lit?.notes ?? []).flatMap(({ line, words }) =>
    line >= 1 && line <= text.lines ? [Decoration.widget({ widget: new NoteWidget(words), side: 1 }).range(text.line(line).to)] : [],
  );
  return Decoration.set([...marks, ...notes], true);
}

/** The parts of a span that are in the text, one for each of its lines, without the spaces around it. @param {Text} text @param {Span} span */
export function piecesOf(text, { line, column, end_line, end_column }) {
  const last = end_line ?? line;
  const found = [];
  for (let number = Math.max(line, 1); number <= Math.min(last, text.lines); number++) {
    const { from, text: content } = text.line(number);
    const indent = content.length - content.trimStart().length;
    const start = number === line && column != null ? toUtf16(content, column) : indent;
    const end = number === last && end_column != null ? toUtf16(content, end_column) : content.trimEnd().length;
    if (start < end) found.push({ from: from + start, to: from + end });
  }
  return found;
}

/**
 * Calls back with the cursor's line, from 1, when the learner has moved the cursor to another line, by keys, the mouse or writing. What
 * the page does with the cursor or the text is not reported.
 * @param {(line: number) => void} callback
 */
export function onCursorLine(callback) {
  /** The line that was reported, unless the page has moved the cursor since. @type {number | null} */
  let reported = null;
  return EditorView.updateListener.of(({ docChanged, selectionSet, state, transactions }) => {
    if (!selectionSet && !docChanged) return;
    const { number } = state.doc.lineAt(state.selection.main.head);
    if (number === reported) return;
    const byLearner = transactions.some((transaction) => transaction.annotation(Transaction.userEvent) !== undefined);
    reported = byLearner ? number : null;
    if (byLearner) callback(number);
  });
}
