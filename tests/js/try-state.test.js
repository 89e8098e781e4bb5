import assert from "node:assert/strict";
import { test } from "node:test";

import { RuleState } from "../../static/js/state/rule-state.js";
import { TryState } from "../../static/js/state/try-state.js";
import { answering, openLesson, RESULT } from "./lesson_page.js";

const EDITS = [{ cell: "first", find: "1", replace: "1 + 1" }];

function open() {
  const lesson = openLesson();
  return { ...lesson, tried: new TryState(EDITS, lesson.second) };
}

test("the edit is made, the cell run, and it can be taken back", async () => {
  const { tried, first } = open();
  const asked = answering([["result", RESULT]]);
  await tried.make();
  assert.deepEqual([first.text.value, tried.state.value, asked[0]?.body.sources], ["x = 1 + 1", "made", { first: "x = 1 + 1" }]);
  tried.takeBack();
  assert.deepEqual([first.text.value, tried.state.value], ["x = 1", "open"]);
});

test("what else was written stays, and comes back", async () => {
  const { tried, first } = open();
  answering([["result", RESULT]]);
  first.edit("# mine\nx = 1");
  await tried.make();
  assert.equal(first.text.value, "# mine\nx = 1 + 1");
  tried.takeBack();
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

test("an edit made at an earlier visit, or by another, is known for what it is: the cell is run with it", async () => {
  const { tried, store } = open();
  const asked = answering([["result", RESULT]], [["result", RESULT]]);
  await tried.make();
  const again = openLesson(store);
  const second = new TryState(EDITS, again.second);
  assert.equal(again.first.text.value, "x = 1 + 1");
  assert.equal(second.state.value, "there");
  await second.make();
  assert.deepEqual([again.first.text.value, second.state.value, asked.length], ["x = 1 + 1", "made", 2]);
  second.takeBack();
  assert.deepEqual([again.first.text.value, second.state.value], ["x = 1", "open"]);
});

test("one edit takes the place of another, and what stood before both comes back", async () => {
  const { tried, first, second } = open();
  const other = new TryState([{ cell: "first", find: "= 1", replace: "= 5" }], second);
  tried.all = other.all = [tried, other];
  answering([["result", RESULT]], [["result", RESULT]]);
  first.edit("# mine\nx = 1");
  await tried.make();
  assert.equal(other.state.value, "open");
  await other.make();
  assert.deepEqual([first.text.value, tried.state.value, other.state.value], ["# mine\nx = 5", "open", "made"]);
  other.takeBack();
  assert.equal(first.text.value, "# mine\nx = 1");
});

test("one edit takes the place of another also when that was made at an earlier visit", async () => {
  const { tried, store } = open();
  answering([["result", RESULT]], [["result", RESULT]]);
  await tried.make();
  const again = openLesson(store);
  const [first, other] = [new TryState(EDITS, again.second), new TryState([{ cell: "first", find: "= 1", replace: "= 5" }], again.second)];
  first.all = other.all = [first, other];
  await other.make();
  assert.equal(again.first.text.value, "x = 5");
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
  work.open = () => { throw new Error("SecurityError"); };
  page.drafts.store = null;
  const rule = new RuleState(page, work);
  rule.write("Keep x.");
  assert.equal(new RuleState(page, work).text.value, "Keep x.");
});
