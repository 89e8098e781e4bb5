/**
 * Author mode: updates the page when the files of its lesson change. It is loaded only in that mode and not bundled (static/build.mjs), so
 * that other pages do not grow. The server's side is app/authoring/author_mode/author_tools.py.
 */

/**
 * @typedef {{kind: "cell" | "prediction" | "exercise" | "try" | "section", id: string}} Place
 * @typedef {{where: string, message: string, place: Place | null}} Complaint
 * @typedef {{cell: string, complaints: Complaint[], change: string, record: string, edited: boolean}} Difference
 * @typedef {{generation: string, complaints: Complaint[], elsewhere: number, differences: Difference[]}} AuthorState
 */

const panel = /** @type {HTMLElement} */ (document.querySelector(".author"));
const list = /** @type {HTMLElement} */ (panel.querySelector(".author-list"));
const lesson = location.pathname.split("/").slice(2).join("/");

/** @type {EventSource | undefined} */
let events;

for (const time of panel.querySelectorAll("time")) {
  time.textContent = new Date(time.dateTime).toLocaleTimeString(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
}

/** A text of the page's templates, with its `{name}`s replaced. @param {string} name @param {Record<string, string | number>} [values] */
function words(name, values = {}) {
  const text =
    /** @type {HTMLTemplateElement | null} */ (panel.querySelector(`template[data-words="${name}"]`))?.content.textContent ?? name;
  return text.replace(/\{(\w+)\}/g, (_, key) => String(values[key] ?? ""));
}

/** @param {string} tag @param {string} name @param {(Node | string)[]} content */
function make(tag, name, ...content) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...content);
  return element;
}

/** The element of this page that a place refers to; null if there is none. @param {Place} place @returns {Element | null} */
function find(place) {
  if (place.kind === "section") return document.querySelectorAll(".text :is(h2, h3)[id^='section-']")[Number(place.id) - 1] ?? null;
  const id = CSS.escape(place.id);
  if (place.kind === "cell") return document.querySelector(`code-cell[data-cell="${id}"]`);
  return document.querySelector(`.text [data-${place.kind}="${id}"]`);
}

/** @param {Complaint} complaint */
function describe(complaint) {
  return make("li", "", make("code", "", complaint.where), " ", complaint.message);
}

/** Inserts a mark before the element that it is about. @param {Place} place @param {Node[]} content */
function mark(place, ...content) {
  find(place)?.before(make("div", "author-mark", ...content));
}

/** @param {Complaint[]} complaints @returns {Map<string, Complaint[]>} by place */
function gather(complaints) {
  /** @type {Map<string, Complaint[]>} */
  const found = new Map();
  for (const complaint of complaints) {
    if (complaint.place) {
      const key = `${complaint.place.kind} ${complaint.place.id}`;
      found.set(key, [...(found.get(key) ?? []), complaint]);
    }
  }
  return found;
}

/** Sets whether the browser adjusts the scroll position when content above grows. @param {boolean} follows */
function anchor(follows) {
  document.documentElement.style.overflowAnchor = follows ? "" : "none";
}

/** @param {AuthorState} state */
function show(state) {
  for (const old of document.querySelectorAll(".author-mark")) old.remove();
  list.replaceChildren();
  if (state.complaints.length) {
    list.append(make("p", "", words("here", { count: state.complaints.length })), make("ul", "", ...state.complaints.map(describe)));
  }
  if (state.elsewhere) list.append(make("p", "", words("elsewhere", { count: state.elsewhere })));
  for (const complaints of gather(state.complaints).values()) {
    const [first] = complaints;
    if (first?.place) mark(first.place, make("ul", "", ...complaints.map(describe)));
  }
  for (const difference of state.differences) showDifference(difference);
  requestAnimationFrame(() => setTimeout(() => anchor(true))); // after the frame that draws the full list
}

/** @param {Difference} difference */
function showDifference(difference) {
  const { complaints, change, record: file } = difference;
  /** @type {Node[]} */
  const parts = [];
  if (complaints.length) parts.push(make("p", "", words("differs")), make("ul", "", ...complaints.map(describe)));
  else if (change || !file) parts.push(make("p", "", words("undeclared")));
  if (difference.edited) parts.push(make("p", "", words("edited")));
  if (change) parts.push(make("pre", "", ...change.split("\n").slice(2).map(colour)));
  if (file) parts.push(make("p", "", words("writes", { file })));
  if (change || file) {
    const button = /** @type {HTMLButtonElement} */ (make("button", "button", words("record")));
    button.type = "button";
    button.addEventListener("click", () => record(difference.cell, button));
    parts.push(button);
  }
  mark({ kind: "cell", id: difference.cell }, ...parts);
}

/** @param {string} line of a diff */
function colour(line) {
  return make("span", line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "", `${line}\n`);
}

/** @param {string} cell @param {HTMLButtonElement} button */
async function record(cell, button) {
  button.disabled = true;
  const answer = await fetch(`/api/author/lessons/${lesson}/cells/${encodeURIComponent(cell)}/shows`, { method: "POST" });
  if (answer.ok) return; // the file has changed: the page reloads
  const { error } = await answer.json();
  button.after(make("p", "", words("failed", { reason: error.message })));
}

function follow() {
  events?.close();
  events = new EventSource(`/api/author/events?lesson=${encodeURIComponent(lesson)}`);
  events.addEventListener("state", (event) => {
    /** @type {AuthorState} */
    const state = JSON.parse(event.data);
    if (state.generation === panel.dataset.generation) show(state);
    else location.reload(); // browsers restore the scroll position; edits are stored while typing
  });
  events.addEventListener("error", () => list.replaceChildren(make("p", "", words("lost"))));
}

// After a reload, the browser restores the scroll position while the list is still empty. What is visible must not move when the list fills.
anchor(false);

// a browser limits its connections to one server, and a hidden page needs none
document.addEventListener("visibilitychange", () => (document.hidden ? events?.close() : follow()));
if (!document.hidden) follow();
