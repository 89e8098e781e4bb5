import assert from "node:assert/strict";
import { test } from "node:test";

import { readAttempts, readHoldings, reportWork, saveDraft } from "../../../../static/js/lib/me/me-client.js";

/** @param {() => Response} answer */
function serve(answer) {
  /** @type {{url: string, init: RequestInit}[]} */
  const asked = [];
  globalThis.fetch = async (url, init = {}) => (asked.push({ url: String(url), init }), answer());
  return asked;
}

/** @param {number} status @param {object} error @param {Record<string, string>} [headers] */
const refusal = (status, error, headers = {}) => new Response(JSON.stringify({ error }), { status, headers });

test("a draft is put under its lesson and cell, with the version it began from", async () => {
  const asked = serve(() => Response.json({ version: 4 }));
  assert.deepEqual(await saveDraft("a/b", "c", { source: "x", version: 3, ran: true }), { ok: true, value: { version: 4 } });
  const { url, init } = /** @type {{url: string, init: RequestInit}} */ (asked[0]);
  assert.deepEqual(
    [url, init.method, JSON.parse(String(init.body)), init.keepalive],
    ["/api/me/drafts/a/b/c", "PUT", { source: "x", version: 3, ran: true }, false],
  );
});

test("a page that is being left sends what a browser takes then, and no more", async () => {
  const asked = serve(() => Response.json({ version: 1 }));
  await saveDraft("a/b", "c", { source: "x", version: 0 }, { leaving: true });
  await saveDraft("a/b", "c", { source: "长".repeat(30_000), version: 0 }, { leaving: true });
  assert.deepEqual(
    asked.map(({ init }) => init.keepalive),
    [true, false],
  );
});

test("a conflict brings the server's text", async () => {
  serve(() => refusal(409, { code: "draft_changed", message: "…", draft: { version: 7, source: "theirs" } }));
  const answer = await saveDraft("a/b", "c", { source: "x", version: 3 });
  assert.deepEqual(answer.ok ? null : [answer.status, answer.draft], [409, { version: 7, source: "theirs" }]);
});

test("why it is not kept is told, with the time after which to come again", async () => {
  serve(() => refusal(503, { code: "not_kept", message: "The disk is full.", reason: "full" }, { "retry-after": "9" }));
  assert.deepEqual(await readHoldings(), {
    ok: false,
    status: 503,
    code: "not_kept",
    message: "The disk is full.",
    reason: "full",
    retryAfter: 9,
    draft: null,
  });
});

test("no answer, and an answer of something else, are values too", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("offline");
  };
  const away = await readHoldings();
  assert.deepEqual([away.ok, away.ok ? 0 : away.status, away.ok ? "" : away.code], [false, 0, "unreachable"]);
  serve(() => new Response("<h1>Bad gateway</h1>", { status: 502 }));
  const proxy = await readAttempts("a/b/c");
  assert.deepEqual(proxy.ok ? null : [proxy.status, proxy.code], [502, ""]);
});

test("an answer without a body is nothing", async () => {
  serve(() => new Response(null, { status: 204 }));
  assert.deepEqual(await reportWork({ lesson: "a/b", cells: ["c"], predictions: {}, hints: {} }), { ok: true, value: null });
});
