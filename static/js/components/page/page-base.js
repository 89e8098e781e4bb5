/**
 * What every page with cells has. Modules that such a page loads later import it, although they need less: all of it then lies in one file,
 * where the bundler would else make one for each set of modules that share something, and each file costs a request.
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
