/**
 * The state of one exercise: its standing, the verdict, the hints that were read, and whether the solution was seen.
 *
 * Neither an edit nor a later submission lowers the standing.
 */

import { computed, signal } from "@preact/signals-core";

import { wellFormed } from "../../lib/python/positions.js";
import { diagnosesOf } from "../../lib/doctor/findings.js";
import { randomKey } from "../../lib/program/random-key.js";

/**
 * @typedef {import("../../lib/run/run-client.js").RunNews} RunNews
 * @typedef {import("../../lib/types.js").CheckNews} CheckNews
 * @typedef {import("../../lib/types.js").Submission} Submission
 * @typedef {import("../../lib/types.js").Diagnosis} Diagnosis
 * @typedef {import("../cell-state.js").CellState} CellState
 *
 * @typedef {{id: string, kind: string, hints: number, tries: number | null}} ExerciseFacts  after `tries` submissions the solution is
 *   shown, null: never
 * @typedef {"new" | "tried" | "passed" | "shown"} Standing  "shown": passed after seeing the solution
 * @typedef {{at: number, passed: boolean, good: number, total: number, receipt?: string | null, key?: string}} Attempt  `at` in ms since
 *   1970; no `receipt`: the server does not have it
 * @typedef {{phase: "idle" | "busy" | "done" | "lost"} | {phase: "refused", message: string}} Grading
 * @typedef {{source: string, lang: string, submission: Submission}} Judged
 * @typedef {{source: string, key: string}} Sent
 */

/** The most attempts of an exercise that the browser stores. */
export const MOST_ATTEMPTS = 20;

export class ExerciseState {
  /** @param {ExerciseFacts} facts @param {CellState} cell @param {import("../saving/kept-work.js").KeptWork} work @param {string} lang */
  constructor(facts, cell, work, lang) {
    this.facts = facts;
    this.cell = cell;
    this.work = work;
    this.lang = lang;
    this.standing = signal(/** @type {Standing} */ ("new"));
    this.seen = signal(false);
    this.hints = signal(0);
    this.attempts = signal(/** @type {Attempt[]} */ ([]));
    /** The number of attempts that the server has. Only the newest are listed. */
    this.count = signal(0);
    /** The latest submission that was graded. Its texts may be in another language than the page. */
    this.judged = signal(/** @type {Judged | null} */ (null));
    /** The submission that was sent and has no response yet. @type {Sent | null} */
    this.pending = null;
    /**
     * The submissions that were graded but that the server could not store. They are sent again automatically.
     * @type {import("@preact/signals-core").Signal<Sent[]>}
     */
    this.unkept = signal(/** @type {Sent[]} */ ([]));
    this.read();
    /** What the doctor found in the latest submission, if it did not pass. @type {import("@preact/signals-core").Signal<Diagnosis[]>} */
    this.diagnoses = signal(/** @type {Diagnosis[]} */ ([]));
    /** Whether the reader wants to see where the mistakes are. */
    this.located = signal(false);
    this.solution = signal("");
    /** Why the solution cannot be shown: the server's message, or "lost" if there was no response. */
    this.withheld = signal("");
    this.grading = signal(/** @type {Grading} */ ({ phase: "idle" }));
    /** The checks decided so far. */
    this.checks = signal(/** @type {CheckNews[]} */ ([]));
    this.busy = computed(() => this.grading.value.phase === "busy");
    /** Like `busy`, but delayed to avoid flicker. */
    this.shownBusy = computed(() => this.busy.value && cell.shown.value === cell.run.value);
    this.stale = computed(() => this.judged.value !== null && this.judged.value.source !== cell.text.value);
    cell.ofExercise.value = this;
  }

  /** Reads the state from the browser's storage. */
  read() {
    const kept = this.work.read("exercise", this.facts.id);
    this.standing.value = kept["standing"] ?? "new";
    this.seen.value = kept["seen"] === true;
    this.hints.value = Number(kept["hints"] ?? 0);
    this.attempts.value = kept["attempts"] ?? [];
    this.count.value = Number(kept["count"] ?? 0);
    this.judged.value = kept["judged"] ?? null;
    this.pending = kept["pending"] ?? null;
    this.unkept.value = kept["unkept"] ?? [];
  }

  get address() {
    return `/api/lessons/${this.work.lesson}/exercises/${this.facts.id}`;
  }

  /**
   * Submits the cell's text for grading. If the same text was sent before and lost, it is sent under the same key, so that it counts once.
   */
  async submit() {
    const { cell } = this;
    if (this.busy.value || cell.client) return;
    const source = cell.text.value;
    this.cell.saver?.edited();
    this.pending = [this.pending, ...this.unkept.value].find((one) => one?.source === source) ?? { source, key: randomKey() };
    const { key } = this.pending;
    this.work.keep("exercise", this.facts.id, { pending: this.pending }); // so that it is not lost if the page is left before the response
    const route = { url: `${this.address}/submissions`, last: /** @type {const} */ ("submission"), headers: { "idempotency-key": key } };
    this.grading.value = { phase: "busy" };
    this.checks.value = [];
    const spec = {
      route,
      request: { source: wellFormed(source), lang: this.lang },
      sources: cell.page.sourcesOf(cell),
      onNews: (/** @type {RunNews} */ news) => this.onNews(news, { source, key }),
    };
    await cell.page.run(cell, { spec });
    if (this.busy.value) this.grading.value = { phase: "idle" };
    void this.diagnose();
  }

  /** @param {RunNews} news @param {Sent} sent */
  onNews(news, sent) {
    if (news.type === "check") this.checks.value = [...this.checks.value, news.check];
    if (news.type === "lost") this.grading.value = { phase: "lost" };
    if (news.type === "refused") this.grading.value = { phase: "refused", message: news.message };
    if (news.type === "submission") this.take(news.submission, sent);
  }

  /** @param {Submission} submission @param {Sent} sent */
  take(submission, sent) {
    const { passed, receipt } = submission;
    const { work, facts } = this;
    const judged = { source: sent.source, lang: this.lang, submission };
    work.keep("exercise", facts.id, { pending: null, judged: withoutJacobians(judged) });
    if (notKept(submission) !== "stopped") {
      const kept = work.read("exercise", facts.id); // another tab may have made progress
      /** @type {Attempt} */
      const attempt = { at: Date.now(), passed, receipt: receipt?.id ?? null, key: sent.key, ...countChecks(submission) };
      const others = /** @type {Attempt[]} */ (kept["attempts"] ?? []).filter(
        (one) => one.key !== sent.key && (!receipt || one.receipt !== receipt.id),
      );
      const unkept = (kept["unkept"] ?? []).filter((/** @type {Sent} */ one) => one.key !== sent.key);
      work.keep("exercise", facts.id, {
        standing: after(kept["standing"] ?? "new", passed, kept["seen"] === true),
        attempts: [...others, attempt].slice(-MOST_ATTEMPTS),
        count: Number(kept["count"] ?? kept["attempts"]?.length ?? 0) + (others.length < (kept["attempts"]?.length ?? 0) ? 0 : 1),
        unkept: mayBeKeptLater(submission) ? [...unkept, sent].slice(-MOST_ATTEMPTS) : unkept,
      });
    }
    this.read();
    this.judged.value = judged;
    this.diagnoses.value = [];
    this.located.value = false;
    this.grading.value = { phase: "done" };
  }

  /**
   * Requests the doctor's findings in the submission of the cell's latest run, if it did not pass. If the server cannot run it again, there
   * are none.
   * @param {typeof globalThis.fetch} [fetch]
   */
  async diagnose(fetch = globalThis.fetch.bind(globalThis)) {
    const id = this.cell.run.peek().result?.id;
    if (!id || this.grading.peek().phase !== "done" || this.judged.peek()?.submission.passed) return;
    const body = JSON.stringify({ lang: this.lang });
    try {
      const answer = await fetch(`/api/runs/${id}/trace`, { method: "POST", headers: { "content-type": "application/json" }, body });
      if (!answer.ok || this.cell.run.peek().result?.id !== id) return;
      const { records } = /** @type {import("../../lib/types.js").RunResult} */ (await answer.json());
      this.diagnoses.value = diagnosesOf(records);
    } catch {
      // the server cannot be reached
    }
  }

  hint() {
    this.hints.value = Math.min(this.hints.value + 1, this.facts.hints);
    this.keep();
  }

  /** Fetches the solution. The server records that it was shown. @param {typeof globalThis.fetch} [fetch] */
  async reveal(fetch = globalThis.fetch.bind(globalThis)) {
    this.withheld.value = "";
    try {
      const answer = await fetch(`${this.address}/solution`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ lang: this.lang }),
      });
      const body = await answer.json();
      if (!answer.ok) return void (this.withheld.value = String(body.error?.message ?? "lost"));
      this.solution.value = String(body.source);
      this.seen.value = true;
      this.keep();
    } catch {
      this.withheld.value = "lost";
    }
  }

  keep() {
    this.work.keep("exercise", this.facts.id, { seen: this.seen.value, hints: this.hints.value });
  }
}

/** Removes the Jacobians, which are too large to store. They are shown until the page is left. @param {Judged} judged @returns {Judged} */
function withoutJacobians(judged) {
  const checks = judged.submission.checks.map((check) => ({ ...check, gradcheck: null }));
  return { ...judged, submission: { ...judged.submission, checks } };
}

/** Why a submission has no receipt; "" if it has one or the server gave no reason. @param {Submission} submission */
export function notKept({ receipt, not_kept: why }) {
  return receipt ? "" : (why ?? "");
}

/** Whether sending the submission again may get a receipt. @param {Submission} submission */
function mayBeKeptLater(submission) {
  return !["", "stopped", "key_used"].includes(notKept(submission));
}

/**
 * The standing of an exercise after a submission.
 * @param {Standing} standing
 * @param {boolean} passed
 * @param {boolean} seen
 * @returns {Standing}
 */
export function after(standing, passed, seen) {
  if (standing === "passed" || standing === "shown") return standing;
  if (!passed) return "tried";
  return seen ? "shown" : "passed";
}

/**
 * The number of checks, including hidden ones, and of those that pass. Checks that the program itself reports do not count.
 * @param {Submission} submission
 */
export function countChecks({ checks, hidden }) {
  const counted = checks.filter((check) => !check.reported);
  return { good: counted.filter((check) => check.passed).length + hidden.passed, total: counted.length + hidden.total };
}

/** The first check that does not pass. Checks that the program itself reports do not count. @param {Submission} submission */
export function firstFailing({ checks }) {
  return checks.find((check) => !check.passed && !check.reported) ?? null;
}
