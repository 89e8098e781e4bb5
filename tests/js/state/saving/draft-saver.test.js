import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { DraftSaver } from "../../../../static/js/state/saving/draft-saver.js";
import { openLesson } from "../../lesson_page.js";
import { memoryStore } from "../../stores.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** Lets promises come to their ends. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** @typedef {{source: string | null, version: number, ran?: boolean}} Put */

/** A server with one text. `away`: it does not answer; `gate`: it answers when that is over. */
function serve() {
  const server = {
    version: 0,
    source: /** @type {string | null} */ (null),
    puts: /** @type {Put[]} */ ([]),
    away: false,
    refusal: /** @type {Response | null} */ (null),
    gate: Promise.resolve(),
    lose: false,
  };
  globalThis.fetch = async (_, init) => {
    const put = /** @type {Put} */ (JSON.parse(String(init?.body)));
    server.puts.push(put);
    await server.gate;
    if (server.away) throw new TypeError("offline");
    if (server.refusal) return server.refusal.clone();
    if (put.source !== server.source && put.version !== server.version) {
      return Response.json(
        { error: { code: "draft_conflict", message: "…", draft: { version: server.version, source: server.source } } },
        { status: 409 },
      );
    }
    if (put.source !== server.source) server.version++;
    server.source = put.source;
    if (server.lose) throw new TypeError("the answer was lost");
    return Response.json({ version: server.version });
  };
  return server;
}

function open(store = memoryStore()) {
  const lesson = openLesson(store);
  let reached = 0;
  const saver = new DraftSaver(lesson.first, { lesson: "a/b", reached: () => void reached++ });
  return { ...lesson, saver, draft: lesson.first, reached: () => reached };
}

/** @param {number} ms */
async function pass(ms) {
  mock.timers.tick(ms);
  await settle();
}

test("it is sent once the learner pauses, and only then said to be saved", async () => {
  const server = serve();
  const { draft, page } = open();
  draft.edit("x = 2");
  await pass(1400);
  draft.edit("x = 3");
  await pass(1400);
  assert.deepEqual([server.puts.length, draft.saved.value.kind], [0, "quiet"]);
  await pass(100);
  assert.deepEqual(
    [server.puts, draft.saved.value.kind, page.drafts.unsaved("first")],
    [[{ source: "x = 3", version: 0 }], "saved", false],
  );
  draft.edit("x = 4");
  assert.equal(draft.saved.value.kind, "quiet");
  await pass(1500);
  assert.deepEqual(server.puts.at(-1), { source: "x = 4", version: 1 });
});

test("what is saved is still said to be when the learner comes back to the page, submits it, or takes back what was typed", async () => {
  const server = serve();
  const { draft, page, saver } = open();
  draft.edit("x = 2");
  await pass(1500);
  page.onStorage(null);
  assert.equal(draft.saved.value.kind, "saved");
  saver.edited();
  assert.equal(draft.saved.value.kind, "saved");
  draft.edit("x = 23");
  assert.equal(draft.saved.value.kind, "quiet");
  draft.edit("x = 2");
  assert.equal(draft.saved.value.kind, "saved");
  await pass(1500);
  assert.deepEqual([server.puts.length, draft.saved.value.kind], [1, "saved"]);
});

test("what the server never had is not said to be saved, although it is as the lesson has it", async () => {
  const server = serve();
  const { draft } = open();
  draft.edit("x = 2");
  draft.edit(draft.facts.starter);
  await pass(1500);
  assert.deepEqual([server.puts, draft.saved.value], [[], { kind: "quiet" }]);
});

test("a page on which nothing is written sends nothing and says nothing", async () => {
  const server = serve();
  const { draft } = open();
  await pass(60_000);
  assert.deepEqual([server.puts, draft.saved.value], [[], { kind: "quiet" }]);
});

test("what is run is sent at once and noted as run, also when it was saved before", async () => {
  const server = serve();
  const { draft, saver } = open();
  draft.edit("x = 2");
  await pass(1500);
  saver.ran();
  await settle();
  saver.ran();
  await settle();
  assert.deepEqual(
    server.puts.map((put) => put.ran ?? false),
    [false, true, true],
  );
  draft.reset();
  saver.ran();
  await settle();
  assert.deepEqual(server.puts.at(-1), { source: null, version: 1 });
});

test("one request at a time, and of what is written meanwhile the latest", async () => {
  const server = serve();
  let opened = () => {};
  server.gate = new Promise((resolve) => (opened = resolve));
  const { draft, saver } = open();
  draft.edit("x = 2");
  await pass(1500);
  draft.edit("x = 3");
  await pass(1500);
  draft.edit("x = 4");
  saver.ran();
  assert.equal(server.puts.length, 1);
  opened();
  await settle();
  await pass(0);
  assert.deepEqual(
    [server.puts.map((put) => put.source), server.puts.at(-1)?.version, draft.saved.value.kind],
    [["x = 2", "x = 4"], 1, "saved"],
  );
});

test("while the server is away it is kept, and tried again after pauses that grow, or as soon as it may be back", async () => {
  const server = serve();
  server.away = true;
  const { draft, saver, store, reached } = open();
  draft.edit("x = 2");
  await pass(1500);
  assert.deepEqual(draft.saved.value, { kind: "held", code: "unreachable", message: "" });
  draft.edit("x = 3"); // does not shorten the pause
  await pass(1999);
  assert.equal(server.puts.length, 1);
  await pass(1);
  await pass(3999);
  assert.equal(server.puts.length, 2);
  await pass(1);
  assert.equal(server.puts.length, 3);
  server.away = false;
  saver.flush();
  await settle();
  assert.deepEqual([server.source, draft.saved.value.kind, reached()], ["x = 3", "saved", 1]);
  assert.equal(openLesson(store).first.text.value, "x = 3");
});

test("what was not saved when the page was left is sent from the next", async () => {
  const server = serve();
  server.away = true;
  const { draft, store } = open();
  draft.edit("x = 2");
  await pass(1500);
  server.away = false;
  open(store);
  await settle();
  assert.equal(server.source, "x = 2");
});

test("a time that the server names is kept to", async () => {
  const server = serve();
  server.refusal = Response.json({ error: { code: "too_often", message: "…" } }, { status: 429, headers: { "retry-after": "30" } });
  const { draft, saver } = open();
  draft.edit("x = 2");
  await pass(1500);
  server.refusal = null;
  saver.flush();
  await pass(29_999);
  assert.deepEqual([server.puts.length, draft.saved.value.kind], [1, "quiet"]);
  await pass(1);
  assert.equal(server.source, "x = 2");
});

test("what the server will not take is said, and sent again only when there is something else to send", async () => {
  const server = serve();
  server.refusal = Response.json({ error: { code: "no_learner", message: "No cookie." } }, { status: 403 });
  const { draft } = open();
  draft.edit("x = 2");
  await pass(1500);
  assert.deepEqual(draft.saved.value, { kind: "held", code: "no_learner", message: "No cookie." });
  await pass(600_000);
  assert.equal(server.puts.length, 1);
  draft.edit("x = 3");
  await pass(1500);
  assert.equal(server.puts.length, 2);
});

test("an answer that was lost makes no conflict of one's own text", async () => {
  const server = serve();
  server.lose = true;
  const { draft } = open();
  draft.edit("x = 2");
  await pass(1500);
  server.lose = false;
  draft.edit("x = 3");
  await pass(2000);
  assert.deepEqual([server.source, draft.conflict.value, draft.saved.value.kind], ["x = 3", null, "saved"]);
});

test("a change from elsewhere is taken where only that side changed, and offered where both did", async () => {
  const server = serve();
  const { draft, saver } = open();
  draft.edit("x = 2");
  await pass(1500);
  Object.assign(server, { version: 7, source: "theirs" });
  draft.edit("mine");
  await pass(1500);
  assert.deepEqual(
    [draft.text.value, draft.conflict.value, server.source],
    ["mine", { kind: "elsewhere", text: "theirs", saved: true }, "theirs"],
  );
  draft.edit("mine, too");
  await pass(60_000);
  assert.equal(server.source, "theirs"); // nothing is sent before the reader has chosen
  draft.keepMine();
  await pass(1500);
  assert.deepEqual([server.source, server.version, draft.saved.value.kind], ["mine, too", 8, "saved"]);
  Object.assign(server, { version: 9, source: "theirs again" });
  draft.edit("no");
  await pass(1500);
  draft.takeOther();
  await pass(1500);
  assert.deepEqual([draft.text.value, server.source, server.version, draft.conflict.value], ["theirs again", "theirs again", 9, null]);
  Object.assign(server, { version: 10, source: "latest" });
  saver.ran(); // the text that is run was not changed here
  await settle();
  assert.deepEqual([draft.text.value, draft.conflict.value], ["latest", null]);
});

test("two tabs that save the same text are of one mind", async () => {
  const server = serve();
  const store = memoryStore();
  const here = open(store);
  const there = open(store);
  here.draft.edit("x = 2");
  there.page.onStorage(null);
  assert.equal(there.draft.text.value, "x = 2");
  there.saver.flush();
  here.saver.flush();
  await settle();
  assert.deepEqual([server.version, here.draft.conflict.value, there.draft.conflict.value], [1, null, null]);
  there.page.onStorage(null);
  await pass(60_000);
  assert.ok(server.puts.length <= 3);
});

test("a page that is left sends what is not saved, also while something is under way, and not twice", async () => {
  const server = serve();
  let opened = () => {};
  server.gate = new Promise((resolve) => (opened = resolve));
  const { draft, saver } = open();
  draft.edit("x = 2");
  await pass(1500);
  draft.edit("x = 3");
  saver.flush(true);
  saver.flush(true);
  assert.deepEqual(
    server.puts.map((put) => put.source),
    ["x = 2", "x = 3"],
  );
  opened();
  await settle();
  await pass(1500);
  assert.deepEqual([server.source, draft.conflict.value], ["x = 3", null]);
});
