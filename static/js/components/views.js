/** The views of records, in one piece: a good part of all scripts, loaded with the first run, or with what is kept of one, not with the page. */

import "./page-base.js";
import "./figure-view.js";
import "./graph-view.js";
import "./jacobian-view.js";
import "./unknown-view.js";
import "./value-view.js";
