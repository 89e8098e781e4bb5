/** The course map: how far the reader has come, and where to go on. */

import "./plain.js";
import { t } from "../lib/words.js";
import { markProgress } from "./progress-marks.js";

/** Offers the first lesson that is not done, once one was begun. */
function offer() {
  const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".path a[data-lesson]")]);
  const place = document.getElementById("continue");
  const begun = links.some((link) => link.matches(".tried, .done"));
  const next = links.find((link) => !link.matches(".done"));
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
