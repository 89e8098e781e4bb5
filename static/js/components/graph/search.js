/** Search among the nodes of a graph, by name, kind or id. */

import { html, nothing } from "lit";

import { next } from "../../lib/graph/search.js";
import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { tool } from "../results/panel.js";

/**
 * @param {import("../../lib/graph/exploration.js").Exploration} exploration
 * @param {(words: string) => void} search
 * @param {(match: number) => void} go to one of the matches, from 0
 */
export function searchField({ words, found, at }, search, go) {
  const count = found.length;
  const step = (/** @type {1 | -1} */ by) => count && go(next(at, by, count));
  const told = !count ? t("nothing found") : at < 0 ? t("{count} found", { count }) : t("{place} of {count}", { place: at + 1, count });
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter" && !event.isComposing) step(event.shiftKey ? -1 : 1);
    if (event.key !== "Escape" || !words) return;
    event.stopPropagation();
    search("");
  };
  const searching = words.trim() !== "";
  return html`<search class="graph-search">
    <input
      type="search"
      .value=${words}
      aria-label=${t("Search the nodes by name, kind or id")}
      placeholder=${t("Name, kind or id")}
      @input=${(/** @type {Event} */ event) => search(/** @type {HTMLInputElement} */ (event.target).value)}
      @keydown=${onKey}
    />
    <span class="count" role="status">${searching ? told : nothing}</span>
    ${
      searching
        ? html`${tool(
            t("Previous match"),
            icon("up"),
            () => step(-1),
            !count,
          )}${tool(t("Next match"), icon("next"), () => step(1), !count)}`
        : nothing
    }
  </search>`;
}
