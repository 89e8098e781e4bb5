/** The playground: programs that the browser keeps, one of them open, and those that come by a link. */

import "./plain.js";
import "../components/playground-bench.js";
import { wellFormed } from "../lib/positions.js";
import { DEFAULT_RUNTIME } from "../lib/runtimes.js";
import { BrokenLink, carriesProgram, decodeProgram } from "../lib/share-link.js";
import { t } from "../lib/words.js";
import { History } from "../state/history.js";
import { browserStore } from "../state/kept-results.js";
import { ProgramList } from "../state/program-list.js";
import { Programs } from "../state/programs.js";
import { openBench } from "./bench.js";
import { readPage } from "./plain.js";

const bench = /** @type {HTMLElement} */ (document.querySelector("playground-bench"));
const runtimes = (bench.dataset["runtimes"] ?? DEFAULT_RUNTIME).split(" ");
const { lang } = readPage();

const page = openBench("playground", null, (cell) => ({ source: wellFormed(cell.text.value), runtime: cell.facts.runtime, lang }));
const list = new ProgramList(() => window.localStorage, () => window.sessionStorage);
const programs = new Programs(page, list, new History(browserStore), runtimes);

/** Takes the program out of the address, so that a reload or a bookmark opens what the reader made of it. @param {"link" | "lesson"} origin */
async function receive(origin) {
  const { hash } = location;
  if (!carriesProgram(hash)) return;
  window.history.replaceState(null, "", location.pathname + location.search);
  try {
    programs.receive(await decodeProgram(hash), origin);
  } catch (error) {
    if (!(error instanceof BrokenLink)) throw error;
    programs.saying.value = { words: t("This link is damaged or was cut off, so nothing of it was opened. Your programs are as they were.") };
  }
}

/** Whether a page of this site led here: only a lesson links to the playground with a program. */
function cameFromHere() {
  return document.referrer.startsWith(`${location.origin}/`);
}

window.addEventListener("storage", (event) => programs.onStorage(event.key));
window.addEventListener("hashchange", () => void receive("link"));
await receive(cameFromHere() ? "lesson" : "link");
Object.assign(bench, { programs });
