/** Texts that describe the kind of a node and its neighbours. */

import { counted } from "./twin.js";
import { inARow, t } from "../words.js";

/**
 * @typedef {import("./twin.js").Row} Row
 * @typedef {import("./twin.js").Neighbour} Neighbour
 * @typedef {import("../types.js").GraphNode} GraphNode
 */

const NEIGHBOURS = 8;

/** @param {Row} row */
export function kindWords({ node, isolated }) {
  return isolated ? t("{kind}, isolated", { kind: kindName(node.kind) }) : kindName(node.kind);
}

/** @param {GraphNode["kind"]} kind */
function kindName(kind) {
  switch (kind) {
    case "function":
      return t("function");
    case "custom_function":
      return t("custom function");
    case "accumulate_grad":
      return t("accumulates");
    case "leaf":
      return t("leaf");
    case "output":
      return t("output");
    case "saved":
      return t("saved tensor");
    case "tensor":
      return t("tensor");
  }
}

/**
 * The roles of a tensor, as far as they are known: an input or output that functions saved, or a view of other tensors. For a function, the
 * output that it computed.
 * @param {Row} row
 */
export function roleWords({ node, savedFor, viewOf }) {
  const role = node.saved_role === "output" ? t("output") : node.saved_role === "input" ? t("input") : "";
  return inARow([
    role,
    node.makes ? `${t("output")} ${node.makes}` : "",
    savedFor.length ? t("saved for {nodes}", { nodes: neighbourWords(savedFor) }) : "",
    viewOf.length ? t("view of {nodes}", { nodes: neighbourWords(viewOf) }) : "",
  ]);
}

/** @param {Neighbour[]} neighbours */
export function neighbourWords(neighbours) {
  const all = counted(neighbours);
  const words = all.slice(0, NEIGHBOURS).map(({ label, missing, times }) => {
    const name = times > 1 ? `${label} ×${times}` : label;
    return missing ? t("{node} (missing)", { node: name }) : name;
  });
  return inARow([...words, ...(all.length > NEIGHBOURS ? [t("{count} more", { count: all.length - NEIGHBOURS })] : [])]);
}
