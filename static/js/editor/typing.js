/**
 * Types over a selection in the editor instead of the browser. A browser would preserve the old text's colours in a style attribute, which
 * the page's content-security policy refuses with an error in the console.
 */

import { EditorView } from "@codemirror/view";

export const typing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || !event.data || event.isComposing) return false;
    if (view.state.selection.main.empty) adopt(view);
    const { main } = view.state.selection;
    if (main.empty) return false;
    event.preventDefault();
    typeOver(view, main.from, main.to, event.data);
    return true;
  },
});

/** Selects what the browser has selected: the event that tells of it may not have come yet. @param {EditorView} view */
function adopt(view) {
  const selection = document.getSelection();
  const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
  if (!range || range.collapsed || !view.contentDOM.contains(range.commonAncestorContainer)) return;
  const { startContainer, startOffset, endContainer, endOffset } = range;
  view.dispatch({ selection: { anchor: view.posAtDOM(startContainer, startOffset), head: view.posAtDOM(endContainer, endOffset) } });
}

/**
 * Inserts the text as if it was typed: extensions that handle input, such as closing brackets, are called first.
 * @param {EditorView} view
 * @param {number} from
 * @param {number} to
 * @param {string} text
 */
function typeOver(view, from, to, text) {
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
  if (view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert))) return;
  view.dispatch(insert());
}
