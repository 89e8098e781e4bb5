/** The boxes and links of a graph's picture, read once, and the marks on them. Setting a mark changes only the parts that it concerns. */

import { add } from "../../lib/graph/walk.js";
import { EdgeLabels } from "./edge-labels.js";

/**
 * In pictures with more nodes than this the other nodes do not fade when some are emphasized, because redrawing thousands takes too long.
 */
const MOST_FADING = 150;

/** @typedef {{x: number, y: number}} Point */

/** Returns the outline of a box as path data. @param {import("../../lib/graph/walk.js").Box} box @param {Point} [origin] */
export function outline({ x, y, width, height }, origin = { x: 0, y: 0 }) {
  return `M${x - width / 2 + origin.x} ${y - height / 2 + origin.y}h${width}v${height}h${-width}z`;
}

export class Marks {
  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.svg = svg;
    const [left = 0, top = 0] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
    /** @type {Map<string, SVGElement>} */
    this.nodes = new Map();
    /** The edges of each node. @type {Map<string, SVGElement[]>} */
    this.edges = new Map();
    /** The pieces of each trunk, in the order of the drawing: outward. @type {Map<string, SVGElement[]>} */
    this.trunks = new Map();
    /** @type {import("../../lib/graph/walk.js").Link[]} */
    this.links = [];
    for (const part of /** @type {Iterable<SVGElement>} */ (svg.children)) {
      const { node, source, target, trunk } = part.dataset;
      if (node !== undefined) this.nodes.set(node, part);
      else if (source !== undefined && target !== undefined) {
        this.links.push({ source, target });
        for (const end of new Set([source, target])) add(this.edges, end, part);
      } else if (trunk !== undefined) add(this.trunks, trunk, part);
    }
    this.boxes = [...this.nodes].flatMap(([id, node]) => {
      const rect = node.querySelector("rect");
      if (!rect) return [];
      const [x = 0, y = 0, width = 0, height = 0] = ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name)));
      return [{ id, x: x - left + width / 2, y: y - top + height / 2, width, height }];
    });
    /** The box of each node's part. */
    this.byPart = new Map(
      this.boxes.flatMap((box) => {
        const part = this.nodes.get(box.id);
        return part ? [[part, box]] : [];
      }),
    );
    this.labels = new EdgeLabels(svg, this.edges);
    /** @type {SVGElement[]} */
    this.picked = [];
    /** @type {Map<string, Set<string>>} */
    this.marked = new Map();
  }

  /** Returns the class that names the node's kind. @param {string} id */
  kind(id) {
    return [...(this.nodes.get(id)?.classList ?? [])].find((name) => name.startsWith("kind-")) ?? "";
  }

  /**
   * The outlines of all boxes, those of each kind as one path.
   * @param {Point} [origin] of the picture's units
   * @returns {[string, string][]} kind and path
   */
  outlines(origin) {
    /** @type {Map<string, string[]>} */
    const kinds = new Map();
    for (const box of this.boxes) add(kinds, this.kind(box.id), outline(box, origin));
    return [...kinds].map(([kind, paths]) => [kind, paths.join("")]);
  }

  /** Returns the first of the graph's outputs, or undefined. */
  get asked() {
    return this.boxes.find(({ id }) => this.kind(id) === "kind-output");
  }

  /** Returns the mean x of the boxes within 60 pixels of the topmost one. */
  get topX() {
    const highest = this.boxes.reduce((least, { y }) => Math.min(least, y), Infinity);
    const row = this.boxes.filter(({ y }) => y < highest + 60).map(({ x }) => x);
    return row.length ? row.reduce((sum, x) => sum + x, 0) / row.length : 0;
  }

  /**
   * Emphasizes `nodes`, the edges at `centre`, and the trunk pieces along these edges. With null all parts look alike again.
   * @param {string | null} centre
   * @param {Iterable<string>} [near]
   */
  pick(centre, near = []) {
    for (const part of this.picked) part.classList.remove("picked");
    this.picked = [...near].flatMap((id) => this.nodes.get(id) ?? []);
    if (centre !== null) this.picked.push(...this.linesOf(centre));
    for (const part of this.picked) part.classList.add("picked");
    this.svg.classList.toggle("picking", centre !== null && this.nodes.size <= MOST_FADING);
  }

  /**
   * The edges of a node, and for each trunk the pieces along which the longest of these edges goes.
   * @param {string} id
   * @returns {SVGElement[]}
   */
  linesOf(id) {
    const edges = this.edges.get(id) ?? [];
    /** @type {Map<string, number>} */
    const along = new Map();
    for (const {
      dataset: { trunk, steps = "0" },
    } of edges)
      if (trunk) along.set(trunk, Math.max(along.get(trunk) ?? 0, Number(steps)));
    return [...edges, ...[...along].flatMap(([trunk, steps]) => (this.trunks.get(trunk) ?? []).slice(0, steps))];
  }

  /** Sets a class on these nodes and removes it from all others. @param {string} name @param {Set<string>} ids */
  mark(name, ids) {
    for (const id of this.marked.get(name) ?? []) if (!ids.has(id)) this.nodes.get(id)?.classList.remove(name);
    for (const id of ids) this.nodes.get(id)?.classList.add(name);
    this.marked.set(name, ids);
  }
}
