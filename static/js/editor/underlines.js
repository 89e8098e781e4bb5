/**
 * Underlines pieces of the text that have a message: the error of a run, a finding, a mark. The message is shown beside a piece when the
 * pointer is over it, or the cursor moves into it by the keyboard. An underline disappears when its lines are edited.
 */

import { EditorState, Prec, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutterLineClass, hoverTooltip, keymap, showTooltip } from "@codemirror/view";

import { spoken } from "../lib/doctor/findings.js";
import { piecesOf } from "./lit-lines.js";

/**
 * @typedef {object} Underline
 * @property {import("./lit-lines.js").Span} span
 * @property {string} message
 * @property {import("../lib/doctor/findings.js").Severity} severity
 *
 * @typedef {object} Placed  an underline in the document, as offsets
 * @property {number} start of its first line
 * @property {{from: number, to: number}[]} pieces one for each line
 * @property {Underline} underline
 *
 * @typedef {import("@codemirror/view").Tooltip} Tooltip
 */

const HOVER_MS = 350;

/** Replaces all underlines. @type {import("@codemirror/state").StateEffectType<Underline[]>} */
export const setUnderlines = StateEffect.define();

/** @type {import("@codemirror/state").StateEffectType<null>} */
const closeSentence = StateEffect.define();

/** @type {Record<string, GutterMarker>} */
const numbers = Object.fromEntries(
  ["error", "warning", "hint"].map((severity) => [
    severity,
    new (class extends GutterMarker {
      /** @override */
      elementClass = `cm-fault-number cm-number-${severity}`;
    })(),
  ]),
);

/** @type {StateField<Placed[]>} */
const placed = StateField.define({
  create: () => /** @type {Placed[]} */ ([]),
  update(all, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setUnderlines)) return place(transaction.state, effect.value);
    }
    return transaction.docChanged ? all.flatMap((one) => moved(one, transaction)) : all;
  },
  provide: (self) => [
    EditorView.decorations.from(self, (all) =>
      Decoration.set(
        all.flatMap(({ start, pieces, underline: { severity } }) => [
          ...(severity === "error" ? [Decoration.line({ class: "cm-fault-line" }).range(start)] : []),
          ...pieces.map(({ from, to }) => Decoration.mark({ class: `cm-fault cm-fault-${severity}` }).range(from, to)),
        ]),
        true,
      ),
    ),
    gutterLineClass.from(self, (all) =>
      RangeSet.of(
        all.map(({ start, underline }) => /** @type {GutterMarker} */ (numbers[underline.severity]).range(start)),
        true,
      ),
    ),
  ],
});

/** @param {EditorState} state @param {Underline[]} underlines @returns {Placed[]} */
function place({ doc }, underlines) {
  return underlines
    .filter(({ span }) => span.line >= 1 && span.line <= doc.lines)
    .map((underline) => ({ start: doc.line(underline.span.line).from, pieces: piecesOf(doc, underline.span), underline }));
}

/** The underline after a change of the text; none if the change touches its lines. @param {Placed} one @param {import("@codemirror/state").Transaction} transaction */
function moved({ start, pieces, underline }, { startState, changes }) {
  const end = startState.doc.lineAt(pieces.at(-1)?.to ?? start).to;
  if (changes.touchesRange(start, end)) return [];
  const by = changes.mapPos(start) - start;
  return [{ start: start + by, pieces: pieces.map(({ from, to }) => ({ from: from + by, to: to + by })), underline }];
}

/** The underline at an offset. @param {EditorState} state @param {number} at */
function underlineAt(state, at) {
  return state.field(placed).find(({ pieces }) => pieces.some(({ from, to }) => from <= at && at <= to)) ?? null;
}

/** @param {Placed} one @param {number} at @returns {Tooltip} */
function sentence({ underline: { severity, message } }, at) {
  const create = () => {
    const dom = document.createElement("div");
    dom.className = `cm-sentence cm-sentence-${severity}`;
    for (const [index, piece] of message.split("`").entries()) {
      if (index % 2) dom.append(Object.assign(document.createElement("code"), { textContent: piece }));
      else dom.append(piece);
    }
    return { dom };
  };
  return { pos: at, above: true, create };
}

/** The sentence of the underline into which the cursor was moved by keys. @type {StateField<Tooltip | null>} */
const atCursor = StateField.define({
  create: () => /** @type {Tooltip | null} */ (null),
  update(tooltip, transaction) {
    const closes = transaction.effects.some((effect) => effect.is(closeSentence) || effect.is(setUnderlines));
    if (closes || transaction.docChanged) return null;
    if (!transaction.selection) return tooltip;
    const one = byKeys(transaction) ? underlineAt(transaction.startState, transaction.selection.main.head) : null;
    return one && sentence(one, transaction.selection.main.head);
  },
  provide: (self) => showTooltip.from(self),
});

/** Whether the cursor was moved by keys. @param {import("@codemirror/state").Transaction} transaction */
function byKeys(transaction) {
  return transaction.isUserEvent("select") && !transaction.isUserEvent("select.pointer");
}

/** Tells a screen reader the sentence when the cursor comes to its piece. */
const announcing = EditorState.transactionExtender.of((transaction) => {
  const { selection, startState } = transaction;
  if (!selection || transaction.docChanged || !byKeys(transaction)) return null;
  const one = underlineAt(startState, selection.main.head);
  if (!one || one === underlineAt(startState, startState.selection.main.head)) return null;
  const { severity, message } = one.underline;
  return { effects: EditorView.announce.of(spoken(severity, message)) };
});

/** Closes the sentence. Returns false, so that the key has its other effects. @param {EditorView} view */
function close(view) {
  if (view.state.field(atCursor)) view.dispatch({ effects: closeSentence.of(null) });
  return false;
}

export const underlines = [
  placed,
  atCursor,
  announcing,
  hoverTooltip(
    (view, at) => {
      const one = underlineAt(view.state, at);
      return one && sentence(one, at);
    },
    { hoverTime: HOVER_MS, hideOnChange: true },
  ),
  Prec.highest(keymap.of([{ key: "Escape", run: close }])),
];
