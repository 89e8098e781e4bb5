/** A lesson's page in memory, and a server that answers it. */

import { Drafts } from "../../static/js/state/saving/drafts.js";
import { KeptResults } from "../../static/js/state/kept-results.js";
import { KeptWork } from "../../static/js/state/saving/kept-work.js";
import { PageState } from "../../static/js/state/page-state.js";
import { Settings } from "../../static/js/state/settings.js";
import { memoryAsyncStore, memoryStore } from "./stores.js";

/** @typedef {import("../../static/js/state/cell-state.js").CellFacts} CellFacts */

export const RESULT = { id: "r1", outcome: "finished", stdout: "", stderr: "", records: [], error: null, timing: { total_ms: 5 } };

/** @type {CellFacts[]} */
const FACTS = [
  { id: "first", number: 1, filename: "first.py", runtime: "torch", after: [], raises: "", starter: "x = 1" },
  { id: "second", number: 2, filename: "second.py", runtime: "torch", after: ["first"], raises: "", starter: "print(x)" },
  {
    id: "exercise_fix",
    number: 0,
    filename: "fix.py",
    runtime: "torch",
    after: ["first"],
    raises: "",
    starter: "y = ____",
    exercise: "fix",
  },
];

export function openLesson(store = memoryStore()) {
  const kept = {
    drafts: new Drafts(() => store, "a/b"),
    results: new KeptResults(() => memoryAsyncStore(), "a/b"),
    settings: new Settings(() => store),
  };
  const page = new PageState(FACTS, kept, (cell, source, sources) => ({ source, cell: cell.id, sources }));
  const [first, second, fix] = page.cells;
  if (!first || !second || !fix) throw new Error("there are three");
  return { store, page, first, second, fix, work: new KeptWork(() => store, "a/b") };
}

/** What the server says to each request, in order; a stream without an end breaks off. @param {...[string, object][]} streams */
export function answering(...streams) {
  /** @type {{url: string, body: any, headers: Record<string, string>}[]} */
  const asked = [];
  globalThis.fetch = async (url, init) => {
    asked.push({ url: String(url), body: JSON.parse(String(init?.body)), headers: /** @type {Record<string, string>} */ (init?.headers) });
    const events = streams.shift() ?? [];
    const text = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
    return new Response(text, { headers: { "content-type": "text/event-stream", "x-run-id": "r1" } });
  };
  return asked;
}
