/** The views of a second run, loaded when one of them is first opened. */

import "../page/page-base.js";
import "./steps-view.js";

export { differencesView } from "./differences-view.js";
export { savedView } from "./saved-view.js";
