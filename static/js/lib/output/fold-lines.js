/** Which of many lines are shown: the first and the last, and of those between as many as were asked for, some at a time. */

/** So many lines are shown whole. */
const MOST_WHOLE = 30;
/** Of more, these from the beginning and these from the end: with the line between, what the box shows without scrolling. */
export const FIRST = 6;
export const LAST = 9;
/** What is opened at once, in pieces to draw, so that the page stays quick: a line of one style is two. */
export const STEP = 4000;
/** So few lines are not left over. */
const FEW = 10;
/** Lines that are drawn together. */
const BLOCK = 100;

/**
 * How many lines stand between the first and the last, and how many of them are shown.
 * @param {number} count of all lines
 * @param {number} opened
 */
export function fold(count, opened) {
  const folded = count > MOST_WHOLE ? count - FIRST - LAST : 0;
  return { folded, shown: Math.min(folded, opened) };
}

/**
 * How many lines to open next.
 * @param {number} from
 * @param {number} to
 * @param {(line: number) => number} weight of a line, in pieces to draw
 */
export function stepFrom(from, to, weight) {
  let at = from;
  for (let left = STEP; at < to && left > 0; at += 1) left -= weight(at);
  return (to - at < FEW ? to : at) - from;
}

/** The blocks between two lines, as pairs of from and to. @param {number} from @param {number} to @returns {[number, number][]} */
export function blocksOf(from, to) {
  return Array.from({ length: Math.ceil((to - from) / BLOCK) }, (_, index) => [
    from + index * BLOCK,
    Math.min(to, from + (index + 1) * BLOCK),
  ]);
}
