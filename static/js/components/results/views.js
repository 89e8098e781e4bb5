/**
 * The views of records, one module for each kind, under the kind's name: loaded with the first run, or with what is stored of one, not with
 * the page, and in one piece, a good part of all scripts. `RecordKind` in records.js says what each exports.
 */

import "../page/page-base.js";

export * as diagnosis from "./diagnosis-view.js";
export * as fault from "./fault-view.js";
export * as figure from "./figure-view.js";
export * as gradcheck from "./jacobian-view.js";
export * as graph from "../graph/graph-view.js";
export * as value from "./value-view.js";
