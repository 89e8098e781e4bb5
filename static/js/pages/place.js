/** The place in the text, kept when the page is left for the same one in another language: both have the same blocks, in the same order. */

const KEY = "gradroom/place";
/** Kept for the next page only: a place found later is of another visit. */
const FRESH_MS = 10_000;

/** The page's address without its language. */
const path = () => location.pathname.replace(/^\/[^/]+/, "");
const blocks = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".text > :not(run-results)")]);
/** Where the text begins under the bar at the top. */
const top = () => document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0;

/** Notes which block is the first in sight, and how much of it is not. */
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

/** Goes to the place that was kept. */
export function takePlace() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    sessionStorage.removeItem(KEY);
    const block = kept?.path === path() && Date.now() - kept.at < FRESH_MS ? blocks()[kept.index] : undefined;
    if (!block) return;
    const { top: from, height } = block.getBoundingClientRect();
    window.scrollBy({ top: from - top() + kept.share * height, behavior: "instant" });
  } catch {
    // As above.
  }
}
