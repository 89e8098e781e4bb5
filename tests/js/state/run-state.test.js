import assert from "node:assert/strict";
import { test } from "node:test";

import { advance, IDLE, isBusy } from "../../../static/js/state/run-state.js";

/** @typedef {import("../../../static/js/lib/types.js").RunResult} RunResult */

/** @param {Partial<RunResult>} fields @returns {RunResult} */
function result(fields) {
  const whole = { id: "r1", outcome: "finished", stdout: "", stderr: "", records: [], timing: { queued_ms: 0, run_ms: 1, total_ms: 1 } };
  return /** @type {RunResult} */ ({ ...whole, ...fields });
}

const record = (/** @type {number} */ offset) =>
  /** @type {RunResult["records"][number]} */ ({ kind: "value", text: "1", stdout_offset: offset });

test("printed pieces of one stream are joined, and the order of streams is kept", () => {
  let state = IDLE;
  for (const [type, text] of /** @type {["stdout" | "stderr", string][]} */ ([
    ["stdout", "a"],
    ["stdout", "b"],
    ["stderr", "!"],
    ["stdout", "c"],
  ])) {
    state = advance(state, { type, text });
  }
  assert.deepEqual(state.pieces, [
    { stream: "stdout", text: "ab" },
    { stream: "stderr", text: "!" },
    { stream: "stdout", text: "c" },
  ]);
  const done = advance(state, { type: "result", result: result({ stdout: "abc", stderr: "!" }) });
  assert.deepEqual(done.pieces, state.pieces);
  assert.equal(done.phase, "done");
});

test("the result counts where the stream did not have everything", () => {
  const state = advance({ ...IDLE, pieces: [{ stream: "stdout", text: "half" }] }, { type: "result", result: result({ stdout: "whole" }) });
  assert.deepEqual(state.pieces, [{ stream: "stdout", text: "whole" }]);
});

test("a record that was streamed stays the same object when the run is done", () => {
  const shown = advance(IDLE, { type: "record", record: record(0) });
  const done = advance(shown, { type: "result", result: result({ records: [record(0)] }) });
  assert.equal(done.records[0], shown.records[0]);
  assert.equal(done.result?.records[0], shown.records[0]);
});

test("a new attempt forgets the half of the old one", () => {
  const state = advance({ ...IDLE, pieces: [{ stream: "stdout", text: "half" }] }, { type: "sending" });
  assert.deepEqual(state.pieces, []);
  assert.ok(isBusy(state));
});

test("a lost run keeps what it printed, and is over", () => {
  const state = advance({ ...IDLE, phase: "running", pieces: [{ stream: "stdout", text: "half" }] }, { type: "lost" });
  assert.deepEqual(state.pieces, [{ stream: "stdout", text: "half" }]);
  assert.ok(!isBusy(state));
});

test("a run that waits says which runtime is starting, until it is", () => {
  const starting = advance(IDLE, { type: "queued", id: "r1", position: 1, starting: "jax" });
  assert.equal(starting.starting, "jax");
  assert.equal(advance(starting, { type: "queued", id: "r1", position: 1 }).starting, "");
});
