/**
 * A backward graph: its picture (folded, whole, or one repetition of a fold) on a stage, a search field, the details of the selected node,
 * and the text twin.
 */

import { html, nothing } from "lit";

import { Exploration } from "../../lib/graph/exploration.js";
import { loadFormulas } from "../../lib/graph/formulas.js";
import { foldName } from "../../lib/graph/folds.js";
import { inARow, t } from "../../lib/words.js";
import { FullScreen } from "../page/full-screen.js";
import { details } from "./details.js";
import { graphMenu } from "./graph-menu.js";
import { searchField } from "./search.js";
import "./graph-stage.js";
import { sceneSwitch, viewSwitch, zoomTools } from "./tools.js";
import "./graph-twin.js";
import { TraceViews } from "./trace-views.js";
import { PageElement } from "../page/page-element.js";
import { lineLink, panel } from "../results/panel.js";

/** @typedef {import("../../lib/types.js").GraphRecord} GraphRecord */

/** A graph with fewer nodes than this gets no search field. */
const SEARCHED = 20;

/** The value, as JSON, when nothing is lit in the editors. */
const UNLIT = "[null,[]]";

let count = 0;

export class GraphView extends PageElement {
  /** @override */
  static properties = { record: { attribute: false }, cell: { attribute: false }, pointed: { state: true }, copied: { state: true } };

  constructor() {
    super();
    /** @type {GraphRecord | null} */
    this.record = null;
    /** The cell whose result contains the record. @type {import("../../state/cell-state.js").CellState | null} */
    this.cell = null;
    this.traceViews = new TraceViews(this);
    /** @type {Exploration | null} */
    this.exploration = null;
    /** @type {string | null} */
    this.pointed = null;
    this.copied = false;
    /** @type {Promise<void> | null} */
    this.loading = null;
    /** What this view has lit in the editors, as JSON. */
    this.lit = UNLIT;
    /** The legend that the page shows before the first run. */
    this.allKinds = document.querySelector(".empty .graph-legend")?.cloneNode(true) ?? null;
    /** The legend of the kinds that this graph has. @type {HTMLElement | null} */
    this.legend = null;
    this.fullScreen = new FullScreen(this);
    this.idPrefix = `graph-${++count}`;
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    if (this.lit === UNLIT) return;
    this.lit = UNLIT;
    this.cell?.page.light(null, [], this.cell);
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("record") && this.record?.kind === "traced_graph" && !this.exploration && this.traceViews.views.includes("steps"))
      this.traceViews.go("steps");
    const graph = this.record && this.graphToShow(this.record, changed.has("record"));
    if (graph !== (this.exploration?.graph ?? null)) this.explore(graph, !changed.has("record"));
  }

  /** @override */
  updated() {
    if (!this.isConnected) return;
    this.traceViews.ask();
    const { exploration, cell } = this;
    if (exploration?.row?.node.kind === "function" && this.runtime === "torch")
      this.loading ??= loadFormulas().then(() => this.requestUpdate());
    const isFolded = this.closest("details:not([open])") !== null;
    const span = (!isFolded && exploration && this.traceViews.spanOf(this.pointed ?? exploration.selected)) || null;
    const notes = isFolded ? [] : this.traceViews.notes;
    const lit = JSON.stringify([span, notes]);
    if (lit === this.lit || !cell) return;
    this.lit = lit;
    cell.page.light(span, notes, cell);
  }

  /**
   * The graph to show: that of the second run if there is one, else the record. A picture that the reader has moved remains until the
   * reader chooses another view.
   * @param {GraphRecord} record
   * @param {boolean} isNew
   */
  graphToShow(record, isNew) {
    const traced = this.traceViews.graph;
    const shown = this.exploration?.graph;
    if (!isNew && shown && shown !== traced && this.traceViews.view === "graph" && this.stage?.picture?.moved) return shown;
    return traced ?? record;
  }

  /** @param {GraphRecord | null} graph @param {boolean} isSame whether it is the same graph as before, of the second run */
  explore(graph, isSame) {
    const before = this.exploration;
    this.exploration = graph && new Exploration(graph);
    if (this.exploration && before && isSame) {
      this.exploration.listing = before.listing;
      this.exploration.search(before.words);
    }
    if (this.exploration && before?.selected && this.exploration.byId.has(before.selected)) this.exploration.selected = before.selected;
    this.legend = /** @type {HTMLElement | null} */ (this.allKinds?.cloneNode(true) ?? null);
    for (const part of /** @type {Iterable<HTMLElement>} */ (this.legend?.children ?? []))
      part.hidden = !this.exploration?.kinds.has(part.dataset["kind"] ?? "");
  }

  /** The framework of the graph. */
  get runtime() {
    return this.cell?.results.value.result?.runtime ?? "torch";
  }

  /** @returns {import("./graph-stage.js").GraphStage | null} */
  get stage() {
    return this.querySelector("graph-stage");
  }

  /** @override */
  render() {
    const { record: graph, exploration } = this;
    if (!graph || !exploration) return nothing;
    const { scene, isolated } = exploration;
    const nodes = graph.nodes.length === 1 ? t("1 node") : t("{count} nodes", { count: graph.nodes.length });
    const size = isolated && graph.nodes.length > 1 ? inARow([nodes, t("{count} isolated", { count: isolated })]) : nodes;
    const { traceViews } = this;
    const views = viewSwitch(traceViews.views, traceViews.view, (view) => this.showView(view));
    const list = () => this.change(() => (exploration.listing = !exploration.listing));
    return panel(
      {
        label: t("Backward graph"),
        end: html`${size}${graph.span ? html` · ${lineLink(graph.span)}` : nothing}`,
        filling: this.fullScreen.filling,
      },
      html`<div class="panel-tools">
          ${views} <span class="gap"></span> ${scene && !traceViews.hidesPicture ? zoomTools(this) : nothing}
          ${graphMenu(this, graph, { listing: exploration.listing, list }, scene?.svg)}
        </div>
        ${
          graph.note || !scene
            ? html`<p class="panel-meaning">${graph.note ?? t("There is no picture of this graph; its nodes are listed below.")}</p>`
            : nothing
        }
        ${traceViews.hidesPicture ? nothing : this.pictured(exploration)} ${traceViews.render(exploration.graph)}
        ${
          this.legend && traceViews.view === "graph" && this.runtime === "torch"
            ? html`<details class="folded-part">
                <summary>${t("What the colours mean")}</summary>
                ${this.legend}
              </details>`
            : nothing
        }
        ${exploration.listing || !scene ? this.list(exploration) : nothing}`,
    );
  }

  /** @param {import("./tools.js").View} view */
  showView(view) {
    if (this.exploration) this.exploration.selected = null; // the card of a selected node would be between picture and steps
    this.traceViews.go(view);
  }

  /** The picture, with the parts above and below it. @param {Exploration} exploration */
  pictured(exploration) {
    const { scene, rows } = exploration;
    return html`${rows.length < SEARCHED ? nothing : this.above(exploration)} ${scene ? this.picture(exploration, scene.svg) : nothing}`;
  }

  /** The row above the stage: the choice of the picture, and the search field. @param {Exploration} exploration */
  above(exploration) {
    const go = (/** @type {number} */ match) => {
      exploration.at = match;
      this.show(exploration.found[match] ?? "");
    };
    return html`<div class="graph-above">
      ${sceneSwitch(exploration, (name) => this.change(() => exploration.go(name, null)))}
      ${searchField(exploration, (words) => this.change(() => exploration.search(words)), go)}
    </div>`;
  }

  /** @param {Exploration} exploration @param {string} svg */
  picture(exploration, svg) {
    const { selected, marked } = exploration;
    const { traceViews } = this;
    return html`<graph-stage
        .svg=${svg}
        .prefix=${this.idPrefix}
        .pointed=${this.pointed}
        .selected=${selected}
        .marked=${exploration.words || !traceViews.trace ? marked : this.marked(exploration)}
        .step=${traceViews.stepOn(exploration)}
        @graph-point=${this.onPoint}
        @graph-view-moved=${() => this.requestUpdate()}
        @graph-select=${(/** @type {CustomEvent<string | null>} */ event) => this.change(() => (exploration.selected = event.detail))}
        @graph-open=${(/** @type {CustomEvent<string>} */ event) => this.open(event.detail)}
      ></graph-stage>
      ${
        traceViews.view === "steps" && selected === null
          ? nothing
          : details(
              exploration,
              (fold, where) => this.change(() => exploration.unfold(fold, where), true),
              traceViews.missing,
              this.cell,
              this.runtime,
            )
      }`;
  }

  /** The nodes to mark: those of the line under the cursor, and the marked ones. @param {Exploration} exploration @returns {Set<string>} */
  marked({ marked, scene, folds }) {
    return new Set([...marked, ...this.traceViews.atCursor.map((id) => folds.standIn(scene?.name ?? "", id))]);
  }

  /** @param {Exploration} exploration */
  list(exploration) {
    const { within, listed, selected, found } = exploration;
    return html`${
      within
        ? html`<p class="twin-within">
              ${t("Only the nodes in {fold}", { fold: foldName(within) })}
              <button class="ghost" type="button" @click=${() => this.change(() => exploration.keepTo(null))}>${t("List all")}</button>
            </p>`
        : nothing
    }
      <graph-twin
        .rows=${listed}
        .picked=${this.pointed ?? selected}
        .found=${found.length > 0}
        @graph-point=${this.onPoint}
        @graph-show=${(/** @type {CustomEvent<string>} */ event) => this.show(event.detail)}
      ></graph-twin>`;
  }

  /** @param {CustomEvent<string | null>} event */
  onPoint(event) {
    this.pointed = event.detail;
  }

  /**
   * Calls `act` on the exploration, and then scrolls to the selected node if the exploration asks for it.
   * @param {() => void} act
   * @param {boolean} [showing]
   */
  change(act, showing = false) {
    act();
    this.requestUpdate();
    if (showing) void this.bringUp();
  }

  async bringUp() {
    await this.updateComplete;
    await this.stage?.updateComplete;
    const id = this.exploration?.selected;
    if (id) this.stage?.picture?.show(id);
  }

  /** Opens a node: unfolds a fold, and for any other node moves the editor's cursor to its line. @param {string} id */
  open(id) {
    const { exploration } = this;
    const fold = exploration?.folds.all.get(id);
    if (exploration && fold) return this.change(() => exploration.unfold(fold), true);
    const node = exploration?.byId.get(id)?.node;
    const place = node?.span ?? (node?.line ? { cell: this.record?.span?.cell ?? null, line: node.line, column: null } : null);
    if (place) this.dispatchEvent(new CustomEvent("go-to-line", { bubbles: true, detail: place }));
  }

  /** Selects a node and brings it into sight. @param {string} id */
  show(id) {
    this.change(() => this.exploration?.show(id, (shown) => this.stage?.picture?.walk.boxes.has(shown) ?? false), true);
  }
}

/** @param {GraphRecord} record @param {import("../../state/cell-state.js").CellState | null} cell */
export function view(record, cell) {
  return html`<graph-view .record=${record} .cell=${cell}></graph-view>`;
}

/** @param {GraphRecord} record */
export function name(record) {
  if (record.kind === "graph") return t("Graph");
  return record.span ? t("The backward pass of line {line}", { line: record.span.line }) : t("Backward pass");
}

customElements.define("graph-view", GraphView);
