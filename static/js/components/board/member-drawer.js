/** One member: what they submitted, what changed from one attempt to the next, what they predicted, and what a helper can do for them. */

import { html, nothing } from "lit";
import { repeat } from "lit/directives/repeat.js";

import { answerWords } from "../../lib/board/prediction-words.js";
import { reasonWords } from "../../lib/board/board-words.js";
import { moment, t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import "./attempt-view.js";
import { BoardElement } from "./board-element.js";

/**
 * @typedef {import("../../lib/board/board-client.js").MemberWork} MemberWork
 * @typedef {import("../../state/board-state.js").BoardState} BoardState
 */

class MemberDrawer extends BoardElement {
  /** @override */
  static properties = { failed: { state: true } };

  constructor() {
    super();
    this.failed = false;
  }

  /** @override */
  render() {
    const { board } = this;
    const member = board?.opened.value ?? null;
    const row = member === null ? null : board?.row(member);
    if (!board || !row) return nothing;
    const work = board.work.value;
    return html`<div class="drawer-head">
        <h2 id="drawer-title" tabindex="-1">
          <bdi>${board.nameOf(row)}</bdi>${row.number && !board.hidesNames.value ? html` <small>${row.number}</small>` : nothing}
        </h2>
        <button class="ghost square" type="button" aria-label=${t("Close")} title=${t("Close")} @click=${() => this.leave(board, row.member)}>
          ${icon("close")}
        </button>
      </div>
      <p class="drawer-why">${reasonWords(row)}</p>
      ${this.coming(board, row)}
      <div role="status">
        ${
          work === null
            ? html`<p class="side-note">${t("Loading…")}</p>`
            : typeof work === "number"
              ? html`<p class="failure-words">${t("This cannot be read right now.")}
                  <button class="link" type="button" @click=${() => void board.show(row.member)}>${t("Try again")}</button></p>`
              : nothing
        }
      </div>
      ${typeof work === "object" && work ? this.work(board, work) : nothing}`;
  }

  /** @param {BoardState} board @param {import("../../lib/board/board-client.js").BoardRow} row */
  coming(board, { helper, hand, reason }) {
    const act = (/** @type {"come" | "stay" | "lower"} */ what, /** @type {string} */ words) => {
      const press = async () => (this.failed = !(await board.help(what)));
      return html`<button class="button quiet" type="button" @click=${press}>${words}</button>`;
    };
    return html`${helper && reason !== "coming" ? html`<p class="drawer-coming">${t("{name} is coming", { name: helper })}</p>` : nothing}
      <p class="button-row">
        ${helper ? act("stay", t("Not coming after all")) : act("come", t("I’m coming"))}
        ${hand ? act("lower", t("Helped: lower the hand")) : nothing}
        <span role="status">${this.failed ? t("This was not stored. Try again.") : nothing}</span>
      </p>`;
  }

  /** @param {BoardState} board @param {MemberWork} work */
  work(board, work) {
    return html`${this.exercises(board, work)}${this.shown(work)}
      ${work.title && !work.attempts.length ? html`<p class="side-note">${t("Nothing was submitted to this exercise.")}</p>` : nothing}
      ${repeat(
        work.attempts,
        ({ id }) => id,
        (attempt, place) =>
          html`<attempt-view
            .board=${board}
            .attempt=${attempt}
            .isFirst=${place === work.attempts.length - 1}
            .startsOpen=${place === 0 && !work.shown}
          ></attempt-view>`,
      )}
      ${this.predictions(work)}`;
  }

  /** The exercise, with a choice of the others that were submitted. @param {BoardState} board @param {MemberWork} work */
  exercises(board, { member, place, title, lesson_title, tried }) {
    const others =
      tried.some((one) => one.place === place) || !title ? tried : [{ place, title, lesson_title, attempts: 0, passed: false }, ...tried];
    if (others.length < 2) return html`<h3>${title || lesson_title}</h3>`;
    const choose = (/** @type {Event} */ { target }) => void board.show(member, /** @type {HTMLSelectElement} */ (target).value);
    return html`<label class="drawer-exercise"
      ><span class="unseen">${t("Exercise")}</span
      ><select @change=${choose}>
        ${others.map(
          (one) =>
            html`<option value=${one.place} ?selected=${one.place === place}>
              ${one.passed ? "✓ " : ""}${one.title} · ${one.lesson_title} (${one.attempts})
            </option>`,
        )}
      </select></label
    >`;
  }

  /** @param {MemberWork} work */
  shown({ shown, shown_at: at, hand }) {
    if (!shown) return hand ? html`<p class="side-note">${t("The text as it is now is not shown to you.")}</p>` : nothing;
    return html`<section class="drawer-shown" aria-label=${t("The text as it is now")}>
      <p>${at ? t("The text as it is now, last changed at {time}", { time: moment(Date.parse(at)) }) : t("The text as it is now")}</p>
      <pre tabindex="0">
${shown.map((line) => html`<span class="l ${signOf(line)}">${line.slice(1)}${"\n"}</span>`)}</pre
      >
    </section>`;
  }

  /** @param {MemberWork} work */
  predictions({ predictions }) {
    if (!predictions.length) return nothing;
    return html`<section class="drawer-predictions">
      <h3>${t("Predictions")}</h3>
      <ul>
        ${predictions.map(
          ({ question, first, first_right, last, last_right }) =>
            html`<li>
              <p>${question}</p>
              <p class="side-note">
                ${icon(first_right ? "pass" : "fail")}${answerWords(first)}${
                  JSON.stringify(first) === JSON.stringify(last)
                    ? nothing
                    : html` → ${icon(last_right ? "pass" : "fail")}${answerWords(last)}`
                }
              </p>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  /** Closes the drawer and goes back to the row. @param {BoardState} board @param {number} member */
  leave(board, member) {
    board.close();
    /** @type {HTMLElement | null} */ (document.querySelector(`[data-member="${member}"]`))?.focus();
  }
}

/** The class of a line by its sign. @param {string} line */
export function signOf(line) {
  return line.startsWith("+") ? "new" : line.startsWith("-") ? "old" : "";
}

customElements.define("member-drawer", MemberDrawer);
