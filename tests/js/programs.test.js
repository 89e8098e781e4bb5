import assert from "node:assert/strict";
import { test } from "node:test";

import { EXAMPLES } from "../../static/js/lib/examples.js";
import { Drafts } from "../../static/js/state/drafts.js";
import { History } from "../../static/js/state/history.js";
import { KeptResults } from "../../static/js/state/kept-results.js";
import { FIRST_EXAMPLE } from "../../static/js/state/new-program.js";
import { PageState } from "../../static/js/state/page-state.js";
import { ProgramList } from "../../static/js/state/program-list.js";
import { Programs } from "../../static/js/state/programs.js";
import { Settings } from "../../static/js/state/settings.js";
import { memoryAsyncStore, memoryStore } from "./stores.js";

const [FIRST, SQUARE] = /** @type {[import("../../static/js/lib/examples.js").Example, import("../../static/js/lib/examples.js").Example]} */ (
  [FIRST_EXAMPLE, "Square"].map((name) => EXAMPLES.find((one) => one.name === name))
);
const SHARED = { name: "Sent", source: "print('sent')\n", runtime: "torch" };

/** A tab that opens the playground. */
function visit({ store = memoryStore(), tab = memoryStore(), asyncStore = memoryAsyncStore() } = {}) {
  const drafts = new Drafts(() => store, "playground");
  const page = new PageState([], { drafts, results: new KeptResults(() => asyncStore, "playground"), settings: new Settings(() => store) }, ({ text }) => ({ source: text.value }));
  const programs = new Programs(page, new ProgramList(() => store, () => tab), new History(() => asyncStore), ["torch", "jax"]);
  return { programs, store, tab, asyncStore, page };
}

/** @param {Programs} programs */
function names(programs) {
  return programs.listed.value.map((one) => one.name);
}

/** @param {Programs} programs */
function open(programs) {
  const cell = programs.cell.value;
  assert.ok(cell);
  return cell;
}

test("a first visit begins with an example", () => {
  const { programs } = visit();
  assert.deepEqual(names(programs), [FIRST_EXAMPLE]);
  assert.equal(open(programs).text.value, FIRST.source);
});

test("what was written before programs had names is taken over, with its runtime, once", () => {
  const store = memoryStore();
  const drafts = new Drafts(() => store, "playground");
  drafts.keep("playground", "", "print('mine')");
  drafts.keep("runtime", "torch", "jax");
  const { programs } = visit({ store });
  assert.equal(open(programs).text.value, "print('mine')");
  assert.equal(programs.program.value?.runtime, "jax");
  assert.equal(open(programs).conflict.value, null);
  const again = visit({ store }).programs;
  assert.deepEqual(names(again), ["My program"]);
  assert.equal(open(again).text.value, "print('mine')");
});

test("an example takes the place of one that was left as it came, which is in the history", async () => {
  const { programs } = visit();
  programs.load(SQUARE);
  assert.deepEqual(names(programs), ["Square"]);
  assert.equal(open(programs).text.value, SQUARE.source);
  assert.equal(open(programs).changed.value, false);
  assert.deepEqual((await programs.history.read(programs.current.value)).map((one) => one.source), [FIRST.source]);
});

test("an example never takes the place of what was written", () => {
  const { programs } = visit();
  const first = open(programs);
  first.edit("print('mine')");
  programs.load(SQUARE);
  assert.deepEqual(names(programs), [FIRST_EXAMPLE, "Square"]);
  assert.equal(first.text.value, "print('mine')");
  assert.equal(open(programs).text.value, SQUARE.source);
});

test("an example takes the place neither of a named one nor of one that came by a link", () => {
  const { programs } = visit();
  programs.rename("Keep");
  programs.load(SQUARE);
  programs.receive(SHARED, "link");
  programs.load(FIRST);
  assert.deepEqual(names(programs), ["Keep", "Square", "Sent", FIRST_EXAMPLE]);
});

test("an example in an empty program leaves the name that it was given", () => {
  const { programs } = visit();
  programs.createBlank();
  programs.rename("Homework");
  programs.load(SQUARE);
  assert.deepEqual(names(programs), [FIRST_EXAMPLE, "Homework"]);
});

test("all of it is there again at the next visit, and the tab is where it was", () => {
  const { programs, store, tab } = visit();
  programs.createBlank();
  programs.rename("Mine");
  programs.chooseRuntime("jax");
  open(programs).edit("print(1)");
  const { id } = /** @type {{id: string}} */ (programs.program.value);
  const elsewhere = visit({ store }).programs;
  elsewhere.choose("playground");
  const again = visit({ store, tab }).programs;
  assert.equal(again.current.value, id);
  assert.equal(again.program.value?.runtime, "jax");
  assert.equal(open(again).text.value, "print(1)");
  assert.deepEqual(names(again), [FIRST_EXAMPLE, "Mine"]);
});

test("what is deleted can be had back with its text, its name and its history", async () => {
  const { programs, store } = visit();
  programs.createBlank();
  programs.rename("Mine");
  open(programs).edit("print(1)");
  await programs.keepVersion(programs.current.value, "run");
  const id = programs.current.value;
  programs.delete();
  assert.deepEqual(names(programs), [FIRST_EXAMPLE]);
  assert.deepEqual(names(visit({ store }).programs), [FIRST_EXAMPLE]);
  programs.saying.value?.act?.do();
  assert.deepEqual(names(programs), [FIRST_EXAMPLE, "Mine"]);
  assert.equal(programs.current.value, id);
  assert.equal(open(programs).text.value, "print(1)");
  assert.equal((await programs.history.read(id)).length, 1);
});

test("when the last one is deleted there is an example again", () => {
  const { programs } = visit();
  open(programs).edit("print(1)");
  programs.delete();
  assert.deepEqual(names(programs), [FIRST_EXAMPLE]);
  assert.equal(open(programs).text.value, FIRST.source);
});

test("what was deleted long ago is gone with all its text", (test) => {
  const { programs, store, asyncStore } = visit();
  programs.createBlank();
  open(programs).edit("secret");
  programs.delete();
  test.mock.timers.enable({ apis: ["Date"], now: Date.now() + 8 * 24 * 3600 * 1000 });
  visit({ store, asyncStore });
  assert.ok(![...store.kept.values()].some((value) => value.includes("secret")));
});

test("a duplicate has the text as it is now, and goes its own way", () => {
  const { programs } = visit();
  open(programs).edit("print(1)");
  programs.duplicate();
  assert.deepEqual(names(programs), [FIRST_EXAMPLE, `${FIRST_EXAMPLE} 2`]);
  assert.equal(open(programs).text.value, "print(1)");
  open(programs).edit("print(2)");
  programs.choose("playground");
  assert.equal(open(programs).text.value, "print(1)");
});

test("a link makes a program of its own, the same link no second one, and what was made of it stays", () => {
  const { programs } = visit();
  programs.receive(SHARED, "link");
  open(programs).edit("print('changed')");
  programs.choose("playground");
  programs.receive(SHARED, "link");
  assert.deepEqual(names(programs), [FIRST_EXAMPLE, "Sent"]);
  assert.equal(open(programs).text.value, "print('changed')");
  programs.receive({ ...SHARED, source: "print(2)" }, "link");
  assert.deepEqual(names(programs), [FIRST_EXAMPLE, "Sent", "Sent 2"]);
});

test("an earlier version comes back, and what it took the place of is a version", async () => {
  const { programs } = visit();
  open(programs).edit("one");
  await programs.keepVersion("playground", "run");
  open(programs).edit("two");
  const [one] = await programs.history.read("playground");
  assert.ok(one);
  await programs.restore(one);
  assert.equal(open(programs).text.value, "one");
  assert.deepEqual((await programs.history.read("playground")).map((version) => [version.source, version.why]), [["two", "restored"], ["one", "run"]]);
});

test("two tabs on two programs never touch each other's", () => {
  const { programs: here, store } = visit();
  const there = visit({ store }).programs;
  there.createBlank();
  there.rename("There");
  here.createBlank();
  here.rename("Here");
  open(there).edit("print('there')");
  open(here).edit("print('here')");
  const later = visit({ store }).programs;
  assert.deepEqual(names(later).sort(), ["Here", FIRST_EXAMPLE, "There"].sort());
  for (const name of ["Here", "There"]) {
    later.choose(/** @type {{id: string}} */ (later.listed.value.find((one) => one.name === name)).id);
    assert.equal(open(later).text.value, `print('${name.toLowerCase()}')`);
  }
});

test("what another tab makes, names and deletes is heard", () => {
  const { programs: here, store } = visit();
  const there = visit({ store }).programs;
  there.createBlank();
  there.rename("There");
  here.onStorage(`gradroom/program/${there.current.value}`);
  assert.deepEqual(names(here), [FIRST_EXAMPLE, "There"]);
  there.choose("playground");
  there.delete();
  here.onStorage("gradroom/program/playground");
  assert.ok(here.program.value?.deleted);
  here.bringBack("playground");
  assert.deepEqual(names(here), [FIRST_EXAMPLE, "There"]);
});

test("an example does not take the place of what another tab has written since", () => {
  const { programs: here, store } = visit();
  const there = visit({ store }).programs;
  open(there).edit("print('there')");
  here.load(SQUARE);
  assert.deepEqual(names(here), [FIRST_EXAMPLE, "Square"]);
  assert.equal(open(visit({ store }).programs).text.value, SQUARE.source);
  here.choose("playground");
  assert.equal(open(visit({ store }).programs).text.value, "print('there')");
});

test("a program that was left as it came follows what another tab makes of it", () => {
  const { programs: here, store } = visit();
  const there = visit({ store }).programs;
  there.load(SQUARE);
  open(there).edit("print('there')");
  here.onStorage("gradroom/program/playground");
  assert.equal(open(here).text.value, SQUARE.source);
  assert.equal(open(visit({ store }).programs).text.value, "print('there')");
});

test("there are at most a hundred, and one is told so", () => {
  const { programs } = visit();
  for (let count = 0; count < 120; count++) programs.createBlank();
  assert.equal(names(programs).length, 100);
  assert.match(programs.saying.value?.words ?? "", /100/);
});

test("a browser that keeps nothing has programs as long as the page", () => {
  const deny = () => {
    throw new Error("denied");
  };
  const page = new PageState([], { drafts: new Drafts(deny, "playground"), results: new KeptResults(deny, "playground"), settings: new Settings(deny) }, ({ text }) => ({ source: text.value }));
  const programs = new Programs(page, new ProgramList(deny, deny), new History(deny), ["torch"]);
  assert.equal(page.lasting.value, false);
  open(programs).edit("print(1)");
  programs.load(SQUARE);
  programs.choose("playground");
  assert.equal(open(programs).text.value, "print(1)");
  assert.deepEqual(names(programs), [FIRST_EXAMPLE, "Square"]);
});

test("an edit that is kept does not hide that a program was not", () => {
  const store = memoryStore();
  const { programs, page } = visit({ store: { ...store, setItem: (key, value) => {
    if (key.startsWith("gradroom/program/")) throw new Error("full");
    store.setItem(key, value);
  } } });
  open(programs).edit("print(1)");
  assert.equal(page.lasting.value, false);
});

test("an earlier version comes back in its own program, also when another was opened meanwhile", async () => {
  const { programs } = visit();
  const restoring = programs.restore({ at: 1, why: "run", source: "print(1)", runtime: "jax" });
  programs.createBlank();
  await restoring;
  assert.equal(programs.program.value?.runtime, "torch");
  assert.equal(programs.find("playground")?.runtime, "jax");
});

test("what was said of a link is true as long as the link carries what is open", () => {
  /** @type {((programs: Programs) => void)[]} */
  const changes = [
    (programs) => open(programs).edit("print('since')"),
    (programs) => programs.rename("Since"),
    (programs) => programs.chooseRuntime("jax"),
    (programs) => programs.duplicate(),
  ];
  for (const change of changes) {
    const { programs } = visit();
    const carried = programs.carried.value;
    assert.ok(carried);
    programs.saying.value = { words: "Link copied.", carried };
    assert.equal(programs.said.value?.words, "Link copied.");
    change(programs);
    assert.equal(programs.said.value, null, String(change));
  }
});

test("what is said of no link stays after an edit", () => {
  const { programs } = visit();
  programs.saying.value = { words: "Damaged." };
  open(programs).edit("print('since')");
  assert.equal(programs.said.value?.words, "Damaged.");
});
