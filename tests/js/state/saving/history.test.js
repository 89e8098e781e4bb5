import assert from "node:assert/strict";
import { test } from "node:test";

import { History, withVersion } from "../../../../static/js/state/saving/history.js";
import { memoryAsyncStore } from "../../stores.js";

/** @param {number} at @param {string} source @param {string} [runtime] @returns {import("../../../../static/js/state/saving/history.js").Version} */
function version(at, source, runtime = "torch") {
  return { at, why: "run", source, runtime };
}

test("versions are kept, the newest first, each program's apart", async () => {
  const asyncStore = memoryAsyncStore();
  const history = new History(() => asyncStore);
  await history.keep("a", version(1, "one"));
  await history.keep("a", version(2, "two"));
  await history.keep("b", version(3, "three"));
  assert.deepEqual(
    (await new History(() => asyncStore).read("a")).map((one) => one.source),
    ["two", "one"],
  );
});

test("neighbours that are equal count as one, of the later time", () => {
  assert.deepEqual(withVersion([version(1, "same")], version(2, "same")), [version(2, "same")]);
});

test("the same text in another runtime is another version", () => {
  assert.equal(withVersion([version(1, "same")], version(2, "same", "jax")).length, 2);
});

test("only the newest fifty are kept", () => {
  let versions = [version(0, "first")];
  for (let at = 1; at <= 60; at++) versions = withVersion(versions, version(at, `text ${at}`));
  assert.equal(versions.length, 50);
  assert.equal(versions[0]?.at, 60);
  assert.equal(versions.at(-1)?.at, 11);
});

test("versions together have at most a million characters, but the newest is always kept", () => {
  const long = "x".repeat(600_000);
  assert.deepEqual(
    withVersion([version(1, `a${long}`)], version(2, `b${long}`)).map((one) => one.at),
    [2],
  );
  assert.equal(withVersion([], version(1, "x".repeat(2_000_000))).length, 1);
});

test("an empty program is no version", async () => {
  const history = new History(memoryAsyncStore);
  await history.keep("a", version(1, " \n"));
  assert.deepEqual(await history.read("a"), []);
});

test("without storage versions last as long as the page", async () => {
  for (const open of [
    () => {
      throw new Error("denied");
    },
    () => ({ ...memoryAsyncStore(), get: () => Promise.reject(new Error("no")), update: () => Promise.reject(new Error("no")) }),
  ]) {
    const history = new History(open);
    await history.keep("a", version(1, "one"));
    await history.keep("a", version(2, "two"));
    assert.deepEqual(
      (await history.read("a")).map((one) => one.source),
      ["two", "one"],
    );
  }
});

test("versions that were kept are still there when the storage is full", async () => {
  const asyncStore = memoryAsyncStore();
  await new History(() => asyncStore).keep("a", version(1, "one"));
  const history = new History(() => ({ ...asyncStore, update: () => Promise.reject(new Error("full")) }));
  await history.keep("a", version(2, "two"));
  assert.deepEqual(
    (await history.read("a")).map((one) => one.source),
    ["two", "one"],
  );
});
