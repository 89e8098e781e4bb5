import assert from "node:assert/strict";
import { test } from "node:test";

import { PredictionState } from "../../../../static/js/state/tasks/prediction-state.js";
import { answering, openLesson, RESULT } from "../../lesson_page.js";
import { memoryStore } from "../../stores.js";

/** @typedef {[string, object][]} Events */

/** @param {object} [more] @returns {Events} */
const told = (more = {}) => [
  ["result", RESULT],
  ["prediction", { right: false, answer: 4, explanation: "<p>Why.</p>", run: RESULT, ...more }],
];

/** @param {import("../../../../static/js/lib/numbers/answers.js").Asks} asks */
function open(store = memoryStore(), asks = "value", lang = "en") {
  const lesson = openLesson(store);
  const prediction = new PredictionState({ id: "p", asks, names: [], choices: 2 }, lesson.second, lesson.work, lang);
  return { ...lesson, prediction };
}

test("a prediction is sent, and its run is the cell's as the lesson gives it", async () => {
  const { prediction, first, second } = open();
  const asked = answering(told());
  first.edit("x = 2");
  prediction.write("3.5");
  await prediction.predict();
  assert.deepEqual(
    asked.map(({ url, body }) => [url, body]),
    [["/api/lessons/a/b/predictions/p", { answer: 3.5, lang: "en" }]],
  );
  assert.equal(second.results.value.result?.id, "r1");
  assert.deepEqual(second.sources.value, { first: "x = 1", second: "print(x)" });
  assert.equal(second.stale.value, true);
  assert.deepEqual(prediction.told.value, { said: 3.5, right: false, answer: 4, explanation: "<p>Why.</p>", lang: "en" });
  assert.equal(prediction.busy.value, false);
});

test("what is no answer is not sent, and said to be none until it is changed", async () => {
  const { prediction } = open();
  const asked = answering();
  prediction.write("many");
  await prediction.predict();
  assert.deepEqual([asked.length, prediction.unclear.value], [0, true]);
  prediction.write("4");
  assert.equal(prediction.unclear.value, false);
});

test("nothing chosen, or a choice that there is not, is no answer", async () => {
  const { prediction } = open(memoryStore(), "choice");
  const asked = answering();
  await prediction.predict();
  prediction.write("3");
  await prediction.predict();
  assert.deepEqual([asked.length, prediction.unclear.value], [0, true]);
});

test("who is shown has predicted nothing", async () => {
  const { prediction } = open();
  const asked = answering(told({ right: null }));
  await prediction.show();
  assert.equal(asked[0]?.body.answer, null);
  assert.equal(prediction.told.value?.said, null);
});

test("the first answer stays when another window gave it", async () => {
  const store = memoryStore();
  const [here, there] = [open(store).prediction, open(store).prediction];
  answering(told(), told({ right: true }));
  here.write("3");
  await here.predict();
  there.write("4");
  await there.predict();
  assert.deepEqual([there.told.value?.said, there.first?.said, open(store).prediction.first?.said], [4, 3, 3]);
});

test("it is there again after a reload, and the first answer stays when it is predicted again", async () => {
  const { prediction, store } = open();
  answering(told(), told({ right: true }));
  prediction.write("3");
  await prediction.predict();
  assert.equal(open(store).prediction.told.value?.said, 3);
  prediction.again();
  assert.equal(open(store).prediction.told.value, null);
  prediction.write("4");
  await prediction.predict();
  assert.deepEqual([open(store).prediction.told.value?.said, open(store).prediction.first?.said], [4, 3]);
});

test("one about another program than the lesson's is forgotten", async () => {
  const { prediction, store } = open();
  answering(told());
  await prediction.show();
  const key = "gradroom/prediction/a/b/p";
  store.setItem(key, String(store.getItem(key)).replace(/"about":"\w+"/, '"about":"other"'));
  assert.equal(open(store).prediction.told.value, null);
});

test("a run that is lost or refused tells nothing and can be asked for again", async () => {
  const { prediction } = open();
  answering([["started", { id: "r1" }]], [["error", { code: "too_big", message: "No." }]], told());
  await prediction.show();
  assert.deepEqual([prediction.failure.value, prediction.told.value], ["lost", null]);
  await prediction.show();
  assert.equal(prediction.failure.value, "No.");
  await prediction.show();
  assert.deepEqual([prediction.failure.value, prediction.told.value?.answer], ["", 4]);
});

test("a cell that was answered runs again by itself", async () => {
  const { prediction, page, second } = open();
  const asked = answering(told(), [["result", { ...RESULT, id: "r2" }]]);
  await prediction.show();
  await page.run(second);
  assert.equal(asked[1]?.url, "/api/runs");
  assert.equal(second.results.value.result?.id, "r2");
});
