/**
 * Maps Python's syntax to CSS classes. The style sheet defines their colours for both themes, and the server's HTML of a cell uses the same
 * classes.
 */

import { pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle } from "@codemirror/language";
import { styleTags, tags } from "@lezer/highlight";

/** The Python grammar, changed so that a decorator has one colour. */
export const python = pythonLanguage.configure({
  props: [styleTags({ "Decorator/VariableName Decorator/PropertyName": tags.meta, "FormatSpec FormatConversion": tags.string })],
});

export const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], class: "k" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)], class: "d" },
  { tag: [tags.number, tags.bool, tags.null], class: "n" },
  { tag: [tags.string, tags.special(tags.string)], class: "s" },
  { tag: tags.comment, class: "c" },
  { tag: tags.meta, class: "a" },
]);
