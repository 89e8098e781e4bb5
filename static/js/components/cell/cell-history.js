/**
 * The dialog with the earlier versions of a cell's text. An exercise's dialog lists its submissions too. The page loads this module when
 * the learner opens the dialog.
 */

import { html, nothing } from "lit";
import { unsafeHTML } from "lit/directives/unsafe-html.js";

import { readAttempts, readDraft } from "../../lib/me/me-client.js";
import { attemptWords, failureWords } from "../../lib/me/me-words.js";
import { t } from "../../lib/words.js";
import { showHistory } from "../page/history-dialog.js";

/**
 * @typedef {import("../../state/cell-state.js").CellState} CellState
 * @typedef {import("../../lib/me/me-client.js").DraftVersion} DraftVersion
 * @typedef {import("../../lib/me/me-client.js").SentAttempt} SentAttempt
 * @typedef {import("../page/history-dialog.js").Past} Past
 */

/** Shows the versions that the browser has at once, and adds the server's versions when they arrive. @param {CellState} cell */
export async function openCellHistory(cell) {
  const { number, filename } = cell.facts;
  const here = kept(cell);
  const look = {
    title: t("History of {name}", { name: number ? t("cell {number} ({filename})", { number, filename }) : filename }),
    now: cell.text.value,
    none: "",
    words: { same: t("This is the code as it is now."), compared: t("Compared with the code as it is now:") },
    restore: (/** @type {Past} */ { source }) => {
      cell.bringBack(source);
      cell.page.target.value = { cell };
    },
  };
  const show = showHistory({ ...look, pasts: [...here, given(cell)], note: t("Asking the server for earlier versions.") });
  if (!show) return;
  const lesson = cell.page.drafts.scope;
  const [drafts, sent] = await Promise.all([
    readDraft(lesson, cell.id),
    cell.exercise ? readAttempts(`${lesson}/${cell.exercise.facts.id}`) : null,
  ]);
  const failed = [drafts, sent].find((answer) => answer?.ok === false);
  if (failed && !failed.ok)
    show({
      ...look,
      pasts: [...here, given(cell)],
      note: t("{why} These are the versions that this browser has.", { why: failureWords(failed) }),
    });
  else show({ ...look, pasts: [...told(cell, drafts.ok ? drafts.value.versions : [], sent?.ok ? sent.value.attempts : []), given(cell)] });
}

/** Returns the earlier texts that this browser knows, each once. @param {CellState} cell @returns {Past[]} */
function kept(cell) {
  const judged = cell.exercise?.judged.value;
  const last = cell.exercise?.attempts.value.at(-1);
  const pasts = [
    { at: null, source: cell.undoable.value, words: t("before it was reset or replaced") },
    {
      at: last?.at ?? null,
      source: judged?.source,
      words: t("when it was submitted last"),
      about: last ? html`<p>${attemptWords(last)}</p>` : nothing,
    },
    { at: cell.restoredFrom.value || null, source: cell.sources.value?.[cell.id], words: t("when it was run last") },
  ];
  return pasts.flatMap((one) => (typeof one.source === "string" ? [/** @type {Past} */ (one)] : []));
}

/** The starter text of the cell. @param {CellState} cell @returns {Past} */
function given(cell) {
  return { at: null, source: cell.facts.starter, words: t("as the lesson gives it") };
}

/** @param {CellState} cell @param {DraftVersion[]} versions @param {SentAttempt[]} attempts @returns {Past[]} newest first */
function told(cell, versions, attempts) {
  const reasons = {
    run: t("when it was run"),
    replaced: t("before something else took its place"),
    restored: t("before an earlier one came back"),
    imported: t("from a zip"),
  };
  const pasts = [...versions.map(({ at, source, why }) => ({ at: Date.parse(at), source, words: reasons[why] })), ...attempts.map(sentOne)];
  const undo = cell.undoable.value;
  const unknown = undo !== null && pasts.every(({ source }) => source !== undo);
  return [...(unknown ? kept(cell).slice(0, 1) : []), ...pasts.sort((a, b) => b.at - a.at)];
}

/** @param {SentAttempt} attempt */
function sentOne(attempt) {
  const { at, source, mistake, receipt, imported } = attempt;
  const about = html`${mistake ? html`<div class="said-words">${mistake.html ? unsafeHTML(mistake.html) : mistake.message}</div>` : nothing}
    <p class="side-note">${t("Receipt")} <code>${receipt}</code>${imported ? html` · ${t("from a zip")}` : nothing}</p>`;
  return { at: Date.parse(at), source, words: t("submitted: {result}", { result: attemptWords(attempt) }), about };
}
