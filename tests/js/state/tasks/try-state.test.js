import assert from "node:assert/strict";
import { test } from "node:test";

import { RuleState } from "../../../../static/js/state/tasks/rule-state.js";
import { Tries, TryState } from "../../../../static/js/state/tasks/try-state.js";
import { answering, openLesson, RESULT } from "../../lesson_page.js";

const EDITS = [{ cell: "first", find: "1", replace: "1 + 1" }];

function open() {
  const lesson = openLesson();
  const tries = new Tries();
  return { ...lesson, tries, tried: new TryState(EDITS, lesson.second, tries) };
}

test("the edit is made, the cell run, and it can be taken back", async () => {
  const { tries, tried, first } = open();
  const asked = answering([["result", RESULT]], [["result", { ...RESULT, stdout: "1\n" }]]);
  await tried.make();
  assert.deepEqual([first.text.value, tried.state.value, asked[0]?.body.sources], ["x = 1 + 1", "made", { first: "x = 1 + 1" }]);
  await tried.takeBack();
  assert.deepEqual([first.text.value, tried.state.value, asked.length], ["x = 1", "open", 2]);
  const { before, now } = tries.told.value ?? {};
  assert.deepEqual([before?.result?.stdout, now?.result?.stdout], ["", "1\n"]);
});

test("its results are seen once a run has shown them, and not by the edit alone", async () => {
  const { tried, first } = open();
  answering([["result", RESULT]], [["result", RESULT]], [["result", RESULT]]);
  await tried.cell.page.run(tried.cell);
  first.edit("x = 1 + 1");
  assert.deepEqual([tried.state.value, tried.seen.value], ["made", false]);
  await tried.cell.page.run(tried.cell);
  assert.equal(tried.seen.value, true);
  await tried.takeBack();
  assert.equal(tried.seen.value, false);
});

test("what else was written stays, and comes back", async () => {
  const { tried, first } = open();
  answering([["result", RESULT]], [["result", RESULT]]);
  first.edit("# mine\nx = 1");
  await tried.make();
  assert.equal(first.text.value, "# mine\nx = 1 + 1");
  await tried.takeBack();
  assert.equal(first.text.value, "# mine\nx = 1");
});

test("a text that is not there, or there twice, cannot be changed", async () => {
  const { tried, first } = open();
  for (const text of ["x = 2", "x = 1; y = 1"]) {
    first.edit(text);
    assert.equal(tried.state.value, "gone");
    await tried.make();
    assert.equal(first.text.value, text);
  }
  first.reset();
  assert.equal(tried.state.value, "open");
});

test("an edit made at an earlier visit, or by hand, stands and can be taken back", async () => {
  const { tried, store } = open();
  answering([["result", RESULT]], [["result", RESULT]]);
  await tried.make();
  const again = openLesson(store);
  const second = new TryState(EDITS, again.second, new Tries());
  assert.deepEqual([again.first.text.value, second.state.value], ["x = 1 + 1", "made"]);
  await second.takeBack();
  assert.deepEqual([again.first.text.value, second.state.value], ["x = 1", "open"]);
});

/** A page with three edits: the first two leave each other room, the third changes what the first does. */
function openThree() {
  const lesson = open();
  const more = [
    { cell: "first", find: "x =", replace: "x: int =" },
    { cell: "first", find: "= 1", replace: "= 5" },
  ];
  const [typed, five] = more.map((edit) => new TryState([edit], lesson.second, lesson.tries));
  if (!typed || !five) throw new Error("there are two more");
  answering(...Array.from({ length: 9 }, () => /** @type {[string, object][]} */ ([["result", RESULT]])));
  return { ...lesson, typed, five };
}

test("edits add up, and each is taken back without the others", async () => {
  const { first, tried, typed, store } = openThree();
  await tried.make();
  await typed.make();
  assert.deepEqual([first.text.value, tried.state.value, typed.state.value], ["x: int = 1 + 1", "made", "made"]);
  const again = openLesson(store);
  const tries = new Tries();
  const kept = [EDITS, typed.edits].map((edits) => new TryState(edits, again.second, tries));
  assert.deepEqual(
    kept.map((one) => one.state.value),
    ["made", "made"],
  );
  await tried.takeBack();
  assert.deepEqual([first.text.value, tried.state.value, typed.state.value], ["x: int = 1", "open", "made"]);
});

test("an edit of what another changed says which one it replaces, and what was written by hand stays", async () => {
  const { first, tried, typed, five } = openThree();
  first.edit("# mine\nx = 1");
  await typed.make();
  await five.make();
  assert.deepEqual([tried.state.value, tried.inTheWay], ["replaces", five]);
  await tried.make();
  assert.deepEqual([first.text.value, five.state.value, typed.state.value], ["# mine\nx: int = 1 + 1", "open", "made"]);
  await tried.takeBack();
  await typed.takeBack();
  assert.equal(first.text.value, "# mine\nx = 1");
});

test("after a change by hand no edit stands, and another can be made", async () => {
  const { first, tried, typed } = openThree();
  await tried.make();
  first.edit("x = 1 + 1  # two");
  assert.deepEqual([tried.state.value, typed.state.value], ["gone", "open"]);
  await typed.make();
  assert.deepEqual([first.text.value, typed.state.value], ["x: int = 1 + 1  # two", "made"]);
  await typed.takeBack();
  assert.equal(first.text.value, "x = 1 + 1  # two");
});

/** A page with an edit of both cells, one of the second alone, and one of the first that finds what the first of these writes. */
function openBoth() {
  const lesson = openLesson();
  const tries = new Tries();
  const open = (/** @type {import("../../../../static/js/state/tasks/try-state.js").Edit[]} */ edits, words = "") =>
    new TryState(edits, lesson.second, tries, words);
  const both = open(
    [
      { cell: "first", find: "x =", replace: "y =" },
      { cell: "second", find: "(x", replace: "(y" },
    ],
    "both",
  );
  const printed = open([{ cell: "second", find: "print(", replace: "print((x) + " }]);
  answering(...Array.from({ length: 9 }, () => /** @type {[string, object][]} */ ([["result", RESULT]])));
  return { ...lesson, tries, both, printed };
}

test("an edit of two cells comes after those that stand in either", async () => {
  const { second, both, printed } = openBoth();
  await printed.make();
  await both.make();
  assert.equal(second.text.value, "print((y) + x)");
  assert.deepEqual([printed.state.value, both.state.value], ["made", "made"]);
  await both.takeBack();
  assert.deepEqual([second.text.value, both.state.value], ["print((x) + x)", "open"]);
});

test("an edit that was reset in one of its cells can be made again, and takes the place of none", async () => {
  const { first, second, both } = openBoth();
  await both.make();
  second.reset();
  assert.deepEqual([both.state.value, both.inTheWay], ["open", null]);
  await both.make();
  assert.deepEqual([first.text.value, second.text.value, both.state.value], ["y = 1", "print(y)", "made"]);
});

test("what was told of an edit holds until the cell is reset by hand", async () => {
  const { first, second, both, tries } = openBoth();
  await both.make();
  assert.deepEqual([tries.told.value?.tried, both.isTold], [both, true]);
  first.reset();
  second.reset();
  assert.deepEqual([both.state.value, both.isTold], ["open", false]);
  await both.make();
  await both.takeBack();
  assert.equal(both.isTold, true);
});

test("an edit that is made while its cell runs is run when that is over", async () => {
  const { tried, second } = open();
  /** @type {(response: Response) => void} */
  let answer = () => {};
  const asked = answering([["result", RESULT]], [["result", { ...RESULT, id: "r2" }]]);
  const serve = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    globalThis.fetch = serve;
    const response = await serve(url, init);
    return new Promise((resolve) => (answer = () => resolve(response)));
  };
  const running = second.page.run(second);
  const made = tried.make();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([asked.length, tried.state.value], [1, "made"]);
  answer(new Response());
  await Promise.all([running, made]);
  assert.deepEqual(
    [asked.length, asked[1]?.body.sources, second.run.value.result?.id, tried.isTold],
    [2, { first: "x = 1 + 1" }, "r2", true],
  );
});

test("of edits that are made while a cell runs, the last is run", async () => {
  const { first, tried, typed, second } = openThree();
  const asked = answering([["result", RESULT]], [["result", RESULT]], [["result", RESULT]]);
  const running = second.page.run(second);
  await Promise.all([running, tried.make(), typed.make(), tried.takeBack()]);
  assert.deepEqual([first.text.value, asked.length, asked[1]?.body.sources], ["x: int = 1", 2, { first: "x: int = 1" }]);
  assert.deepEqual([tried.isTold, typed.isTold], [true, false]);
});

test("however many edits a cell has, typing in it takes no time", { timeout: 10_000 }, () => {
  const { first, second } = openLesson();
  const tries = new Tries();
  const all = Array.from({ length: 24 }, (_, number) => new TryState([{ cell: "first", find: "x", replace: `x${number}` }], second, tries));
  first.edit("y = 2");
  assert.deepEqual([...new Set(all.map((one) => one.state.value))], ["gone"]);
});

test("one's own words of the rule are kept, and whether it was read", () => {
  const { work, page, store } = open();
  const rule = new RuleState(page, work);
  rule.write("Keep x.");
  rule.tell();
  const again = openLesson(store);
  const { text, told } = new RuleState(again.page, again.work);
  assert.deepEqual([text.value, told.value], ["Keep x.", true]);
  rule.hide();
  assert.equal(new RuleState(page, work).told.value, false);
});

test("words that were kept elsewhere before are taken over", () => {
  const { work, page } = open();
  work.keep("rule", "own", { words: "Keep x.", told: true });
  const { text, told } = new RuleState(page, work);
  assert.deepEqual([text.value, told.value, work.read("rule", "own")["words"]], ["Keep x.", true, undefined]);
});

test("without storage all of it lasts as long as the page", () => {
  const { work, page } = open();
  work.open = () => {
    throw new Error("SecurityError");
  };
  page.drafts.store = null;
  const rule = new RuleState(page, work);
  rule.write("Keep x.");
  assert.equal(new RuleState(page, work).text.value, "Keep x.");
});
