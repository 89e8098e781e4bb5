/**
 * The result of a submission, shown beside the text: each check as it is decided, then all checks, the first that does not pass opened. The
 * cell's head shows the verdict (run-status.js).
 */

import "../page/page-base.js";
import { html, nothing } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";

import { moment, pieces, t } from "../../lib/words.js";
import { notKept } from "../../state/tasks/exercise-state.js";
import { copyAndTell } from "../results/copy-download.js";
import { icon } from "../page/icons.js";
import { ExerciseElement } from "../page/page-element.js";
import { view } from "../results/records.js";

/**
 * @typedef {import("../../state/tasks/exercise-state.js").ExerciseState} ExerciseState
 * @typedef {import("../../lib/types.js").Submission} Submission
 * @typedef {import("../../lib/types.js").CheckNews} CheckNews
 */

class SubmissionChecks extends ExerciseElement {
  /** @override */
  static properties = { copied: { state: true } };

  constructor() {
    super();
    this.copied = false;
  }

  /** @override */
  render() {
    const { exercise } = this;
    if (!exercise) return nothing;
    const judged = exercise.judged.value;
    if (exercise.shownBusy.value && exercise.checks.value.length) return this.checks(exercise, exercise.checks.value, null);
    if (!judged) return nothing;
    return html`<div class="graded-answer ${exercise.busy.value ? "old" : ""}">
      ${
        judged.lang === exercise.lang
          ? this.told(exercise, judged.submission)
          : html`<p class="side-note">${t("Submit again to read this in English.")}</p>`
      }
      ${this.receipt(judged.submission)}
    </div>`;
  }

  /** @param {ExerciseState} exercise @param {Submission} submission */
  told(exercise, { passed, checks, hidden, mistake, after }) {
    const failing = checks.filter((check) => !check.passed);
    const first = failing.find((check) => !check.reported) ?? failing[0] ?? null;
    const onlyHidden = !passed && !first && !mistake;
    return html`${passed || !mistake ? nothing : html`<div class="graded-mistake"><div class="said-words">${unsafeHTML(mistake.html)}</div></div>`}
    ${passed && after ? html`<div class="task-explanation">${unsafeHTML(after)}</div>` : nothing} ${this.checks(exercise, checks, first)}
    ${
      hidden.total
        ? html`<p class="hidden-checks">
            ${icon(hidden.passed === hidden.total ? "pass" : "open")}<span
              >${t("{passed} of {total} hidden checks pass", hidden)}${
                onlyHidden ? html`<br />${t("They try other inputs: other shapes, other sizes, other layouts.")}` : nothing
              }</span
            >
          </p>`
        : nothing
    }`;
  }

  /** The submission's receipt, or why there is none. @param {Submission} submission */
  receipt({ receipt, ...submission }) {
    if (receipt) {
      const copy = () => void copyAndTell(this, receipt.id);
      const id = html`<button class="link" type="button" title=${t("Copy the receipt")} @click=${copy}>${receipt.id}</button>`;
      const received = pieces("Received {time} · receipt {id}", { time: moment(Date.parse(receipt.at)), id });
      const copied = html`<span role="status">${this.copied ? ` ${t("Copied")}` : nothing}</span>`;
      return html`<p class="graded-receipt">${received}${copied}</p>`;
    }
    const words = notReceived(notKept({ receipt, ...submission }));
    return words ? html`<p class="graded-receipt">${words}</p>` : nothing;
  }

  /** @param {ExerciseState} exercise @param {CheckNews[]} checks @param {CheckNews | null} first the one that is opened */
  checks(exercise, checks, first) {
    if (!checks.length) return nothing;
    const asksForTest = exercise.facts.kind === "test";
    const told = exercise.cell.results.value.result?.error ? "runs" : ""; // the error is shown above
    return html`<ul class="check-list" aria-label=${t("Checks")}>
      ${checks.map((check) => html`<li data-check=${check.id}>${item(check, asksForTest, check === first, check.id === told)}</li>`)}
    </ul>`;
  }
}

/**
 * @param {CheckNews} check
 * @param {boolean} asksForTest
 * @param {boolean} open
 * @param {boolean} told whether its message is shown elsewhere
 */
function item(check, asksForTest, open, told) {
  const { id, title, passed } = check;
  const kind = passed ? "ok" : "no";
  const head = html`${icon(id === "marks" ? "alert" : passed ? "pass" : "fail")}<span class="check-title">${title}</span
    >${end(check, asksForTest)}`;
  const body = told ? nothing : evidence(check);
  if (body === nothing) return html`<div class="check ${kind}"><div class="check-head">${head}</div></div>`;
  return html`<details class="check ${kind}" ?open=${open || passed}>
    <summary class="check-head">${head}</summary>
    ${body}
  </details>`;
}

/**
 * The evidence of a check: the lesson's words, or a plain message if no picture shows the same; then the facts and the picture.
 * @param {CheckNews} check
 */
function evidence({ html: words, message, facts = [], explanation, gradcheck }) {
  if (!words && !message && !facts.length) return nothing;
  return html`${
    words
      ? html`<div class="said-words">${unsafeHTML(words)}</div>`
      : message && !gradcheck
        ? html`<p class="said-words">${coded(message)}</p>`
        : nothing
  }
  ${explanation ? html`<p class="said-words">${explanation}</p>` : nothing}
  ${
    facts.length
      ? html`<dl class="fact-list">
          ${facts.map(
            (fact) =>
              html`<div>
                <dt>${fact.title}</dt>
                <dd>${fact.value}</dd>
              </div>`,
          )}
        </dl>`
      : nothing
  }
  ${gradcheck ? view(gradcheck) : nothing}`;
}

/** Renders a text in which names are between backticks. @param {string} text */
function coded(text) {
  return text.split(/`([^`\n]+)`/).map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));
}

/** @param {CheckNews} check @param {boolean} asksForTest */
function end({ id, passed, reported }, asksForTest) {
  if (asksForTest && id.startsWith("right")) return html`<span class="check-end">${passed ? t("accepted") : t("rejected")}</span>`;
  if (asksForTest && id.startsWith("mutant:")) return html`<span class="check-end">${passed ? t("caught") : t("let through")}</span>`;
  const words = passed ? t("passes") : t("does not pass");
  return reported ? html`<span class="check-end">${t("for your information")}</span>` : html`<span class="unseen"> ${words}</span>`;
}

/** A text that says why a graded submission has no receipt, and what happens to it. @param {string} why */
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
    case "at_limit":
      return t("Graded, but not received: this server has no room for more. This browser will send it again by itself.");
    case "address_at_limit":
      return t(
        "Graded, but not received: your network has saved as much as one address may in an hour. This browser will " +
          "send it again by itself.",
      );
    default:
      return t("Graded, but not received: the server cannot keep anything at this moment. This browser will send it again by itself.");
  }
}

customElements.define("submission-checks", SubmissionChecks);
