/**
 * Shows a message if a script that is loaded later is missing: it was blocked, the connection was lost, or a newer version of the app has
 * replaced it.
 */

import { t } from "../../lib/words.js";

/**
 * The loaded module; null if it is missing, in which case the page says so.
 * @template Part
 * @param {Promise<Part>} loading
 * @returns {Promise<Part | null>}
 */
export async function orMissing(loading) {
  try {
    return await loading;
  } catch {
    sayMissing();
    return null;
  }
}

function sayMissing() {
  if (document.querySelector(".page-notice.missing")) return;
  const notice = document.createElement("div");
  notice.className = "page-notice missing";
  notice.setAttribute("role", "status");
  const words = document.createElement("p");
  words.textContent = t("A part of this page did not load, so not everything is shown or saved. What you wrote is kept in this browser.");
  const link = document.createElement("a");
  link.href = location.href.split("#")[0] ?? "";
  link.textContent = t("Load again");
  link.addEventListener("click", (event) => (event.preventDefault(), location.reload()));
  notice.append(words, link);
  document.body.append(notice);
}
