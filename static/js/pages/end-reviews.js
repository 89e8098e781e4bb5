/** Switches off the questions to review on the home page. It is loaded when the reader wants that. */

import { setReviews } from "../lib/me/me-client.js";
import { failureWords } from "../lib/me/me-words.js";
import { pieces, t } from "../lib/words.js";

/** Switches the review questions off and hides them. A message says where to switch them on again. */
export async function endReviews() {
  const section = /** @type {HTMLElement} */ (document.getElementById("reviews"));
  const told = /** @type {HTMLElement} */ (section.querySelector("[role=status]"));
  const answer = await setReviews(false);
  told.textContent = answer.ok ? "" : failureWords(answer);
  if (!answer.ok) return;
  section.classList.add("off");
  const way = document.createElement("a");
  way.href = `/${document.documentElement.lang}/mine#review-title`;
  way.textContent = t("My work");
  const words = pieces("These questions are off now. Turn them on again under {page}.", { page: way });
  told.append(...words);
  way.focus();
}
