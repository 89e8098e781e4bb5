/** A graph's picture on its stage: d3-zoom zooms and moves it, in the units of its view box. */

import { select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform } from "d3-zoom";

/** How many times as large as the whole picture on its stage, at least. */
const CLOSEST = 8;

/** On a stage that is no smaller than this, in pixels, the closest view of the largest picture can be read. */
const SMALLEST_STAGE = 260;

/** From the whole picture to the closest view, at most. */
const STEPS = 10;
const SMALLEST_STEP = 1.3;

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
    this.closest = Math.max(CLOSEST, width / SMALLEST_STAGE, height / SMALLEST_STAGE);
    svg.classList.toggle("vast", this.closest > CLOSEST);
    const moving = document.createElementNS("http://www.w3.org/2000/svg", "g");
    moving.append(...svg.childNodes);
    svg.append(moving);
    /** @type {import("d3-zoom").ZoomBehavior<SVGSVGElement, unknown>} */
    this.behaviour = zoom();
    this.behaviour
      .scaleExtent([1, this.closest])
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

  /** @param {1 | -1} direction nearer, or away */
  zoom(direction) {
    const step = Math.max(SMALLEST_STEP, this.closest ** (1 / STEPS));
    this.behaviour.scaleBy(this.selection, step ** direction);
  }

  /** Brings a node to the middle, as large as it is drawn, if it cannot be read where it is. @param {string} id */
  show(id) {
    if (this.closest <= CLOSEST) return;
    const box = [...this.svg.querySelectorAll(".node")].find((node) => /** @type {SVGElement} */ (node).dataset["node"] === id);
    const rect = box?.querySelector("rect");
    if (!rect) return;
    const { x, y, width, height } = rect.getBBox();
    const stage = this.svg.getBoundingClientRect();
    const whole = Math.min(stage.width / this.whole.width, stage.height / this.whole.height);
    this.behaviour.scaleTo(this.selection, 1 / whole);
    this.behaviour.translateTo(this.selection, x + width / 2, y + height / 2);
  }

  /** Moves the view, by shares of what is seen. @param {number} across @param {number} down */
  pan(across, down) {
    const { k } = zoomTransform(this.svg);
    this.behaviour.translateBy(this.selection, (-across * this.whole.width) / k, (-down * this.whole.height) / k);
  }

  fit() {
    this.behaviour.transform(this.selection, zoomIdentity);
  }

  /** Brings out some nodes and the edges at `centre`, with the pieces of trunks that these go along; null for all alike. @param {string | null} centre @param {Set<string>} [near] */
  pick(centre, near = new Set()) {
    this.svg.classList.toggle("picking", centre !== null);
    /** How far along each trunk. @type {Map<string, number>} */
    const along = new Map();
    for (const part of this.svg.querySelectorAll(".node, .edge, .trunk")) {
      const { node, source, target, trunk = "", steps = "0" } = /** @type {SVGElement} */ (part).dataset;
      let picked = centre !== null && (node !== undefined ? near.has(node) : source === centre || target === centre);
      if (part.classList.contains("trunk")) picked = Number(steps) <= (along.get(trunk) ?? 0);
      else if (picked && trunk) along.set(trunk, Math.max(along.get(trunk) ?? 0, Number(steps)));
      part.classList.toggle("picked", picked);
    }
  }
}
