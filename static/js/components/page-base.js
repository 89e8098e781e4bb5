/**
 * What every page with cells has. Modules that such a page loads later import it, although they need less: all of it then lies in one file,
 * where the bundler would else make one for each set of modules that share something, and each file costs a request.
 */

import "../lib/positions.js";
import "../lib/run-words.js";
import "../lib/runtimes.js";
import "../state/drafts.js";
import "../state/kept-work.js";
import "../state/run-state.js";
import "./page-element.js";
import "./panel.js";
import "./records.js";
import "./copy-download.js";
