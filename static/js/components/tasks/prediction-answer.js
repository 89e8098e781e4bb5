/** The input of a prediction: a text field or radio buttons, depending on the question. */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";

/** @typedef {import("../../state/tasks/prediction-state.js").PredictionState} PredictionState */

/** @param {PredictionState} prediction @param {Node[][]} choices the text of each, as nodes of the page */
export function answerField(prediction, choices) {
  const { asks, names } = prediction.facts;
  switch (asks) {
    case "choice":
      return radios(
        prediction,
        choices.map((words, index) => [String(index + 1), words]),
      );
    case "verdict":
      return radios(
        prediction,
        [
          ["passes", t("It passes")],
          ["fails", t("It fails")],
        ],
        true,
      );
    case "isolated":
      return radios(
        prediction,
        [...names.map((name) => /** @type {[string, unknown]} */ ([name, html`<code>${name}</code>`])), ["none", t("None of them")]],
        true,
      );
    default:
      return field(prediction);
  }
}

/** @param {PredictionState} prediction @param {[string, unknown][]} choices @param {boolean} [inline] */
function radios(prediction, choices, inline = false) {
  const { id } = prediction.facts;
  const radio = (/** @type {[string, unknown]} */ [value, words]) =>
    html`<label class="prediction-option">
      <input
        type="radio"
        name="prediction-${id}"
        value=${value}
        .checked=${prediction.text.value === value}
        ?disabled=${prediction.busy.value}
        @change=${() => prediction.write(value)}
      /><span>${words}</span></label
    >`;
  return html`<fieldset class="prediction-options ${inline ? "inline" : ""}" aria-labelledby="question-${id}" aria-describedby="unclear-${id}">
    ${choices.map(radio)}
  </fieldset>`;
}

/** @param {PredictionState} prediction */
function field(prediction) {
  const { id, asks } = prediction.facts;
  const [label, hint] = {
    value: [t("Your number"), ""],
    shape: [t("Your shape"), t("Sizes with commas, such as 2, 3; () for a single number.")],
    line: [t("Your line"), t("Its number; or click the line in the code.")],
    nodes: [t("Your number"), ""],
  }[/** @type {"value" | "shape" | "line" | "nodes"} */ (asks)];
  const code = asks === "line" ? prediction.cell.facts.starter.split("\n")[Number(prediction.text.value) - 1]?.trim() : "";
  return html`<p class="prediction-field">
    <label for="answer-${id}">${label}</label>
    <input
      id="answer-${id}"
      class="prediction-input"
      type="text"
      autocomplete="off"
      spellcheck="false"
      autocapitalize="off"
      inputmode=${asks === "shape" || asks === "value" ? "text" : "numeric"}
      aria-describedby="hint-${id} unclear-${id}"
      aria-invalid=${prediction.unclear.value ? "true" : "false"}
      .value=${prediction.text.value}
      ?disabled=${prediction.busy.value}
      @input=${(/** @type {Event} */ event) => prediction.write(/** @type {HTMLInputElement} */ (event.target).value)}
    />
    ${code ? html`<code class="chosen-line">${code}</code>` : nothing}
    <span class="hint-words" id="hint-${id}">${hint}</span>
  </p>`;
}
