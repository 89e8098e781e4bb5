/**
 * Converts results that browsers stored before there was one list of records. They had three lists, of which only `displays` was ever
 * filled, and a cell and a line in place of a span. The `pitfall` of an error was later called `stumble`, also in results with one list of
 * records. No other script knows these names.
 */

/** @typedef {import("../../state/run-state.js").RunState} RunState */

/** Converts such a state to the present format; null if it is not one. @param {any} state @returns {RunState | null} */
export function renewState(state) {
  if (!Array.isArray(state?.displays) || !Array.isArray(state.pieces) || !state.result) return null;
  const { displays, pieces, result, ...rest } = state;
  const records = renewRecords(displays);
  const { displays: _, functions: _functions, diagnoses: _diagnoses, ...others } = result;
  return withPitfall(withoutPlaces({ ...rest, pieces, records, result: { ...others, records } }));
}

/** Removes the positions of records, which older versions stored among the pieces of output. @param {any} state @returns {RunState} */
export function withoutPlaces(state) {
  return { ...state, pieces: state.pieces.filter((/** @type {object} */ piece) => "stream" in piece) };
}

/** Gives the earlier name of an error's pitfall its present one. @param {RunState} state @returns {RunState} */
export function withPitfall(state) {
  const { result } = state;
  if (!result?.error || !("stumble" in result.error)) return state;
  const { stumble, ...error } = /** @type {any} */ (result.error);
  return { ...state, result: { ...result, error: { ...error, pitfall: stumble } } };
}

/** Converts displays to records. Their ids consist of kind and number, as in a run. @param {any[]} displays */
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
