/**
 * The card that explains a glossary term in the text. It appears when the term is hovered or focused, remains while the pointer is on the
 * term or the card, and closes on Escape (WCAG 2.2, 1.4.13).
 *
 * Without scripts, the term is a link to the glossary. With this script, that link is in the card, since a press on the term, above all
 * with a finger, asks for its explanation.
 */

import { t } from "../../lib/words.js";

const LEAVE_MS = 200; // time for the pointer to move from the term to the card
const GAP_PX = 6;
const MARGIN_PX = 8;

const card = document.createElement("div");
card.className = "glossary-card";
card.id = "glossary-card";
card.hidden = true;

/** @type {HTMLElement | null} the term that is explained */
let word = null;
let leaving = 0;

/** @param {EventTarget | null} target @returns {HTMLElement | null} */
function wordAt(target) {
  return target instanceof Element ? target.closest("a.term") : null;
}

/** @param {HTMLElement} next */
function show(next) {
  clearTimeout(leaving);
  const id = CSS.escape(next.dataset["term"] ?? "");
  const about = /** @type {HTMLTemplateElement | null} */ (document.querySelector(`template[data-about="${id}"]`));
  if (!about || next === word) return;
  hide();
  word = next;
  word.setAttribute("aria-describedby", card.id);
  const more = document.createElement("a");
  more.className = "glossary-more";
  more.href = next.getAttribute("href") ?? "";
  more.textContent = t("In the glossary");
  card.replaceChildren(about.content.cloneNode(true), " ", more);
  if (!card.isConnected) document.querySelector("main")?.append(card);
  card.hidden = false;
  place(next);
}

function hide() {
  clearTimeout(leaving);
  word?.removeAttribute("aria-describedby");
  word = null;
  card.hidden = true;
}

/** Places the card below the term, or above it if there is no room, within the window. @param {HTMLElement} next */
function place(next) {
  const at = next.getClientRects()[0] ?? next.getBoundingClientRect();
  const room = document.documentElement.clientWidth - card.offsetWidth - MARGIN_PX;
  const below = at.bottom + GAP_PX;
  const fits = below + card.offsetHeight <= window.innerHeight || at.top < card.offsetHeight + GAP_PX;
  const origin = (card.offsetParent ?? document.documentElement).getBoundingClientRect();
  card.style.left = `${Math.max(MARGIN_PX, Math.min(at.left, room)) - origin.left}px`;
  card.style.top = `${(fits ? below : at.top - card.offsetHeight - GAP_PX) - origin.top}px`;
}

document.addEventListener("click", (event) => {
  const pressed = wordAt(event.target);
  if (pressed && !card.contains(pressed) && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    show(pressed);
    if (word === pressed) event.preventDefault();
  } else if (event.target instanceof Node && !card.contains(event.target)) hide();
});
document.addEventListener("pointerover", (event) => {
  const next = wordAt(event.target);
  if (next && event.pointerType !== "touch") show(next);
  else if (event.target instanceof Node && card.contains(event.target)) clearTimeout(leaving);
});
document.addEventListener("pointerout", (event) => {
  const left = wordAt(event.target) ?? (event.target instanceof Node && card.contains(event.target) ? card : null);
  if (!left || document.activeElement === word) return;
  clearTimeout(leaving);
  leaving = window.setTimeout(hide, LEAVE_MS);
});
document.addEventListener("focusin", (event) => {
  const next = wordAt(event.target);
  if (next) show(next);
  else if (!(event.target instanceof Node && card.contains(event.target))) hide();
});
document.addEventListener("focusout", (event) => {
  if (wordAt(event.target) && !(event.relatedTarget instanceof Node && card.contains(event.relatedTarget))) hide();
});
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Escape" || card.hidden) return;
    hide();
    event.stopPropagation();
  },
  true,
);
