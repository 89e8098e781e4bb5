/**
 * What is known of one exercise: how far it is graded, what came of it, which hints were read, and whether the solution was seen.
 *
 * What was reached is never taken away by editing or by a later submission.
 */

import { computed, signal } from "@preact/signals-core";

import { wellFormed } from "../lib/positions.js";
import { randomKey } from "../lib/random-key.js";

/**
 * @typedef {import("../lib/run-client.js").RunNews} RunNews
 * @typedef {import("../lib/types.js").CheckNews} CheckNews
 * @typedef {import("../lib/types.js").Submission} Submission
 * @typedef {import("./cell-state.js").CellState} CellState
 *
 * @typedef {{id: string, kind: string, hints: number}} ExerciseFacts
 * @typedef {"new" | "tried" | "passed" | "shown"} Standing  "shown": passed after seeing the solution
 * @typedef {{at: number, passed: boolean, good: number, total: number}} Attempt  `at` in ms since 1970
 * @typedef {{phase: "idle" | "busy" | "done" | "lost"} | {phase: "refused", message: string}} Grading
 * @typedef {{source: string, lang: string, submission: Submission}} Judged
 */

const MOST_ATTEMPTS = 20;

export class ExerciseState {
  /** @param {ExerciseFacts} facts @param {CellState} cell @param {import("./kept-work.js").KeptWork} work @param {string} lang */
  constructor(facts, cell, work, lang) {
    this.facts = facts;
    this.cell = cell;
    this.work = work;
    this.lang = lang;
    const kept = work.read("exercise", facts.id);
    this.standing = signal(/** @type {Standing} */ (kept["standing"] ?? "new"));
    this.seen = signal(kept["seen"] === true);
    this.hints = signal(Number(kept["hints"] ?? 0));
    this.attempts = signal(/** @type {Attempt[]} */ (kept["attempts"] ?? []));
    /** The latest submission that came to an end; its words may be of another language than the page's. */
    this.judged = signal(/** @type {Judged | null} */ (kept["judged"] ?? null));
    this.solution = signal("");
    /** Why the solution is not there: the server's words, or "lost". */
    this.withheld = signal("");
    this.grading = signal(/** @type {Grading} */ ({ phase: "idle" }));
    /** Decided so far. */
    this.checks = signal(/** @type {CheckNews[]} */ ([]));
    this.busy = computed(() => this.grading.value.phase === "busy");
    /** As `busy`, but not at once, so that nothing flickers. */
    this.shownBusy = computed(() => this.busy.value && cell.shown.value === cell.run.value);
    this.stale = computed(() => this.judged.value !== null && this.judged.value.source !== cell.text.value);
    /** @type {{source: string, key: string} | null} what was sent and not answered */
    this.pending = null;
    cell.exercise = this;
  }

  get address() {
    return `/api/lessons/${this.work.lesson}/exercises/${this.facts.id}`;
  }

  /** Sends what is written to be graded. The same text, if it was lost on its way, is sent under the same key, so that it counts once. */
  async submit() {
    const { cell } = this;
    if (this.busy.value || cell.client) return;
    const source = cell.text.value;
    if (this.pending?.source !== source) this.pending = { source, key: randomKey() };
    const route = { url: `${this.address}/submissions`, last: /** @type {const} */ ("submission"), headers: { "idempotency-key": this.pending.key } };
    this.grading.value = { phase: "busy" };
    this.checks.value = [];
    const errand = { route, request: { source: wellFormed(source), lang: this.lang }, sources: cell.page.sourcesOf(cell), hear: (/** @type {RunNews} */ news) => this.hear(news, source) };
    await cell.page.run(cell, { errand });
    if (this.busy.value) this.grading.value = { phase: "idle" };
  }

  /** @param {RunNews} news @param {string} source */
  hear(news, source) {
    if (news.type === "check") this.checks.value = [...this.checks.value, news.check];
    if (news.type === "lost") this.grading.value = { phase: "lost" };
    if (news.type === "refused") this.grading.value = { phase: "refused", message: news.message };
    if (news.type === "submission") this.take(news.submission, source);
  }

  /** @param {Submission} submission @param {string} source */
  take(submission, source) {
    this.pending = null;
    this.grading.value = { phase: "done" };
    this.judged.value = { source, lang: this.lang, submission };
    const { passed } = submission;
    const attempt = { at: Date.now(), passed, ...countChecks(submission) };
    const kept = this.work.read("exercise", this.facts.id); // another tab may have come further
    this.attempts.value = [...(kept["attempts"] ?? []), attempt].slice(-MOST_ATTEMPTS);
    this.seen.value ||= kept["seen"] === true;
    this.standing.value = after(kept["standing"] ?? "new", passed, this.seen.value);
    this.keep();
  }

  hint() {
    this.hints.value = Math.min(this.hints.value + 1, this.facts.hints);
    this.keep();
  }

  /** Asks the server for the solution, which notes that it was shown. @param {typeof globalThis.fetch} [fetch] */
  async reveal(fetch = globalThis.fetch.bind(globalThis)) {
    this.withheld.value = "";
    try {
      const answer = await fetch(`${this.address}/solution`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ lang: this.lang }) });
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
    const { standing, seen, hints, attempts, judged } = this;
    this.work.keep("exercise", this.facts.id, { standing: standing.value, seen: seen.value, hints: hints.value, attempts: attempts.value, judged: judged.value });
  }
}

/** The standing after a submission. @param {Standing} standing @param {boolean} passed @param {boolean} seen @returns {Standing} */
export function after(standing, passed, seen) {
  if (standing === "passed" || standing === "shown") return standing;
  if (!passed) return "tried";
  return seen ? "shown" : "passed";
}

/** How many checks there were, hidden ones included, and how many of them pass; what the program says of itself does not count. @param {Submission} submission */
export function countChecks({ checks, hidden }) {
  const counted = checks.filter((check) => !check.reported);
  return { good: counted.filter((check) => check.passed).length + hidden.passed, total: counted.length + hidden.total };
}

/** The first thing to do: the mistake that was recognised, else the first check that does not pass; null if all that is told passes. @param {Submission} submission @returns {CheckNews | import("../lib/types.js").Mistake | null} */
export function firstThing({ mistake, checks }) {
  const failing = checks.filter((check) => !check.passed);
  return mistake ?? failing.find((check) => !check.reported) ?? failing[0] ?? null;
}
