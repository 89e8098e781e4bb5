/**
 * The editor's keys that act on cells: Run, and after Escape, the arrow keys that move between cells. Enter or a click returns to editing;
 * until then, letter keys type nothing.
 */

import { Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

/**
 * @typedef {object} CellKeys
 * @property {(thenMoves: boolean) => void} onRun
 * @property {(by: 1 | -1) => boolean} onWalk returns false if there is no cell in that direction
 * @property {(walking: boolean) => void} onWalking
 */

/** Whether a key would type a character. `?` and `/` are excluded, since they are shortcuts of the page. @param {KeyboardEvent} event */
function isLetter({ key, ctrlKey, metaKey, altKey }) {
  return key.length === 1 && !"?/".includes(key) && !ctrlKey && !metaKey && !altKey;
}

/**
 * @param {CellKeys} keys
 * @returns {{extension: import("@codemirror/state").Extension, walk: () => void}} `walk` does what Escape does
 */
export function cellKeys({ onRun, onWalk, onWalking }) {
  let walking = false;
  const set = (/** @type {boolean} */ now) => {
    if (now !== walking) onWalking(now);
    walking = now;
  };
  const step = (/** @type {1 | -1} */ by) => () => walking && (onWalk(by), true);
  const extension = [
    keymap.of([
      { key: "Shift-Enter", run: () => (onRun(true), true) },
      { key: "Mod-Enter", run: () => (onRun(false), true) },
      { key: "Escape", run: () => (set(true), false) },
    ]),
    Prec.high(
      keymap.of([
        { key: "ArrowUp", run: step(-1) },
        { key: "ArrowDown", run: step(1) },
        { key: "Enter", run: () => walking && (set(false), true) },
        { any: (_, event) => walking && isLetter(event) },
      ]),
    ),
    EditorView.domEventHandlers({ mousedown: () => set(false), touchstart: () => set(false), blur: () => set(false) }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) set(false);
    }),
  ];
  return { extension, walk: () => set(true) };
}
