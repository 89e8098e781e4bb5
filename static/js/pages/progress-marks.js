/** Marks in lists of lessons how far the reader has come. */

import { judge, readProgress } from "../state/progress.js";
import { t } from "../lib/words.js";

export function markProgress() {
  const progress = readProgress(() => window.localStorage);
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("a[data-lesson]"))) {
    const parts = Number(link.dataset["parts"]);
    const { state, share } = judge(progress[link.dataset["lesson"] ?? ""], parts);
    link.classList.toggle("tried", state === "tried");
    link.classList.toggle("done", state === "done");
    link.style.setProperty("--done", `${Math.round(share * 100)}%`);
    const words = link.querySelector(".progress");
    if (words) words.textContent = state === "new" ? "" : state === "done" ? t("all done") : t("{done} of {parts} done", { done: Math.round(share * parts), parts });
  }
}
