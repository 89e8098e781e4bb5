/** Finds the view of the page that shows the evidence of a finding, and the part of it. */

/**
 * @typedef {import("../types.js").RunRecord} RunRecord
 * @typedef {import("../types.js").Diagnosis} Diagnosis
 * @typedef {import("../types.js").SavedRecord} SavedRecord
 * @typedef {import("../types.js").ReplayRecord} ReplayRecord
 * @typedef {import("../types.js").GraphRecord} GraphRecord
 *
 * @typedef {{view: "saved", call: SavedRecord, tensor: string | null}} InSaved  a row of the table of a call, or the table
 * @typedef {{view: "steps", replay: ReplayRecord, step: number}} InSteps
 * @typedef {{view: "graph", graph: GraphRecord, node: string | null}} InGraph  a node, or else the path that is missing
 * @typedef {{view: "record", id: string}} AsRecord  a record of the first run
 * @typedef {InSaved | InSteps | InGraph | AsRecord} Evidence
 */

/**
 * The evidence that the page can show best; null if there is none.
 * @param {Diagnosis} diagnosis
 * @param {RunRecord[]} first the records of the first run, whose checks, values and figures are shown
 * @param {RunRecord[]} second those of the second run
 * @returns {Evidence | null}
 */
export function evidenceOf({ evidence, values }, first, second) {
  const named = new Set(evidence);
  const checks = first.filter(({ id, kind }) => named.has(id) && ["gradcheck", "value", "figure"].includes(kind));
  const traced = second.length ? second : first;
  return (
    (checks[0] ? /** @type {Evidence} */ ({ view: "record", id: checks[0].id }) : null) ??
    savedOf(named, values, traced) ??
    stepOf(named, traced) ??
    graphOf(named, traced)
  );
}

/** @param {Set<string>} named @param {Diagnosis["values"]} values @param {RunRecord[]} records @returns {InSaved | null} */
function savedOf(named, values, records) {
  const calls = records.flatMap((record) => (record.kind === "saved" ? [record] : []));
  for (const call of calls) {
    const row = call.saved.find(({ tensor }) => named.has(tensor));
    if (row) return { view: "saved", call, tensor: row.tensor };
  }
  const call = calls.find((one) => named.has(one.id) || named.has(one.call));
  if (!call) return null;
  const names = Object.values(values);
  const row = call.saved.find(({ name }) => names.includes(name) || names.includes(name.replace(/^ctx\./, "")));
  return { view: "saved", call, tensor: row?.tensor ?? null };
}

/** @param {Set<string>} named @param {RunRecord[]} records @returns {InSteps | null} */
function stepOf(named, records) {
  const replay = records.flatMap((record) => (record.kind === "replay" && named.has(record.id) ? [record] : []))[0];
  if (!replay) return null;
  const at = replay.steps.findIndex(({ node }) => named.has(node));
  const failed = replay.steps.findIndex((step) => step.failed);
  return { view: "steps", replay, step: Math.max(0, at >= 0 ? at : failed) };
}

/** @param {Set<string>} named @param {RunRecord[]} records @returns {InGraph | null} */
function graphOf(named, records) {
  const graphs = records.flatMap((record) => (record.kind === "traced_graph" || record.kind === "graph" ? [record] : []));
  for (const graph of graphs) {
    const node = graph.nodes.find(({ id }) => named.has(id));
    if (node) return { view: "graph", graph, node: node.id };
  }
  const graph = graphs.find(({ id }) => named.has(id));
  return graph ? { view: "graph", graph, node: null } : null;
}
