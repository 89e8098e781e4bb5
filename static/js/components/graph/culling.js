/**
 * Draws only those parts of a very large picture that are near the visible section. When the picture is zoomed out so far that nothing can
 * be read, a few outlines replace the thousands of parts, whose layout would take a browser seconds.
 */

import { outline } from "./marks.js";

/** Pictures with more nodes than this are culled. */
const MOST_NODES = 300;

/** Below this scale outlines replace the parts. */
const OUTLINED = 0.5;

/** How far parts are drawn beyond each side of the visible section, in widths or heights of that section. */
const AROUND = 0.5;

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {{x: number, y: number, width: number, height: number}} View */
/** @typedef {{part: SVGElement, layer: SVGElement, left: number, top: number, right: number, bottom: number, inside: boolean}} Piece */

export class Culling {
  /**
   * @param {import("./marks.js").Marks} marks of a picture that is not in the page yet
   * @param {{x: number, y: number}} origin of the picture's units
   */
  constructor(marks, origin) {
    this.marks = marks;
    this.origin = origin;
    /** @type {View | null} */
    this.kept = null;
    this.outlined = false;
    /** @type {Piece[]} */
    this.pieces = [];
    this.active = marks.nodes.size > MOST_NODES;
    if (!this.active) return;
    const [lines, nodes, outlines] = ["lines", "nodes", "outlines"].map(() => document.createElementNS(SVG, "g"));
    if (!lines || !nodes || !outlines) return;
    this.outlines = outlines;
    outlines.append(...silhouettes(marks, origin));
    this.matches = document.createElementNS(SVG, "path");
    this.matches.setAttribute("class", "outline match");
    outlines.append(this.matches);
    for (const part of /** @type {SVGElement[]} */ ([...marks.svg.children])) {
      const box = marks.byPart.get(part);
      const bounds = box
        ? { left: box.x - box.width, right: box.x + box.width, top: box.y - box.height, bottom: box.y + box.height }
        : extent(part, origin);
      this.pieces.push({ part, layer: box ? nodes : lines, ...bounds, inside: false });
    }
    marks.svg.replaceChildren(lines, nodes);
  }

  /** @param {View} view in the picture's units, from its corner @param {number} scale */
  follow(view, scale) {
    if (!this.active || !this.outlines) return;
    this.outline(scale < OUTLINED);
    this.outlines.style.strokeWidth = `${1 / scale}px`;
    if (this.outlined || (this.kept && holds(this.kept, view))) return;
    const [across, down] = [view.width * AROUND, view.height * AROUND];
    this.kept = { x: view.x - across, y: view.y - down, width: view.width + 2 * across, height: view.height + 2 * down };
    const { x, y, width, height } = this.kept;
    for (const piece of this.pieces) {
      const inside = piece.right >= x && piece.left <= x + width && piece.bottom >= y && piece.top <= y + height;
      if (inside && !piece.inside) piece.layer.append(piece.part);
      else if (!inside && piece.inside) piece.part.remove();
      piece.inside = inside;
    }
  }

  /** @param {boolean} outlined whether outlines replace the parts */
  outline(outlined) {
    if (outlined === this.outlined || !this.outlines) return;
    this.outlined = outlined;
    if (outlined) {
      for (const piece of this.pieces) if (piece.inside) piece.part.remove();
      for (const piece of this.pieces) piece.inside = false;
      this.kept = null;
      this.marks.svg.append(this.outlines);
    } else this.outlines.remove();
  }

  /** @param {Set<string>} ids of the nodes that are marked, also when zoomed out */
  highlight(ids) {
    this.matches?.setAttribute(
      "d",
      this.marks.boxes
        .filter(({ id }) => ids.has(id))
        .map((box) => outline(box, this.origin))
        .join(""),
    );
  }
}

/** @param {View} outer @param {View} inner */
function holds(outer, inner) {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}

/**
 * All lines as one path, and the boxes of each kind as one.
 * @param {import("./marks.js").Marks} marks
 * @param {{x: number, y: number}} origin
 */
function silhouettes(marks, origin) {
  const lines = [...marks.svg.querySelectorAll(".line")].map((line) => line.getAttribute("d") ?? "");
  return [["lines", lines.join("")], ...marks.outlines(origin)].map(([kind = "", d = ""]) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", `outline ${kind}`);
    path.setAttribute("d", d);
    return path;
  });
}

/** Returns the box around the lines of an edge, relative to `origin`. @param {Element} edge @param {{x: number, y: number}} origin */
function extent(edge, origin) {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const path of edge.children) {
    const numbers = (path.getAttribute("d") ?? "").match(/-?[\d.]+/g) ?? [];
    for (let index = 0; index + 1 < numbers.length; index += 2) {
      const [x, y] = [Number(numbers[index]) - origin.x, Number(numbers[index + 1]) - origin.y];
      bounds.left = Math.min(bounds.left, x);
      bounds.right = Math.max(bounds.right, x);
      bounds.top = Math.min(bounds.top, y);
      bounds.bottom = Math.max(bounds.bottom, y);
    }
  }
  return bounds;
}
