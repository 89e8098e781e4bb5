/** How far somebody has come with a graph: which picture is seen, which node is selected, what was searched and found. */

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
    /** The kinds of its nodes and edges; an isolated node misses an edge. @type {Set<string>} */
    this.kinds = new Set([...graph.nodes, ...graph.edges].map(({ kind }) => kind));
    if (this.isolated) this.kinds.add("missing");
    /** The picture that is seen; null if there is none. */
    this.scene = this.folds.first;
    /** A node or a fold of that picture. @type {string | null} */
    this.selected = null;
    /** Whether the list is seen. */
    this.listing = false;
    /** The fold that the list is about, and that is marked in the whole graph. @type {GraphFold | null} */
    this.within = null;
    this.words = "";
    /** Which of those found one has gone to. */
    this.at = -1;
    /** The ids of those found. @type {string[]} */
    this.found = [];
    /** What the list has. */
    this.listed = this.rows;
    /** What is marked in the picture. @type {Set<string>} */
    this.marked = new Set();
  }

  /** The row of the selected node, if it is one. @returns {Row | null} */
  get row() {
    return (this.selected !== null && this.byId.get(this.selected)) || null;
  }

  /** The selected fold, the one that the selected node is in, or the one of which a repetition is seen. @returns {GraphFold | null} */
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
   * Shows another picture, if there is one of this name, and selects a node in it, or none.
   * @param {string} name
   * @param {string | null} id
   */
  go(name, id) {
    this.scene = this.folds.scene(name) ?? this.scene;
    this.selected = id;
    this.find();
  }

  /**
   * Unfolds: shows one repetition, or else where the fold is in the whole graph, or else its nodes as a list.
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
   * Selects a node of the graph, or what stands for it, in the picture that is seen, or in the first if it is not there.
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
