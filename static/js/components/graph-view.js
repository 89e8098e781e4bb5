/** A backward graph: its picture, which zooms, moves, fits and fills the screen, and its text twin. */

import { html, nothing } from "lit";

import { neighbourhood, rows } from "../lib/graph-twin.js";
import { inARow, t } from "../lib/words.js";
import { FullScreen } from "./full-screen.js";
import { Picture } from "./graph-picture.js";
import { graphTwin, ROWS_AT_ONCE } from "./graph-twin.js";
import { icon } from "./icons.js";
import { lineLink, Panel, tool } from "./panel.js";
import { adoptSvg, exportSvg } from "./svg.js";
import { copy, download } from "./takeaway.js";

/** @typedef {import("../lib/types.js").GraphDisplay} GraphDisplay */

/** The rules of graph.css that a picture takes along: not those of a node that is pointed at. */
const RULES = /^\.graph[\s.](?!.*picking)/;

let count = 0;

class GraphView extends Panel {
  /** @override */
  static properties = {
    display: { attribute: false },
    picked: { state: true },
    closer: { state: true },
    twin: { state: true },
    limit: { state: true },
    copied: { state: true },
  };

  constructor() {
    super();
    /** @type {GraphDisplay | null} */
    this.display = null;
    /** @type {string | null} */
    this.picked = null;
    this.closer = false;
    this.twin = false;
    this.copied = false;
    this.alone = 0;
    /** @type {import("../lib/graph-twin.js").Row[]} */
    this.rows = [];
    this.limit = ROWS_AT_ONCE;
    /** @type {Picture | null} */
    this.picture = null;
    /** What the colours mean, as the page tells it before the first run. */
    this.legend = document.querySelector(".empty .legend")?.cloneNode(true) ?? null;
    this.fullScreen = new FullScreen(this);
    this.idPrefix = `graph-${++count}`;
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (!changed.has("display")) return;
    this.rows = this.display ? rows(this.display) : [];
    this.alone = this.rows.filter((row) => row.isolated).length;
    this.limit = ROWS_AT_ONCE;
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  updated(changed) {
    if (changed.has("display")) this.draw();
    if (changed.has("picked") && this.display) this.picture?.pick(this.picked, this.picked ? neighbourhood(this.display, this.picked) : undefined);
  }

  draw() {
    const svg = this.display?.svg ? adoptSvg(this.display.svg, this.idPrefix) : null;
    this.picture = svg && new Picture(svg, () => (this.closer = this.picture?.closer ?? false));
    this.closer = false;
    this.renderRoot.querySelector(".stage")?.replaceChildren(...(svg ? [svg] : []));
  }

  /** @override */
  render() {
    const graph = this.display;
    if (!graph) return nothing;
    return html`<article class="panel ${this.fullScreen.filling ? "filling" : ""}" aria-label=${t("Backward graph")} @keydown=${this.onKey}>
      <header><h3 tabindex="-1">${t("Backward graph")}</h3><span class="end">${this.size(graph)}${graph.line ? html` · ${lineLink(graph.cell, graph.line)}` : nothing}</span></header>
      ${graph.svg ? this.stage() : html`<p class="meaning">${graph.note ?? t("There is no picture of this graph; its nodes are listed below.")}</p>`}
      ${this.tools(graph)} ${this.legend ? html`<details class="folded"><summary>${t("What the colours mean")}</summary>${this.legend}</details>` : nothing} ${this.twin || !graph.svg ? graphTwin(this.rows, this.limit, this.picked, (id) => (this.picked = id), (id) => this.picture?.show(id), () => void this.more()) : nothing}
    </article>`;
  }

  /** @param {GraphDisplay} graph */
  size(graph) {
    const nodes = graph.nodes.length === 1 ? t("1 node") : t("{count} nodes", { count: graph.nodes.length });
    return this.alone && graph.nodes.length > 1 ? inARow([nodes, t("{count} isolated", { count: this.alone })]) : nodes;
  }

  stage() {
    return html`<div
      class="stage ${this.closer ? "closer" : ""}" tabindex="0" role="group"
      aria-label=${t("Picture of the graph. Plus and minus zoom, arrow keys move, 0 fits; the list has the same in words.")}
      @wheel=${(/** @type {WheelEvent} */ event) => event.ctrlKey && event.preventDefault()}
      @pointerover=${this.onOver} @pointerleave=${() => (this.picked = null)} @click=${this.onClick}
    ></div>`;
  }

  /** Lists more nodes; the keyboard goes to the first of them. */
  async more() {
    const before = this.limit;
    this.limit += ROWS_AT_ONCE;
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(`.twin tbody tr:nth-child(${before + 1}) .link`))?.focus();
  }

  /** @param {GraphDisplay} graph */
  tools(graph) {
    return html`<div class="panel-tools">
      ${graph.svg
        ? html`${tool(t("Zoom in"), icon("closer"), () => this.picture?.zoom(1))}
          ${tool(t("Zoom out"), icon("farther"), () => this.picture?.zoom(-1), !this.closer)}
          ${tool(t("Fit"), icon("fit"), () => this.picture?.fit(), !this.closer)}
          ${this.fullScreen.button()}
          <button class="ghost" type="button" aria-expanded=${this.twin} @click=${() => (this.twin = !this.twin)}>${t("As a list")}</button>`
        : nothing}
      <span class="gap"></span>
      ${graph.svg ? html`<button class="ghost" type="button" aria-label=${t("Download SVG")} title=${t("Download SVG")} @click=${() => download("graph.svg", exportSvg(graph.svg ?? "", RULES), "image/svg+xml")}>${icon("down")}SVG</button>` : nothing}
      ${graph.dot ? html`<button class="ghost" type="button" aria-label=${t("Download DOT")} title=${t("Download DOT")} @click=${() => download("graph.dot", graph.dot, "text/vnd.graphviz")}>${icon("down")}DOT</button>
        <button class="ghost" type="button" aria-label=${t("Copy DOT")} title=${t("Copy DOT")} @click=${() => this.copyDot(graph.dot)}>${icon(this.copied ? "pass" : "copy")}</button>` : nothing}
    </div>`;
  }

  /** @param {string} dot */
  async copyDot(dot) {
    this.copied = await copy(dot);
    setTimeout(() => (this.copied = false), 1500);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (!(event.target instanceof Element) || !event.target.matches(".stage") || event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, () => void>} */
    const acts = {
      "+": () => this.picture?.zoom(1),
      "=": () => this.picture?.zoom(1),
      "-": () => this.picture?.zoom(-1),
      0: () => this.picture?.fit(),
      ArrowLeft: () => this.picture?.pan(-0.15, 0),
      ArrowRight: () => this.picture?.pan(0.15, 0),
      ArrowUp: () => this.picture?.pan(0, -0.15),
      ArrowDown: () => this.picture?.pan(0, 0.15),
    };
    const act = acts[event.key];
    if (!act || (event.key.startsWith("Arrow") && !this.closer)) return;
    event.preventDefault();
    act();
  }

  /** @param {PointerEvent} event */
  onOver(event) {
    this.picked = this.nodeAt(event)?.dataset["node"] ?? null;
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    const line = Number(this.nodeAt(event)?.dataset["line"]);
    if (line) this.dispatchEvent(new CustomEvent("go-to-line", { bubbles: true, detail: { cell: this.display?.cell ?? null, line, column: null } }));
  }

  /** @param {Event} event @returns {SVGElement | null} */
  nodeAt(event) {
    return event.target instanceof Element ? event.target.closest(".node") : null;
  }
}

customElements.define("graph-view", GraphView);
