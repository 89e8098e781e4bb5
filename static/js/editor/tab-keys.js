/**
 * Tab indents only after the reader has typed or clicked in the editor. If the editor was reached by Tab, Tab moves on. Escape gives Tab
 * its usual effect again.
 */

import { indentLess, indentMore } from "@codemirror/commands";
import { Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/** @param {(writing: boolean) => void} onMode @returns {import("@codemirror/state").Extension} */
export function tabKeys(onMode) {
  let writing = false;
  let pressed = false;
  const set = (/** @type {boolean} */ now) => {
    if (now !== writing) onMode(now);
    writing = now;
    return false;
  };
  const indent = (/** @type {EditorView} */ view) => (view.state.selection.main.empty ? insertSpaces(view) : indentMore(view));
  return [
    EditorView.domEventHandlers({
      mousedown: () => ((pressed = true), set(true)),
      touchstart: () => ((pressed = true), set(true)),
      focus: () => {
        if (!pressed) set(false);
        pressed = false;
        return false;
      },
      blur: () => ((pressed = false), set(false)),
    }),
    EditorView.updateListener.of((update) => {
      if (update.transactions.some((one) => one.isUserEvent("input") || one.isUserEvent("delete"))) set(true);
    }),
    Prec.high(
      keymap.of([
        { key: "Escape", run: () => set(false) },
        { key: "Tab", run: (view) => writing && indent(view), shift: (view) => writing && indentLess(view) },
      ]),
    ),
  ];
}

/** Inserts spaces up to the next column that is a multiple of four. @param {EditorView} view */
function insertSpaces(view) {
  const { head } = view.state.selection.main;
  const column = head - view.state.doc.lineAt(head).from;
  view.dispatch(view.state.replaceSelection(" ".repeat(4 - (column % 4))), { scrollIntoView: true, userEvent: "input" });
  return true;
}
