/** What came of a submission: while it is graded each check as it is decided, then the first thing to do, and all checks. */

import "./page-base.js";
import { html, nothing } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";

import { moment, pieces, t } from "../lib/words.js";
import { countChecks, firstThing, notKept } from "../state/exercise-state.js";
import { icon } from "./icons.js";
import { PageElement } from "./page-element.js";
import { copyAndTell } from "./copy-download.js";

/**
 * @typedef {import("../state/exercise-state.js").ExerciseState} ExerciseState
 * @typedef {import("../lib/types.js").Submission} Submission
 * @typedef {import("../lib/types.js").CheckNews} CheckNews
 */

class ExerciseVerdict extends PageElement {
  /** @override */
  static properties = { exercise: { attribute: false }, copied: { state: true } };

  constructor() {
    super();
    /** @type {ExerciseState | null} */
    this.exercise = null;
    this.copied = false;
    /** What will be checked, as the server wrote it. @type {Element | null} */
    this.planned = null;
  }

  /** @override */
  willUpdate() {
    if (!this.exercise || this.planned) return;
    this.planned = this.querySelector(":scope > .planned-checks");
    this.planned?.remove();
  }

  /** @override */
  render() {
    const { exercise } = this;
    if (!exercise) return nothing;
    const judged = exercise.judged.value;
    return html`${this.progress(exercise)}${exercise.shownBusy.value && exercise.checks.value.length ? this.sofar(exercise) : judged ? this.judged(exercise, judged) : [this.planned, this.history(exercise, 1)]}`;
  }

  /** @param {ExerciseState} exercise */
  progress(exercise) {
    const grading = exercise.grading.value;
    switch (grading.phase) {
      case "busy": {
        const { phase } = exercise.cell.shown.value;
        if (!exercise.shownBusy.value || phase !== "done") return nothing; // how the run stands is said under the code
        const count = exercise.checks.value.length;
        return html`<div class="status"><span class="pulse"></span>${count ? t("Checking; {count} decided", { count }) : t("Checking")}</div>`;
      }
      case "lost":
        return html`<div class="status waiting"><span>${t("The answer was lost on its way. Your code is kept; the same submission counts once.")}</span><button class="link" type="button" @click=${() => this.again(exercise)}>${t("Submit it again")}</button></div>`;
      case "refused":
        return html`<div class="status"><strong>${t("Not graded.")}</strong> ${grading.message}</div>`;
      default:
        return nothing;
    }
  }

  /** The button goes, and the keyboard to the cell's. @param {ExerciseState} exercise */
  again(exercise) {
    /** @type {HTMLElement | null} */ (this.closest(".exercise")?.querySelector(".submit"))?.focus();
    void exercise.submit();
  }

  /** @param {ExerciseState} exercise */
  sofar(exercise) {
    return html`<div class="graded">${this.checks(exercise, exercise.checks.value, false)}</div>`;
  }

  /** @param {ExerciseState} exercise @param {import("../state/exercise-state.js").Judged} judged */
  judged(exercise, { submission, lang }) {
    const here = lang === exercise.lang;
    const { passed, checks, hidden } = submission;
    return html`<div class="graded ${exercise.busy.value ? "old" : ""}">
      <p class="verdict-line ${passed ? "right" : "other"}">${icon(passed ? "pass" : "open")}<span>${pieces("{head} {rest}", { head: html`<strong>${passed ? t("Passed.") : t("Not yet.")}</strong>`, rest: t("{good} of {total} checks pass.", countChecks(submission)) })}
        ${exercise.stale.value ? html`<span class="edited">${t("Edited since this submission")}</span>` : nothing}</span></p>
      ${here ? this.first(submission) : html`<p class="aside">${t("Submit again to read this in English.")}</p>`}
      ${passed && here && submission.after ? html`<div class="explanation">${unsafeHTML(submission.after)}</div>` : nothing}
      ${here ? this.checks(exercise, checks, true) : nothing}
      ${hidden.total ? html`<p class="hidden-checks">${icon(hidden.passed === hidden.total ? "pass" : "open")}${t("{passed} of {total} hidden checks pass", hidden)}</p>` : nothing}
      ${this.receipt(submission)}
      ${this.history(exercise, 2)}
    </div>`;
  }

  /** That the server has it, or why not. @param {Submission} submission */
  receipt({ receipt, ...submission }) {
    if (receipt) {
      const id = html`<button class="link" type="button" title=${t("Copy the receipt")} @click=${() => void copyAndTell(this, receipt.id)}>${receipt.id}</button>`;
      return html`<p class="receipt">${pieces("Received {time} · receipt {id}", { time: moment(Date.parse(receipt.at)), id })}<span role="status">${this.copied ? ` ${t("Copied")}` : nothing}</span></p>`;
    }
    const words = notReceived(notKept({ receipt, ...submission }));
    return words ? html`<p class="receipt">${words}</p>` : nothing;
  }

  /** What to do first. @param {Submission} submission */
  first(submission) {
    if (submission.passed) return nothing;
    const first = firstThing(submission);
    if (!first) return html`<div class="first"><p class="first-title">${t("First")}</p><p>${t("What is shown passes. The hidden checks try other inputs: other shapes, other sizes, other layouts.")}</p></div>`;
    return html`<div class="first"><p class="first-title">${t("First")}</p>${said(first, "title" in first ? first.title : "")}</div>`;
  }

  /** @param {ExerciseState} exercise @param {CheckNews[]} checks @param {boolean} told whether the first of them is said above */
  checks(exercise, checks, told) {
    if (!checks.length) return nothing;
    const asksForTest = exercise.facts.kind === "test";
    const first = told && exercise.judged.value ? firstThing(exercise.judged.value.submission) : null;
    const item = (/** @type {CheckNews} */ check) => html`<li class=${check.passed ? "ok" : "no"}>${icon(check.passed ? "pass" : "fail")}
      <div><span class="check-title">${check.title}</span><span class="check-end">${this.end(check, asksForTest)}</span>
        ${check === first ? nothing : said(check)}</div></li>`;
    return html`<ul class="checks" aria-label=${t("Checks")}>${checks.map(item)}</ul>`;
  }

  /** @param {CheckNews} check @param {boolean} asksForTest */
  end({ id, passed, reported }, asksForTest) {
    if (asksForTest && id.startsWith("right")) return passed ? t("accepted") : t("rejected");
    if (asksForTest && id.startsWith("mutant:")) return passed ? t("caught") : t("let through");
    const words = passed ? t("passes") : t("does not pass");
    return reported ? t("{words}; for your information", { words }) : words;
  }

  /** @param {ExerciseState} exercise @param {number} least of which there must be something to list */
  history(exercise, least) {
    const attempts = exercise.attempts.value;
    if (attempts.length < least) return nothing;
    return html`<details class="attempts"><summary>${t("Your attempts ({count})", { count: Math.max(attempts.length, exercise.count.value) })}</summary>
      <ol reversed start=${Math.max(attempts.length, exercise.count.value)}>${[...attempts].reverse().map(({ at, passed, good, total, receipt }) => html`<li><span>${moment(at)}</span> ${passed ? t("passed") : t("{good} of {total} checks pass.", { good, total })} ${receipt ? html`<small>${receipt}</small>` : nothing}</li>`)}</ol></details>`;
  }
}

/** What is said of a check or a mistake: words of the lesson, or a message in plain text. @param {{html?: string | null, message?: string | null}} one @param {string} [title] */
function said({ html: words, message }, title = "") {
  const heading = title ? html`<p class="first-check">${title}</p>` : nothing;
  if (words) return html`${heading}<div class="said">${unsafeHTML(words)}</div>`;
  return message ? html`${heading}<p class="said">${message}</p>` : heading;
}

/** Why a graded submission has no receipt, and what becomes of it. @param {string} why */
function notReceived(why) {
  switch (why) {
    case "":
    case "key_used":
      return "";
    case "stopped":
      return t("It was stopped, so it does not count as submitted.");
    case "no_learner":
      return t("Graded, but not received: this browser sends no cookie, so the server cannot know whose work it is.");
    case "too_much":
      return t("Graded, but not received: the server already keeps as much of your work as it may keep for one person.");
    default:
      return t("Graded, but not received: the server cannot keep anything at this moment. This browser will send it again by itself.");
  }
}

customElements.define("exercise-verdict", ExerciseVerdict);
