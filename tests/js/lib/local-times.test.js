/** Fields for times: UTC there and back, in a time zone that is half an hour off. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { toLocal, toUtc } from "../../../static/js/lib/local-times.js";

test("a time of the server is shown in the browser's time zone, and sent back in UTC", () => {
  process.env["TZ"] = "Asia/Kolkata"; // 5:30 ahead
  assert.equal(toLocal("2026-03-01T20:15"), "2026-03-02T01:45");
  assert.equal(toUtc("2026-03-02T01:45"), "2026-03-01T20:15");
  assert.equal(toLocal("0099-03-01T00:00").slice(0, 4), "0099");
});

test("an empty field stays empty", () => {
  assert.equal(toLocal(""), "");
  assert.equal(toUtc(""), "");
});
