/** The script of the list of pitfalls: Enter searches, and Shift+Enter begins a line, since a pasted message may have several. */

import "./plain.js";

const field = /** @type {HTMLTextAreaElement | null} */ (document.querySelector("#pasted"));

field?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  field.form?.requestSubmit();
});
