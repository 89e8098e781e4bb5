import assert from "node:assert/strict";
import { test } from "node:test";

import { draw } from "../../static/link-picture.mjs";
import { drawPictures } from "../../static/link-pictures.mjs";

const MOST_BYTES = 60_000;
const HEADER = 24; // of a PNG: its signature, and of its first chunk the length, the name, the width and the height

/** @type {import("../../static/link-picture.mjs").Title} */
const LONG = { lang: "en", title: "Second derivatives, lost or not", chapter: "4 · Backward, twice", term: "double backward" };
/** @type {import("../../static/link-picture.mjs").Title} */
const CHINESE = { lang: "zh-Hans", title: "自动求导对 Function 知道多少？", chapter: "8 · 检验误解", term: "自定义 Function" };

/** The lines of a title. @param {string} svg */
const lines = (svg) => [...svg.matchAll(/font-family="Inter" font-size="(?:76|68|60|52)"\s[^>]*>([^<]*)</g)].map(([, line]) => line);

test("a title has lines about as long as each other, and is whole", () => {
  assert.deepEqual(lines(draw(LONG)), ["Second derivatives,", "lost or not"]);
  assert.deepEqual(lines(draw({ ...LONG, title: "A gate" })), ["A gate"]);
});

test("a Chinese title breaks between words, and no line begins with punctuation", () => {
  const found = lines(draw(CHINESE));
  assert.equal(found.length, 2);
  assert.equal(found.join("").replaceAll(" ", ""), CHINESE.title.replaceAll(" ", ""));
  assert.ok(found.every((line) => !/^[，。？、]/u.test(line ?? "")));
});

test("what a title has of markup is text", () => {
  assert.match(draw({ ...LONG, title: "a <b> & c" }), /a &lt;b&gt; &amp; c/);
});

test("pictures have the size that pages announce, and are light", async () => {
  const pictures = await drawPictures({ "en/one/first": LONG, "zh-Hans/one/first": CHINESE });
  assert.deepEqual(Object.keys(pictures), ["link.png", "en/one/first.png", "zh-Hans/one/first.png"]);
  for (const picture of Object.values(pictures)) {
    const header = new DataView(picture.buffer, picture.byteOffset, HEADER);
    assert.deepEqual([header.getUint32(1) >>> 8, header.getUint32(16), header.getUint32(20)], [0x504e47, 1200, 630]);
    assert.ok(picture.length < MOST_BYTES);
  }
});
