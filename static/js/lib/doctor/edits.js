/** Edits of a program: computes the edited text and the lines that change. */

import { toUtf16 } from "../python/positions.js";

/**
 * @typedef {import("../types.js").Edit} Edit
 * @typedef {import("../types.js").Span} Span
 *
 * @typedef {{text: string, changed: boolean}} Piece  a piece of a line, and whether the edits change it
 * @typedef {{kind: "same" | "before" | "after", number: number, pieces: Piece[]}} Row  a line of a preview, numbered from 1
 *
 * @typedef {{from: number, to: number, text: string}} Change  offsets in UTF-16 units
 */

/** The text after all edits; null if they are not possible in it. @param {string} text @param {Edit[]} edits */
export function applied(text, edits) {
  const changes = changesOf(text, edits);
  if (!changes) return null;
  return changes.reduceRight((now, { from, to, text: piece }) => now.slice(0, from) + piece + now.slice(to), text);
}

/**
 * The changed lines before and after the edits, with one line around them; null if the edits are not possible. Edits that are far apart are
 * in separate lists.
 * @param {string} text
 * @param {Edit[]} edits
 * @returns {Row[][] | null}
 */
export function preview(text, edits) {
  const changes = changesOf(text, edits);
  if (!changes) return null;
  const lines = text.split("\n");
  const starts = startsOf(lines);
  let shift = 0;
  return groupsOf(changes, starts).map((group) => {
    const first = lineAt(starts, group[0]?.from ?? 0);
    const last = lineAt(starts, group.at(-1)?.to ?? 0);
    const { before, after } = linesOf(text, group, starts[first] ?? 0, (starts[last] ?? 0) + (lines[last] ?? "").length);
    const same = (/** @type {number} */ at) =>
      lines[at] === undefined ? [] : [row("same", at + 1, [{ text: lines[at] ?? "", changed: false }])];
    const rows = [
      ...before.map((pieces, at) => row("before", first + at + 1, pieces)),
      ...after.map((pieces, at) => row("after", first + at + 1 + shift, pieces)),
    ];
    shift += after.length - before.length;
    return trimmed(same(first - 1), rows, same(last + 1));
  });
}

/** @param {Row["kind"]} kind @param {number} number @param {Piece[]} pieces @returns {Row} */
function row(kind, number, pieces) {
  return { kind, number, pieces };
}

/**
 * The changed rows, with one row around them. Where an edit begins or ends beside a whole line, that line stays as it is.
 * @param {Row[]} above
 * @param {Row[]} rows
 * @param {Row[]} below
 */
function trimmed(above, rows, below) {
  const before = rows.filter(({ kind }) => kind === "before");
  const after = rows.filter(({ kind }) => kind === "after");
  const isSame = (/** @type {Row | undefined} */ one, /** @type {Row | undefined} */ other) => one && other && words(one) === words(other);
  const [head, tail] = [[...above], [...below]];
  while (isSame(before[0], after[0])) {
    head.push(plain(/** @type {Row} */ (before.shift())));
    after.shift();
  }
  while (isSame(before.at(-1), after.at(-1))) {
    tail.unshift(plain(/** @type {Row} */ (before.pop())));
    after.pop();
  }
  return [...head.slice(-1), ...before, ...after, ...tail.slice(0, 1)];
}

/** @param {Row} row */
function words({ pieces }) {
  return pieces.map(({ text }) => text).join("");
}

/** @param {Row} one */
function plain(one) {
  return row("same", one.number, [{ text: words(one), changed: false }]);
}

/**
 * The edits as changes, sorted by position; null if one is outside of the text, or overlaps another.
 * @param {string} text
 * @param {Edit[]} edits
 */
function changesOf(text, edits) {
  const lines = text.split("\n");
  const starts = startsOf(lines);
  const places = edits.map(({ span, text: piece }) => ({ ...placeOf(lines, starts, span), text: piece }));
  const changes = places.sort((one, other) => one.from - other.from || one.to - other.to);
  const fits = changes.every(({ from, to }, at) => from >= (changes[at - 1]?.to ?? 0) && from <= to);
  return fits && changes.length ? changes : null;
}

/** The offsets of a span; -1 if it is outside of the text. @param {string[]} lines @param {number[]} starts @param {Span} span */
function placeOf(lines, starts, { line, column, end_line, end_column }) {
  const last = end_line ?? line;
  const [begin, end] = [lines[line - 1], lines[last - 1]];
  if (begin === undefined || end === undefined) return { from: -1, to: -1 };
  return {
    from: (starts[line - 1] ?? 0) + toUtf16(begin, column ?? 0),
    to: (starts[last - 1] ?? 0) + (end_column == null ? end.length : toUtf16(end, end_column)),
  };
}

/** The offset at which each line begins. @param {string[]} lines */
function startsOf(lines) {
  let at = 0;
  return lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
}

/** The index of the line that contains an offset. @param {number[]} starts @param {number} offset */
function lineAt(starts, offset) {
  return starts.findLastIndex((start) => start <= offset);
}

/**
 * Groups of changes. Changes in the same line, or in adjacent lines, are in one group.
 * @param {Change[]} changes
 * @param {number[]} starts
 */
function groupsOf(changes, starts) {
  /** @type {Change[][]} */
  const groups = [];
  for (const change of changes) {
    const group = groups.at(-1);
    const end = group?.at(-1)?.to;
    if (group && end !== undefined && lineAt(starts, change.from) <= lineAt(starts, end) + 2) group.push(change);
    else groups.push([change]);
  }
  return groups;
}

/**
 * The lines between two offsets, before and after the changes.
 * @param {string} text
 * @param {Change[]} changes
 * @param {number} from
 * @param {number} to
 */
function linesOf(text, changes, from, to) {
  /** @type {Piece[]} */
  const before = [];
  /** @type {Piece[]} */
  const after = [];
  let at = from;
  for (const change of changes) {
    const same = { text: text.slice(at, change.from), changed: false };
    before.push(same, { text: text.slice(change.from, change.to), changed: true });
    after.push(same, { text: change.text, changed: true });
    at = change.to;
  }
  const rest = { text: text.slice(at, to), changed: false };
  return { before: split([...before, rest]), after: split([...after, rest]) };
}

/** Pieces of a text as lines. @param {Piece[]} pieces */
function split(pieces) {
  /** @type {Piece[][]} */
  const lines = [[]];
  for (const { text, changed } of pieces) {
    const [first = "", ...others] = text.split("\n");
    lines.at(-1)?.push({ text: first, changed });
    for (const other of others) lines.push([{ text: other, changed }]);
  }
  return lines.map((line) => line.filter(({ text }) => text));
}
