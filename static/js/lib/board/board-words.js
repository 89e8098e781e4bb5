/** The words of a board: why somebody stands in their group, and for how long. */

import { t } from "../words.js";

/** @typedef {import("./board-client.js").BoardRow} BoardRow */

/** The key under which the server gives the words for what did not pass. @param {import("./board-client.js").Failure} failure */
export function failureKey({ mistake = "", check = "", code = "" }) {
  return mistake ? `mistake:${mistake}` : `check:${check}:${code}`;
}

/** @param {number | null | undefined} since in ms since 1970 @param {number} now */
export function minutesSince(since, now) {
  return since ? Math.max(0, Math.floor((now - since) / 60_000)) : 0;
}

/** A time span as text. @param {number} minutes */
export function spanWords(minutes) {
  if (minutes < 60) return t("{minutes} min", { minutes });
  return t("{hours} h {minutes} min", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** Why a member stands in a group. @param {BoardRow} row */
export function reasonWords({ reason, tries = 0, helper = "" }) {
  switch (reason) {
    case "hand":
      return t("hand raised");
    case "waiting":
      return t("hand raised, nobody is coming");
    case "coming":
      return t("{name} is coming", { name: helper });
    case "same":
      return t("{tries} submissions, always the same check", { tries });
    case "quick":
      return t("{tries} submissions, one right after the other", { tries });
    case "tries":
      return t("{tries} submissions, no new check passes", { tries });
    case "minutes":
      return t("no new check passes");
    case "unsent":
      return t("has submitted nothing yet");
    case "silent":
      return t("nothing since the last submission");
    case "trying":
      return t("trying");
    case "writing":
      return t("writing");
    case "passed":
      return t("passed");
    case "idle":
      return t("away");
    case "absent":
      return t("not here yet");
    default:
      return t("reading");
  }
}

/** @param {BoardRow["group"]} group */
export function groupWords(group) {
  return { hand: t("Hand raised"), stuck: t("Stuck"), working: t("Working"), away: t("Away") }[group];
}
