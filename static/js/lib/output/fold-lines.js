/** Selects the lines of a long output that are shown: the first, the last, and as many of those between as the reader has opened. */

/** An output of at most this many lines is shown in full. */
const MOST_WHOLE = 30;
/**
 * The number of lines that are shown from the beginning and from the end of a longer output. With the line between them, they fit into the
 * box without scrolling.
 */
export const FIRST = 6;
export const LAST = 9;
/** The amount that one press opens, counted in pieces to draw, so that the page stays fast. A line in one style counts as two pieces. */
export const STEP = 4000;
/** Fewer remaining lines than this are opened with the others. */
const FEW = 10;
/** The number of lines in a block, which is drawn as one. */
const BLOCK = 100;

/**
 * The number of lines between the first and the last ones, and how many of them are shown.
 * @param {number} count of all lines
 * @param {number} opened
 */
export function fold(count, opened) {
  const folded = count > MOST_WHOLE ? count - FIRST - LAST : 0;
  return { folded, shown: Math.min(folded, opened) };
}

/**
 * The number of lines that the next press opens.
 * @param {number} from
 * @param {number} to
 * @param {(line: number) => number} weight of a line, in pieces to draw
 */
export function stepFrom(from, to, weight) {
  let at = from;
  for (let left = STEP; at < to && left > 0; at += 1) left -= weight(at);
  return (to - at < FEW ? to : at) - from;
}

/** Splits a range of lines into blocks, as pairs of from and to. @param {number} from @param {number} to @returns {[number, number][]} */
export function blocksOf(from, to) {
  return Array.from({ length: Math.ceil((to - from) / BLOCK) }, (_, index) => [
    from + index * BLOCK,
    Math.min(to, from + (index + 1) * BLOCK),
  ]);
}
