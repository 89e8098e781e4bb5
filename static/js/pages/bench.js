/**
 * Sets up a page with cells: builds the page's state from the server's HTML, passes it to the elements, and connects it with keys, other
 * tabs and the live region.
 */

import { effect, untracked } from "@preact/signals-core";

import "../components/cell/code-cell.js";
import { orMissing } from "../components/page/missing-part.js";
import "../components/results/run-results.js";
import { announced, useViews } from "../components/results/records.js";
import { sentenceOf, spoken } from "../lib/doctor/findings.js";
import { announcement } from "../lib/run/run-words.js";
import { t } from "../lib/words.js";
import { Drafts } from "../state/saving/drafts.js";
import { browserStore, KeptResults } from "../state/kept-results.js";
import { PageState } from "../state/page-state.js";
import { settings } from "./help.js";
import { turnPage } from "./turning.js";

/**
 * @typedef {import("../state/cell-state.js").CellFacts} CellFacts
 * @typedef {import("../state/cell-state.js").CellState} CellState
 */

/**
 * @param {string} scope under which edits are stored
 * @param {import("../state/saving/take-kept.js").Kept | null} server what the server has
 * @param {import("../state/page-state.js").MakeRequest} request
 * @param {() => Storage} [open] gives the storage for edits, or throws where there is none
 * @returns {PageState}
 */
export function openBench(scope, server, request, open = () => window.localStorage) {
  const elements = /** @type {NodeListOf<HTMLElement & {cell: CellState | null}>} */ (document.querySelectorAll("code-cell"));
  const kept = { drafts: new Drafts(open, scope), results: new KeptResults(browserStore, scope), settings };
  const facts = [...elements].map(readFacts);
  for (const { id, starter } of server ? [...facts, { id: "_rule", starter: "" }] : [])
    kept.drafts.meetPage(id, starter, server?.drafts[id] ?? { version: 0, source: null });
  const page = new PageState(facts, kept, request);
  for (const element of document.querySelectorAll("code-cell, run-results")) {
    const { cell } = /** @type {HTMLElement} */ (element).dataset;
    Object.assign(element, { cell: page.find(cell ?? "") });
  }
  page.active.value = page.cells[0] ?? null;
  document.addEventListener("keydown", (event) => press(page, event));
  window.addEventListener("storage", (event) => page.onStorage(event.key));
  effect(() => void document.body.classList.toggle("has-results", page.column.value !== null));
  /** @type {Set<CellState>} */
  const announcing = new Set();
  effect(() => {
    for (const cell of page.cells.filter((one) => !announcing.has(one))) {
      announcing.add(cell);
      untracked(() => effect(() => announce(cell)));
      untracked(() => effect(() => announceFindings(cell)));
    }
  });
  effect(() => {
    if (!page.busy.value && !page.cells.some((cell) => cell.filled.value)) return;
    void loadViews();
    void orMissing(import("../components/cell/run-output.js"));
  });
  effect(() => void (page.lasting.value || warn(page)));
  void page.restore();
  return page;
}

/** Reads a cell's facts from the server's HTML. @param {HTMLElement} element @returns {CellFacts} */
function readFacts(element) {
  const { cell = "", number, filename = "", runtime = "", after = "", raises = "", exercise = "" } = element.dataset;
  const starter = (element.querySelector("pre")?.textContent ?? "").replace(/\n$/, "");
  return {
    id: cell,
    number: Number(number),
    filename,
    runtime,
    after: after.split(" ").filter(Boolean),
    raises,
    starter,
    exercise,
    forChecks: "forChecks" in element.dataset,
  };
}

/** Loads the views of records when there is a first run or a stored result. If that fails, the next run tries again. */
async function loadViews() {
  useViews(await orMissing(import("../components/results/views.js")));
}

/**
 * Announces the state of the latest run to screen readers. If a submission has run, its verdict is announced instead (tasks.js).
 * @param {CellState} cell
 */
function announce(cell) {
  const { phase, reason, result } = cell.run.value;
  if (cell.facts.exercise && cell.graded.peek() && result?.outcome === "finished") return;
  const live = /** @type {HTMLElement} */ (document.getElementById("live"));
  const { number, filename } = cell.facts;
  const called = number ? t("Cell {number}", { number }) : filename;
  if (result && phase === "done") {
    live.textContent = "";
    void loadViews().then(() => {
      if (live.textContent) return; // the verdict was announced in the meantime
      live.textContent = announcement(
        called,
        result,
        announced(result.records),
        cell.page.numberOf(cell.otherCell(result.error?.cell ?? null)),
      );
    });
  } else if (phase === "lost") live.textContent = t("The run was lost before it ended. Nothing you wrote is lost.");
  else if (phase === "waiting" && reason === "unreachable") live.textContent = t("The server is out of reach. Your code is kept.");
}

/** Announces the first finding of a second run to screen readers, when that run has ended. @param {CellState} cell */
function announceFindings(cell) {
  if (cell.trace.phase.value !== "ready") return;
  const first = untracked(() => cell.findings.all.value.find(({ diagnosis }) => diagnosis));
  const live = document.getElementById("live");
  if (first && live && cell.findings.reach === "all") live.textContent = spoken(first.severity, sentenceOf(first));
}

/** @param {PageState} page @param {KeyboardEvent} event */
function press(page, event) {
  if (turnPage(event, page.busy.value) === "stop" && page.stop()) event.preventDefault();
}

/** Shows a notice that this browser stores nothing, and asks before the page is left. @param {PageState} page */
function warn(page) {
  const notice = document.createElement("div");
  notice.className = "page-notice";
  notice.setAttribute("role", "status");
  const words = document.createElement("p");
  words.textContent = t("This browser does not keep your edits. Copy what you need before you leave.");
  notice.append(words);
  document.body.append(notice);
  window.addEventListener("beforeunload", (event) => {
    if (page.texts.some((one) => page.drafts.memory.has(page.drafts.key(one.id)) && one.saved.value.kind !== "saved"))
      event.preventDefault();
  });
}
