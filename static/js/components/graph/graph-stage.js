/**
 * The stage of a graph's picture. It handles the keyboard, the pointer and the overview. It dispatches `graph-point`, `graph-select` and
 * `graph-open` with a node's id or null, and `graph-view-moved` when the visible section changes.
 */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import "./graph-map.js";
import { Picture } from "./picture.js";
import { Panel } from "../results/panel.js";
import { adoptSvg } from "../page/svg.js";

/** @typedef {import("../../lib/graph/walk.js").Arrow} Arrow */

const STEP = 0.15;
const WAYS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

export class GraphStage extends Panel {
  /** @override */
  static properties = {
    svg: { attribute: false },
    prefix: { attribute: false },
    pointed: { attribute: false },
    selected: { attribute: false },
    marked: { attribute: false },
    step: { attribute: false },
    view: { state: true },
  };

  constructor() {
    super();
    this.svg = "";
    /** Returns whether the picture has a node with this id. */
    this.prefix = "";
    /** @type {string | null} */
    this.pointed = null;
    /** @type {string | null} */
    this.selected = null;
    /** @type {Set<string>} */
    this.marked = new Set();
    /** The step of a backward pass that the picture shows. @type {import("./trace-views.js").PictureStep | null} */
    this.step = null;
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {import("./graph-map.js").View | null} */
    this.view = null;
    this.watcher = new ResizeObserver(() => this.picture?.resize());
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.watcher.disconnect();
  }

  /** @override */
  connectedCallback() {
    super.connectedCallback();
    if (this.stage) this.watcher.observe(this.stage);
  }

  get stage() {
    return /** @type {HTMLElement | null} */ (this.querySelector(".stage-area"));
  }

  /** @override */
  firstUpdated() {
    if (this.stage) this.watcher.observe(this.stage);
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  updated(changed) {
    if (changed.has("svg")) this.draw();
    if (changed.has("svg") || changed.has("marked")) this.picture?.mark(this.marked);
    if (changed.has("svg") || changed.has("selected")) this.picture?.marks.mark("selected", new Set(this.selected ? [this.selected] : []));
    if (changed.has("svg") || changed.has("selected") || changed.has("pointed")) {
      const centre = this.pointed ?? this.selected;
      this.picture?.marks.pick(centre, centre === null ? [] : this.picture.walk.near(centre));
    }
    if (changed.has("svg") || changed.has("step")) this.showStep();
  }

  /** Marks the node that runs, writes what was sent beside the edges, and scrolls to the node if it is out of sight. */
  showStep() {
    const { picture, step } = this;
    if (!picture) return;
    picture.marks.mark("running", new Set(step?.node && !step.failed ? [step.node] : []));
    picture.marks.mark("failed", new Set(step?.node && step.failed ? [step.node] : []));
    picture.marks.labels.show(step?.labels ?? []);
    if (step?.node && picture.movable) picture.show(step.node);
  }

  draw() {
    const svg = adoptSvg(this.svg, this.prefix);
    this.picture = null;
    this.picture = svg && this.stage && new Picture(svg, this.stage, () => this.onMove());
    this.onMove();
  }

  onMove() {
    if (!this.picture) return;
    this.view = this.picture.view;
    this.dispatchEvent(new CustomEvent("graph-view-moved"));
  }

  /** @override */
  render() {
    const { picture } = this;
    return html`<div
      class="stage-area ${picture?.movable ? "movable" : ""}"
      tabindex="0"
      role="group"
      aria-label=${t(
        "Picture of the graph. Enter selects a node; then arrow keys walk along the edges, Enter opens it, Escape " +
          "leaves it. With no node selected, or with Shift, arrow keys move the picture. Plus and minus zoom, 1 is the " +
          "actual size, 0 fits. The list has the same in words.",
      )}
      @keydown=${this.onKey}
      @wheel=${(/** @type {WheelEvent} */ event) => event.ctrlKey && event.preventDefault()}
      @pointerover=${(/** @type {PointerEvent} */ event) => this.tell("graph-point", nodeAt(event))}
      @pointerleave=${() => this.tell("graph-point", null)}
      @click=${this.onClick}
    >
      ${picture?.vast ? html`<graph-map .picture=${picture} .view=${this.view}></graph-map>` : nothing}
    </div>`;
  }

  /** @param {string} name @param {string | null} id */
  tell(name, id) {
    if (name === "graph-point" && id === this.pointed) return;
    this.dispatchEvent(new CustomEvent(name, { detail: id }));
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const id = nodeAt(event);
    if (id === null) return;
    this.tell("graph-select", id);
    this.tell("graph-open", id);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { picture } = this;
    if (!picture || event.target !== this.stage || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = WAYS[/** @type {Arrow} */ (event.key)];
    /** @type {Record<string, () => void>} */
    const acts = {
      "+": () => picture.zoom(1),
      "=": () => picture.zoom(1),
      "-": () => picture.zoom(-1),
      0: () => picture.fit(),
      1: () => picture.zoomTo(1),
      Enter: () => this.enter(picture),
    };
    if (this.selected !== null) acts["Escape"] = () => this.tell("graph-select", null);
    if (way && this.selected !== null && !event.shiftKey) acts[event.key] = () => this.walk(picture, /** @type {Arrow} */ (event.key));
    else if (way && picture.movable) acts[event.key] = () => picture.pan(way[0] ?? 0, way[1] ?? 0);
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  /** Opens the selected node. If none is selected, selects the node in the middle. @param {Picture} picture */
  enter(picture) {
    if (this.selected !== null) return this.tell("graph-open", this.selected);
    const { x, y, width, height } = picture.view;
    this.tell("graph-select", picture.walk.nearest(x + width / 2, y + height / 2));
  }

  /** @param {Picture} picture @param {Arrow} arrow */
  walk(picture, arrow) {
    const id = this.selected && picture.walk.step(this.selected, arrow);
    if (!id) return;
    this.tell("graph-select", id);
    picture.show(id);
  }
}

/** @param {Event} event */
function nodeAt(event) {
  const node = event.target instanceof Element ? /** @type {SVGElement | null} */ (event.target.closest(".node")) : null;
  return node?.dataset["node"] ?? null;
}

customElements.define("graph-stage", GraphStage);
