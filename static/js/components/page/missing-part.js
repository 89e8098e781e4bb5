/**
 * What a page says when a part of its scripts that is loaded later does not come: it was blocked, the connection was cut, or a newer
 * version of the app has taken its place.
 */

import { t } from "../../lib/words.js";

/** The part, or null and a word on that. @template Part @param {Promise<Part>} loading @returns {Promise<Part | null>} */
export async function orMissing(loading) {
  try {
    return await loading;
  } catch {
    sayMissing();
    return null;
  }
}

function sayMissing() {
  if (document.querySelector(".notice.missing")) return;
  const notice = document.createElement("div");
  notice.className = "notice missing";
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
