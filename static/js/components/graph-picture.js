/**
 * A graph's SVG in the page: parsed, adopted, its ids made unique, and moved by its view box.
 */

import { isCloser, pan, parseBox, zoom } from "../lib/view-box.js";

/** @typedef {import("../lib/view-box.js").Box} Box */

/** Larger than drawn looks clumsy beside the text: there a small graph keeps its size. */
const LARGEST_SCALE = 1.12;

export class Picture {
  /** @param {SVGSVGElement} svg @param {() => void} onMove */
  constructor(svg, onMove) {
    this.svg = svg;
    this.onMove = onMove;
    this.whole = parseBox(svg.getAttribute("viewBox"));
    /** @type {Box} */
    this.box = [...this.whole];
    svg.style.setProperty("--widest", `${this.whole[2] * LARGEST_SCALE}px`);
  }

  get closer() {
    return isCloser(this.box, this.whole);
  }

  /** @param {number} factor @param {number} [u] @param {number} [v] */
  zoom(factor, u, v) {
    this.show(zoom(this.box, this.whole, factor, u, v));
  }

  /** @param {number} across @param {number} down */
  pan(across, down) {
    this.show(pan(this.box, this.whole, across, down));
  }

  fit() {
    this.show([...this.whole]);
  }

  /** @param {Box} box */
  show(box) {
    // Seen closer, it takes the whole width of its stage; the height stays, so that no button moves away from the pointer.
    if (!this.closer) this.svg.style.setProperty("--height", `${this.svg.getBoundingClientRect().height}px`);
    this.box = box;
    this.svg.setAttribute("viewBox", box.map((value) => value.toFixed(2)).join(" "));
    this.onMove();
  }

  /** Where in the view box a point of the screen is, as shares; beside the box they are below 0 or above 1. @param {number} x @param {number} y @returns {[number, number]} */
  share(x, y) {
    const point = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM()?.inverse());
    return [(point.x - this.box[0]) / this.box[2], (point.y - this.box[1]) / this.box[3]];
  }

  /** Moves the picture along with a pointer, by pixels of the screen. @param {number} right @param {number} down */
  drag(right, down) {
    const scale = this.svg.getScreenCTM()?.a || 1;
    this.pan(-right / scale / this.box[2], -down / scale / this.box[3]);
  }

  /** Brings out some nodes and the edges at `centre`; null for all alike. @param {string | null} centre @param {Set<string>} [near] */
  pick(centre, near = new Set()) {
    this.svg.classList.toggle("picking", centre !== null);
    for (const part of this.svg.querySelectorAll(".node, .edge")) {
      const { node, source, target } = /** @type {SVGElement} */ (part).dataset;
      const picked = centre !== null && (node !== undefined ? near.has(node) : source === centre || target === centre);
      part.classList.toggle("picked", picked);
    }
  }
}

/** The SVG of a display as an element of this page; null if it is not one. @param {string} text @param {string} prefix for its ids */
export function adoptSvg(text, prefix) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (!(root instanceof SVGSVGElement)) return null;
  for (const element of root.querySelectorAll("[id]")) element.id = `${prefix}-${element.id}`;
  return /** @type {SVGSVGElement} */ (document.adoptNode(root));
}

/** The picture as a file of its own: with the page's rules for graphs, and its light colours, written into it. @param {string} text */
export function exportSvg(text) {
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter((rule) => rule instanceof CSSStyleRule && /^\.graph[\s.]/.test(rule.selectorText) && !rule.selectorText.includes("picking"));
  const tokens = getComputedStyle(document.documentElement);
  const style = rules
    .map((rule) => rule.cssText)
    .join("\n")
    .replace(/var\((--[\w-]+)\)/g, (_, name) => tokens.getPropertyValue(name).trim())
    .replace(/light-dark\(([^,()]+),[^()]*\)/g, "$1");
  return text.replace(/(<svg[^>]*>)/, (open) => `${open}<style>${style.replace(/[<&]/g, "")}</style>`);
}
