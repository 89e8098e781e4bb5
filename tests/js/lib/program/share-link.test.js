import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";

import { BrokenLink, carriesProgram, decodeProgram, encodeProgram } from "../../../../static/js/lib/program/share-link.js";

const PROGRAM = { name: "Square · 平方", source: 'print("梯度 🎓")\n', runtime: "torch" };

/** @param {unknown} content */
function craft(content) {
  const bytes = typeof content === "string" ? Buffer.from(content) : Buffer.from(JSON.stringify(content));
  return `#program=1.${deflateRawSync(bytes).toString("base64url")}`;
}

test("a program comes back from its link as it was", async () => {
  const fragment = await encodeProgram(PROGRAM);
  assert.match(fragment, /^#program=1\.[\w-]+$/);
  assert.ok(carriesProgram(fragment));
  assert.deepEqual(await decodeProgram(fragment), PROGRAM);
});

test("a link made by another's hand is read as well", async () => {
  assert.deepEqual(await decodeProgram(craft({ ...PROGRAM, more: 1 })), PROGRAM);
});

test("a link much shorter than its program is possible", async () => {
  const fragment = await encodeProgram({ ...PROGRAM, source: "x = x + 1\n".repeat(5000) });
  assert.ok(fragment.length < 1000);
});

test("another fragment is no program", () => {
  assert.ok(!carriesProgram("#cell-one"));
  assert.ok(!carriesProgram(""));
});

for (const [what, fragment] of /** @type {[string, string][]} */ ([
  ["nothing", "#program="],
  ["another version", "#program=2.abcd"],
  ["what is not base64url", "#program=1.ab%20cd"],
  ["what is not deflated", "#program=1.AAAA____"],
  ["what is cut off", craft(PROGRAM).slice(0, -9)],
  ["what is not JSON", craft("{")],
  ["null", craft("null")],
  ["a list", craft([])],
  ["a source that is no text", craft({ ...PROGRAM, source: 5 })],
  ["no name", craft({ source: "", runtime: "torch" })],
  ["a runtime that is no name", craft({ ...PROGRAM, runtime: "<script>" })],
  ["a source longer than can be run", craft({ ...PROGRAM, source: "a".repeat(65_537) })],
  ["a source longer than can be run, in other letters", craft({ ...PROGRAM, source: "梯".repeat(21_846) })],
  ["too many characters", `#program=1.${"A".repeat(200_001)}`],
])) {
  test(`a link with ${what} is broken`, async () => {
    await assert.rejects(decodeProgram(fragment), BrokenLink);
  });
}

test("a link that would inflate to a hundred megabytes is left before", async () => {
  const fragment = `#program=1.${deflateRawSync(Buffer.alloc(100_000_000)).toString("base64url").slice(0, 199_000)}`;
  await assert.rejects(decodeProgram(fragment), (error) => error instanceof BrokenLink && error.message === "too large");
});

test("bytes that are not UTF-8 are not guessed at", async () => {
  const bytes = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff]), Buffer.from('","source":"","runtime":"torch"}')]);
  await assert.rejects(decodeProgram(`#program=1.${deflateRawSync(bytes).toString("base64url")}`), BrokenLink);
});

test("a name is one line of what can be seen", async () => {
  const { name } = await decodeProgram(craft({ ...PROGRAM, name: ` a\n\u202eb\u0000${"c".repeat(200)}` }));
  assert.match(name, /^a b c+$/);
  assert.equal(name.length, 80);
});

test("what is too long to be run gets no link", async () => {
  await assert.rejects(encodeProgram({ ...PROGRAM, source: "a".repeat(65_537) }), RangeError);
});
