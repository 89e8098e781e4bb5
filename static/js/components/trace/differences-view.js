/** A note that the second run differed from the first, and in which printed lines. */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";

/** @param {import("../../lib/trace/differences.js").Differences} differences */
export function differencesView({ ending, records, lines }) {
  const what = ending
    ? t("The second run, which is shown here, ended differently from the first.")
    : records
      ? t("The second run, which is shown here, made other results than the first.")
      : t("The second run, which is shown here, printed something else than the first.");
  return html`<div class="trace-differences" role="status">
    <p>${what}</p>
    ${
      lines.length
        ? html`<details>
            <summary>${lines.length === 1 ? t("1 line differs") : t("{count} lines differ", { count: lines.length })}</summary>
            <ul>
              ${lines.map(
                ({ line, first, second }) => html`<li>${t("Line {line}:", { line })} <code>${first}</code> → <code>${second}</code></li>`,
              )}
            </ul>
          </details>`
        : nothing
    }
  </div>`;
}
