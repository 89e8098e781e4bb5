/** An attempt: its verdict, and its text with what differs from the one before. A note can be written at each line. */

import { html, nothing } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";

import { moment, t } from "../../lib/words.js";
import { BoardElement } from "./board-element.js";
import { PROJECTOR, projectorAddress } from "./board-clusters.js";

/**
 * @typedef {import("../../lib/board/board-client.js").MemberAttempt} MemberAttempt
 * @typedef {import("../../lib/board/board-client.js").WrittenNote} WrittenNote
 * @typedef {import("../../state/board-state.js").BoardState} BoardState
 */

class AttemptView extends BoardElement {
  /** @override */
  static properties = {
    attempt: { attribute: false },
    isFirst: { attribute: false },
    startsOpen: { attribute: false },
    open: { state: true },
    line: { state: true },
    text: { state: true },
    failed: { state: true },
  };

  constructor() {
    super();
    /** @type {MemberAttempt | null} */
    this.attempt = null;
    /** Whether there is none before it, so that nothing is compared. */
    this.isFirst = false;
    /** Whether it is open until the reader closes it. */
    this.startsOpen = false;
    this.open = false;
    /** The line at which a note is being written, from 1; 0 for none. */
    this.line = 0;
    this.text = "";
    this.failed = false;
  }

  /** @override */
  willUpdate() {
    if (!this.hasUpdated) this.open = this.startsOpen;
  }

  /** @override */
  render() {
    const { board, attempt } = this;
    if (!board || !attempt) return nothing;
    const { answer, notes } = attempt;
    return html`<details ?open=${this.open} @toggle=${(/** @type {Event} */ event) => (this.open = /** @type {HTMLDetailsElement} */ (event.target).open)}>
      <summary>
        <span>${moment(Date.parse(answer.at))}</span>
        <span class="attempt-verdict ${answer.passed ? "passed" : ""}"
          >${answer.passed ? t("passed") : t("{good} of {total} checks pass", { good: answer.good, total: answer.total })}</span
        >
        ${notes.length ? html`<span class="attempt-notes">${t("notes: {count}", { count: notes.length })}</span>` : nothing}
      </summary>
      ${this.open ? this.body(board, attempt) : nothing}
    </details>`;
  }

  /** @param {BoardState} board @param {MemberAttempt} attempt */
  body(board, attempt) {
    const { answer, hidden } = attempt;
    return html`${answer.mistake ? html`<div class="said-words">${unsafeHTML(answer.mistake.html)}</div>` : nothing}
      <ul class="attempt-checks">
        ${answer.checks.flatMap(({ passed, title, message, html: words, reported }) =>
          passed || reported
            ? []
            : [
                html`<li><b>${title}</b>${words ? html`<div>${unsafeHTML(words)}</div>` : message ? html`<p>${message}</p>` : nothing}</li>`,
              ],
        )}
        ${hidden.passed < hidden.total ? html`<li><b>${t("{passed} of {total} hidden checks pass", hidden)}</b></li>` : nothing}
      </ul>
      ${this.isFirst ? nothing : html`<p class="side-note">${t("Marked: what differs from the attempt before.")}</p>`}
      <div class="attempt-lines" role="region" tabindex="0" aria-label=${t("The program, line by line")}>${this.lines(board, attempt)}</div>
      <p class="side-note">
        <a href=${projectorAddress(board, attempt.id)} target=${PROJECTOR}>${t("Show it to the class")}</a>
        ${t("No name is shown; comments and texts in the program lose it.")}
      </p>`;
  }

  /** @param {BoardState} board @param {MemberAttempt} attempt */
  lines(board, { id, lines, notes }) {
    let number = 0;
    return lines.map((line) => {
      if (line.startsWith("-")) return html`<div class="l old"><span class="line-number"></span><code>${line.slice(1)}</code></div>`;
      number += 1;
      const here = number;
      const label = t("Write a note at line {line}", { line: here });
      return html`<div class="l ${line.startsWith("+") ? "new" : ""}">
          <button class="line-number" type="button" aria-label=${label} title=${label} @click=${() => this.begin(here)}>${here}</button
          ><code>${line.slice(1)}</code>
        </div>
        ${notes.filter((note) => note.line === here).map(written)} ${this.line === here ? this.form(board, id) : nothing}`;
    });
  }

  /** @param {BoardState} board @param {number} attempt */
  form(board, attempt) {
    const send = async (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!this.text.trim()) return;
      this.failed = !(await board.write(attempt, this.line, this.text.trim()));
      if (!this.failed) this.begin(0);
    };
    return html`<form class="note-form" @submit=${send}>
      <label
        ><span class="unseen">${t("A note at line {line}", { line: this.line })}</span
        ><textarea
          rows="2"
          maxlength="2000"
          .value=${this.text}
          @input=${(/** @type {Event} */ { target }) => (this.text = /** @type {HTMLTextAreaElement} */ (target).value)}
        ></textarea>
      </label>
      <p class="button-row">
        <button class="button" type="submit">${t("Write the note")}</button>
        <button class="ghost" type="button" @click=${() => this.begin(0)}>${t("Cancel")}</button>
        <span role="status">${this.failed ? t("This was not stored. Try again.") : nothing}</span>
      </p>
    </form>`;
  }

  /** Opens the form at a line; 0: closes it. @param {number} line */
  begin(line) {
    this.line = line;
    this.text = "";
    this.failed = false;
    if (line) void this.updateComplete.then(() => this.querySelector("textarea")?.focus());
  }
}

/** @param {WrittenNote} note */
function written({ text, author, read_ms: read }) {
  return html`<p class="written-note"><span>${text}</span> <small><bdi>${author}</bdi> · ${read ? t("read") : t("not read yet")}</small></p>`;
}

customElements.define("attempt-view", AttemptView);
