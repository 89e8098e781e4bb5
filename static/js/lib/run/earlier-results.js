/**
 * Results as browsers stored them before there was one list of records: three lists, of which only that of displays was ever filled, and a
 * cell and a line in place of a span. No other script knows these names.
 */

/** @typedef {import("../../state/run-state.js").RunState} RunState */

/** The same as it is stored now; null if it is no such state. @param {any} state @returns {RunState | null} */
export function renewState(state) {
  if (!Array.isArray(state?.displays) || !Array.isArray(state.pieces) || !state.result) return null;
  const { displays, pieces, result, ...rest } = state;
  const records = renewRecords(displays);
  const { displays: _, functions: _functions, diagnoses: _diagnoses, ...others } = result;
  return withoutPlaces({ ...rest, pieces, records, result: { ...others, records } });
}

/** Pieces of output had the places of records among them. @param {any} state @returns {RunState} */
export function withoutPlaces(state) {
  return { ...state, pieces: state.pieces.filter((/** @type {object} */ piece) => "stream" in piece) };
}

/** Their ids are given as a run gives them: by kind and number. @param {any[]} displays */
function renewRecords(displays) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return displays.map(({ cell = null, line = null, ...fields }) => {
    const count = (counts.get(fields.kind) ?? 0) + 1;
    counts.set(fields.kind, count);
    const span = line === null ? null : { cell, line, column: null, end_line: null, end_column: null };
    return { ...fields, id: `${fields.kind}-${count}`, span, refs: [] };
  });
}
