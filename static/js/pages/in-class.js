/** A second script of every page, for readers who are in a class: times, the dot for unread notes, and in a lesson the raised hand. */

import "./plain.js";
import { orMissing } from "../components/page/missing-part.js";
import { t } from "../lib/words.js";
import { ClassEvents } from "../state/classes/class-events.js";
import { readPage } from "./plain.js";

/** @typedef {import("../state/classes/class-events.js").ClassState} ClassState */

const lesson = document.querySelector("main")?.dataset["lesson"] ?? "";
const { classes = [] } = readPage();
/** @type {typeof import("../components/classes/ask-for-help.js") | null} */
let help = null;
/** @type {ClassState | null} */
let last = null;

/** @param {ClassState} state */
function receive(state) {
  const news = help && state.hands.find((hand) => hand.helper && !last?.hands.some((one) => one.helper === hand.helper));
  if (help) help.hands.value = state.hands;
  if (news) say(help?.comingWords(news) ?? "");
  showUnread(state.unread);
  last = state;
}

/** @param {string} words */
function say(words) {
  const live = document.getElementById("live");
  if (live) live.textContent = words;
}

/** @param {number} unread */
function showUnread(unread) {
  const link = document.querySelector('.top-places a[href$="/mine"]');
  const dot = link?.querySelector(".unread-dot");
  if (unread && link && !dot) link.append(makeDot());
  else if (!unread) dot?.remove();
}

function makeDot() {
  const dot = document.createElement("span");
  dot.className = "unread-dot";
  const words = document.createElement("span");
  words.className = "unseen";
  words.textContent = ` ${t("(unread notes)")}`;
  dot.append(words);
  return dot;
}

/** Adds the control to each exercise. */
async function addHelp() {
  help = await orMissing(import("../components/classes/ask-for-help.js"));
  if (!help) return;
  if (last) help.hands.value = last.hands;
  for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("section.exercise"))) {
    const part = document.createElement("ask-for-help");
    Object.assign(part, { lesson, exercise: section.dataset["exercise"] ?? "", classes });
    section.append(part);
  }
}

/** Shows times, which the server writes in UTC, as they are at the reader's place. */
function showTimes() {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[data-local]")) {
    time.textContent = format.format(new Date(time.getAttribute("datetime") ?? ""));
  }
}

showTimes();
const events = new ClassEvents(lesson, receive);
if (lesson && classes.length && document.querySelector("section.exercise")) void addHelp();
events.start();
