/** The script of a card: the button that prints it. */

import "./plain.js";

document.querySelector('[data-action="print"]')?.addEventListener("click", () => window.print());
