/**
 * Preserves the reader's place in the text when the language is switched. The page has the same blocks in the same order in both languages.
 */

const KEY = "gradroom/place";
/** How long a place is valid. An older one is from another visit. */
const FRESH_MS = 10_000;

/** The path of the page without its language. */
const path = () => location.pathname.replace(/^\/[^/]+/, "");
const blocks = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".text > :not(run-results)")]);
/** The lower edge of the bar at the top of the page. */
const top = () => document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0;

/** Stores the index of the first visible block, and how much of it is scrolled out of view. */
export function keepPlace() {
  const index = blocks().findIndex((block) => block.getBoundingClientRect().bottom > top());
  const block = blocks()[index];
  if (!block || window.scrollY === 0) return;
  const { top: from, height } = block.getBoundingClientRect();
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ path: path(), index, share: (top() - from) / height, at: Date.now() }));
  } catch {
    // Without storage the other page begins at its top.
  }
}

/** Scrolls to the stored place. */
export function takePlace() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
    const block = kept?.path === path() && Date.now() - kept.at < FRESH_MS ? blocks()[kept.index] : undefined;
    if (!block) return;
    const { top: from, height } = block.getBoundingClientRect();
    window.scrollBy({ top: from - top() + kept.share * height, behavior: "instant" });
  } catch {
    // Without storage the page begins at its top.
  }
}
