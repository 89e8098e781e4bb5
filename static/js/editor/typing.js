/**
 * Typing over a selection, done by the editor rather than by the browser: a browser would keep the old text's colours in a style attribute,
 * which the page's content-security policy refuses, with a complaint in the console.
 */

import { EditorView } from "@codemirror/view";

export const typing = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection;
    if (event.inputType !== "insertText" || !event.data || event.isComposing || main.empty) return false;
    event.preventDefault();
    typeOver(view, main.from, main.to, event.data);
    return true;
  },
});

/**
 * As if typed: extensions that handle input, like closing brackets, are asked first.
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
