/** What a backward pass has sent along the edges of a picture, written beside them. */

const SVG = "http://www.w3.org/2000/svg";

/** From the edge to its label, in the picture's units. */
const BESIDE = 7;

/** @typedef {{source: string, target: string, words: string, now: boolean}} Label  `now`: sent in the step that is shown */

export class EdgeLabels {
  /** @param {SVGSVGElement} svg @param {Map<string, SVGElement[]>} edges those of each node */
  constructor(svg, edges) {
    this.svg = svg;
    this.edges = edges;
    /** @type {SVGElement | null} */
    this.group = null;
  }

  /** Replaces the labels. An edge that is not in the picture gets none. @param {Label[]} labels */
  show(labels) {
    this.group?.remove();
    this.group = null;
    for (const part of this.svg.querySelectorAll(".edge.flowing")) part.classList.remove("flowing");
    if (!labels.length) return;
    this.group = document.createElementNS(SVG, "g");
    this.group.setAttribute("class", "flows");
    for (const label of labels) this.add(label, this.group);
    this.svg.append(this.group);
  }

  /** @param {Label} label @param {SVGElement} group */
  add({ source, target, words, now }, group) {
    const edge = this.edges.get(source)?.find(({ dataset }) => dataset["source"] === source && dataset["target"] === target);
    const line = edge?.querySelector("path.line");
    if (!edge || !(line instanceof SVGPathElement)) return;
    if (now) edge.classList.add("flowing");
    const { x, y } = line.getPointAtLength(line.getTotalLength() / 2);
    const text = document.createElementNS(SVG, "text");
    text.setAttribute("class", now ? "flow now" : "flow");
    text.setAttribute("x", String(x + BESIDE));
    text.setAttribute("y", String(y));
    text.setAttribute("dy", "0.35em");
    text.textContent = words;
    group.append(text);
  }
}
