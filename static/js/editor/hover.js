/**
 * Shows the documentation of the name under the pointer, or by a key, of the name at the cursor. Pressing the key again focuses the link.
 */

import { syntaxTree } from "@codemirror/language";
import { Prec, StateEffect, StateField } from "@codemirror/state";
import { closeHoverTooltips, EditorView, hoverTooltip, keymap, showTooltip } from "@codemirror/view";

import { lookUp } from "../lib/python/completions.js";
import { callAt, takesNames } from "../lib/python/syntax.js";
import { t } from "../lib/words.js";
import { describeWithLink, spoken } from "./documentation.js";
import { loadReference } from "./reference-file.js";
import { wantSignature } from "./signature-help.js";

/**
 * @typedef {import("@codemirror/view").Tooltip} Tooltip
 * @typedef {import("@codemirror/state").EditorState} EditorState
 * @typedef {import("../lib/python/reference.js").Name} Name
 */

const HOVER_MS = 350;

/** @type {import("@codemirror/state").StateEffectType<Tooltip | null>} */
const show = StateEffect.define();

/** @type {StateField<Tooltip | null>} */
const card = StateField.define({
  create: () => /** @type {Tooltip | null} */ (null),
  update(tooltip, transaction) {
    for (const effect of transaction.effects) if (effect.is(show)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : tooltip;
  },
  provide: (self) => showTooltip.from(self),
});

/** The dotted name at a position, up to the part that contains it. @param {EditorState} state @param {number} position */
function nameAt(state, position) {
  const line = state.doc.lineAt(position);
  const at = position - line.from;
  const start = /[\p{L}\p{N}_]*$/u.exec(line.text.slice(0, at))?.[0].length ?? 0;
  const end = /^[\p{L}\p{N}_]*/u.exec(line.text.slice(at))?.[0].length ?? 0;
  if (!start && !end) return null;
  const head = line.text.slice(0, at - start);
  const owner = /((?:[A-Za-z_]\w*\.)+)$/.exec(head)?.[1] ?? (head.endsWith(".") ? "?." : "");
  return { from: position - start, to: position + end, written: owner + line.text.slice(at - start, at + end) };
}

/** @param {EditorState} state @param {number} position @returns {Promise<{from: number, to: number, name: Name} | null>} */
async function known(state, position) {
  const found = takesNames(syntaxTree(state), position) ? nameAt(state, position) : null;
  const reference = await loadReference();
  const name = found && lookUp(found.written, state.doc.toString(), position, reference);
  return name ? { from: found.from, to: found.to, name } : null;
}

const hover = hoverTooltip(
  async (view, position, side) => {
    const found = await known(view.state, position);
    if (!found || (found.from === position && side < 0) || (found.to === position && side > 0)) return null;
    return { pos: found.from, end: found.to, above: true, create: () => ({ dom: describeWithLink(found.name) }) };
  },
  { hoverTime: HOVER_MS, hideOnChange: true },
);

/**
 * Shows the card for the name at the cursor, or else for the function whose call contains it. If the card is open, focuses its link.
 * @param {EditorView} view
 */
function ask(view) {
  const link = view.state.field(card) && view.dom.querySelector(".cm-card a");
  if (link instanceof HTMLElement) link.focus();
  else void open(view);
  return true;
}

/** @param {EditorView} view */
async function open(view) {
  const { state } = view;
  const { head } = state.selection.main;
  const call = callAt(syntaxTree(state), state.doc.toString(), head);
  const found = (await known(state, head)) ?? (call && (await known(state, call.at)));
  if (view.state.doc !== state.doc || view.state.selection.main.head !== head) return;
  const effects = [EditorView.announce.of(found ? spoken(found.name) : t("Nothing is known of this name."))];
  if (!found) return view.dispatch({ effects });
  const tooltip = { pos: head, above: true, create: () => ({ dom: cardOf(view, found.name) }) };
  view.dispatch({ effects: [...effects, wantSignature.of(false), show.of(tooltip)] });
}

/** @param {EditorView} view @param {Name} name */
function cardOf(view, name) {
  const dom = describeWithLink(name);
  dom.classList.add("cm-card");
  dom.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    view.focus();
    close(view);
  });
  return dom;
}

/** Closes the cards. Returns false, so that the key has its other effects. @param {EditorView} view */
function close(view) {
  if (view.state.field(card)) view.dispatch({ effects: show.of(null) });
  view.dispatch({ effects: closeHoverTooltips });
  return false;
}

export const documentation = [
  card,
  hover,
  EditorView.domEventHandlers({
    focusout: (event, view) => {
      if (!(event.relatedTarget instanceof Node) || !view.dom.contains(event.relatedTarget)) setTimeout(() => close(view));
      return false;
    },
  }),
  Prec.highest(
    keymap.of([
      { key: "Mod-i", run: ask, preventDefault: true },
      { key: "Escape", run: close },
    ]),
  ),
];
