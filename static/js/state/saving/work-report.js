/**
 * Reports to the server the progress in a lesson that it does not have: cells that ran as declared, predictions, hints that were read.
 *
 * There is no queue: the browser's storage is compared with what the server sent. Lessons with unreported progress are listed, so that
 * another page can report it.
 */

import { HOPELESS, reportWork } from "../../lib/me/me-client.js";
import { Retry } from "../../lib/run/retry.js";
import { readProgress } from "../tasks/progress.js";
import { mark } from "./unreported.js";

/**
 * @typedef {import("./kept-work.js").KeptWork} KeptWork
 * @typedef {import("./drafts.js").Store} Store
 * @typedef {import("../../lib/me/me-client.js").ReportedWork} ReportedWork
 * @typedef {(kind: "cell" | "prediction" | "exercise", id: string) => boolean} Has
 */

const PAUSE_MS = 1000;

export class WorkReport {
  /**
   * @param {() => Store} open
   * @param {KeptWork} work
   * @param {import("./take-kept.js").Kept | null} kept what the server has
   * @param {() => void} reached called when the server has stored something
   * @param {Has} has whether the lesson still has the part
   */
  constructor(open, work, kept, reached, has) {
    this.has = has;
    this.open = open;
    this.work = work;
    this.reached = reached;
    this.retry = new Retry(() => void this.send());
    /** The work that the server has. @type {ReportedWork} */
    this.known = { lesson: work.lesson, cells: kept?.cells ?? [], predictions: {}, hints: {} };
    for (const id of Object.keys(kept?.predictions ?? {})) this.known.predictions[id] = { answer: null, lang: "" };
    for (const [id, { hints }] of Object.entries(kept?.exercises ?? {})) this.known.hints[id] = hints;
    this.changed(0);
  }

  /** Schedules a report, `ms` milliseconds from now, if there is unreported progress. @param {number} [ms] */
  changed(ms = PAUSE_MS) {
    const unreported = !isEmpty(this.missing());
    mark(this.open, this.work.lesson, unreported);
    if (unreported) this.retry.soon(ms);
  }

  missing() {
    return subtract(gather(this.open, this.work, this.has), this.known);
  }

  /** Sends what is unsaved: the server may be reachable again, or the page is about to close. @param {boolean} [leaving] */
  flush(leaving = false) {
    if (isEmpty(this.missing())) return;
    if (leaving) void this.send(leaving);
    else this.retry.now();
  }

  async send(leaving = false) {
    const missing = this.missing();
    if (isEmpty(missing)) return this.retry.rest();
    const answer = await reportWork(missing, { leaving });
    if (answer.ok) {
      this.known = join(this.known, missing);
      this.retry.rest();
      this.changed();
      this.reached();
    } else if (HOPELESS.includes(answer.status)) this.retry.rest();
    else this.retry.fail(answer.retryAfter);
  }
}

/**
 * Collects the work in a lesson that the browser stores.
 * @param {() => Store} open
 * @param {KeptWork} work
 * @param {Has} [has]
 * @returns {ReportedWork}
 */
export function gather(open, work, has = () => true) {
  const done = readProgress(open)[work.lesson] ?? [];
  const predictions = work.ids("prediction").flatMap((id) => {
    const { first } = work.read("prediction", id);
    return first && has("prediction", id) ? [[id, { answer: first.said ?? null, lang: first.lang ?? "en" }]] : [];
  });
  const hints = work.ids("exercise").flatMap((id) => {
    const read = Number(work.read("exercise", id)["hints"] ?? 0);
    return read > 0 && has("exercise", id) ? [[id, read]] : [];
  });
  return {
    lesson: work.lesson,
    cells: done.filter((part) => !part.includes(":") && has("cell", part)),
    predictions: Object.fromEntries(predictions),
    hints: Object.fromEntries(hints),
  };
}

/** The work in `mine` that is not in `theirs`. @param {ReportedWork} mine @param {ReportedWork} theirs @returns {ReportedWork} */
function subtract(mine, theirs) {
  return {
    lesson: mine.lesson,
    cells: mine.cells.filter((cell) => !theirs.cells.includes(cell)),
    predictions: Object.fromEntries(Object.entries(mine.predictions).filter(([id]) => !(id in theirs.predictions))),
    hints: Object.fromEntries(Object.entries(mine.hints).filter(([id, read]) => read > (theirs.hints[id] ?? 0))),
  };
}

/** @param {ReportedWork} known @param {ReportedWork} more @returns {ReportedWork} */
function join(known, more) {
  return {
    ...known,
    cells: [...known.cells, ...more.cells],
    predictions: { ...known.predictions, ...more.predictions },
    hints: { ...known.hints, ...more.hints },
  };
}

/** @param {ReportedWork} work */
export function isEmpty({ cells, predictions, hints }) {
  return !cells.length && !Object.keys(predictions).length && !Object.keys(hints).length;
}
