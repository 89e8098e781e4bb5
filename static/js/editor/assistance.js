/** The editor's assistance: closing brackets, completion, signatures and documentation. It is a bundle of its own, loaded on first use. */

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { EditorView, keymap } from "@codemirror/view";

import { completion } from "./completion.js";
import { documentation } from "./hover.js";
import { signatureHelp } from "./signature-help.js";

/** @returns {import("@codemirror/state").Extension} */
export function assistance() {
  const announced = EditorView.contentAttributes.of({ "aria-autocomplete": "list" });
  return [closeBrackets(), keymap.of(closeBracketsKeymap), signatureHelp, documentation, completion(), announced];
}
