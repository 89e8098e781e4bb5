/** The words for a member's answer to a prediction. */

import { t } from "../words.js";

/** @param {import("./board-client.js").Given | null} answer */
export function answerWords(answer) {
  if (answer === null) return t("asked for the answer");
  return Array.isArray(answer) ? `[${answer.join(", ")}]` : String(answer);
}
