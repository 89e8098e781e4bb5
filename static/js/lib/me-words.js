/** What is said where the server did not do, or did not tell, what it was asked of the reader's work. */

import { t } from "./words.js";

/** @param {import("./me-client.js").Failure} failure */
export function failureWords({ code, message }) {
  return message || (code === "unreachable" ? t("The server is out of reach. Please try again in a moment.") : t("The server gave no answer that can be used. Please try again in a moment."));
}
