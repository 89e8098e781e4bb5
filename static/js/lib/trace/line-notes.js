/** The notes at the ends of the lines of a custom Function while one of its steps is shown. They contain shapes. */

import { inARow } from "../words.js";
import { shapeWords } from "./gradient-words.js";

/**
 * @typedef {import("../types.js").SavedRecord} SavedRecord
 * @typedef {import("./backward-pass.js").Step} Step
 *
 * @typedef {{cell: string | null, line: number, words: string}} PlacedNote
 */

/** No gradient. */
const NONE = "–";

/**
 * The notes of a step: at the lines of `forward` what the call saved, at the line of `backward` what it received and sent.
 * @param {Step | null} step
 * @param {SavedRecord[]} calls
 * @returns {PlacedNote[]}
 */
export function lineNotes(step, calls) {
  if (!step?.span) return [];
  const { span, received, sent } = step;
  const call = calls.find(({ node }) => node === step.node);
  /** @type {Map<string, PlacedNote>} */
  const notes = new Map();
  for (const { span: place, name, shape } of call?.saved ?? []) {
    if (!place || !shape) continue;
    const key = `${place.cell} ${place.line}`;
    const words = `${name}: ${shapeWords(shape)}`;
    notes.set(key, { cell: place.cell, line: place.line, words: inARow([notes.get(key)?.words ?? "", words]) });
  }
  return [...notes.values(), { cell: span.cell, line: span.line, words: `${shapes(received)} → ${shapes(sent)}` }];
}

/** @param {import("./backward-pass.js").Shown[]} shown */
function shapes(shown) {
  return shown.map(({ gradient }) => (gradient?.shape ? shapeWords(gradient.shape) : NONE)).join(", ");
}
