/** The list of completions. It opens after a dot or two letters, or by a key. Enter accepts the selected one; Tab is unaffected. */

import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  completionStatus,
  currentCompletions,
  moveCompletionSelection,
  selectedCompletion,
  startCompletion,
} from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { EditorState, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

import { complete } from "../lib/python/completions.js";
import { typedBefore } from "../lib/python/python-text.js";
import { t } from "../lib/words.js";
import { describe } from "./documentation.js";
import { loadReference } from "./reference-file.js";

/** @typedef {import("@codemirror/autocomplete").CompletionContext} CompletionContext */

export function completion() {
  return [
    Prec.highest(
      keymap.of([
        { key: "Ctrl-Space", run: startCompletion },
        { mac: "Alt-`", key: "Alt-/", run: startCompletion },
        { key: "Escape", run: close },
        { key: "ArrowDown", run: moveCompletionSelection(true) },
        { key: "ArrowUp", run: moveCompletionSelection(false) },
        { key: "PageDown", run: moveCompletionSelection(true, "page") },
        { key: "PageUp", run: moveCompletionSelection(false, "page") },
        { key: "Enter", run: accept },
        { key: "Shift-Enter", run: closeAndGoOn },
        { key: "Mod-Enter", run: closeAndGoOn },
      ]),
    ),
    autocompletion({ override: [suggest], defaultKeymap: false, icons: false, maxRenderedOptions: 60 }),
    EditorState.phrases.of({ Completions: t("Completions") }),
  ];
}

/** @param {CompletionContext} context @returns {Promise<import("@codemirror/autocomplete").CompletionResult>} */
async function suggest(context) {
  const place = { text: context.state.doc.toString(), tree: syntaxTree(context.state), position: context.pos, explicit: context.explicit };
  const reference = await loadReference();
  const found = complete(place, reference);
  // not null: with null, CodeMirror would forget that a key asked for completions while the reference was loading
  if (!found) return { from: context.pos, options: [] };
  const options = found.suggestions.map(({ label, kind, path, boost }) => ({ label, type: kind, boost, info: () => about(path) }));
  return { from: found.from, options, validFor: /^[\p{L}\p{N}_]*$/u };

  /** @param {string} path */
  function about(path) {
    const name = path ? reference.find(path) : null;
    return name && describe(name);
  }
}

/** Accepts the selected completion on Enter. If the text is already complete, Enter begins a new line. @param {EditorView} view */
function accept(view) {
  if (completionStatus(view.state) !== "active") return false;
  const { text } = typedBefore(view.state.doc.toString(), view.state.selection.main.head);
  if (selectedCompletion(view.state)?.label !== text) return acceptCompletion(view);
  closeCompletion(view);
  return false;
}

/** Closes the list. Returns false if it was not visible yet, so that the key has its usual effect. @param {EditorView} view */
function close(view) {
  const seen = currentCompletions(view.state).length > 0;
  closeCompletion(view);
  return seen;
}

/** @param {EditorView} view */
function closeAndGoOn(view) {
  closeCompletion(view);
  return false;
}
