/**
 * The text twin of a graph: its nodes in an order that can be read, from where gradients start to where they arrive, each with the nodes
 * that it sends gradients to and receives them from. The picture's arrows point the other way.
 */

import { add } from "./walk.js";

/**
 * @typedef {import("../types.js").GraphRecord} GraphRecord
 * @typedef {import("../types.js").GraphNode} GraphNode
 * @typedef {{label: string, missing: boolean}} Neighbour
 * @typedef {"sendsTo" | "receivesFrom" | "savedFor" | "viewOf"} Relation
 * @typedef {{node: GraphNode, label: string, isolated: boolean} & Record<Relation, Neighbour[]>} Row
 */

/** @param {GraphRecord} graph @returns {Row[]} */
export function rows(graph) {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const edges = graph.edges.filter((edge) => nodes.has(edge.source) && nodes.has(edge.target));
  const joined = new Set(edges.flatMap((edge) => (edge.kind === "missing" ? [] : [edge.source, edge.target])));
  const byId = new Map(graph.nodes.map((node) => [node.id, row(node, !joined.has(node.id))]));
  /** Which node is listed before which. @type {[string, string][]} */
  const pairs = [];
  const relate = (/** @type {string} */ from, /** @type {Relation} */ relation, /** @type {string} */ to, missing = false) =>
    byId.get(from)?.[relation].push({ label: byId.get(to)?.label ?? to, missing });
  for (const { source, target, kind } of edges) {
    const [first, second] = kind === "saved" && isFunction(nodes.get(source)) ? [source, target] : [target, source];
    pairs.push([first, second]);
    if (kind === "saved") relate(second, "savedFor", first);
    else if (kind === "view") relate(first, "viewOf", second);
    else {
      relate(first, "sendsTo", second, kind === "missing");
      relate(second, "receivesFrom", first, kind === "missing");
    }
  }
  return sort([...nodes.keys()], pairs).flatMap((id) => byId.get(id) ?? []);
}

/** @param {GraphNode} node @param {boolean} isolated @returns {Row} */
function row(node, isolated) {
  return { node, label: label(node), isolated, sendsTo: [], receivesFrom: [], savedFor: [], viewOf: [] };
}

/** @param {GraphNode | undefined} node */
function isFunction(node) {
  return node?.kind === "function" || node?.kind === "custom_function";
}

/** @template T @param {T[]} items @param {(item: T) => string} key @returns {Map<string, T[]>} */
function group(items, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) add(groups, key(item), item);
  return groups;
}

/** Neighbours of the same name together, and counted. @param {Neighbour[]} all @returns {(Neighbour & {times: number})[]} */
export function counted(all) {
  const groups = group(all, ({ label, missing }) => `${missing}${label}`);
  return [...groups.values()].flatMap(([first, ...more]) => (first ? [{ ...first, times: 1 + more.length }] : []));
}

/** What a node is called: its name if it has one, else the first line of its label. @param {GraphNode} node */
export function label(node) {
  return node.name || node.label.trim().split("\n")[0] || node.id;
}

/**
 * The first of each pair before the second; where they go in circles, in the order they came.
 * @param {string[]} ids
 * @param {[string, string][]} pairs
 */
function sort(ids, pairs) {
  const followers = group(pairs, ([first]) => first);
  const waitsFor = new Map(ids.map((id) => [id, 0]));
  for (const [, second] of pairs) waitsFor.set(second, (waitsFor.get(second) ?? 0) + 1);
  const sorted = ids.filter((id) => waitsFor.get(id) === 0);
  for (const id of sorted) {
    for (const [, second] of followers.get(id) ?? []) {
      const left = (waitsFor.get(second) ?? 0) - 1;
      waitsFor.set(second, left);
      if (left === 0) sorted.push(second);
    }
  }
  const seen = new Set(sorted);
  return [...sorted, ...ids.filter((id) => !seen.has(id))];
}
