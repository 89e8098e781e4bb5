/**
 * The text twin of a graph: a table of its nodes, each with its id and the nodes to which it sends gradients. It dispatches `graph-point`
 * for the hovered node and `graph-show` for the node to bring into view.
 */

import { html, nothing } from "lit";

import { kindWords, neighbourWords, roleWords } from "../../lib/graph/words.js";
import { t } from "../../lib/words.js";
import { Panel } from "../results/panel.js";

/** @typedef {import("../../lib/graph/twin.js").Row} Row */

/** How many rows are added at a time: thousands at once would block the page. */
const ROWS_AT_ONCE = 100;

class GraphTwin extends Panel {
  /** @override */
  static properties = { rows: { attribute: false }, picked: { attribute: false }, found: { attribute: false }, limit: { state: true } };

  constructor() {
    super();
    /** @type {Row[]} */
    this.rows = [];
    /** @type {string | null} */
    this.picked = null;
    /** Whether the rows are search results. */
    this.found = false;
    this.limit = ROWS_AT_ONCE;
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("rows")) this.limit = ROWS_AT_ONCE;
  }

  /** @override */
  render() {
    const left = this.rows.length - this.limit;
    return html`<div class="twin-list">
      <table>
        <caption class="unseen">
          ${t("The nodes of the graph, and the nodes that each sends gradients to")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t("Node")}</th>
            <th scope="col">${t("Id")}</th>
            <th scope="col">${t("What it is")}</th>
            <th scope="col">${t("Sends gradients to")}</th>
          </tr>
        </thead>
        <tbody>
          ${this.rows.slice(0, this.limit).map((row) => this.row(row))}
        </tbody>
      </table>
      ${
        left > 0
          ? html`<button class="ghost more" type="button" @click=${() => void this.more()}>
              ${t("Show more; {count} are left", { count: left })}
            </button>`
          : nothing
      }
    </div>`;
  }

  /** @param {Row} row */
  row(row) {
    const { node, label, isolated } = row;
    const point = (/** @type {string | null} */ id) => () => this.dispatchEvent(new CustomEvent("graph-point", { detail: id }));
    const name = this.found ? html`<mark>${label}</mark>` : label;
    const role = roleWords(row);
    return html`<tr
      class=${this.picked === node.id ? "picked" : ""}
      @pointerenter=${point(node.id)}
      @pointerleave=${point(null)}
      @focusin=${point(node.id)}
      @focusout=${point(null)}
    >
      <th scope="row">
        <button class="link" type="button" @click=${() => this.dispatchEvent(new CustomEvent("graph-show", { detail: node.id }))}>
          ${name}</button
        >${node.shape && !label.startsWith("(") ? html` <small>(${node.shape.join(", ")})</small>` : nothing}
      </th>
      <td class="id">${node.id}</td>
      <td>
        <span class="node-tag kind-${node.kind.replaceAll("_", "-")} ${isolated ? "isolated" : ""}">${kindWords(row)}</span
        >${role ? html` <small>${role}</small>` : nothing}
      </td>
      <td>${neighbourWords(row.sendsTo)}</td>
    </tr>`;
  }

  /** Lists more nodes, and focuses the first of them. */
  async more() {
    const before = this.limit;
    this.limit += ROWS_AT_ONCE;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(`.twin-list tbody tr:nth-child(${before + 1}) .link`))?.focus();
  }
}

customElements.define("graph-twin", GraphTwin);
