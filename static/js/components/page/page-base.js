/**
 * The modules that every page with cells includes. Modules that such a page loads later import this file, even if they need less. Otherwise
 * the bundler would make a file for each set of modules that share something, and each file costs a request.
 */

import "../../lib/python/positions.js";
import "../../lib/run/run-words.js";
import "../../lib/run/runtimes.js";
import "../../state/saving/drafts.js";
import "../../state/saving/kept-work.js";
import "../../state/run-state.js";
import "./page-element.js";
import "../results/panel.js";
import "../results/records.js";
import "../results/copy-download.js";
