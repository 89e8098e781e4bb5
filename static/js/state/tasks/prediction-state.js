/**
 * The state of one prediction: the learner's input and, after the run, the prediction and the answer.
 *
 * The run is a run of the cell as the lesson gives it; the cell shows its results.
 */

import { computed, signal } from "@preact/signals-core";

import { parseAnswer } from "../../lib/numbers/answers.js";
import { hash } from "../saving/drafts.js";

/**
 * @typedef {import("../../lib/numbers/answers.js").Answer} Answer
 * @typedef {import("../../lib/run/run-client.js").RunNews} RunNews
 * @typedef {import("../cell-state.js").CellState} CellState
 *
 * @typedef {{id: string, asks: import("../../lib/numbers/answers.js").Asks, names: string[], choices: number}} PredictionFacts
 * @typedef {{said: Answer | null, right: boolean, answer: Answer, explanation: string, lang: string}} Told  `said` null: nothing was
 *   predicted
 */

export class PredictionState {
  /** @param {PredictionFacts} facts @param {CellState} cell @param {import("../saving/kept-work.js").KeptWork} work @param {string} lang */
  constructor(facts, cell, work, lang) {
    this.facts = facts;
    this.cell = cell;
    this.work = work;
    this.lang = lang;
    /** A hash of the program that the question is about. A prediction stored for another program is ignored. */
    this.about = hash(cell.facts.starter);
    const kept = work.read("prediction", facts.id);
    const valid = kept["about"] === this.about;
    /** Whether the question is asked again, because the learner's prediction was wrong some days ago. */
    this.due = signal(valid && kept["due"] === true);
    this.told = signal(/** @type {Told | null} */ ((valid && !this.due.value && kept["told"]) || null));
    /** The first prediction and its answer. A later prediction does not replace them. @type {Told | null} */
    this.first = (valid && kept["first"]) || null;
    this.text = signal("");
    /** Whether the text that was sent is not a valid answer. */
    this.unclear = signal(false);
    this.busy = signal(false);
    /** Why there is no answer: the server's message, or "lost" if the run was lost. */
    this.failure = signal("");
    /** Whether the cell's text differs from the one that the question is about. */
    this.edited = computed(() => cell.changed.value);
  }

  /** @param {string} text */
  write(text) {
    this.text.value = text;
    this.unclear.value = false;
  }

  /** Sends the prediction and runs the cell. If the text is not a valid answer, sets `unclear` instead. */
  async predict() {
    const answer = parseAnswer(this.facts.asks, this.text.value);
    const known = this.facts.asks !== "choice" || (Number(answer) >= 1 && Number(answer) <= this.facts.choices);
    this.unclear.value = answer === null || !known;
    if (!this.unclear.value) await this.ask(answer);
  }

  /** Runs the cell without a prediction. */
  async show() {
    await this.ask(null);
  }

  /** Requests the explanation in the page's language, if the stored one is in another language. */
  async explain() {
    await this.ask(this.told.value?.said ?? null);
  }

  /** Asks the question again. */
  again() {
    this.told.value = null;
    this.text.value = "";
    this.work.keep("prediction", this.facts.id, { told: null });
  }

  /** @param {Answer | null} said */
  async ask(said) {
    const { cell } = this;
    if (this.busy.value || cell.client) return;
    this.busy.value = true;
    this.failure.value = "";
    const route = { url: `/api/lessons/${this.work.lesson}/predictions/${this.facts.id}`, last: /** @type {const} */ ("prediction") };
    const onNews = (/** @type {RunNews} */ news) => this.onNews(news, said);
    await cell.page.run(cell, {
      spec: { route, request: /** @type {any} */ ({ answer: said, lang: this.lang }), sources: cell.page.startersOf(cell), onNews },
    });
    this.busy.value = false;
  }

  /** @param {RunNews} news @param {Answer | null} said */
  onNews(news, said) {
    if (news.type === "refused") this.failure.value = news.message;
    if (news.type === "lost") this.failure.value = "lost";
    if (news.type !== "prediction") return;
    const { right, answer, explanation } = news.prediction;
    const told = { said, right: right === true, answer: /** @type {Answer} */ (answer), explanation, lang: this.lang };
    const kept = this.work.read("prediction", this.facts.id); // another tab may have stored the first prediction
    this.first ??= (kept["about"] === this.about && kept["first"]) || told;
    this.due.value = false;
    this.told.value = told;
    this.work.keep("prediction", this.facts.id, { about: this.about, first: this.first, told, due: false });
  }
}
