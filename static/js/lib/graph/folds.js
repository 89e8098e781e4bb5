/**
 * The folds of a large graph, and the node of a picture that represents a node of the graph. A picture is the folded graph, the whole
 * graph, or one repetition of a fold, which has the fold's id as its name.
 */

import { label } from "./twin.js";

/**
 * @typedef {import("../types.js").GraphRecord} GraphRecord
 * @typedef {import("../types.js").GraphFold} GraphFold
 * @typedef {{name: string, svg: string}} Scene
 */

export const FOLDED = "folded";
export const WHOLE = "whole";

const NAMES = 6;

export class Folds {
  /** @param {GraphRecord} graph */
  constructor(graph) {
    this.graph = graph;
    this.all = new Map((graph.folds ?? []).map((fold) => [fold.id, fold]));
    this.nodes = new Map(graph.nodes.map((node) => [node.id, node]));
    /** @type {Map<string, GraphFold>} */
    this.homes = new Map();
    for (const fold of this.all.values()) for (const id of fold.nodes) this.homes.set(id, fold);
  }

  /** The picture that is shown first; null if the graph has none. @returns {Scene | null} */
  get first() {
    return this.scene(FOLDED) ?? this.scene(WHOLE);
  }

  /** @param {string} name @returns {Scene | null} */
  scene(name) {
    const svg = name === FOLDED ? this.graph.folded_svg : name === WHOLE ? this.graph.svg : this.all.get(name)?.svg;
    return svg ? { name, svg } : null;
  }

  /** The id of the node or fold that represents this node in a picture. @param {string} name @param {string} id */
  standIn(name, id) {
    return name === FOLDED ? (this.homes.get(id)?.id ?? id) : id;
  }

  /**
   * The first and the last source line that created a node of the fold; null if no line is known.
   * @param {GraphFold} fold
   * @returns {[number, number] | null}
   */
  lines(fold) {
    const lines = fold.nodes.flatMap((id) => this.nodes.get(id)?.line ?? []);
    return lines.length ? [lines.reduce((a, b) => Math.min(a, b)), lines.reduce((a, b) => Math.max(a, b))] : null;
  }

  /**
   * The names of the functions in one repetition, each once and in order: at most NAMES of them, and the number of the others. If there is
   * no function, the names of all nodes.
   * @param {GraphFold} fold
   * @returns {{names: string[], more: number}}
   */
  contents(fold) {
    const nodes = fold.nodes.map((id) => this.nodes.get(id)).filter((node) => node !== undefined);
    const functions = nodes.filter((node) => node.kind.endsWith("function"));
    const names = [...new Set((functions.length ? functions : nodes).map(label))];
    return { names: names.slice(0, NAMES), more: Math.max(0, names.length - NAMES) };
  }
}

/** The name of a fold: the first line of its label. @param {GraphFold} fold */
export function foldName(fold) {
  return fold.label.split("\n")[0] ?? fold.id;
}
