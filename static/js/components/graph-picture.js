/** A graph's picture on its stage: d3-zoom zooms and moves it, in the units of its view box. */

import { select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform } from "d3-zoom";

const CLOSEST = 8;

/** Larger than drawn looks clumsy beside the text: there a small graph keeps its size. */
const LARGEST_SCALE = 1.12;

/** Of a wheel with Ctrl, as browsers send a pinch: one factor of e a hundred pixels, as a power of 2. */
const PINCH = 0.01 * Math.LOG2E;

export class Picture {
  /** @param {SVGSVGElement} svg not yet on its stage @param {() => void} onMove */
  constructor(svg, onMove) {
    this.svg = svg;
    const { width, height } = (this.whole = svg.viewBox.baseVal);
    svg.style.setProperty("--tallest", `${height * LARGEST_SCALE}px`);
    svg.style.setProperty("--ratio", `${height / width}`);
    const moving = document.createElementNS("http://www.w3.org/2000/svg", "g");
    moving.append(...svg.childNodes);
    svg.append(moving);
    /** @type {import("d3-zoom").ZoomBehavior<SVGSVGElement, unknown>} */
    this.behaviour = zoom();
    this.behaviour
      .scaleExtent([1, CLOSEST])
      .translateExtent([[this.whole.x, this.whole.y], [this.whole.x + width, this.whole.y + height]])
      .filter((event) => this.wants(event))
      .wheelDelta((event) => -event.deltaY * PINCH)
      .on("zoom", ({ transform }) => {
        moving.setAttribute("transform", transform.toString());
        onMove();
      });
    this.selection = select(svg).call(this.behaviour).on("dblclick.zoom", null);
  }

  get closer() {
    return zoomTransform(this.svg).k > 1.001;
  }

  /** The wheel alone and one finger scroll the page, as long as there is nothing to move. @param {MouseEvent | WheelEvent | TouchEvent} event */
  wants(event) {
    if (event.type === "wheel") return event.ctrlKey;
    const fingers = "touches" in event ? event.touches.length : 1;
    return fingers > 1 || (this.closer && !event.ctrlKey && !("button" in event && event.button));
  }

  /** @param {number} factor */
  zoom(factor) {
    this.behaviour.scaleBy(this.selection, factor);
  }

  /** Moves the view, by shares of what is seen. @param {number} across @param {number} down */
  pan(across, down) {
    const { k } = zoomTransform(this.svg);
    this.behaviour.translateBy(this.selection, (-across * this.whole.width) / k, (-down * this.whole.height) / k);
  }

  fit() {
    this.behaviour.transform(this.selection, zoomIdentity);
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
