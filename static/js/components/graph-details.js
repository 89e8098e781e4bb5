/** What is known of the selected node of a graph, in words, and where one goes from it; without one, which way gradients flow. It tells by `graph-go` what of a fold is wanted. */

import { html, nothing } from "lit";

import { FOLDED, foldName, WHOLE } from "../lib/graph-folds.js";
import { kindWords, neighbourWords, roleWords } from "../lib/graph-words.js";
import { inARow, t } from "../lib/words.js";
import { lineLink, Panel } from "./panel.js";

/**
 * @typedef {import("../lib/graph-folds.js").Folds} Folds
 * @typedef {import("../lib/graph-twin.js").Row} Row
 * @typedef {import("../lib/types.js").GraphFold} GraphFold
 */

class GraphDetails extends Panel {
  /** @override */
  static properties = { folds: { attribute: false }, row: { attribute: false }, fold: { attribute: false }, scene: { attribute: false } };

  constructor() {
    super();
    /** @type {Folds | null} */
    this.folds = null;
    /** The selected node, if it is one. @type {Row | null} */
    this.row = null;
    /** The selected fold, or the one that the selected node is in. @type {GraphFold | null} */
    this.fold = null;
    this.scene = WHOLE;
  }

  /** @override */
  render() {
    const { row, fold, folds } = this;
    return html`<div class="graph-details">
      ${row || fold ? nothing : html`<p class="caption">${t("Arrows as torchviz draws them; gradients travel against them.")}</p>`}
      <p role="status">${row ? this.nodeWords(row) : fold && folds ? this.foldWords(fold, folds) : nothing}</p>
      ${row ? lineLink({ cell: folds?.graph.span?.cell ?? null, line: row.node.line }) : nothing} ${fold && folds && !row ? this.ways(fold, folds) : nothing}
    </div>`;
  }

  /** @param {Row} row */
  nodeWords(row) {
    const { node, label, sendsTo, receivesFrom } = row;
    const shape = node.shape && !label.startsWith("(") ? `(${node.shape.join(", ")})` : "";
    const facts = inARow([kindWords(row), roleWords(row), shape, node.id, this.fold ? t("in {fold}", { fold: foldName(this.fold) }) : ""]);
    return named(label, [
      t("{facts}.", { facts }),
      receivesFrom.length ? t("Receives gradients from {nodes}.", { nodes: neighbourWords(receivesFrom) }) : "",
      sendsTo.length ? t("Sends gradients to {nodes}.", { nodes: neighbourWords(sendsTo) }) : "",
    ]);
  }

  /** @param {GraphFold} fold @param {Folds} folds */
  foldWords(fold, folds) {
    const { names, more } = folds.contents(fold);
    const lines = folds.lines(fold);
    const ids = { first: fold.nodes[0] ?? "", last: fold.nodes.at(-1) ?? "" };
    return named(foldName(fold), [
      t("{count} nodes, {first} to {last}: {names}.", { count: fold.nodes.length, ...ids, names: inARow([...names, more ? t("{count} more", { count: more }) : ""]) }),
      !lines ? "" : lines[0] === lines[1] ? t("From line {line}.", { line: lines[0] }) : t("From lines {first} to {last}.", { first: lines[0], last: lines[1] }),
    ]);
  }

  /** @param {GraphFold} fold @param {Folds} folds */
  ways(fold, folds) {
    const go = (/** @type {string} */ where) => () => this.dispatchEvent(new CustomEvent("graph-go", { detail: { where, fold } }));
    return html`<span class="ways">
      ${fold.svg && this.scene !== fold.id ? html`<button class="ghost" type="button" @click=${go(fold.id)}>${t("Show one of {count}", { count: fold.times })}</button>` : nothing}
      ${folds.scene(WHOLE) ? html`<button class="ghost" type="button" @click=${go(WHOLE)}>${t("Unfold in the whole graph")}</button>` : nothing}
      <button class="ghost" type="button" @click=${go("list")}>${t("List its nodes")}</button>
      ${this.scene === fold.id ? html`<button class="ghost" type="button" @click=${go(FOLDED)}>${t("Back to the folded graph")}</button>` : nothing}
    </span>`;
  }
}

/** @param {string} name @param {string[]} sentences those that are empty are left out */
function named(name, sentences) {
  const words = sentences.filter(Boolean).reduce((head, rest) => t("{head} {rest}", { head, rest }));
  return html`<b>${name}</b>${t(": {words}", { words })}`;
}

customElements.define("graph-details", GraphDetails);
