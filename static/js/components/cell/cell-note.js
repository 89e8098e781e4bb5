/**
 * The note under a cell when two texts of it conflict, with a button for each, or when the server has not saved the text, with the reason.
 */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";

/** @typedef {import("../../state/saving/draft-state.js").DraftState} DraftState */

const UNREACHABLE = "unreachable";

/** @param {DraftState} draft */
export function cellNote(draft) {
  return html`<div role="status">${conflict(draft)}</div>
    ${held(draft)}`;
}

/** The page announces a failed save once to screen readers, so this note is not a live region. @param {DraftState} draft */
function held(draft) {
  const saved = draft.saved.value;
  if (saved.kind !== "held") return nothing;
  const { drafts } = draft.page;
  const fleeting = drafts.memory.has(drafts.key(draft.id));
  if (!fleeting && saved.code === UNREACHABLE && isToldSo(draft)) return nothing;
  const head = fleeting ? t("Kept only until this page is closed.") : t("Kept in this browser.");
  return html`<div class="cell-note held">
    <p>${t("{head} {rest}", { head, rest: saved.message || t("The server is out of reach.") })}</p>
  </div>`;
}

/**
 * Whether the run waits for the server. In that case run-hindrance.js shows the reason.
 * @param {DraftState} draft
 */
function isToldSo(draft) {
  if (!("shown" in draft)) return false;
  const { phase, reason } = /** @type {import("../../state/cell-state.js").CellState} */ (draft).shown.value;
  return phase === "waiting" && reason === UNREACHABLE;
}

/** @param {DraftState} draft */
function conflict(draft) {
  const other = draft.conflict.value;
  switch (other?.kind) {
    case "changed":
      return choice(t("The lesson’s code has changed since you edited this cell. Here is your version."), [
        [t("Keep mine"), () => draft.keepMine()],
        [t("Take the lesson’s"), () => draft.reset()],
      ]);
    case "elsewhere":
      return choice(
        other.saved ? t("A different text was saved from another window or device.") : t("A different text was written in another tab."),
        [
          [t("Show that version"), () => draft.takeOther()],
          [t("Keep this one"), () => draft.keepMine()],
        ],
      );
    default:
      return nothing;
  }
}

/**
 * Carries out a choice. The note disappears, so the keyboard moves to the cell's next button.
 * @param {string} words
 * @param {[string, () => void][]} answers
 */
function choice(words, answers) {
  const press = (/** @type {Event} */ { currentTarget }, /** @type {() => void} */ act) => {
    const cell = /** @type {Element} */ (currentTarget).closest(".cell");
    act();
    /** @type {HTMLElement | null | undefined} */ (cell?.querySelector("cell-tools .run"))?.focus();
  };
  const button = ([name, act] = /** @type {[string, () => void]} */ (["", () => {}])) =>
    html`<button class="link" type="button" @click=${(/** @type {Event} */ event) => press(event, act)}>${name}</button>`;
  return html`<div class="cell-note">
    <p>${words}</p>
    ${answers.map(button)}
  </div>`;
}
