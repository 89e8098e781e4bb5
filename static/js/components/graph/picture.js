/**
 * A graph's picture on its stage. d3-zoom scales and moves the sheet that it lies on, in pixels; at a scale of 1 its text measures at least
 * 11 px.
 */

import { select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform } from "d3-zoom";

import { GraphWalk } from "../../lib/graph/walk.js";
import { Culling } from "./culling.js";
import { Marks } from "./marks.js";

/**
 * The largest scale to open with. Beside the text a small graph is not enlarged, except as much as the page's own text is on a wide screen;
 * in full screen, which is for a projector, it is.
 */
const LARGEST_OPENING = 1.12;
const LARGEST_FULL = 3;

/** A picture that fits at this scale or a larger one opens whole, because its text can then be read. */
const SMALLEST_WHOLE = 0.88;

/** If at least this share of a picture is visible, it gets no overview. */
const MOST_SEEN = 0.7;

const CLOSEST = 4;
const STEP = 1.3;
const MARGIN = 8;

/** The zoom factor of a wheel event with Ctrl, which browsers also send for a pinch: e for 100 pixels, as a power of 2. */
const PINCH = 0.01 * Math.LOG2E;

export class Picture {
  /** @param {SVGSVGElement} svg @param {HTMLElement} stage @param {() => void} onMove */
  constructor(svg, stage, onMove) {
    this.stage = stage;
    this.onMove = onMove;
    this.moved = false;
    const [x = 0, y = 0, width = 1, height = 1] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
    /** The picture's box in its own units, which are pixels at a scale of 1. @type {import("./graph-map.js").View} */
    this.size = { x, y, width, height };
    svg.style.width = `${width}px`;
    svg.style.height = `${height}px`;
    this.sheet = document.createElement("div");
    this.sheet.className = "graph-sheet";
    this.sheet.append(svg);
    this.marks = new Marks(svg);
    this.culling = new Culling(this.marks, this.size);
    this.walk = new GraphWalk(this.marks.boxes, this.marks.links);
    /** @type {import("d3-zoom").ZoomBehavior<HTMLElement, unknown>} */
    this.behaviour = zoom();
    this.behaviour
      .filter((event) => this.wants(event))
      .wheelDelta((event) => -event.deltaY * PINCH)
      .on("zoom", ({ transform, sourceEvent }) => {
        if (sourceEvent) this.moved = true;
        this.sheet.style.transform = `translate3d(${transform.x}px, ${transform.y}px, 0) scale(${transform.k})`;
        this.culling.follow(this.view, transform.k);
        onMove();
      });
    stage.querySelector(".graph-sheet")?.remove();
    stage.prepend(this.sheet);
    this.selection = select(stage).call(this.behaviour).on("dblclick.zoom", null);
    this.open();
  }

  /** Returns how much larger than 16 px the page's text is. */
  get enlarged() {
    return Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16);
  }

  /** Returns the scale at which the picture is as wide as the stage. */
  get wide() {
    const largest = this.stage.closest(":fullscreen, .filling") ? LARGEST_FULL : LARGEST_OPENING * this.enlarged;
    return Math.min(largest, this.stage.clientWidth / (this.size.width + 2 * MARGIN));
  }

  /** Returns the scale at which the whole picture is visible. */
  get whole() {
    return Math.min(this.wide, this.stage.clientHeight / (this.size.height + 2 * MARGIN)) || 1;
  }

  /**
   * Returns the scale to open with: `whole`, the scale at which the whole picture fits, or the page's own scale if the text could not be
   * read at `whole`.
   * @param {number} whole
   */
  opening(whole) {
    return whole < SMALLEST_WHOLE * this.enlarged ? this.enlarged : whole;
  }

  get scale() {
    return zoomTransform(this.stage).k;
  }

  /** Returns the visible section, in the picture's units. */
  get view() {
    const { x, y, k } = zoomTransform(this.stage);
    return { x: -x / k, y: -y / k, width: this.stage.clientWidth / k, height: this.stage.clientHeight / k };
  }

  /** Whether a part of the picture is outside the stage. */
  get movable() {
    return this.scale > this.whole * 1.001;
  }

  /** Whether so much is outside the stage that an overview helps. */
  get vast() {
    const { width, height } = this.view;
    return Math.min(1, width / this.size.width) * Math.min(1, height / this.size.height) < MOST_SEEN;
  }

  /**
   * Shows the whole picture if its text can then be read. Otherwise shows it at a readable scale, with the first output, or else the top,
   * in view.
   */
  open() {
    const {
      stage,
      marks: { asked, topX },
    } = this;
    stage.style.setProperty("--tallest", `${this.size.height * this.opening(this.wide) + 2 * MARGIN}px`);
    this.bound();
    this.behaviour.transform(this.selection, zoomIdentity.scale(this.opening(this.whole)));
    const middle = stage.clientWidth / 2;
    if (asked) this.behaviour.translateTo(this.selection, asked.x, asked.y + asked.height / 2, [middle, stage.clientHeight - MARGIN]);
    else this.behaviour.translateTo(this.selection, topX, 0, [middle, MARGIN]);
    this.moved = false;
  }

  /** Sets the limits of zooming: from the whole picture in the middle of the stage to the largest scale. */
  bound() {
    const { whole, size, stage } = this;
    const across = Math.max(0, stage.clientWidth / whole - size.width) / 2;
    const down = Math.max(0, stage.clientHeight / whole - size.height) / 2;
    this.behaviour.scaleExtent([whole, CLOSEST]).translateExtent([
      [-across, -down],
      [size.width + across, size.height + down],
    ]);
  }

  /** Adjusts the picture to a new size of the stage. */
  resize() {
    if (!this.moved) return this.open();
    this.bound();
    this.behaviour.scaleBy(this.selection, 1);
  }

  /**
   * Returns whether an event may zoom or move the picture. While the whole picture is visible, the plain wheel and one finger scroll the
   * page.
   * @param {MouseEvent | WheelEvent | TouchEvent} event
   */
  wants(event) {
    if (event.target instanceof Element && event.target.closest("graph-map")) return false;
    if (event.type === "wheel") return event.ctrlKey;
    const fingers = "touches" in event ? event.touches.length : 1;
    return fingers > 1 || (this.movable && !event.ctrlKey && !("button" in event && event.button));
  }

  /** Marks these nodes, and no others, as search results. @param {Set<string>} ids */
  mark(ids) {
    this.marks.mark("match", ids);
    this.culling.highlight(ids);
  }

  /** @param {1 | -1} direction 1 zooms in, -1 out */
  zoom(direction) {
    this.moved = true;
    this.behaviour.scaleBy(this.selection, STEP ** direction);
  }

  /** @param {number} scale */
  zoomTo(scale) {
    this.moved = true;
    this.behaviour.scaleTo(this.selection, scale);
  }

  fit() {
    this.moved = true;
    this.behaviour.transform(this.selection, zoomIdentity.scale(this.whole));
    this.center(this.size.width / 2, this.size.height / 2);
  }

  /** Centres a node at a readable scale, unless it is visible and readable already. @param {string} id */
  show(id) {
    const box = this.walk.boxes.get(id);
    if (!box) return;
    const { x, y, width, height } = this.view;
    const inSight =
      Math.abs(box.x - x - width / 2) < (width - box.width) / 2 && Math.abs(box.y - y - height / 2) < (height - box.height) / 2;
    const canBeRead = this.scale >= SMALLEST_WHOLE;
    if (inSight && canBeRead) return;
    if (!canBeRead) this.zoomTo(1);
    this.center(box.x, box.y);
  }

  /** @param {number} x @param {number} y in the picture's units */
  center(x, y) {
    this.moved = true;
    this.behaviour.translateTo(this.selection, x, y);
  }

  /** Moves the view by shares of the visible section. @param {number} across @param {number} down */
  pan(across, down) {
    const { width, height } = this.view;
    this.moved = true;
    this.behaviour.translateBy(this.selection, -across * width, -down * height);
  }
}
