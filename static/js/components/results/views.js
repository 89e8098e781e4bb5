/**
 * The views of records: one module for each kind, exported under the kind's name. They are a large part of all scripts, so they are loaded
 * together with the first run or stored result rather than with the page. `RecordKind` in records.js describes what each module exports.
 */

import "../page/page-base.js";
import "../doctor/probes-held.js";
import "../doctor/run-findings.js";

export * as fault from "./fault-view.js";
export * as figure from "./figure-view.js";
export * as gradcheck from "./jacobian-view.js";
export * as graph from "../graph/graph-view.js";
export * as saved from "./saved-record.js";
export * as traced_graph from "../graph/graph-view.js";
export * as value from "./value-view.js";
