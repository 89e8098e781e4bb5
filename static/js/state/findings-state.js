/**
 * What is wrong with the program of a cell's latest run: the findings, the one that is open, what the editors underline, and the edits that
 * were applied.
 *
 * While a prediction about the cell is open, only how the run failed is shown, because the doctor's findings would give the answer away. In
 * an exercise, a submission that did not pass shows the kind of its mistake, after the last hint also its place, and never the change.
 */

import { computed, signal } from "@preact/signals-core";

import { applied } from "../lib/doctor/edits.js";
import { findingsOf, sentenceOf } from "../lib/doctor/findings.js";

/**
 * @typedef {import("../lib/doctor/findings.js").Finding} Finding
 * @typedef {import("../lib/types.js").Edit} Edit
 * @typedef {import("../lib/types.js").RunRecord} RunRecord
 * @typedef {import("../lib/types.js").ExaminedRecord} ExaminedRecord
 * @typedef {import("./cell-state.js").CellState} CellState
 * @typedef {import("../editor/underlines.js").Underline} Underline
 *
 * @typedef {{cell: CellState, before: string, after: string}} Change  of one text
 * @typedef {"nothing" | "kind" | "place" | "all"} Reach  how much is said of what the doctor found
 */

export class FindingsState {
  /** @param {CellState} cell */
  constructor(cell) {
    this.cell = cell;
    /** The key of the finding that the reader has opened, or "" for the first one. */
    this.wanted = signal("");
    /** The finding whose edits were applied, with what they changed. */
    this.change = signal(/** @type {{key: string, changes: Change[]} | null} */ (null));
    this.all = computed(() => this.find());
    this.chosen = computed(() => this.all.value.find(({ key }) => key === this.wanted.value) ?? this.all.value[0] ?? null);
    /**
     * The properties of each Function that the probes confirmed; empty if a probe failed.
     * @type {import("@preact/signals-core").ReadonlySignal<ExaminedRecord[]>}
     */
    this.examined = computed(() => {
      if (this.reach !== "all" || cell.results.value.result?.outcome !== "finished") return [];
      const both = [...cell.results.value.records, ...cell.trace.records.value].flatMap((one) => (one.kind === "examined" ? [one] : []));
      const records = [...new Map(both.map((one) => [one.id, one])).values()]; // a record has the same id in both runs
      return records.some(({ failed }) => failed.length) ? [] : records.filter(({ held }) => held.length);
    });
  }

  /** @returns {Reach} */
  get reach() {
    const { asked, facts, graded, ofExercise } = this.cell;
    if (asked.value) return "nothing";
    const exercise = ofExercise.value;
    if (!exercise) return facts.exercise ? "nothing" : "all";
    if (!graded.value || exercise.judged.value?.submission.mistake) return "nothing"; // the author has told what is wrong
    if (!exercise.diagnoses.value.length) return "nothing";
    return exercise.located.value ? "place" : "kind";
  }

  /** @returns {Finding[]} */
  find() {
    const { cell } = this;
    if (cell.old.value) return [];
    const { result, records } = cell.results.value;
    if (this.reach === "all") return findingsOf({ result, records }, cell.trace.records.value);
    const others = this.reach === "nothing" ? [] : (cell.ofExercise.value?.diagnoses.value ?? []);
    return findingsOf(
      { result, records: records.filter(({ kind }) => kind !== "diagnosis") },
      others.filter(({ code }) => code !== result?.error?.pitfall),
    );
  }

  /** What is to be underlined in the texts of the page, with the cell in which each piece is. @returns {{cell: CellState, underline: Underline}[]} */
  get underlines() {
    const { page } = this.cell;
    const finding = this.chosen.value;
    if (!finding?.span || (this.reach === "kind" && finding.diagnosis)) return [];
    const cell = page.find(finding.span.cell) ?? this.cell;
    return [{ cell, underline: { span: finding.span, message: sentenceOf(finding), severity: finding.severity } }];
  }

  /** Forgets what the reader has opened and applied, because the cell runs again. */
  drop() {
    this.wanted.value = "";
    this.change.value = null;
  }

  /** What the edits would change; null if a text is no longer the one that ran, or they are not possible in it. @param {Edit[]} edits @returns {Change[] | null} */
  changesOf(edits) {
    const { page } = this.cell;
    const places = edits.map((edit) => ({ cell: page.find(edit.span.cell) ?? this.cell, edit }));
    const changes = [...new Set(places.map(({ cell }) => cell))].flatMap((cell) => {
      const before = cell.text.value;
      const own = places.filter((place) => place.cell === cell).map(({ edit }) => edit);
      const after = before === this.cell.sources.value?.[cell.id] ? applied(before, own) : null;
      return after === null ? [] : [{ cell, before, after }];
    });
    return edits.length > 0 && changes.length === new Set(places.map(({ cell }) => cell)).size ? changes : null;
  }

  /** Changes the texts. @param {Finding} finding */
  apply({ key, diagnosis }) {
    const changes = this.changesOf(diagnosis?.edits ?? []);
    if (!changes) return;
    for (const { cell, after } of changes) cell.edit(after);
    this.change.value = { key, changes };
  }

  /** Whether the edits of this finding were applied, and the texts have not changed since. @param {Finding} finding */
  isApplied({ key }) {
    const change = this.change.value;
    return change?.key === key && change.changes.every(({ cell, after }) => cell.text.value === after);
  }

  /** Restores the texts. */
  undo() {
    for (const { cell, before, after } of this.change.value?.changes ?? []) if (cell.text.value === after) cell.edit(before);
    this.change.value = null;
  }
}
