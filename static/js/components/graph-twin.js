/** The text twin of a graph: a table of the same nodes, each with the nodes it leads to. */

import { html, nothing } from "lit";

import { neighbours } from "../lib/graph-twin.js";
import { inARow, t } from "../lib/words.js";

/**
 * @typedef {import("../lib/graph-twin.js").Row} Row
 * @typedef {import("../lib/types.js").GraphNode} GraphNode
 */

/** So many rows at a time: thousands at once would hold up the page. */
export const ROWS_AT_ONCE = 100;

const NEIGHBOURS = 8;

/**
 * The first `limit` rows, and a button for more.
 * @param {Row[]} rows @param {number} limit @param {string | null} picked @param {(id: string | null) => void} pick @param {(id: string) => void} show in the picture @param {() => void} more
 * @returns {import("lit").TemplateResult}
 */
export function graphTwin(rows, limit, picked, pick, show, more) {
  const near = (/** @type {string} */ id) => ({ enter: () => pick(id), leave: () => pick(null) });
  return html`<div class="twin">
    <table>
      <caption class="unseen">${t("The nodes of the graph, and the nodes that each leads to")}</caption>
      <thead>
        <tr><th scope="col">${t("Node")}</th><th scope="col">${t("What it is")}</th><th scope="col">${t("Leads to")}</th></tr>
      </thead>
      <tbody>
        ${rows.slice(0, limit).map((row) => {
          const { node, label, isolated } = row;
          const { enter, leave } = near(node.id);
          return html`<tr class=${picked === node.id ? "picked" : ""} @pointerenter=${enter} @pointerleave=${leave} @focusin=${enter} @focusout=${leave}>
            <th scope="row"><button class="link" type="button" @click=${() => { enter(); show(node.id); }}>${label}</button>${node.shape && !label.startsWith("(") ? html` <small>(${node.shape.join(", ")})</small>` : nothing}</th>
            <td><span class="tag kind-${node.kind.replaceAll("_", "-")} ${isolated ? "isolated" : ""}">${isolated ? t("{kind}, isolated", { kind: kindWords(node.kind) }) : kindWords(node.kind)}</span></td>
            <td>${neighbourWords(row)}</td>
          </tr>`;
        })}
      </tbody>
    </table>
    ${rows.length > limit ? html`<button class="ghost more" type="button" @click=${more}>${t("Show more; {count} are left", { count: rows.length - limit })}</button>` : nothing}
  </div>`;
}

/** @param {Row} row */
function neighbourWords(row) {
  const all = neighbours(row);
  const words = all.slice(0, NEIGHBOURS).map(({ label, missing, times }) => {
    const name = times > 1 ? `${label} ×${times}` : label;
    return missing ? t("{node} (missing)", { node: name }) : name;
  });
  return inARow([...words, ...(all.length > NEIGHBOURS ? [t("{count} more", { count: all.length - NEIGHBOURS })] : [])]);
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
