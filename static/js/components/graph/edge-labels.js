/** What a backward pass has sent along the edges of a picture, written beside them. */

const SVG = "http://www.w3.org/2000/svg";

/** The distance from the edge to its label, in the picture's units. */
const BESIDE = 7;

/**
 * @typedef {import("../../lib/trace/backward-pass.js").Label} Label
 * @typedef {{label: Label, edge: SVGElement, text: SVGElement}} Shown
 */

export class EdgeLabels {
  /** @param {SVGSVGElement} svg @param {Map<string, SVGElement[]>} edges those of each node */
  constructor(svg, edges) {
    this.svg = svg;
    this.edges = edges;
    /** What is shown, by its edge. @type {Map<string, Shown>} */
    this.shown = new Map();
    /** The texts that were made, by their edge; null if the picture has no such edge. @type {Map<string, {edge: SVGElement, text: SVGElement} | null>} */
    this.made = new Map();
    /** @type {SVGElement | null} */
    this.group = null;
  }

  /**
   * Shows these labels, and changes only what differs from the labels before. An edge that is not in the picture gets none. If several
   * labels belong to an edge, because a fold has replaced their nodes, the last one is shown.
   * @param {Label[]} labels
   */
  show(labels) {
    const wanted = new Map(labels.map((label) => [`${label.source} ${label.target}`, label]));
    for (const [key, { edge, text }] of this.shown) {
      if (wanted.has(key)) continue;
      text.remove();
      edge.classList.remove("flowing");
      this.shown.delete(key);
    }
    for (const [key, label] of wanted) this.set(key, label);
  }

  /** @param {string} key @param {Label} label */
  set(key, label) {
    const before = this.shown.get(key)?.label;
    if (before?.words === label.words && before.now === label.now) return;
    const parts = this.partsOf(key, label);
    if (!parts) return;
    const { edge, text } = parts;
    if (before?.words !== label.words) text.textContent = label.words;
    text.setAttribute("class", label.now ? "flow now" : "flow");
    edge.classList.toggle("flowing", label.now);
    if (!before) this.group?.append(text);
    this.shown.set(key, { label, edge, text });
  }

  /** The edge of a label, and a text beside its middle; null if there is no such edge. @param {string} key @param {Label} label */
  partsOf(key, { source, target }) {
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const edge = this.edges.get(source)?.find(({ dataset }) => dataset["source"] === source && dataset["target"] === target);
    const line = edge?.querySelector("path.line");
    const parts = edge && line instanceof SVGPathElement ? { edge, text: this.beside(line) } : null;
    this.made.set(key, parts);
    return parts;
  }

  /** @param {SVGPathElement} line */
  beside(line) {
    if (!this.group) {
      this.group = document.createElementNS(SVG, "g");
      this.group.setAttribute("class", "flows");
      this.svg.append(this.group);
    }
    const { x, y } = line.getPointAtLength(line.getTotalLength() / 2);
    const text = document.createElementNS(SVG, "text");
    text.setAttribute("x", String(x + BESIDE));
    text.setAttribute("y", String(y));
    text.setAttribute("dy", "0.35em");
    return text;
  }
}
