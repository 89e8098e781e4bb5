/** The script of the playground: the programs that the browser stores, one of them open, and those from links. */

import { effect } from "@preact/signals-core";

import "./plain.js";
import "../components/playground/playground-bench.js";
import { DEFAULT_RUNTIME } from "../lib/run/runtimes.js";
import { BrokenLink, carriesProgram, decodeProgram } from "../lib/program/share-link.js";
import { t } from "../lib/words.js";
import { History } from "../state/saving/history.js";
import { browserStore } from "../state/kept-results.js";
import { ProgramList } from "../state/programs/program-list.js";
import { Programs } from "../state/programs/programs.js";
import { markWhileTyping } from "../state/typing-marks.js";
import { openBench } from "./bench.js";
import { readPage } from "./plain.js";

const bench = /** @type {HTMLElement} */ (document.querySelector("playground-bench"));
const runtimes = (bench.dataset["runtimes"] ?? DEFAULT_RUNTIME).split(" ");
const { lang } = readPage();

const page = openBench("playground", null, (cell, source) => ({ source, runtime: cell.facts.runtime, lang }));
const list = new ProgramList(
  () => window.localStorage,
  () => window.sessionStorage,
);
const programs = new Programs(page, list, new History(browserStore), runtimes);
effect(() => {
  const cell = programs.cell.value;
  return cell ? markWhileTyping(cell, lang) : undefined;
});

/** Opens the program of the page's address, or else the last one. @param {"link" | "lesson"} origin */
async function follow(origin) {
  const { hash } = location;
  if (carriesProgram(hash)) await receive(hash, origin);
  else if (!programs.program.value || (programs.offered.held.value && !hash)) programs.openLast();
  nameInAddress();
}

/** @param {string} hash @param {"link" | "lesson"} origin */
async function receive(hash, origin) {
  try {
    programs.offered.receive(await decodeProgram(hash), origin, hash);
  } catch (error) {
    if (!(error instanceof BrokenLink)) throw error;
    programs.openLast();
    programs.saying.value = {
      words: t("This link is damaged or was cut off, so nothing of it was opened. Your programs are as they were."),
    };
  }
}

/**
 * Puts the offered program into the address, and removes it once it is stored, so that a reload or a bookmark opens the reader's version.
 */
function nameInAddress() {
  const hash = programs.offered.held.value?.address ?? "";
  if (location.hash !== hash && (hash || carriesProgram(location.hash)))
    window.history.replaceState(null, "", location.pathname + location.search + hash);
}

/** Whether the reader came from a lesson. Of this site's pages, only lessons and the playground link to a program. */
function cameFromLesson() {
  return document.referrer.startsWith(`${location.origin}/`) && !document.referrer.endsWith("/playground");
}

/**
 * Asks before the page is left. The listener is added only while changes would be lost, since some browsers do not restore a page at once
 * that has one.
 * @param {Event} event
 */
function ask(event) {
  event.preventDefault();
}

window.addEventListener("storage", (event) => programs.onStorage(event.key));
window.addEventListener("hashchange", () => void follow("link"));
await follow(cameFromLesson() ? "lesson" : "link");
effect(nameInAddress);
effect(() => {
  if (programs.offered.held.value && programs.cell.value?.changed.value) window.addEventListener("beforeunload", ask);
  else window.removeEventListener("beforeunload", ask);
});
Object.assign(bench, { programs });
