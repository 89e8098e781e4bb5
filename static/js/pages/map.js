/** The course map: how far the reader has come, and where to go on. */

import "./plain.js";
import { readLast, whereToGoOn } from "../state/progress.js";
import { t } from "../lib/words.js";
import { markProgress } from "./progress-marks.js";

/** Offers the lesson that was read last, or the next that is not done. */
function offer() {
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".path a[data-lesson]")]);
  const place = document.getElementById("continue");
  const last = readLast(() => window.localStorage);
  const begun = links.some((link) => link.dataset["lesson"] === last || link.matches(".tried, .done"));
  const lessons = links.map((link) => ({ link, path: link.dataset["lesson"] ?? "", done: link.matches(".done") }));
  const next = whereToGoOn(lessons, last)?.link;
  if (!place || !next) return;
  const button = document.createElement("a");
  button.className = "button";
  button.href = next.href;
  const title = next.querySelector(".path-title")?.textContent ?? "";
  button.textContent = begun ? t("Go on: {title}", { title }) : t("Begin: {title}", { title });
  place.replaceChildren(button);
  place.hidden = false;
}

markProgress();
offer();
