/** Texts about the work that the server stores: how much there is, how a submission ended, and why a request failed. */

import { t } from "../words.js";

/** @param {import("./me-client.js").Failure} failure */
export function failureWords({ code, message }) {
  return (
    message ||
    (code === "unreachable"
      ? t("The server is out of reach. Please try again in a moment.")
      : t("The server’s answer could not be read. Please try again in a moment."))
  );
}

/** @param {{passed: boolean, good: number, total: number}} attempt */
export function attemptWords({ passed, good, total }) {
  return passed ? t("passed") : t("{good} of {total} checks pass", { good, total });
}

/**
 * Returns which version of the exercise graded a submission, or "" if it is today's version.
 * @param {{version: string | null, current: boolean}} attempt
 */
export function versionWords({ version, current }) {
  if (current) return "";
  return version === null ? t("by an unknown version of the exercise") : t("by an earlier version of the exercise");
}

/**
 * @param {Partial<Record<"cells" | "predictions" | "exercises" | "attempts" | "drafts" | "versions", number>>} counts
 * @returns {[string, number][]}
 */
export function countWords({ cells = 0, predictions = 0, exercises = 0, attempts = 0, drafts = 0, versions = 0 }) {
  return [
    [t("Cells that ran"), cells],
    [t("Predictions"), predictions],
    [t("Exercises begun"), exercises],
    [t("Submissions with a receipt"), attempts],
    [t("Your texts"), drafts],
    [t("Their earlier versions"), versions],
  ];
}
