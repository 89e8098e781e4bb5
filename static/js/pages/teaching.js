/**
 * The script of an instructor's pages of a class. They work without it; it shows times in the browser's time zone, moves lessons without
 * loading the page again, reads a roster from a file, copies a link, and counts who has joined.
 */

import { copy } from "../components/results/copy-download.js";
import { toLocal, toUtc } from "../lib/local-times.js";
import { t } from "../lib/words.js";
import "./plain.js";

const COUNT_MS = 5000;

/** @template {Element} T @param {string} selector @param {ParentNode} [within] */
const all = (selector, within = document) => /** @type {T[]} */ ([...within.querySelectorAll(selector)]);

function showTimes() {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of /** @type {HTMLTimeElement[]} */ (all("main time[datetime]")))
    time.textContent = format.format(new Date(time.dateTime));
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const place of all("[data-zone]")) place.textContent = t("Times are in your time zone ({zone}).", { zone });
}

/** Shows the fields in the browser's time zone, and has the form send UTC. @param {HTMLFormElement} form */
function convertTimes(form) {
  const fields = /** @type {HTMLInputElement[]} */ (all('input[type="datetime-local"]', form));
  // what the server sent, not what a browser restores
  for (const field of fields) field.value = toLocal(field.defaultValue);
  form.addEventListener("formdata", ({ formData }) => {
    for (const name of new Set(fields.map((field) => field.name))) {
      const values = formData.getAll(name).map((value) => toUtc(String(value)));
      // set and append would put the values at the end, after the rows to which they belong
      const entries = [...formData].map(([key, value]) => [key, key === name ? (values.shift() ?? "") : String(value)]);
      for (const key of new Set(formData.keys())) formData.delete(key);
      for (const [key, value] of entries) formData.append(String(key), String(value));
    }
  });
}

/** Moves a lesson in the list, and stores the new order. @param {HTMLFormElement} form @param {HTMLButtonElement} button @param {number} by */
async function moveRow(form, button, by) {
  const row = /** @type {HTMLElement} */ (button.closest("li"));
  const other = by < 0 ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  if (by < 0) other.before(row);
  else other.after(row);
  const end = by < 0 ? row.previousElementSibling : row.nextElementSibling;
  const way = end ? button : row.querySelector(`button[value^="${by < 0 ? "down" : "up"}:"]`); // at an end one of the two is hidden
  if (way instanceof HTMLElement) way.focus();
  const rows = [...(row.parentElement?.children ?? [])];
  announce(t("Place {place} of {count}", { place: rows.indexOf(row) + 1, count: rows.length }));
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  body.append("do", "save");
  const answer = await fetch(form.action, { method: "POST", body }).catch(() => null);
  if (answer?.ok) document.getElementById("fault")?.remove();
  else showFault(form);
}

/** @param {string} words */
function announce(words) {
  const live = document.getElementById("live");
  if (live) live.textContent = words;
}

/** Says above the form that it was not stored. @param {HTMLFormElement} form */
function showFault(form) {
  if (document.getElementById("fault")) return;
  const fault = document.createElement("p");
  fault.className = "fault";
  fault.id = "fault";
  fault.role = "alert";
  fault.textContent = t("The new order was not saved. Press “Save” to try again.");
  form.before(fault);
}

/** @param {HTMLFormElement} form */
function moveRows(form) {
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!(button instanceof HTMLButtonElement)) return;
    const by = button.value.startsWith("up:") ? -1 : button.value.startsWith("down:") ? 1 : 0;
    if (!by) return;
    event.preventDefault();
    void moveRow(form, button, by);
  });
}

/** Decodes a file: as UTF-8, or else as GB 18030, in which Chinese spreadsheets are saved. @param {Uint8Array} bytes */
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}

/** @param {HTMLInputElement} field */
function readFile(field) {
  const text = document.getElementById(field.dataset["into"] ?? "");
  field.addEventListener("change", async () => {
    const file = field.files?.[0];
    if (file && text instanceof HTMLTextAreaElement) text.value = decode(new Uint8Array(await file.arrayBuffer()));
  });
}

/** @param {HTMLElement} place */
function countJoined(place) {
  setInterval(async () => {
    if (document.hidden) return;
    const answer = await fetch(location.pathname).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const joined = page.querySelector("[data-joined]");
    if (joined) place.textContent = joined.textContent;
    else location.reload();
  }, COUNT_MS);
}

showTimes();
for (const form of /** @type {HTMLFormElement[]} */ (all("form[data-times]"))) convertTimes(form);
for (const form of /** @type {HTMLFormElement[]} */ (all("form.lesson-rows"))) moveRows(form);
for (const field of /** @type {HTMLInputElement[]} */ (all("input[data-into]"))) readFile(field);
for (const place of /** @type {HTMLElement[]} */ (all("[data-joined]"))) countJoined(place);
for (const button of /** @type {HTMLButtonElement[]} */ (all("button[data-copy]"))) {
  button.addEventListener("click", async () => {
    if (await copy(button.dataset["copy"] ?? "")) button.textContent = t("Copied");
  });
}
