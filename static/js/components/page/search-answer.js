/** The search dialog's answer: the results, or words in their place. */

import { html, nothing } from "lit";

import { shorten } from "../../lib/search-client.js";
import { pieces, t } from "../../lib/words.js";

/**
 * @typedef {import("../../lib/search-client.js").SearchResult} SearchResult
 * @typedef {import("../../state/search-state.js").SearchState} SearchState
 */

/** @param {SearchState} state @param {(result: SearchResult) => void} choose */
export function searchAnswer(state, choose) {
  const at = `/${document.documentElement.lang}/search?${new URLSearchParams({ q: shorten(state.query.value) })}`;
  return html`${resultList(state, choose)}
    <p class="search-foot">
      <span role="status">${answerCount(state)}</span>
      ${state.results.length ? html`<a href=${at}>${t("All results")}</a>` : nothing}
    </p>
    ${answerWords(state)}`;
}

/** @param {SearchState} state @param {(result: SearchResult) => void} choose */
function resultList(state, choose) {
  const { results } = state;
  return html`<div class="search-results" role="listbox" id="search-results" aria-label=${t("Results")} ?hidden=${results.length === 0}>
    ${results.map(
      (result, index) =>
        html`<a
          class="search-result"
          role="option"
          id="search-result-${index}"
          href=${result.url}
          tabindex="-1"
          aria-selected=${index === state.chosen.value}
          @mousedown=${(/** @type {Event} */ event) => event.preventDefault() /* the field keeps the focus */}
          @pointermove=${() => (state.chosen.value = index)}
          @click=${(/** @type {MouseEvent} */ event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey) return;
            event.preventDefault();
            choose(result);
          }}
          >${resultWords(result)}</a
        >`,
    )}
  </div>`;
}

/** @param {SearchResult} result */
function resultWords({ kind, title, where, excerpt }) {
  return html`<span class="search-title">${title}</span> <span class="search-kind">${kindWords(kind)}</span>
    ${where ? html`<span class="search-where">${where}</span>` : nothing}
    ${
      excerpt.length
        ? html`<span class="search-excerpt">${excerpt.map(({ text, match }) => (match ? html`<mark>${text}</mark>` : text))}</span>`
        : nothing
    }`;
}

/** @param {SearchResult["kind"]} kind */
function kindWords(kind) {
  const words = {
    lesson: t("Lesson"),
    section: t("Section"),
    exercise: t("Exercise"),
    pitfall: t("Pitfall"),
    term: t("Term"),
    page: t("Page"),
    card: t("Card"),
    path: t("Path"),
  };
  return words[kind];
}

/** What stands in place of results: what can be searched for, or where else to look. @param {SearchState} state */
function answerWords(state) {
  const { results } = state;
  const answer = state.answer.value;
  if (!answer)
    return html`<p class="search-words">
      ${t("Lessons, terms, names such as save_for_backward, and PyTorch’s messages: paste one, with its traceback.")}
    </p>`;
  if (!answer.ok)
    return answer.retryAfter
      ? nothing
      : html`<p class="search-words"><button class="link" type="button" @click=${() => state.searchNow()}>${t("Try again")}</button></p>`;
  if (results.length) return nothing;
  const at = `/${document.documentElement.lang}`;
  const links = {
    playground: html`<a href="${at}/playground">${t("Playground")}</a>`,
    pitfalls: html`<a href="${at}/pitfalls">${t("Pitfalls")}</a>`,
  };
  return html`<p class="search-words">
    ${pieces("Run your program in the {playground}: what is wrong with it is said there. Or look through the {pitfalls}.", links)}
  </p>`;
}

/** @param {{retryAfter: number}} failure */
function failureWords({ retryAfter }) {
  if (!retryAfter) return t("The server is out of reach.");
  return t("Too many searches at once. Yours is repeated in {seconds} s.", { seconds: retryAfter });
}

/** The number of results, or why there is no answer. @param {SearchState} state */
function answerCount({ answer: { value: answer }, results }) {
  if (!answer?.ok) return answer ? failureWords(answer) : "";
  if (results.length === 0) return t("Nothing found.");
  return results.length === 1 ? t("1 result") : t("{count} results", { count: results.length });
}
