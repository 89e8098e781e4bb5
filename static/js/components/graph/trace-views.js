/**
 * What a graph view shows of the second run of its program: the steps of the backward passes under the picture, or what was saved in its
 * place. The modules for it are loaded when they are first needed.
 */

import { html, nothing } from "lit";

import { BackwardPass } from "../../lib/trace/backward-pass.js";
import { lineNotes } from "../../lib/trace/line-notes.js";
import { t } from "../../lib/words.js";
import { orMissing } from "../page/missing-part.js";
import { missingPaths } from "../trace/missing-paths.js";

/**
 * @typedef {import("../../lib/types.js").RunRecord} RunRecord
 * @typedef {import("../../lib/types.js").GraphRecord} GraphRecord
 * @typedef {import("../../lib/types.js").TracedGraphRecord} TracedGraphRecord
 * @typedef {import("./tools.js").View} View
 * @typedef {{pass: BackwardPass | null, at: number}} At  a step of a pass
 * @typedef {{node: string | null, failed: boolean, labels: import("../../lib/trace/backward-pass.js").Label[]}} PictureStep  the node that runs in a step,
 *   and what is written beside the edges
 */

export class TraceViews {
  /** @param {{record: GraphRecord | null, cell: import("../../state/cell-state.js").CellState | null, requestUpdate: () => void}} host */
  constructor(host) {
    this.host = host;
    /** @type {View} */
    this.view = "graph";
    /** @type {typeof import("../trace/trace-parts.js") | null} */
    this.parts = null;
    /** The step that is shown. @type {At} */
    this.shown = { pass: null, at: 0 };
    /** The step that was drawn last. @type {At & {scene: object | null, step: PictureStep | null}} */
    this.drawn = { pass: null, at: 0, scene: null, step: null };
    /** The passes of these records, on the picture of this graph. @type {{records: RunRecord[], graph: GraphRecord, passes: BackwardPass[]} | null} */
    this.cache = null;
  }

  /** The second run of the program; null if the program cannot have one. */
  get trace() {
    const { cell } = this.host;
    return cell?.results.value.result ? cell.trace : null;
  }

  /** The views that can have something to show. Before the second run they are known only for PyTorch. @returns {View[]} */
  get views() {
    if (!this.trace) return ["graph"];
    if (this.host.cell?.results.value.result?.runtime === "torch") return ["graph", "steps", "saved"];
    const kinds = new Set(this.trace.records.value.map(({ kind }) => kind));
    return [
      "graph",
      ...(kinds.has("replay") ? [/** @type {View} */ ("steps")] : []),
      ...(kinds.has("saved") ? [/** @type {View} */ ("saved")] : []),
    ];
  }

  /** The graph of the second run that corresponds to the record, or null. @returns {TracedGraphRecord | null} */
  get graph() {
    const { record, cell } = this.host;
    if (!record || !cell) return null;
    if (record.kind === "traced_graph") return record;
    const number = cell.results.value.records.filter(({ kind }) => kind === "graph").indexOf(record) + 1;
    return this.trace?.records.value.flatMap((one) => (one.kind === "traced_graph" && one.graph === number ? [one] : []))[0] ?? null;
  }

  /** Shows another view. @param {View} view */
  go(view) {
    this.view = view;
    if (view !== "graph") void this.load();
    this.host.requestUpdate();
  }

  async load() {
    this.parts ??= await orMissing(import("../trace/trace-parts.js"));
    this.host.requestUpdate();
  }

  /** Asks for the second run if a view of it is open. */
  ask() {
    if (this.view !== "graph" && this.trace?.phase.value === "none" && !this.host.cell?.busy.value) void this.trace.open();
  }

  /** The passes, drawn on the picture of a graph. @param {GraphRecord} graph */
  passes(graph) {
    const records = this.trace?.records.value ?? [];
    if (this.cache?.records !== records || this.cache.graph !== graph) {
      const all = records.flatMap((record) => (record.kind === "replay" ? [record] : []));
      const own = all.filter((replay) => replay.graph === null || replay.graph === graph.id);
      this.cache = { records, graph, passes: (own.length ? own : all).map((replay) => new BackwardPass(replay, graph)) };
    }
    return this.cache.passes;
  }

  /** The paths that the graph lacks, in words; null if there are none. */
  get missing() {
    const { graph } = this;
    if (!graph?.edges.some(({ kind }) => kind === "missing")) return null;
    const nodes = new Set(graph.nodes.map(({ id }) => id));
    const paths = this.calls.filter(({ node }) => node && nodes.has(node)).flatMap(({ missing }) => missing);
    return missingPaths(paths, this.host.cell);
  }

  /** What each call of a custom Function saved. */
  get calls() {
    return (this.trace?.records.value ?? []).flatMap((record) => (record.kind === "saved" ? [record] : []));
  }

  /** The step that is shown, or null. */
  get step() {
    const { pass, at } = this.shown;
    return (this.view === "steps" && this.trace?.phase.value === "ready" && pass?.steps[at]) || null;
  }

  /** The source of what is shown: the line of `backward` that ran in the step, else the span that made the node `id`. @param {string | null} id */
  spanOf(id) {
    const { step } = this;
    const node = id ?? step?.node;
    return (id === null && step?.span) || this.graph?.nodes.find((one) => one.id === node)?.span || null;
  }

  /** What is written at the ends of lines while a step is shown. */
  get notes() {
    return lineNotes(this.step, this.calls);
  }

  /** The ids of the nodes that the line under the learner's cursor made. @returns {string[]} */
  get atCursor() {
    const active = this.host.cell?.page.active.value;
    const line = active?.cursorLine.value;
    if (!active || line == null) return [];
    const within = (/** @type {import("../../lib/types.js").Span} */ span) =>
      span.cell === active.id && span.line <= line && line <= (span.end_line ?? span.line);
    return (this.graph?.nodes ?? []).flatMap(({ id, span }) => (span && within(span) ? [id] : []));
  }

  /** Whether the view of saved tensors takes the place of the picture. */
  get hidesPicture() {
    return this.view === "saved" && this.trace?.phase.value === "ready";
  }

  /** The part under the picture, or in its place; `nothing` if only the graph is shown. @param {GraphRecord} graph */
  render(graph) {
    const { trace, parts } = this;
    if (this.view === "graph" || !trace) return nothing;
    if (this.host.cell?.asked.value) return says(t("First answer the question about this cell. This would give the answer away."));
    if (trace.phase.value === "failed")
      return html`<p class="panel-meaning" role="status">
        ${trace.message.value || t("The program could not be run a second time.")}
        <button class="ghost" type="button" @click=${() => void trace.open()}>${t("Try again")}</button>
      </p>`;
    if (trace.phase.value !== "ready" || !parts) return says(t("Running the program a second time, to watch it…"));
    const differences = trace.differences.value;
    return html`${differences ? parts.differencesView(differences) : nothing}
    ${this.graph?.partial ? says(t("The program did so much that only its beginning was watched.")) : nothing}
    ${
      this.view === "saved"
        ? parts.savedView(this.calls, this.host.cell)
        : html`<steps-view
            .passes=${this.passes(graph)}
            .cell=${this.host.cell}
            @pass-step=${(/** @type {CustomEvent<At>} */ { detail }) => {
              this.shown = detail;
              this.host.requestUpdate();
            }}
          ></steps-view>`
    }`;
  }

  /**
   * The step that a picture of the graph shows, or null. A node of a fold is replaced by the fold.
   * @param {import("../../lib/graph/exploration.js").Exploration} exploration
   * @returns {PictureStep | null}
   */
  stepOn({ scene, folds }) {
    const { pass, at } = this.shown;
    if (this.view !== "steps" || this.trace?.phase.value !== "ready" || !pass || !scene) return null;
    const before = this.drawn;
    if (before.pass === pass && before.at === at && before.scene === scene) return before.step;
    const inPicture = (/** @type {string} */ id) => folds.standIn(scene.name, id);
    const { node = null, failed = false } = pass.steps[at] ?? {};
    const labels = pass.labelsAt(at).map((label) => ({ ...label, source: inPicture(label.source), target: inPicture(label.target) }));
    const step = { node: node && inPicture(node), failed, labels };
    this.drawn = { pass, at, scene, step };
    return step;
  }
}

/** @param {string} words */
function says(words) {
  return html`<p class="panel-meaning" role="status">${words}</p>`;
}
