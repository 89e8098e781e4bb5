/**
 * The second run of a cell's program, with instruments that the first run does not use: docs/decisions/0047. It shows the steps of each
 * backward pass, and what was saved. It runs the text that ran, not the text in the editor.
 *
 * After a run that showed a graph or called backward, the page requests it by the id of that run. The server then runs it only while nobody
 * waits. If the server refuses, and the reader opens one of the views, it is requested as an ordinary run.
 */

import { computed, signal } from "@preact/signals-core";

import { Run } from "../lib/run/run-client.js";
import { compare, TRACED } from "../lib/trace/differences.js";
import { pageLanguage, t } from "../lib/words.js";

/**
 * @typedef {import("../lib/types.js").RunRecord} RunRecord
 * @typedef {import("../lib/run/run-client.js").RunNews} RunNews
 * @typedef {import("./run-state.js").RunState} RunState
 * @typedef {"none" | "running" | "ready" | "failed"} Phase
 */

/** Matches programs in PyTorch, TensorFlow and JAX that run backward, or define how. */
const BACKWARD = /\bFunction\b|\bbackward\s*\(|\bGradientTape\b|\b(?:value_and_)?grad\s*\(|\bvjp\s*\(|\bjacrev\s*\(|\bhessian\s*\(/;

export class TraceState {
  /** @param {import("./cell-state.js").CellState} cell */
  constructor(cell) {
    this.cell = cell;
    this.phase = signal(/** @type {Phase} */ ("none"));
    /** The records of the second run. @type {import("@preact/signals-core").Signal<RunRecord[]>} */
    this.records = signal([]);
    /** The graphs of passes whose nodes the first run did not show in a graph. */
    this.graphs = computed(() => this.records.value.filter((record) => record.kind === "traced_graph" && record.graph === 0));
    /** The first call of a custom Function, if no graph has a view of what was saved. */
    this.call = computed(() => {
      const hasGraph = this.records.value.some(({ kind }) => kind === "traced_graph");
      return hasGraph ? null : (this.records.value.find(({ kind }) => kind === "saved") ?? null);
    });
    /** How the second run differed from the first. */
    this.differences = signal(/** @type {import("../lib/trace/differences.js").Differences | null} */ (null));
    /** Why there is no second run, in the server's words, or "". */
    this.message = signal("");
    /** The id of the run that can be traced by its id, or "". */
    this.runId = "";
    /** @type {Run | null} */
    this.client = null;
  }

  /** Discards what was traced, and stops a second run, because the cell runs again. */
  drop() {
    void this.client?.stop();
    this.client = null;
    this.runId = "";
    this.phase.value = "none";
    this.records.value = [];
    this.differences.value = null;
    this.message.value = "";
  }

  /** Requests the second run once the first has ended, if its steps may be of interest. @param {RunState} run */
  async follow({ result, records }) {
    if (!result || result.recorded || !["finished", "raised"].includes(result.outcome)) return;
    this.runId = result.id;
    const sources = Object.values(this.cell.sources.peek() ?? {});
    if (this.cell.asked.peek() || !(records.some(({ kind }) => kind === "graph") || sources.some((text) => BACKWARD.test(text)))) return;
    if (!(await this.again())) this.phase.value = "none";
  }

  /** Runs the program a second time, because the reader wants to see one of the views. Does nothing if it has run, or is running. */
  async open() {
    await this.cell.ended; // a run that has just ended requests its second run itself
    if (this.cell.busy.peek()) return;
    if (this.phase.peek() === "running" || this.phase.peek() === "ready" || this.cell.asked.peek()) return;
    if (this.runId && (await this.again())) return;
    await this.anew();
  }

  /** Asks for a second run by the id of the first. Returns false if the server did not run it. */
  async again() {
    const url = `/api/runs/${this.runId}/trace`;
    this.runId = ""; // a run is traced once by its id
    return this.run({ lang: pageLanguage() }, { url, last: "result" }, true);
  }

  /** Runs the program that ran again, as an ordinary run. */
  async anew() {
    const request = this.cell.page.orderOf(this.cell, this.cell.sources.peek() ?? {});
    const { runtime, exercise } = this.cell.facts;
    const instruments = runtime === "torch" && !exercise ? ["trace", "doctor"] : ["trace"];
    if (await this.run({ ...request, instruments }, undefined, false)) return;
    this.phase.value = "failed";
  }

  /**
   * Returns whether there is a result. If there is none, the phase remains "running", and the caller sets the next one.
   * @param {import("../lib/types.js").RunRequest | {lang: string}} request
   * @param {import("../lib/run/run-client.js").Route | undefined} route
   * @param {boolean} givesUp instead of waiting until the server can run it
   */
  async run(request, route, givesUp) {
    this.phase.value = "running";
    /** @type {RunRecord[] | null} */
    let records = null;
    const client = new Run(
      request,
      (news) => {
        if (this.client !== client) return;
        if (news.type === "result") records = this.take(news.result);
        if (news.type === "refused") this.message.value = news.message;
        if (news.type === "waiting" && givesUp) void client.stop();
      },
      undefined,
      route,
    );
    this.client = client;
    await client.start();
    if (this.client !== client) return true; // the cell runs again
    this.client = null;
    return records !== null;
  }

  /** @param {import("../lib/types.js").RunResult} second */
  take(second) {
    const { result, records } = this.cell.results.peek();
    this.differences.value = result && compare({ ...result, records }, second);
    if (this.differences.value?.ending && !second.records.some(({ kind }) => TRACED.has(kind))) {
      this.message.value = t("The second run ended before it could show anything.");
      return null;
    }
    this.records.value = second.records;
    this.phase.value = "ready";
    return second.records;
  }
}
