/**
 * Sends texts and progress of other lessons that this browser stores and the server does not have yet, for example because it was
 * unreachable.
 */

import { reportWork, saveDraft } from "../../lib/me/me-client.js";
import { wellFormed } from "../../lib/python/positions.js";
import { Drafts } from "./drafts.js";
import { keysOf, KeptWork } from "./kept-work.js";
import { resend } from "./resend.js";
import { mark, unreportedLessons } from "./unreported.js";
import { gather, isEmpty } from "./work-report.js";

/** @typedef {import("./drafts.js").Store} Store */

const DRAFT = /^gradroom\/draft\/([^/]+\/[^/]+)\/([^/]+)$/;
const EXERCISE = /^gradroom\/exercise\/([^/]+\/[^/]+)\/([^/]+)$/;

/**
 * Stops at the first text or report that the server does not accept. The next page that the learner opens tries again.
 * @param {() => Store} open
 * @param {string} [here] the lesson of this page, which reports its own progress
 */
export async function bringOver(open, here = "") {
  for (const lesson of unreportedLessons(open).filter((one) => one !== here)) {
    const work = gather(open, new KeptWork(open, lesson));
    if (!isEmpty(work) && !passes(await reportWork(work))) return;
    mark(open, lesson, false);
  }
  for (const [lesson, cell] of elsewhere(open, DRAFT, here)) {
    const drafts = new Drafts(open, lesson);
    const entry = drafts.read(cell);
    if (!entry || entry.other !== null || !drafts.unsaved(cell)) continue;
    drafts.noteSent(cell, entry.text);
    const answer = await saveDraft(lesson, cell, { source: entry.text === null ? null : wellFormed(entry.text), version: entry.version });
    if (answer.ok) drafts.noteSaved(cell, entry.text, answer.value.version);
    else if (!passes(answer)) return; // a conflict remains until its lesson is opened, which offers both texts
  }
  for (const [lesson, id] of elsewhere(open, EXERCISE, here)) {
    if (!(await resend(new KeptWork(open, lesson), id))) return;
  }
}

/** Returns how many texts, in all lessons, the server does not have, as far as this browser knows. @param {() => Store} open */
export function countUnsaved(open) {
  return elsewhere(open, DRAFT, "").filter(([lesson, cell]) => new Drafts(open, lesson).unsaved(cell)).length;
}

/**
 * Returns whether the text needs no further try: the server stored it, or will never accept it.
 * @param {import("../../lib/me/me-client.js").Answer<unknown>} answer
 */
function passes(answer) {
  return answer.ok || [404, 409, 422].includes(answer.status);
}

/**
 * The lessons and ids of stored entries of other lessons whose keys match a pattern.
 * @param {() => Store} open
 * @param {RegExp} pattern
 * @param {string} here
 * @returns {[string, string][]}
 */
function elsewhere(open, pattern, here) {
  return keysOf(open).flatMap((key) => {
    const [, lesson = "", id = ""] = pattern.exec(key) ?? [];
    return lesson && lesson !== here ? [/** @type {[string, string]} */ ([lesson, id])] : [];
  });
}
