import assert from "node:assert/strict";
import { test } from "node:test";

import { EXAMPLES } from "../../../../static/js/lib/program/examples.js";
import { Drafts } from "../../../../static/js/state/saving/drafts.js";
import { History } from "../../../../static/js/state/saving/history.js";
import { KeptResults } from "../../../../static/js/state/kept-results.js";
import { FIRST_EXAMPLE } from "../../../../static/js/state/programs/new-program.js";
import { PageState } from "../../../../static/js/state/page-state.js";
import { ProgramList } from "../../../../static/js/state/programs/program-list.js";
import { Programs } from "../../../../static/js/state/programs/programs.js";
import { Settings } from "../../../../static/js/state/settings.js";
import { memoryAsyncStore, memoryStore } from "../../stores.js";

const [FIRST, SQUARE] =
  /** @type {[import("../../../../static/js/lib/program/examples.js").Example, import("../../../../static/js/lib/program/examples.js").Example]} */ (
    [FIRST_EXAMPLE, "Square"].map((name) => EXAMPLES.find((one) => one.name === name))
  );
const ADDRESS = "#program=1.sent";
const SHARED = { name: "Sent", source: "print('sent')\n", runtime: "torch" };

/** A tab that opens the playground. */
function visit({ store = memoryStore(), tab = memoryStore(), asyncStore = memoryAsyncStore() } = {}) {
  const drafts = new Drafts(() => store, "playground");
  const page = new PageState(
    [],
    { drafts, results: new KeptResults(() => asyncStore, "playground"), settings: new Settings(() => store) },
    (_, source) => ({ source }),
  );
  const programs = new Programs(
    page,
    new ProgramList(
      () => store,
      () => tab,
    ),
    new History(() => asyncStore),
    ["torch", "jax"],
  );
  programs.openLast();
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
  assert.deepEqual(
    (await programs.history.read(programs.current.value)).map((one) => one.source),
    [FIRST.source],
  );
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
  programs.offered.receive(SHARED, "link", ADDRESS);
  programs.offered.keep();
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

test("a shared program is in no storage, whatever is done with it, until it is edited", async () => {
  const store = memoryStore();
  const { programs, page, asyncStore, tab } = visit({ store });
  const before = [...store.kept];
  programs.offered.receive(SHARED, "link", ADDRESS);
  assert.equal(open(programs).text.value, SHARED.source);
  assert.equal(programs.offered.held.value?.address, ADDRESS);
  open(programs).sources.value = page.sourcesOf(open(programs));
  page.finish(open(programs));
  await programs.keepVersion(programs.current.value, "run");
  await asyncStore.settled();
  assert.deepEqual([...store.kept], before);
  assert.equal(await asyncStore.get(`playground/${programs.current.value}`), undefined);
  assert.equal((await programs.history.read(programs.current.value)).length, 1);
  assert.equal(await asyncStore.get(`history/${programs.current.value}`), undefined);
  assert.deepEqual(names(visit({ store, tab }).programs), [FIRST_EXAMPLE]);
  open(programs).edit("print('changed')");
  assert.equal(programs.offered.held.value, null);
  await asyncStore.settled();
  const again = visit({ store, tab, asyncStore }).programs;
  assert.deepEqual(names(again), [FIRST_EXAMPLE, "Sent"]);
  assert.equal(open(again).text.value, "print('changed')");
  assert.deepEqual(
    (await again.history.read(again.current.value)).map((one) => one.source),
    [SHARED.source],
  );
});

test("a shared program that is opened at the first visit is alone", () => {
  const store = memoryStore();
  const drafts = new Drafts(() => store, "playground");
  const page = new PageState(
    [],
    { drafts, results: new KeptResults(memoryAsyncStore, "playground"), settings: new Settings(() => store) },
    (_, source) => ({ source }),
  );
  const programs = new Programs(page, new ProgramList(() => store, memoryStore), new History(memoryAsyncStore), ["torch"]);
  programs.offered.receive(SHARED, "link", ADDRESS);
  assert.equal(store.length, 0);
  assert.deepEqual(names(programs), ["Sent"]);
  programs.delete();
  assert.deepEqual(names(programs), [FIRST_EXAMPLE]);
});

test("a shared program is kept when it is named or gets another runtime", () => {
  for (const change of /** @type {((programs: Programs) => void)[]} */ ([
    (programs) => programs.rename("Mine"),
    (programs) => programs.chooseRuntime("jax"),
    (programs) => programs.offered.keep(),
  ])) {
    const { programs, store } = visit();
    programs.offered.receive(SHARED, "link", ADDRESS);
    change(programs);
    assert.equal(programs.offered.held.value, null);
    assert.equal(visit({ store }).programs.program.value?.starter, SHARED.source);
  }
});

test("the same link opens what was kept of it, also what an earlier version kept", () => {
  const { programs } = visit();
  programs.offered.receive(SHARED, "link", ADDRESS);
  open(programs).edit("print('changed')");
  programs.chooseRuntime("jax");
  programs.choose("playground");
  programs.offered.receive(SHARED, "lesson", ADDRESS);
  assert.deepEqual(names(programs), [FIRST_EXAMPLE, "Sent"]);
  assert.equal(open(programs).text.value, "print('changed')");
  assert.equal(programs.offered.held.value, null);
  const store = memoryStore();
  new ProgramList(() => store, memoryStore).write({
    id: "earlier",
    name: "Sent",
    named: false,
    runtime: "torch",
    starter: SHARED.source,
    origin: "link",
    made: 1,
    deleted: 0,
  });
  const later = visit({ store }).programs;
  later.offered.receive(SHARED, "link", ADDRESS);
  assert.equal(later.current.value, "earlier");
  later.offered.receive({ ...SHARED, source: "print(2)" }, "link", ADDRESS);
  assert.deepEqual(names(later), ["Sent", "Sent 2"]);
});

test("one that was deleted is offered anew, beside what can be had back", () => {
  const { programs } = visit();
  programs.offered.receive(SHARED, "link", ADDRESS);
  open(programs).edit("print('changed')");
  programs.delete();
  programs.offered.receive(SHARED, "link", ADDRESS);
  assert.equal(open(programs).text.value, SHARED.source);
  assert.ok(programs.offered.held.value);
  assert.equal(programs.deleted.all.value.length, 1);
});

test("a shared program that is left is named, and can be had back; another link takes its place", () => {
  const { programs } = visit();
  programs.offered.receive(SHARED, "link", ADDRESS);
  programs.choose("playground");
  assert.deepEqual(names(programs), [FIRST_EXAMPLE]);
  assert.match(programs.saying.value?.words ?? "", /Sent was not kept/);
  programs.saying.value?.act?.do();
  assert.equal(programs.offered.held.value?.address, ADDRESS);
  assert.equal(open(programs).text.value, SHARED.source);
  programs.offered.receive({ name: "Other", source: "print(2)", runtime: "torch" }, "link", "#program=1.other");
  assert.deepEqual(names(programs), [FIRST_EXAMPLE, "Other"]);
  programs.openLast();
  assert.deepEqual(names(programs), [FIRST_EXAMPLE]);
});

test("a shared program that another tab has kept is kept, and follows what is written there", () => {
  const { programs: here, store, page } = visit();
  const there = visit({ store }).programs;
  for (const programs of [here, there]) programs.offered.receive(SHARED, "link", ADDRESS);
  open(there).edit("print('there')");
  here.onStorage(`gradroom/program/${there.current.value}`);
  page.onStorage(page.drafts.key(there.current.value));
  assert.equal(here.offered.held.value, null);
  assert.equal(open(here).text.value, "print('there')");
  open(here).edit("print('here')");
  const later = visit({ store }).programs;
  assert.deepEqual(names(later), [FIRST_EXAMPLE, "Sent"]);
  assert.equal(open(later).text.value, "print('here')");
});

/** A visit with the most programs that are kept, the first of them edited, the second named. */
function visitFull() {
  const visited = visit();
  open(visited.programs).edit("print('mine')");
  for (let count = 1; count < 100; count++) visited.programs.createBlank();
  visited.programs.choose(/** @type {{id: string}} */ (visited.programs.listed.value[1]).id);
  visited.programs.rename("Named");
  return visited;
}

test("a hundred are kept; for one more the oldest that was never edited can make room, and comes back", () => {
  const { programs } = visitFull();
  programs.createBlank();
  assert.equal(names(programs).length, 100);
  const { words = "", act } = programs.saying.value ?? {};
  assert.match(words, /100.* Program 2/);
  const open = programs.current.value;
  act?.do();
  assert.equal(programs.current.value, open);
  assert.ok(!names(programs).includes("Program 2"));
  programs.saying.value?.act?.do();
  assert.ok(names(programs).includes("Program 2"));
  assert.equal(programs.current.value, open);
});

test("where every program is edited, none is named to make room", () => {
  const { programs } = visitFull();
  for (const { id } of programs.listed.value) {
    programs.choose(id);
    open(programs).edit(`print('${id}')`);
  }
  programs.createBlank();
  assert.match(programs.saying.value?.words ?? "", /Delete one first/);
  assert.equal(programs.saying.value?.act, undefined);
});

test("a deleted program does not come back where there is no room for it", () => {
  const { programs } = visitFull();
  programs.delete();
  const [{ id } = { id: "" }] = programs.deleted.all.value;
  programs.createBlank();
  programs.deleted.bringBack(id);
  assert.equal(programs.listed.value.length, 100);
  assert.match(programs.saying.value?.words ?? "", /100/);
});

test("an edited shared program is in no storage where there is no room, and is kept as soon as there is", () => {
  const { programs, store } = visitFull();
  programs.offered.receive(SHARED, "link", ADDRESS);
  const before = [...store.kept];
  open(programs).edit("print('changed')");
  programs.offered.keep();
  assert.ok(programs.offered.held.value);
  assert.deepEqual([...store.kept], before);
  programs.lackOfRoom().act?.do();
  assert.equal(programs.offered.held.value, null);
  assert.equal(open(visit({ store }).programs).text.value, "print('changed')");
  assert.equal(programs.listed.value.length, 100);
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
  assert.deepEqual(
    (await programs.history.read("playground")).map((version) => [version.source, version.why]),
    [
      ["two", "restored"],
      ["one", "run"],
    ],
  );
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
  here.deleted.bringBack("playground");
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

test("a browser that keeps nothing has programs as long as the page", () => {
  const deny = () => {
    throw new Error("denied");
  };
  const page = new PageState(
    [],
    { drafts: new Drafts(deny, "playground"), results: new KeptResults(deny, "playground"), settings: new Settings(deny) },
    (_, source) => ({ source }),
  );
  const programs = new Programs(page, new ProgramList(deny, deny), new History(deny), ["torch"]);
  programs.openLast();
  assert.equal(page.lasting.value, false);
  open(programs).edit("print(1)");
  programs.load(SQUARE);
  programs.choose("playground");
  assert.equal(open(programs).text.value, "print(1)");
  assert.deepEqual(names(programs), [FIRST_EXAMPLE, "Square"]);
});

test("an edit that is kept does not hide that a program was not", () => {
  const store = memoryStore();
  const { programs, page } = visit({
    store: {
      ...store,
      setItem: (key, value) => {
        if (key.startsWith("gradroom/program/")) throw new Error("full");
        store.setItem(key, value);
      },
    },
  });
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
