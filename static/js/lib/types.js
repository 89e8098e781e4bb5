/**
 * Short names for the API's types.
 *
 * @typedef {import("./api.js").components["schemas"]} Schemas
 * @typedef {Omit<Schemas["RunResult"], "displays"> & {displays: Display[]}} RunResult
 * @typedef {Schemas["RunError"]} RunError
 * @typedef {Schemas["GraphDisplay"]} GraphDisplay
 * @typedef {Schemas["GraphNode"]} GraphNode
 * @typedef {Schemas["GraphFold"]} GraphFold
 * @typedef {Schemas["GradcheckDisplay"]} GradcheckDisplay
 * @typedef {Schemas["JacobianPair"]} JacobianPair
 * @typedef {Schemas["ValueDisplay"]} ValueDisplay
 * @typedef {Schemas["FigureDisplay"]} FigureDisplay
 * @typedef {Schemas["FaultDisplay"]} FaultDisplay
 * @typedef {GraphDisplay | GradcheckDisplay | ValueDisplay | FigureDisplay | FaultDisplay} Display  the kinds that are known; others may come
 * @typedef {Schemas["Outcome"]} Outcome
 *
 * One check of a submission that is decided; `html` is of the lesson and safe to show, `message` is plain text.
 * @typedef {{id: string, title: string, passed: boolean, message: string | null, html?: string | null, reported?: boolean}} CheckNews
 * @typedef {{id: string, message?: string | null, html?: string | null}} Mistake
 * @typedef {{passed: boolean, checks: CheckNews[], hidden: {passed: number, total: number}, mistake: Mistake | null, after?: string | null, run?: RunResult, receipt?: unknown}} Submission
 * @typedef {{right: boolean | null, answer: unknown, explanation: string, run?: RunResult}} PredictionNews  `right` null: nothing was predicted
 *
 * The body of POST /api/runs.
 * @typedef {{source: string, lesson?: string, cell?: string, sources?: Record<string, string>, seed?: number, runtime?: string, lang?: string}} RunRequest
 */

export {};
