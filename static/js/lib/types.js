/**
 * Short names for the API's types.
 *
 * @typedef {import("../api.js").components["schemas"]} Schemas
 * @typedef {Omit<Schemas["RunResult"], "records"> & {records: RunRecord[]}} RunResult
 * @typedef {Known<Schemas["RunResult"]["records"][number]>} RunRecord  the kinds that the API names; the server may send others
 * @typedef {Schemas["RunError"]} RunError
 * @typedef {Schemas["GraphRecord"] | TracedGraphRecord} GraphRecord
 * @typedef {Schemas["GraphNode"]} GraphNode
 * @typedef {Schemas["GraphFold"]} GraphFold
 * @typedef {Schemas["TracedGraphRecord"]} TracedGraphRecord
 * @typedef {Schemas["ReplayRecord"]} ReplayRecord
 * @typedef {Schemas["ReplayStep"]} ReplayStep
 * @typedef {Schemas["Gradient"]} Gradient
 * @typedef {Schemas["SavedRecord"]} SavedRecord
 * @typedef {Schemas["SavedTensor"]} SavedTensor
 * @typedef {Schemas["MissingPath"]} MissingPath
 * @typedef {Schemas["PathCut"]} PathCut
 * @typedef {Schemas["Span"]} Span
 * @typedef {Schemas["GradcheckRecord"]} GradcheckRecord
 * @typedef {Schemas["JacobianPair"]} JacobianPair
 * @typedef {Schemas["ValueRecord"]} ValueRecord
 * @typedef {Schemas["FigureRecord"]} FigureRecord
 * @typedef {Schemas["FaultRecord"]} FaultRecord
 *
 * What the doctor sends.
 * @typedef {Schemas["Edit"]} Edit
 * @typedef {Schemas["Diagnosis"]} Diagnosis
 * @typedef {Schemas["ExaminedRecord"]} ExaminedRecord
 *
 * @typedef {Schemas["Outcome"]} Outcome
 *
 * The answers to a submission and a prediction. `html` is the lesson's text and safe to insert; `message` is plain text.
 * @typedef {Schemas["CheckAnswer"]} CheckNews
 * @typedef {Schemas["MistakeAnswer"]} Mistake
 * @typedef {Omit<Schemas["SubmissionAnswer"], "run">} Submission
 * @typedef {Schemas["PredictionAnswer"]} PredictionNews
 *
 * The body of POST /api/runs.
 * @typedef {{source: string, lesson?: string, cell?: string, exercise?: string, sources?: Record<string, string>, seed?: number, runtime?:
 *   string, instruments?: string[], lang?: string}} RunRequest
 */

/**
 * Those of the API's record types whose `kind` is a fixed name. The type of unknown records, whose `kind` is any string, is left out.
 *
 * @template Described
 * @typedef {Described extends {kind: infer Kind} ? (string extends Kind ? never : Described) : never} Known
 */

/**
 * The record type of one kind, for example `RecordOf<"graph">`.
 *
 * @template {RunRecord["kind"]} Kind
 * @typedef {Extract<RunRecord, {kind: Kind}>} RecordOf
 */

export {};
