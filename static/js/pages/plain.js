/**
 * The script of every page: translations, the theme, the language switch, the list of keys, the search, and keyboard access to parts that
 * scroll.
 */

import { useMessages, t } from "../lib/words.js";
import "../components/page/glossary-card.js";
import "./help.js";
import "./left.js";
import "./search.js";
import { keepPlace } from "./place.js";

const YEAR_SECONDS = 31_536_000;
const THEMES = ["auto", "light", "dark"];

/**
 * The data that the server gives the page's scripts. `kept`, on pages that show stored work, is null if the store cannot be read. `around`,
 * on a lesson, is the lessons of its chapter. `lessons`, on the home page, is the path, title and number of parts of each. `classes`, on a
 * lesson, are the classes in which its reader can raise a hand. `class` is the id of a class, and `board` its board. `lesson` and `attempt`
 * are what the projector shows.
 * @returns {{lang: string, messages: Record<string, string>, kept?: any, around?: any, lessons?: [string, string, number][],
 *   classes?: {id: number, name: string}[], class?: number, board?: any, lesson?: string, attempt?: number}}
 */
export function readPage() {
  const data = document.getElementById("page-data")?.textContent ?? "{}";
  return JSON.parse(data);
}

/** @param {string} name @param {string} value */
function setCookie(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

function theme() {
  return document.documentElement.dataset["theme"] ?? "auto";
}

/** @param {HTMLElement} button */
function nameTheme(button) {
  const names = { auto: t("Theme: as the system"), light: t("Theme: light"), dark: t("Theme: dark") };
  const name = names[/** @type {keyof typeof names} */ (theme())];
  button.setAttribute("aria-label", name);
  button.title = name;
}

/** @param {HTMLElement} button */
function turnTheme(button) {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length] ?? "auto";
  if (next === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = next;
  document.querySelector('meta[name="color-scheme"]')?.setAttribute("content", next === "auto" ? "light dark" : next);
  setCookie("theme", next);
  nameTheme(button);
}

/** Makes wide elements that scroll reachable by keyboard. */
function reachScrolling() {
  for (const wide of /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll(".maths, :is(.text, answer-text, .card-body) > :is(.table, pre)")
  )) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
}

/**
 * Removes the gap after roots. Chromium reserves the width of the largest root sign beside every root. A root in a folded element has a
 * size only when the fold is opened.
 */
function closeRoots() {
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) closeRoot(/** @type {MathMLElement} */ (target));
  });
  for (const root of document.querySelectorAll("msqrt, mroot")) sizes.observe(root);
}

/** @param {MathMLElement} root */
function closeRoot(root) {
  const inner = root.firstElementChild?.getBoundingClientRect();
  const gap = root.getBoundingClientRect().right - (inner?.right ?? 0);
  if (inner?.width && gap > 0) root.style.marginInlineEnd = `${-gap / parseFloat(getComputedStyle(root).fontSize)}em`;
}

const page = readPage();
useMessages(page.messages, page.lang);
document.documentElement.dataset["scripted"] = "";
document.documentElement.dataset["scripting"] = ""; // scripts may load after the page showed that they had not

/** @type {HTMLElement | null} */
const switcher = document.querySelector('[data-action="theme"]');
if (switcher) {
  nameTheme(switcher);
  switcher.addEventListener("click", () => turnTheme(switcher));
}

for (const link of document.querySelectorAll("a[data-lang]")) {
  link.addEventListener("click", () => {
    if (link instanceof HTMLAnchorElement) link.hash = location.hash;
    keepPlace();
  });
}

void document.fonts.ready.then(closeRoots);
reachScrolling();
window.addEventListener("resize", reachScrolling);
