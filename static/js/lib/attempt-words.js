/** What came of a submission, in a few words. */

import { t } from "./words.js";

/** @param {{passed: boolean, good: number, total: number}} attempt */
export function attemptWords({ passed, good, total }) {
  return passed ? t("passed") : t("{good} of {total} checks pass", { good, total });
}
