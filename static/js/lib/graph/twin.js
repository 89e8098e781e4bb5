/**
 * The text version of a graph: its nodes in reading order, from the nodes where gradients start to those where they arrive. Each row lists
 * the nodes to which it sends gradients and those from which it receives gradients. The arrows of the picture point the other way.
 */

import { add } from "./walk.js";

/**
 * @typedef {import("../types.js").GraphRecord} GraphRecord
 * @typedef {import("../types.js").GraphNode} GraphNode
 * @typedef {{label: string, missing: boolean}} Neighbour
 * @typedef {"sendsTo" | "receivesFrom" | "saves" | "savedFor" | "viewOf"} Relation
 * @typedef {{node: GraphNode, label: string, isolated: boolean} & Record<Relation, Neighbour[]>} Row
 */

/** @param {GraphRecord} graph @returns {Row[]} */
export function rows(graph) {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const edges = graph.edges.filter((edge) => nodes.has(edge.source) && nodes.has(edge.target));
  const joined = new Set(edges.flatMap((edge) => (edge.kind === "missing" ? [] : [edge.source, edge.target])));
  const byId = new Map(graph.nodes.map((node) => [node.id, row(node, !joined.has(node.id))]));
  /** Pairs of ids: the first node is listed before the second. @type {[string, string][]} */
  const pairs = [];
  const relate = (/** @type {string} */ from, /** @type {Relation} */ relation, /** @type {string} */ to, missing = false) =>
    byId.get(from)?.[relation].push({ label: byId.get(to)?.label ?? to, missing });
  for (const { source, target, kind } of edges) {
    const [first, second] = kind === "saved" && isFunction(nodes.get(source)) ? [source, target] : [target, source];
    pairs.push([first, second]);
    if (kind === "saved") {
      relate(first, "saves", second);
      relate(second, "savedFor", first);
    } else if (kind === "view") relate(first, "viewOf", second);
    else {
      relate(first, "sendsTo", second, kind === "missing");
      relate(second, "receivesFrom", first, kind === "missing");
    }
  }
  return sort([...nodes.keys()], pairs).flatMap((id) => byId.get(id) ?? []);
}

/** @param {GraphNode} node @param {boolean} isolated @returns {Row} */
function row(node, isolated) {
  return { node, label: label(node), isolated, sendsTo: [], receivesFrom: [], saves: [], savedFor: [], viewOf: [] };
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

/** Merges neighbours of the same name and counts them. @param {Neighbour[]} all @returns {(Neighbour & {times: number})[]} */
export function counted(all) {
  const groups = group(all, ({ label, missing }) => `${missing}${label}`);
  return [...groups.values()].flatMap(([first, ...more]) => (first ? [{ ...first, times: 1 + more.length }] : []));
}

/** The displayed name of a node: its name if it has one, otherwise the first line of its label or its id. @param {GraphNode} node */
export function label(node) {
  return node.name || node.label.trim().split("\n")[0] || node.id;
}

/**
 * Sorts the ids so that the first of each pair comes before the second. Ids in a cycle keep their original order.
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
