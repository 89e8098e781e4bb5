/** The state of a graph view: the picture that is shown, the selected node, the search words and the nodes found. */

import { Folds, FOLDED, WHOLE } from "./folds.js";
import { search } from "./search.js";
import { rows } from "./twin.js";
import { kindWords } from "./words.js";

/**
 * @typedef {import("../types.js").GraphRecord} GraphRecord
 * @typedef {import("../types.js").GraphFold} GraphFold
 * @typedef {import("./twin.js").Row} Row
 */

export class Exploration {
  /** @param {GraphRecord} graph */
  constructor(graph) {
    this.graph = graph;
    this.folds = new Folds(graph);
    this.rows = rows(graph);
    this.byId = new Map(this.rows.map((row) => [row.node.id, row]));
    this.isolated = this.rows.filter((row) => row.isolated).length;
    /**
     * The kinds of the graph's nodes and edges, "missing" if a node is isolated, since such a node lacks an edge, and "second_order" if a
     * backward pass recorded a node.
     * @type {Set<string>}
     */
    this.kinds = new Set([...graph.nodes, ...graph.edges].map(({ kind }) => kind));
    if (this.isolated) this.kinds.add("missing");
    if (graph.nodes.some(({ order }) => order === 2)) this.kinds.add("second_order");
    /** The picture that is shown; null if the graph has none. */
    this.scene = this.folds.first;
    /** The id of the selected node or fold of that picture. @type {string | null} */
    this.selected = null;
    /** Whether the list of nodes is open. */
    this.listing = false;
    /** The fold to which the list is limited. Its nodes are marked in the whole graph. @type {GraphFold | null} */
    this.within = null;
    this.words = "";
    /** The index in `found` of the node that the reader has moved to, or -1. */
    this.at = -1;
    /** The ids of the nodes found. @type {string[]} */
    this.found = [];
    /** The rows that the list contains. */
    this.listed = this.rows;
    /** The ids of the nodes and folds that are marked in the picture. @type {Set<string>} */
    this.marked = new Set();
  }

  /** The row of the selected node; null if a fold or nothing is selected. @returns {Row | null} */
  get row() {
    return (this.selected !== null && this.byId.get(this.selected)) || null;
  }

  /**
   * The selected fold, or the fold that contains the selected node, or the fold one repetition of which is shown.
   * @returns {GraphFold | null}
   */
  get fold() {
    const id = this.selected ?? this.scene?.name ?? "";
    return this.folds.all.get(id) ?? this.folds.homes.get(id) ?? null;
  }

  /** @param {string} words */
  search(words) {
    this.words = words;
    this.at = -1;
    this.find();
  }

  /** @param {GraphFold | null} fold */
  keepTo(fold) {
    this.within = fold;
    this.find();
  }

  find() {
    const inside = this.within && new Set(this.within.nodes);
    const among = inside ? this.rows.filter((row) => inside.has(row.node.id)) : this.rows;
    this.found = search(among, this.words, kindWords);
    const found = new Set(this.found);
    this.listed = this.words.trim() ? among.filter((row) => found.has(row.node.id)) : among;
    const marked = this.words.trim() ? this.found : inside && this.scene?.name === WHOLE ? [...inside] : [];
    this.marked = new Set(marked.map((id) => this.folds.standIn(this.scene?.name ?? "", id)));
  }

  /**
   * Shows the picture of this name, if there is one, and selects the node `id` in it, or no node.
   * @param {string} name
   * @param {string | null} id
   */
  go(name, id) {
    this.scene = this.folds.scene(name) ?? this.scene;
    this.selected = id;
    this.find();
  }

  /**
   * Unfolds a fold: shows one repetition of it, or the fold's place in the whole graph, or a list of its nodes.
   * @param {GraphFold} fold
   * @param {string} [where]
   */
  unfold(fold, where = fold.svg ? fold.id : this.graph.svg ? WHOLE : "list") {
    if (where === FOLDED) return this.go(FOLDED, fold.id);
    if (where === fold.id) return this.go(fold.id, null);
    this.within = fold;
    if (where === WHOLE) return this.go(WHOLE, fold.nodes[0] ?? null);
    this.listing = true;
    this.find();
  }

  /**
   * Selects a node of the graph, or the fold that replaces it. If the picture that is shown does not contain it, the first picture is
   * shown.
   * @param {string} id
   * @param {(id: string) => boolean} isHere
   */
  show(id, isHere) {
    const name = this.scene?.name;
    if (name === undefined) return;
    const scene = isHere(this.folds.standIn(name, id)) ? name : (this.folds.first?.name ?? name);
    this.go(scene, this.folds.standIn(scene, id));
  }
}
