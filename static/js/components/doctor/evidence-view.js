/** Shows the evidence of a finding in the results: opens the view that has it, scrolls to it and highlights it. */

import { pointAt } from "../results/panel.js";

/**
 * @typedef {import("../../lib/doctor/evidence.js").Evidence} Evidence
 * @typedef {import("lit").LitElement} LitElement
 * @typedef {InstanceType<typeof import("../graph/graph-view.js").GraphView>} GraphView
 */

/** @param {Evidence} evidence @param {HTMLElement | null} results */
export async function showEvidence(evidence, results) {
  const found = results && (await find(evidence, results));
  if (found) pointAt(found);
}

/** @param {Evidence} evidence @param {HTMLElement} results @returns {Promise<HTMLElement | null>} */
async function find(evidence, results) {
  switch (evidence.view) {
    case "record":
      return recordOf(results, evidence.id);
    case "saved":
      return savedOf(evidence, results);
    case "steps":
      return stepOf(evidence, results);
    case "graph":
      return nodeOf(evidence, results);
  }
}

/** The panel of a record of the first run. @param {HTMLElement} results @param {string} id */
function recordOf(results, id) {
  const views = [...results.querySelectorAll(".result-records *")].filter((one) => "record" in one);
  const view = views.find((one) => /** @type {{record: {id?: string} | null}} */ (/** @type {unknown} */ (one)).record?.id === id);
  return /** @type {HTMLElement | null} */ (view?.querySelector(".panel") ?? null);
}

/** @param {import("../../lib/doctor/evidence.js").InSaved} evidence @param {HTMLElement} results */
async function savedOf({ call, tensor }, results) {
  const view = graphsIn(results).find(({ traceViews }) => traceViews.calls.some(({ node }) => node === call.node)) ?? graphsIn(results)[0];
  if (view) await open(view, "saved");
  const table = /** @type {HTMLElement | null} */ ((view ?? results).querySelector(`[data-call="${CSS.escape(call.call)}"]`));
  const row = tensor && /** @type {HTMLElement | null} */ (table?.querySelector(`[data-tensor="${CSS.escape(tensor)}"]`));
  return row || table;
}

/** @param {import("../../lib/doctor/evidence.js").InSteps} evidence @param {HTMLElement} results */
async function stepOf({ replay, step }, results) {
  const views = graphsIn(results);
  const view = views.find(({ traceViews }) => traceViews.graph?.id === replay.graph) ?? views[0];
  if (!view) return null;
  await open(view, "steps");
  const steps = /** @type {import("../trace/steps-view.js").StepsView | null} */ (view.querySelector("steps-view"));
  await steps?.updateComplete; // waits until the view has shown its first step
  steps?.show(replay, step);
  return steps;
}

/** @param {import("../../lib/doctor/evidence.js").InGraph} evidence @param {HTMLElement} results */
async function nodeOf({ graph, node }, results) {
  const views = graphsIn(results);
  const view = views.find(({ traceViews, record }) => traceViews.graph?.id === graph.id || record?.id === graph.id) ?? views[0];
  if (!view) return null;
  await open(view, "graph");
  if (node) view.show(node);
  return /** @type {HTMLElement | null} */ ((node ? null : view.querySelector(".missing-path")) ?? view.querySelector(".panel"));
}

/** @param {HTMLElement} results @returns {GraphView[]} */
function graphsIn(results) {
  return [...results.querySelectorAll("graph-view")].map((one) => /** @type {GraphView} */ (/** @type {unknown} */ (one)));
}

/** Shows a view of a graph, and waits until it is there. @param {GraphView} view @param {import("../graph/tools.js").View} name */
async function open(view, name) {
  view.closest("details")?.setAttribute("open", "");
  view.showView(name);
  if (name !== "graph") await view.traceViews.load();
  await view.updateComplete;
}
