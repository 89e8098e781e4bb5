import assert from "node:assert/strict";
import { test } from "node:test";

import { Line, MOST_SPANS } from "../../../../static/js/lib/output/line.js";
import { PrintedLines } from "../../../../static/js/lib/output/printed-lines.js";
import { MOST_COLUMNS, SCREEN_ROWS } from "../../../../static/js/lib/output/screen.js";
import { classesOf } from "../../../../static/js/lib/output/text-style.js";

/** @typedef {import("../../../../static/js/state/run-state.js").Piece} Piece */

/** @param {string} text @returns {Piece} */
const out = (text) => ({ stream: "stdout", text });
/** @param {string} text @returns {Piece} */
const err = (text) => ({ stream: "stderr", text });

/** @param {Piece[]} pieces */
function printed(...pieces) {
  const lines = new PrintedLines();
  lines.read(pieces);
  return lines;
}

/** What is seen. @param {PrintedLines} lines */
function seen(lines) {
  return lines.entries.filter((line) => !line.blank).map((line) => line.text);
}

/** Of the one line that there is: each span as [text, classes]. @param {string} text */
function spans(text) {
  const [line] = printed(out(text)).entries;
  assert(line instanceof Line);
  return line.pack().map((span) => [span.text, classesOf(span.style)]);
}

test("lines are lines, empty ones too, and a last one needs no end", () => {
  assert.deepEqual(seen(printed(out("a\n\nb"))), ["a", "", "b"]);
  assert.deepEqual(seen(printed(out("a\n"))), ["a"]);
  assert.deepEqual(seen(printed()), []);
});

test("a carriage return overwrites its line, character by character", () => {
  assert.deepEqual(seen(printed(out("100%\r 7\rx\n"))), ["x70%"]);
  assert.deepEqual(seen(printed(out("one\r\ntwo\r\n"))), ["one", "two"]);
});

test("what the runner sends as pictures is the same", () => {
  assert.deepEqual(seen(printed(out("10%␍20%␈!␍\n␛[1mb"))), ["20!", "b"]);
});

test("a progress bar is one line, also with prints in between, and one that is taken away leaves none", () => {
  const bar = [0, 1, 2].map((step) => err(`\r${step}/2`));
  const [first, ...others] = bar;
  assert(first);
  assert.deepEqual(seen(printed(first, out("a\n"), ...others, out("b\n"), err("\n"))), ["2/2", "a", "b"]);
  assert.deepEqual(seen(printed(err("\r1/2"), err("\r2/2"), err("\r   \r"), out("done\n"))), ["done"]);
});

test("nested bars, as tqdm moves between them", () => {
  const text = "\r0/2\n\r0/3\x1b[A\n\r3/3\x1b[A\r1/2\n\r3/3\x1b[A\r2/2\n\n";
  assert.deepEqual(seen(printed(err(text))), ["2/2", "3/3"]);
});

test("a block that rewrites itself, as rich does", () => {
  const block = (/** @type {number} */ step) => `epoch ${step}\nloss ${1 / step}`;
  assert.deepEqual(seen(printed(out(`${block(1)}\r\x1b[2K\x1b[1A\x1b[2K${block(2)}\n`))), ["epoch 2", "loss 0.5"]);
});

test("parts of a line are erased", () => {
  assert.deepEqual(seen(printed(out("abcdef\x1b[3D\x1b[K"))), ["abc"]);
  assert.deepEqual(seen(printed(out("abcdef\x1b[4D\x1b[1K"))), ["   def"]);
  assert.deepEqual(seen(printed(out("abcdef\x1b[2Kx"))), ["      x"]);
});

test("backspace goes back, and a tab to the next eighth column", () => {
  assert.deepEqual(seen(printed(out("ab\b\b\b\bx"))), ["xb"]);
  assert.deepEqual(seen(printed(out("a\tb\n12345678\tc"))), ["a       b", "12345678        c"]);
});

test("styles: 16 colours, 256, 16 million, and back", () => {
  assert.deepEqual(spans("a\x1b[1;31mb\x1b[22mc\x1b[0md"), [
    ["a", ""],
    ["b", "bold ink-red"],
    ["c", "ink-red"],
    ["d", ""],
  ]);
  assert.deepEqual(spans("\x1b[92;44mgo\x1b[39;49m."), [
    ["go", "ink-green ground-blue"],
    [".", ""],
  ]);
  assert.deepEqual(spans("\x1b[38;5;208ma\x1b[38;5;21mb\x1b[48;5;240mc"), [
    ["a", "ink-yellow"],
    ["b", "ink-blue"],
    ["c", "ink-blue ground-grey"],
  ]);
  assert.deepEqual(spans("\x1b[38;2;250;30;30ma\x1b[38:2::0:200:210mb\x1b[38;2;1mc"), [
    ["a", "ink-red"],
    ["b", "ink-cyan"],
    ["c", ""],
  ]);
  assert.deepEqual(spans("\x1b[38;2;200;0;200;4ma"), [["a", "underline ink-magenta"]]);
  assert.deepEqual(spans("\x1b[2;3;4;7;9ma\x1b[23;24;27;29mb\x1b[mc"), [
    ["a", "dim italic underline inverse struck"],
    ["b", "dim"],
    ["c", ""],
  ]);
});

test("black and white are the page's own ink, in both themes", () => {
  assert.deepEqual(spans("\x1b[30ma\x1b[97mb\x1b[38;2;255;255;255mc\x1b[38;5;16md\x1b[90me"), [
    ["abcd", ""],
    ["e", "ink-grey"],
  ]);
  assert.deepEqual(spans("\x1b[47ma\x1b[40mb\x1b[48;5;231mc"), [["abc", "ground-grey"]]);
});

test("a style lasts over the end of a line, and each stream has its own", () => {
  const [first, second, third] = printed(out("\x1b[31ma\nb"), err("c")).entries;
  const classes = [first, second, third].map((line) => (line instanceof Line ? line.pack().map((span) => classesOf(span.style)) : null));
  assert.deepEqual(classes, [["ink-red"], ["ink-red"], [""]]);
});

test("what is not understood disappears, and nothing else with it", () => {
  const dropped = [
    "\x1b[2J",
    "\x1b[H",
    "\x1b[?25l",
    "\x1b[>4;1m",
    "\x1b(B",
    "\x1b=",
    "\x1b]0;title\x07",
    "\x1b]8;;http://x\x1b\\",
    "\x1bP1$r\x1b\\",
    "\x07",
    "\x1b[1 q",
    `\x1b[${"1;".repeat(99)}z`,
  ];
  for (const code of dropped) assert.deepEqual(spans(`a${code}b`), [["ab", ""]], JSON.stringify(code));
});

test("a sequence that is not finished ends with its line", () => {
  assert.deepEqual(seen(printed(out("a\x1b]0;title\nb\x1b[3\nc\x1b\nd\x1b[é"))), ["a", "b", "c", "dé"]);
});

test("other controls are visible, and nothing turns the direction of a line", () => {
  assert.deepEqual(seen(printed(out("a\0b\x0cc\u202ed\u2066e\u2028f"))), ["a␀b␌c\ufffdd\ufffde\ufffdf"]);
});

test("marks stay with their characters, joined emoji are one, and a heap of marks is cut", () => {
  assert.deepEqual(seen(printed(out("e\u0301x\r👩\u200d💻"))), ["👩\u200d💻x"]);
  const [line] = printed(out("a" + "\u0301".repeat(100_000))).entries;
  assert(line instanceof Line && line.text.length < 50);
});

test("pieces of any size are read alike", () => {
  const text = "a\x1b[1;31mred\x1b[0m\r\x1b]0;t\x07😀\tb\n\x1b[38;5;208mc\x1b[A\x1b[2Kd\n";
  const whole = printed(out(text));
  const inParts = new PrintedLines();
  const characters = [...text];
  for (let end = 1; end <= characters.length; end += 1) {
    const pieces = [out(characters.slice(0, end).join(""))];
    assert.equal(inParts.followedBy(pieces), inParts);
    inParts.read(pieces);
  }
  assert.deepEqual(
    inParts.entries.map((line) => line instanceof Line && line.pack()),
    whole.entries.map((line) => line instanceof Line && line.pack()),
  );
  const slowly = new PrintedLines();
  slowly.read([out(text)], 3);
  assert(slowly.behind);
  while (slowly.behind) slowly.read(slowly.pieces, 3);
  assert.equal(slowly.text, whole.text);
});

test("only what is new is read, and another run begins anew", () => {
  const lines = new PrintedLines();
  const [first, second] = [out("a\n"), err("b\n")];
  lines.read([first]);
  const [kept] = lines.entries;
  for (const pieces of [
    [first, second],
    [first, err("b\nc\n"), out("d\n")],
  ]) {
    assert.equal(lines.followedBy(pieces), lines);
    lines.read(pieces);
  }
  assert.equal(lines.entries[0], kept);
  assert.deepEqual(seen(lines), ["a", "b", "c", "d"]);
  for (const pieces of [[out("x\n")], []]) assert.notEqual(lines.followedBy(pieces), lines);
});

test("a run with the same beginning and another continuation is another run", () => {
  const lines = printed(out("a\n"), err("e\n"), out("b\n"));
  for (const [start, said] of /** @type {[string, string][]} */ ([
    ["a\n", "e\n"],
    ["a\n", "f\n"],
    ["z\n", "e\n"],
  ])) {
    assert.notEqual(lines.followedBy([out(start), err(said), out("c\n")]), lines);
  }
  assert.equal(new PrintedLines().followedBy([out("a\n")]).entries.length, 0);
});

test("a line that did not change is packed once, and one that did is known by its time", () => {
  const lines = printed(out("a\nb"));
  const [first, second] = lines.entries;
  assert(first instanceof Line && second instanceof Line);
  const spans = first.pack();
  const changed = second.changed;
  lines.read([out("a\nb!")]);
  assert.equal(first.pack(), spans);
  assert(second.changed > changed);
});

test("only so many rows can be written to again, however far up a program goes", () => {
  const rows = Array.from({ length: SCREEN_ROWS + 10 }, (_, row) => `${row}\n`).join("");
  const lines = seen(printed(out(`${rows}\x1b[1000000A\x1b[999999999999BX\x1b[1000000AX`)));
  assert.equal(lines[10], "10");
  assert.equal(lines[11], "1X");
  assert.equal(lines[0], "0");
});

test("a line that is too long goes on in the next, and is one again in the copied text", () => {
  const lines = printed(out("x".repeat(MOST_COLUMNS + 3) + "\ny"));
  assert.deepEqual(
    lines.entries.map((line) => line instanceof Line && line.text.length),
    [MOST_COLUMNS, 3, 1],
  );
  assert.equal(lines.text, "x".repeat(MOST_COLUMNS + 3) + "\ny\n");
});

test("a line has only so many styles, and all of its text", () => {
  const [line] = printed(out("\x1b[31ma\x1b[32mb".repeat(1000))).entries;
  assert(line instanceof Line);
  assert.equal(line.pack().length, MOST_SPANS);
  assert.equal(line.text, "ab".repeat(1000));
});

test("the copied text is what is seen", () => {
  assert.equal(printed(out("\x1b[31m10%\r20%\x1b[0m\n"), err("w  \n\r  \r")).text, "20%\nw\n");
});
