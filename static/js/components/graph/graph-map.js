/**
 * The overview of a graph that is larger than its stage: all boxes, with a frame around the visible section. The pointer moves the frame;
 * keys move the stage itself.
 */

import { html, svg } from "lit";

import { Panel } from "../results/panel.js";

/** The least width and height in pixels. A very long or very wide picture is drawn distorted to reach them. */
const LARGEST = 104;
const NARROWEST = 24;

/** The largest share of the stage that the overview covers. */
const SHARE = 0.26;

/** @typedef {{x: number, y: number, width: number, height: number}} View */

class GraphMap extends Panel {
  /** @override */
  static properties = { picture: { attribute: false }, view: { attribute: false } };

  constructor() {
    super();
    /** @type {import("./picture.js").Picture | null} */
    this.picture = null;
    /** The visible section, in the picture's units. @type {View | null} */
    this.view = null;
    /** The boxes as one path for each kind, and the picture from which they were made. @type {{of: unknown, paths: unknown[]}} */
    this.drawn = { of: null, paths: [] };
  }

  /** @override */
  render() {
    const { picture, view } = this;
    if (!picture || !view) return html``;
    const { width, height } = picture.size;
    const room = Math.min(LARGEST, SHARE * picture.stage.clientWidth);
    const scale = Math.min(room / width, room / height);
    const [across, down] = [Math.max(NARROWEST, width * scale), Math.max(NARROWEST, height * scale)];
    if (this.drawn.of !== picture) this.drawn = { of: picture, paths: paths(picture) };
    const [x, y] = [Math.max(0, view.x), Math.max(0, view.y)];
    const frame = { width: Math.min(width, view.x + view.width) - x, height: Math.min(height, view.y + view.height) - y };
    return html`<svg width=${across} height=${down} viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"
      @pointerdown=${this.go} @pointermove=${(/** @type {PointerEvent} */ event) => event.buttons && this.go(event)}>
      ${this.drawn.paths}<rect class="seen" x=${x} y=${y} width=${Math.max(0, frame.width)} height=${Math.max(0, frame.height)}></rect>
    </svg>`;
  }

  /** @param {PointerEvent} event */
  go(event) {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const { width, height } = this.picture?.size ?? { width: 0, height: 0 };
    event.preventDefault();
    this.picture?.center(((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height);
  }
}

/** @param {import("./picture.js").Picture} picture */
function paths({ marks }) {
  return marks.outlines().map(([kind, path]) => svg`<path class="box ${kind}" d=${path}></path>`);
}

customElements.define("graph-map", GraphMap);
