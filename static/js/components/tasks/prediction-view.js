/** A prediction: the question, its input, and after the run, the prediction and the answer. */

import { effect } from "@preact/signals-core";
import { html, nothing } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";

import { answerWords } from "../../lib/numbers/answers.js";
import { inARow, pieces, t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { PageElement } from "../page/page-element.js";
import { answerField } from "./prediction-answer.js";

/**
 * @typedef {import("../../state/tasks/prediction-state.js").PredictionState} PredictionState
 * @typedef {import("../../state/tasks/prediction-state.js").Told} Told
 */

class PredictionView extends PageElement {
  /** @override */
  static properties = { prediction: { attribute: false } };

  constructor() {
    super();
    /** @type {PredictionState | null} */
    this.prediction = null;
    /** @type {Element | null} */
    this.question = null;
    /** @type {Node[][]} */
    this.choices = [];
    /** @type {() => void} */
    this.end = () => {};
  }

  /** Moves the question and the choices out of the server's HTML. @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (!changed.has("prediction") || !this.prediction || this.question) return;
    const written = this.querySelector(":scope > .prediction");
    this.question = written?.querySelector(".prediction-question") ?? null;
    if (this.question) this.question.id = `question-${this.prediction.facts.id}`;
    this.choices =
      this.prediction.facts.asks === "choice"
        ? [...(written?.querySelectorAll(".prediction-choices > li") ?? [])].map((item) => [...item.childNodes])
        : [];
    written?.remove();
    this.listen(this.prediction);
  }

  /** If the question asks for a line, a press on a line of the cell fills in its number. @param {PredictionState} prediction */
  listen(prediction) {
    if (prediction.facts.asks !== "line") return;
    this.end = effect(() => {
      const pressed = prediction.cell.pressed.value;
      if (pressed && !prediction.told.peek() && !prediction.cell.changed.peek()) prediction.write(String(pressed.line));
    });
  }

  /** @override */
  disconnectedCallback() {
    super.disconnectedCallback();
    this.end();
  }

  /** @override */
  render() {
    const { prediction } = this;
    if (!prediction) return nothing;
    const { id } = prediction.facts;
    const told = prediction.told.value;
    return html`<div class="prediction ${told ? "told" : ""}" role="group" id="prediction-${id}" aria-labelledby="prediction-${id}-title">
      <p class="task-kicker" id="prediction-${id}-title">${t("Predict, then run cell {number}", { number: prediction.cell.facts.number })}</p>
      ${this.question} ${told ? this.outcome(prediction, told) : this.form(prediction)}
    </div>`;
  }

  /** @param {PredictionState} prediction */
  form(prediction) {
    const busy = prediction.busy.value || prediction.cell.busy.value;
    const unclear = prediction.unclear.value ? this.unclear(prediction) : nothing;
    return html`<form
      novalidate
      @submit=${(/** @type {Event} */ event) => (event.preventDefault(), void this.ask(() => prediction.predict()))}
    >
      ${answerField(prediction, this.choices)}
      <p class="unclear-words" id="unclear-${prediction.facts.id}" role="alert">${unclear}</p>
      ${
        prediction.due.value
          ? html`<p class="side-note">${t("Some days ago this came out differently from your prediction. What do you say now?")}</p>`
          : nothing
      }
      ${
        prediction.edited.value
          ? html`<p class="side-note">
              ${t("You have changed the cell; the question is about the code as the lesson gives it, and that is what will run.")}
            </p>`
          : nothing
      }
      <div class="button-row">
        <button class="button" type="submit" aria-disabled=${busy ? "true" : "false"}>
          ${busy ? html`<span class="status-pulse"></span>${t("Running")}` : t("Predict and run")}
        </button>
        <button class="button quiet" type="button" ?disabled=${busy} @click=${() => void this.ask(() => prediction.show())}>
          ${t("Show me")}
        </button>
      </div>
      ${this.failure(prediction)}
    </form>`;
  }

  /** @param {PredictionState} prediction */
  unclear({ facts: { asks } }) {
    if (asks === "value") return t("Write a number, such as 2.5 or -1e-3.");
    if (asks === "shape") return t("Write sizes with commas, such as 2, 3.");
    if (asks === "line" || asks === "nodes") return t("Write a whole number.");
    return t("Choose one of these, or have the answer shown.");
  }

  /** @param {PredictionState} prediction */
  failure(prediction) {
    const why = prediction.failure.value;
    if (!why) return nothing;
    return html`<p class="failure-words" role="status">
      ${why === "lost" ? t("The run was lost before it ended. Nothing you wrote is lost.") : why}
    </p>`;
  }

  /** @param {PredictionState} prediction @param {Told} told */
  outcome(prediction, told) {
    const { asks } = prediction.facts;
    const [kind, sign, words] = verdict(told);
    const values = { said: told.said === null ? "" : answerWords(asks, told.said), answer: answerWords(asks, told.answer) };
    const head = html`<strong>${words}</strong>`;
    const rest = told.said === null || told.right ? t("Answer: {answer}.", values) : t("You said {said}; the run says {answer}.", values);
    return html`<div class="outcome">
      ${asks === "choice" ? this.marked(told) : nothing}
      <p class="verdict-line ${kind}" tabindex="-1">
        ${icon(sign)}<span>${asks === "choice" ? head : pieces("{head} {rest}", { head, rest })}</span>
      </p>
      ${
        told.lang === prediction.lang
          ? html`<div class="task-explanation">${unsafeHTML(told.explanation)}</div>`
          : html`<p>
              <button class="link" type="button" @click=${() => void this.ask(() => prediction.explain())}>
                ${t("Run it again for the explanation")}
              </button>
            </p>`
      }
      ${
        prediction.first && prediction.first.said !== told.said && prediction.first.said !== null
          ? html`<p class="side-note">${t("Your first prediction: {said}.", { said: answerWords(asks, prediction.first.said) })}</p>`
          : nothing
      }
      <p class="task-again"><button class="link" type="button" @click=${() => this.again(prediction)}>${t("Predict again")}</button></p>
      ${this.failure(prediction)}
    </div>`;
  }

  /** The choices, with the prediction and the answer marked. @param {Told} told */
  marked({ said, answer }) {
    const item = (/** @type {Node[]} */ words, /** @type {number} */ index) => {
      const [mine, right] = [said === index + 1, answer === index + 1];
      const notes = [right ? t("what happens") : "", mine ? t("your prediction") : ""].filter(Boolean);
      return html`<li class="${right ? "right" : ""} ${mine ? "mine" : ""}">
        <span class="sign">${right ? icon("pass") : mine ? icon("open") : nothing}</span
        ><span>${words}</span> ${notes.length ? html`<span class="note">${inARow(notes)}</span>` : nothing}
      </li>`;
    };
    return html`<ol class="prediction-choices marked">
      ${this.choices.map(item)}
    </ol>`;
  }

  /** Runs `act`. If the focus was in the form, which disappears, moves it to the verdict. @param {() => Promise<void>} act */
  async ask(act) {
    const held = this.contains(document.activeElement);
    await act();
    await this.updateComplete;
    const reader = document.activeElement;
    const nowhere = reader === null || reader === document.body || this.contains(reader);
    if (held && nowhere)
      /** @type {HTMLElement | null} */ (
        this.querySelector(this.prediction?.told.peek() ? ".verdict-line" : "input:not([disabled]), .button")
      )?.focus({ preventScroll: true });
  }

  /** @param {PredictionState} prediction */
  async again(prediction) {
    prediction.again();
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector("input"))?.focus();
  }
}

/** @param {Told} told @returns {["right" | "other" | "shown", "pass" | "open", string]} */
function verdict({ said, right }) {
  if (said === null) return ["shown", "open", t("This is what happens.")];
  return right ? ["right", "pass", t("As you predicted.")] : ["other", "open", t("Not what you expected?")];
}

customElements.define("prediction-view", PredictionView);
