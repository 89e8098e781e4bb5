/** Loads completion, signatures and documentation when an editor is first used by keyboard or pointer. */

import { Compartment } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** @returns {import("@codemirror/state").Extension} */
export function assistFromFirstUse() {
  const place = new Compartment();
  let asked = false;
  /** @param {Event} _event @param {EditorView} view */
  const load = (_event, view) => {
    if (!asked) void fill(view);
    return false;
  };
  /** @param {EditorView} view */
  const fill = async (view) => {
    asked = true;
    try {
      const { assistance } = await import("./assistance.js");
      view.dispatch({ effects: place.reconfigure(assistance()) });
    } catch (problem) {
      asked = false;
      console.warn("completion could not be loaded", problem);
    }
  };
  return [place.of([]), EditorView.domEventHandlers({ focus: load, pointerover: load })];
}
