/** The details of the selected node, with links to its neighbours. When no node is selected, it says in which direction gradients flow. */

import { html, nothing } from "lit";

import { formulaOf } from "../../lib/graph/formulas.js";
import { FOLDED, foldName, WHOLE } from "../../lib/graph/folds.js";
import { kindWords, neighbourWords, roleWords } from "../../lib/graph/words.js";
import { inARow, t } from "../../lib/words.js";
import { lineLink, placeLink } from "../results/panel.js";

/**
 * @typedef {import("../../lib/graph/exploration.js").Exploration} Exploration
 * @typedef {import("../../lib/graph/twin.js").Row} Row
 * @typedef {import("../../lib/types.js").GraphFold} GraphFold
 */

/**
 * @param {Exploration} exploration
 * @param {(fold: GraphFold, where: string) => void} unfold
 * @param {unknown} missing the paths that the graph lacks, in words; null if there are none
 * @param {import("../../state/cell-state.js").CellState | null} cell whose result contains the graph
 * @param {string} runtime the framework of the graph
 */
export function details(exploration, unfold, missing, cell, runtime) {
  const { row, fold } = exploration;
  return html`<div class="graph-details">
    ${missing ?? (row || fold ? nothing : html`<p class="caption">${arrowWords(runtime)}</p>`)}
    <p role="status">${row ? nodeWords(row, fold) : fold ? foldWords(fold, exploration) : nothing}</p>
    ${row ? source(row.node, exploration, cell) : fold ? ways(fold, exploration, unfold) : nothing}
    ${row?.node.kind === "function" && runtime === "torch" ? formulas(row.node.label) : nothing}
  </div>`;
}

/** What the nodes and arrows of a graph are. @param {string} runtime */
function arrowWords(runtime) {
  switch (runtime) {
    case "jax":
      return t("The linear equations that JAX transposes for backward, the last one first; gradients travel against the arrows.");
    case "tensorflow":
      return t("The operations that the tape recorded for this gradient; gradients travel against the arrows.");
    default:
      return t("Arrows as torchviz draws them; gradients travel against them.");
  }
}

/**
 * A link to the source that recorded a node.
 * @param {import("../../lib/types.js").GraphNode} node
 * @param {Exploration} exploration
 * @param {import("../../state/cell-state.js").CellState | null} cell
 */
function source({ span, line }, { folds }, cell) {
  return span ? placeLink(span, cell) : lineLink({ cell: folds.graph.span?.cell ?? null, line });
}

/** What PyTorch computes for each input of one of its own nodes. @param {string} label */
function formulas(label) {
  const all = formulaOf(label);
  return all.length ? html`<p class="formulas">${all.map(({ input, formula }) => html`<code>${input}: ${formula}</code>`)}</p>` : nothing;
}

/** @param {Row} row @param {GraphFold | null} fold the fold that contains it */
function nodeWords(row, fold) {
  const { node, label, sendsTo, receivesFrom, saves } = row;
  const shape = node.shape && !label.startsWith("(") ? `(${node.shape.join(", ")})` : "";
  const facts = inARow([kindWords(row), roleWords(row), shape, node.id, fold ? t("in {fold}", { fold: foldName(fold) }) : ""]);
  return named(label, [
    t("{facts}.", { facts }),
    receivesFrom.length ? t("Receives gradients from {nodes}.", { nodes: neighbourWords(receivesFrom) }) : "",
    sendsTo.length ? t("Sends gradients to {nodes}.", { nodes: neighbourWords(sendsTo) }) : "",
    saves.length ? t("Saved {nodes}.", { nodes: neighbourWords(saves) }) : "",
    node.order === 2 ? t("Recorded by a backward pass.") : "",
  ]);
}

/** @param {GraphFold} fold @param {Exploration} exploration */
function foldWords(fold, { folds }) {
  const { names, more } = folds.contents(fold);
  const lines = folds.lines(fold);
  const ids = { first: fold.nodes[0] ?? "", last: fold.nodes.at(-1) ?? "" };
  return named(foldName(fold), [
    t("{count} nodes, {first} to {last}: {names}.", {
      count: fold.nodes.length,
      ...ids,
      names: inARow([...names, more ? t("{count} more", { count: more }) : ""]),
    }),
    !lines
      ? ""
      : lines[0] === lines[1]
        ? t("From line {line}.", { line: lines[0] })
        : t("From lines {first} to {last}.", { first: lines[0], last: lines[1] }),
  ]);
}

/** @param {GraphFold} fold @param {Exploration} exploration @param {(fold: GraphFold, where: string) => void} unfold */
function ways(fold, { folds, scene }, unfold) {
  const way = (/** @type {string} */ where, /** @type {string} */ words) =>
    html`<button class="ghost" type="button" @click=${() => unfold(fold, where)}>${words}</button>`;
  const inside = scene?.name === fold.id;
  return html`<span class="ways">
    ${fold.svg && !inside ? way(fold.id, t("Show one of {count}", { count: fold.times })) : nothing}
    ${folds.scene(WHOLE) ? way(WHOLE, t("Unfold in the whole graph")) : nothing} ${way("list", t("List its nodes"))}
    ${inside ? way(FOLDED, t("Back to the folded graph")) : nothing}
  </span>`;
}

/** @param {string} name @param {string[]} sentences of which empty ones are omitted */
function named(name, sentences) {
  const words = sentences.filter(Boolean).reduce((head, rest) => t("{head} {rest}", { head, rest }));
  return html`<b>${name}</b>${t(": {words}", { words })}`;
}
