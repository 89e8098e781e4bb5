/**
 * The text twin of a graph: its nodes in an order that can be read, from where gradients start to where they arrive,
 * each with the nodes it leads to.
 */

import { add } from "./graph-walk.js";

/**
 * @typedef {import("./types.js").GraphRecord} GraphRecord
 * @typedef {import("./types.js").GraphNode} GraphNode
 * @typedef {{node: GraphNode, label: string, leadsTo: {id: string, label: string, missing: boolean}[], isolated: boolean}} Row
 */

/** @param {GraphRecord} graph @returns {Row[]} */
export function rows(graph) {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const edges = graph.edges.filter((edge) => nodes.has(edge.source) && nodes.has(edge.target));
  const from = group(edges, (edge) => edge.source);
  const joined = new Set(edges.flatMap((edge) => (edge.missing ? [] : [edge.source, edge.target])));
  return sort([...nodes.keys()], edges, from).map((id) => {
    const node = /** @type {GraphNode} */ (nodes.get(id));
    const leadsTo = (from.get(id) ?? []).map((edge) => ({ id: edge.target, label: label(/** @type {GraphNode} */ (nodes.get(edge.target))), missing: edge.missing }));
    return { node, label: label(node), leadsTo, isolated: !joined.has(id) };
  });
}

/** @template T @param {T[]} items @param {(item: T) => string} key @returns {Map<string, T[]>} */
function group(items, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) add(groups, key(item), item);
  return groups;
}

/** What a row leads to, those of the same name together and counted. @param {Row} row @returns {{label: string, missing: boolean, times: number}[]} */
export function neighbours(row) {
  const groups = group(row.leadsTo, (to) => `${to.missing}${to.label}`);
  return [...groups.values()].flatMap(([first, ...more]) => (first ? [{ label: first.label, missing: first.missing, times: 1 + more.length }] : []));
}

/** What a node is called: its name if it has one, else the first line of its label. @param {GraphNode} node */
export function label(node) {
  return node.name || node.label.trim().split("\n")[0] || node.id;
}

/**
 * Sources before targets; where they go in circles, in the order they came.
 * @param {string[]} ids @param {{source: string, target: string}[]} edges @param {Map<string, {target: string}[]>} from the edges by their source
 */
function sort(ids, edges, from) {
  const incoming = new Map(ids.map((id) => [id, 0]));
  for (const { target } of edges) incoming.set(target, (incoming.get(target) ?? 0) + 1);
  const sorted = ids.filter((id) => incoming.get(id) === 0);
  for (const id of sorted) {
    for (const edge of from.get(id) ?? []) {
      const left = (incoming.get(edge.target) ?? 0) - 1;
      incoming.set(edge.target, left);
      if (left === 0) sorted.push(edge.target);
    }
  }
  const seen = new Set(sorted);
  return [...sorted, ...ids.filter((id) => !seen.has(id))];
}
