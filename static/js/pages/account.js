/** The script of the pages for signing in and of the account: shows or hides the password that is typed. */

import "./plain.js";
import { t } from "../lib/words.js";

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll('[data-action="show-password"]'))) {
  const field = button.previousElementSibling;
  if (!(field instanceof HTMLInputElement)) continue;
  button.addEventListener("click", () => {
    const shown = field.type === "text";
    field.type = shown ? "password" : "text";
    button.textContent = shown ? t("Show") : t("Hide");
    button.setAttribute("aria-pressed", String(!shown));
    field.focus();
  });
  field.form?.addEventListener("submit", () => {
    field.type = "password"; // browsers remember what was typed into a text field
  });
}
