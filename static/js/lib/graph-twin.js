/**
 * The text twin of a graph: its nodes in an order that can be read, from where gradients start to where they arrive,
 * each with the nodes it leads to.
 */

/**
 * @typedef {import("./types.js").GraphDisplay} GraphDisplay
 * @typedef {import("./types.js").GraphNode} GraphNode
 * @typedef {{node: GraphNode, label: string, leadsTo: {id: string, label: string, missing: boolean}[], isolated: boolean}} Row
 */

/** @param {GraphDisplay} graph @returns {Row[]} */
export function rows(graph) {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const edges = graph.edges.filter((edge) => nodes.has(edge.source) && nodes.has(edge.target));
  return sort([...nodes.keys()], edges).map((id) => {
    const node = /** @type {GraphNode} */ (nodes.get(id));
    const leadsTo = edges
      .filter((edge) => edge.source === id)
      .map((edge) => ({ id: edge.target, label: label(/** @type {GraphNode} */ (nodes.get(edge.target))), missing: edge.missing }));
    return { node, label: label(node), leadsTo, isolated: !edges.some((edge) => !edge.missing && (edge.source === id || edge.target === id)) };
  });
}

/** What a node is called: its name if it has one, else the first line of its label. @param {GraphNode} node */
export function label(node) {
  return node.name || node.label.trim().split("\n")[0] || node.id;
}

/** Sources before targets; where they go in circles, in the order they came. @param {string[]} ids @param {{source: string, target: string}[]} edges */
function sort(ids, edges) {
  const incoming = new Map(ids.map((id) => [id, 0]));
  for (const { target } of edges) incoming.set(target, (incoming.get(target) ?? 0) + 1);
  const ready = ids.filter((id) => incoming.get(id) === 0);
  /** @type {string[]} */
  const sorted = [];
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    sorted.push(id);
    for (const edge of edges.filter((one) => one.source === id)) {
      const left = (incoming.get(edge.target) ?? 0) - 1;
      incoming.set(edge.target, left);
      if (left === 0) ready.push(edge.target);
    }
  }
  const seen = new Set(sorted);
  return [...sorted, ...ids.filter((id) => !seen.has(id))];
}

/** The nodes and edges next to a node, itself included. @param {GraphDisplay} graph @param {string} id */
export function neighbourhood(graph, id) {
  const near = new Set([id]);
  for (const edge of graph.edges) {
    if (edge.source === id) near.add(edge.target);
    if (edge.target === id) near.add(edge.source);
  }
  return near;
}
