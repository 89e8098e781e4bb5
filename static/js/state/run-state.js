/** The state of a cell's latest run, computed from its events. It is plain data that the components show; it is never modified. */

/**
 * @typedef {import("../lib/types.js").RunRecord} RunRecord
 * @typedef {import("../lib/types.js").RunResult} RunResult
 * @typedef {import("../lib/run/run-client.js").RunNews} RunNews
 *
 * @typedef {{stream: "stdout" | "stderr", text: string}} Piece  a piece of the output
 *
 * @typedef {object} RunState
 * @property {"idle" | "sending" | "queued" | "running" | "waiting" | "done" | "refused" | "lost" | "cancelled"} phase
 * @property {number} position in the queue, from 1
 * @property {string} starting the runtime that is still starting, or ""
 * @property {"unreachable" | "busy"} reason why the run waits
 * @property {string} message the server's explanation
 * @property {boolean | undefined} [recorded] if the run was refused: whether a recording of the lesson's own code exists
 * @property {number} seconds until the next attempt
 * @property {Piece[]} pieces
 * @property {RunRecord[]} records
 * @property {RunResult | null} result
 */

/** @type {RunState} */
export const IDLE = {
  phase: "idle",
  position: 0,
  starting: "",
  reason: "unreachable",
  message: "",
  seconds: 0,
  pieces: [],
  records: [],
  result: null,
};

/** When a piece of output has this many characters, the next text begins a new piece. */
const LIVE_CHARACTERS = 200_000;

/**
 * The state after another event. Events after the result do not change it.
 * @param {RunState} state
 * @param {RunNews} news
 * @returns {RunState}
 */
export function advance(state, news) {
  if (state.phase === "done" && news.type !== "sending") return state;
  switch (news.type) {
    case "sending":
      return { ...IDLE, phase: "sending" };
    case "queued":
      return { ...state, phase: "queued", position: news.position, starting: news.starting ?? "" };
    case "started":
      return { ...state, phase: "running" };
    case "stdout":
    case "stderr":
      return { ...state, pieces: addText(state.pieces, news.type, news.text) };
    case "record":
      return { ...state, records: [...state.records, news.record] };
    case "waiting":
      return { ...state, phase: "waiting", reason: news.reason, message: news.message, seconds: news.seconds };
    case "refused":
      return { ...state, phase: "refused", message: news.message, recorded: news.recorded };
    case "lost":
    case "cancelled":
      return { ...state, phase: news.type };
    case "result":
      return finish(state, news.result);
    case "submission":
    case "prediction":
      return { ...state, phase: "cancelled" }; // an answer to an earlier request, the run of which was not stored
    default:
      return state;
  }
}

/** Whether a run is active. @param {RunState} state */
export function isBusy(state) {
  return ["sending", "queued", "running", "waiting"].includes(state.phase);
}

/**
 * Completes the state with the result. Its output replaces the streamed output if they differ; otherwise the streamed pieces remain, since
 * they have the order of stdout and stderr. Records that were streamed remain the same objects: with another object, a view would start
 * anew and lose the reader's selection.
 * @param {RunState} state
 * @param {RunResult} result
 * @returns {RunState}
 */
function finish(state, result) {
  const records = state.records.length === result.records.length ? state.records : result.records;
  const pieces = isAllPrinted(state, result) ? state.pieces : arrange(result);
  return { ...state, phase: "done", pieces, records, result: { ...result, records } };
}

/** Whether the streamed output is the complete output of the result. @param {RunState} state @param {RunResult} result */
function isAllPrinted(state, result) {
  const streamed = { stdout: "", stderr: "" };
  for (const piece of state.pieces) {
    streamed[piece.stream] += piece.text;
  }
  return streamed.stdout === result.stdout && streamed.stderr === result.stderr;
}

/**
 * The output as pieces if the order of stdout and stderr is unknown: first stdout, then stderr.
 * @param {RunResult} result
 * @returns {Piece[]}
 */
function arrange(result) {
  return addText(addText([], "stdout", result.stdout), "stderr", result.stderr);
}

/** @param {Piece[]} pieces @param {"stdout" | "stderr"} stream @param {string} text @returns {Piece[]} */
function addText(pieces, stream, text) {
  if (!text) return pieces;
  const last = pieces.at(-1);
  if (last && last.stream === stream && last.text.length < LIVE_CHARACTERS) {
    return [...pieces.slice(0, -1), { stream, text: last.text + text }];
  }
  return [...pieces, { stream, text }];
}
