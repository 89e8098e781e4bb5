/** The script of a class's board: who needs help now, and one member's work beside it. */

import { effect } from "@preact/signals-core";

import "./plain.js";
import "../components/board/board-bar.js";
import "../components/board/board-clusters.js";
import "../components/board/class-board.js";
import "../components/board/member-drawer.js";
import { NARROW } from "../lib/breakpoints.js";
import { BoardState } from "../state/board-state.js";
import { settings } from "./help.js";
import { readPage } from "./plain.js";

const PARTS = "board-bar, class-board, board-clusters, member-drawer";
const page = readPage();
const board = new BoardState(page.class ?? 0, page.lang, page.board, () => window.localStorage);
for (const part of document.querySelectorAll(PARTS)) Object.assign(part, { board });
effect(() => {
  const { value: opened } = board.opened;
  document.querySelector(".board")?.classList.toggle("has-drawer", opened !== null);
  if (opened === null) return;
  // rows are higher beside a drawer, so that the open one would slip away
  document.querySelector(`[data-member="${opened}"]`)?.scrollIntoView({ block: "nearest" });
  if (matchMedia(NARROW).matches) void showTitle();
});
void board.follow();

/** Moves the focus into the drawer where it covers the rows. */
async function showTitle() {
  const drawer = /** @type {import("lit").LitElement | null} */ (document.querySelector("member-drawer"));
  await drawer?.updateComplete;
  /** @type {HTMLElement | null | undefined} */ (drawer?.querySelector("#drawer-title"))?.focus();
}

/** The rows in the order in which they stand. @returns {HTMLElement[]} */
function rows() {
  return [...document.querySelectorAll(".board-row")].filter((one) => one instanceof HTMLElement);
}

/** Moves the focus from row to row. @param {1 | -1} by */
function walk(by) {
  const all = rows();
  const at = all.findIndex((one) => one === document.activeElement || one.classList.contains("opened"));
  all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + by))]?.focus();
}

/** @param {KeyboardEvent} event */
function press(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof Element) || document.querySelector("dialog[open]")) return;
  if (key === "Escape" && board.opened.value !== null) {
    const member = board.opened.value;
    board.close();
    rows()
      .find((one) => one.dataset["member"] === String(member))
      ?.focus();
    return;
  }
  if (!settings.singleKeys.value || target.closest("input, textarea, select, [contenteditable]")) return;
  const inRows = target.matches(".board-row");
  if (key === "j" || (key === "ArrowDown" && inRows)) walk(1);
  else if (key === "k" || (key === "ArrowUp" && inRows)) walk(-1);
  else if (key === "u") board.update();
  else return;
  event.preventDefault();
}

document.addEventListener("keydown", press);
