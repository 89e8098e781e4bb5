/**
 * Shows the signature of a call in a line above it, with the current argument marked. The line appears while typing and remains while the
 * cursor is in the call.
 */

import { syntaxTree } from "@codemirror/language";
import { Prec, StateEffect, StateField } from "@codemirror/state";
import { EditorView, keymap, showTooltip } from "@codemirror/view";

import { lookUp } from "../lib/python/completions.js";
import { fittingSignature } from "../lib/python/signature.js";
import { callAt } from "../lib/python/syntax.js";
import { signatureLine } from "./documentation.js";
import { EMPTY } from "../lib/python/reference.js";
import { knownReference, loadReference } from "./reference-file.js";

/**
 * @typedef {import("@codemirror/state").EditorState} EditorState
 * @typedef {import("@codemirror/view").Tooltip} Tooltip
 * @typedef {{wanted: boolean, tooltip: Tooltip | null, key: string}} Help  `key` identifies the content of the line
 */

/** Shows the line, or hides it. @type {import("@codemirror/state").StateEffectType<boolean>} */
export const wantSignature = StateEffect.define();

const NONE = /** @type {Help} */ ({ wanted: false, tooltip: null, key: "" });

/** @type {StateField<Help>} */
const field = StateField.define({
  create: () => NONE,
  update(help, transaction) {
    const asked = transaction.effects.find((effect) => effect.is(wantSignature));
    if (asked?.value === false) return NONE;
    const typed = transaction.isUserEvent("input") || transaction.isUserEvent("delete");
    if (!asked && !transaction.docChanged && !transaction.selection) return help;
    return asked || typed || help.wanted ? helpFor(transaction.state, help) : help;
  },
  provide: (self) => showTooltip.from(self, (help) => help.tooltip),
});

/** @param {EditorState} state @param {Help} before @returns {Help} */
function helpFor(state, before) {
  const text = state.doc.toString();
  const { main } = state.selection;
  const call = main.empty ? callAt(syntaxTree(state), text, main.head) : null;
  if (!call) return NONE;
  const name = lookUp(call.callee, text, call.at, knownReference());
  if (!name?.signatures.length) return { wanted: true, tooltip: null, key: "" };
  const { argument } = call;
  const signature = fittingSignature(name.signatures, argument);
  const key = [call.at, name.path, signature, argument.index, argument.keyword].join(" ");
  if (key === before.key) return before;
  return { wanted: true, key, tooltip: { pos: call.at, above: true, create: () => signatureLine(name, signature, argument) } };
}

/** Loads the reference when a call is first typed, and then shows the line. */
const loading = EditorView.updateListener.of(({ state, view }) => {
  if (!state.field(field).wanted || knownReference() !== EMPTY) return;
  void loadReference().then((reference) => {
    if (reference !== EMPTY && view.state.field(field, false)?.wanted) view.dispatch({ effects: wantSignature.of(true) });
  });
});

/** Hides the line on Escape. Returns false, so that Escape has its other effects. @param {EditorView} view */
function hide(view) {
  if (view.state.field(field).wanted) view.dispatch({ effects: wantSignature.of(false) });
  return false;
}

export const signatureHelp = [
  field,
  loading,
  EditorView.focusChangeEffect.of((_state, focusing) => (focusing ? null : wantSignature.of(false))),
  Prec.highest(
    keymap.of([
      { key: "Escape", run: hide },
      { key: "Shift-Enter", run: hide },
      { key: "Mod-Enter", run: hide },
    ]),
  ),
];
