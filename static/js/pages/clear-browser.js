/** Clears what the browser stores of its reader. A module of its own, because the pages that do so load it only then. */

import "../components/page/page-base.js";

export { clearBrowser } from "../state/saving/this-browser.js";
