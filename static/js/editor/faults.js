/**
 * Marks the line of an error with a tint, an underline from the error's column, and a bold red line number. The mark disappears when the
 * line is edited.
 */

import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutterLineClass } from "@codemirror/view";

/** @typedef {{line: number, from: number, to: number}} Fault  document offsets: the start of the line, and the marked range */

/** @type {import("@codemirror/state").StateEffectType<Fault | null>} */
export const setFault = StateEffect.define();

class FaultNumber extends GutterMarker {
  /** @override */
  elementClass = "cm-fault-number";
}

const number = new FaultNumber();

/** @type {StateField<Fault | null>} */
const field = StateField.define({
  create: () => /** @type {Fault | null} */ (null),
  update(fault, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setFault)) return effect.value;
    }
    if (!fault || !transaction.docChanged) return fault;
    const end = transaction.startState.doc.lineAt(fault.line).to;
    if (transaction.changes.touchesRange(fault.line, end)) return null;
    const moved = transaction.changes.mapPos(fault.line);
    return { line: moved, from: fault.from + moved - fault.line, to: fault.to + moved - fault.line };
  },
  provide: (self) => [
    EditorView.decorations.from(self, (fault) => {
      if (!fault) return Decoration.none;
      const line = Decoration.line({ class: "cm-fault-line" }).range(fault.line);
      return fault.to > fault.from
        ? Decoration.set([line, Decoration.mark({ class: "cm-fault" }).range(fault.from, fault.to)])
        : Decoration.set([line]);
    }),
    gutterLineClass.from(self, (fault) => (fault ? RangeSet.of([number.range(fault.line)]) : RangeSet.empty)),
  ],
});

export const faults = field;
