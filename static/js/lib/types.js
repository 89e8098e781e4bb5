/**
 * Short names for the API's types.
 *
 * @typedef {import("./api.js").components["schemas"]} Schemas
 * @typedef {Omit<Schemas["RunResult"], "displays"> & {displays: Display[]}} RunResult
 * @typedef {Schemas["RunError"]} RunError
 * @typedef {Schemas["GraphDisplay"]} GraphDisplay
 * @typedef {Schemas["GraphNode"]} GraphNode
 * @typedef {Schemas["GradcheckDisplay"]} GradcheckDisplay
 * @typedef {Schemas["JacobianPair"]} JacobianPair
 * @typedef {Schemas["ValueDisplay"]} ValueDisplay
 * @typedef {Schemas extends {FigureDisplay: infer Figure} ? Figure : FigureFields} FigureDisplay
 * @typedef {Schemas extends {FaultDisplay: infer Fault} ? Fault : FaultFields} FaultDisplay
 * @typedef {GraphDisplay | GradcheckDisplay | ValueDisplay | FigureDisplay | FaultDisplay} Display  the kinds that are known; others may come
 * @typedef {Schemas["Outcome"]} Outcome
 *
 * What every display has; and two kinds, for as long as the API's types have none of them.
 * @typedef {{cell: string | null, line: number | null, title: string, stdout_offset: number}} Placed
 * @typedef {Placed & {kind: "figure", width: number, height: number, texts: string[], svg: string | null, png: string | null, note: string | null}} FigureFields
 * @typedef {Placed & {kind: "fault", instrument: string, reason: string}} FaultFields
 *
 * The body of POST /api/runs.
 * @typedef {{source: string, lesson?: string, cell?: string, sources?: Record<string, string>, seed?: number, runtime?: string, lang?: string}} RunRequest
 */

export {};
