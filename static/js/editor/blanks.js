/** Marks the blanks of an exercise, `____`, and selects the first blank when the editor gets the focus other than by pointer. */

import { Decoration, EditorView, MatchDecorator, ViewPlugin } from "@codemirror/view";

const BLANK = /____+/g;

const decorator = new MatchDecorator({ regexp: BLANK, decoration: Decoration.mark({ class: "cm-blank" }) });

const marks = ViewPlugin.define(
  (view) => ({
    blanks: decorator.createDeco(view),
    update(update) {
      this.blanks = decorator.updateDeco(update, this.blanks);
    },
  }),
  { decorations: (self) => self.blanks },
);

/** @returns {import("@codemirror/state").Extension} */
export function blanks() {
  let pointed = false;
  const enter = (/** @type {FocusEvent} */ _, /** @type {EditorView} */ view) => {
    const found = pointed ? null : new RegExp(BLANK).exec(view.state.doc.toString());
    if (found) view.dispatch({ selection: { anchor: found.index, head: found.index + found[0].length }, scrollIntoView: true });
  };
  const handlers = EditorView.domEventHandlers({
    pointerdown: () => void (pointed = true),
    pointerup: () => void (pointed = false),
    blur: () => void (pointed = false),
    focus: enter,
  });
  return [marks, handlers];
}
