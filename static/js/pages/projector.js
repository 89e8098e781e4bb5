/** The script of the page that shows an attempt to the class: it can be run, and changed for as long as the window is open. */

import "./plain.js";
import { settings, writes } from "./help.js";
import { openBench } from "./bench.js";
import { readPage } from "./plain.js";

const { lang, lesson = "", attempt = 0 } = readPage();

// what the teacher changes is kept for this attempt and this window only
openBench(
  `projector-${attempt}`,
  null,
  (cell, source) => ({ source, lesson, exercise: cell.facts.exercise ?? "", lang }),
  () => window.sessionStorage,
);

document.addEventListener("keydown", (event) => {
  const keys = { ArrowLeft: "prev", ArrowRight: "next" };
  const rel = keys[/** @type {keyof typeof keys} */ (event.key)];
  if (!rel || !settings.singleKeys.value || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || writes(event)) return;
  if (event.target instanceof Element && event.target.closest("code-editor")) return;
  /** @type {HTMLAnchorElement | null} */ (document.querySelector(`a[rel="${rel}"]`))?.click();
});
