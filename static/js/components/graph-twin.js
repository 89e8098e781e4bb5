/** The text twin of a graph: a table of the same nodes, each with the nodes it leads to. */

import { html, nothing } from "lit";

import { rows } from "../lib/graph-twin.js";
import { t } from "../lib/words.js";

/**
 * @typedef {import("../lib/types.js").GraphDisplay} GraphDisplay
 * @typedef {import("../lib/types.js").GraphNode} GraphNode
 */

/** @param {GraphDisplay} graph @param {string | null} picked @param {(id: string | null) => void} pick @returns {import("lit").TemplateResult} */
export function graphTwin(graph, picked, pick) {
  const near = (/** @type {string} */ id) => ({ enter: () => pick(id), leave: () => pick(null) });
  return html`<div class="twin">
    <table>
      <caption class="unseen">${t("The nodes of the graph, and the nodes that each leads to")}</caption>
      <thead>
        <tr><th scope="col">${t("Node")}</th><th scope="col">${t("What it is")}</th><th scope="col">${t("Leads to")}</th></tr>
      </thead>
      <tbody>
        ${rows(graph).map(({ node, label, leadsTo, isolated }) => {
          const { enter, leave } = near(node.id);
          return html`<tr class=${picked === node.id ? "picked" : ""} @pointerenter=${enter} @pointerleave=${leave} @focusin=${enter} @focusout=${leave}>
            <th scope="row"><button class="link" type="button" @click=${enter}>${label}</button>${node.shape && !label.startsWith("(") ? html` <small>(${node.shape.join(", ")})</small>` : nothing}</th>
            <td><span class="tag kind-${node.kind.replaceAll("_", "-")} ${isolated ? "isolated" : ""}">${kindWords(node.kind)}${isolated ? t(", alone") : ""}</span></td>
            <td>${leadsTo.map((to, index) => html`${index ? ", " : ""}${to.missing ? t("{node} (missing)", { node: to.label }) : to.label}`)}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

/** @param {GraphNode["kind"]} kind */
function kindWords(kind) {
  switch (kind) {
    case "function":
      return t("function");
    case "custom_function":
      return t("custom function");
    case "accumulate_grad":
      return t("accumulates");
    case "leaf":
      return t("leaf");
    case "output":
      return t("output");
    case "saved":
      return t("saved tensor");
    case "tensor":
      return t("tensor");
  }
}
