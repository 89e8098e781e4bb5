/** Which of many lines are shown: the first and the last, and of those between as many as were asked for, some at a time. */

/** So many lines are shown whole. */
const MOST_WHOLE = 30;
/** Of more, these from the beginning and these from the end: with the line between, what the box shows without scrolling. */
export const FIRST = 6;
export const LAST = 9;
/** Lines that are opened at once, so that the page stays quick. */
export const STEP = 2000;
/** Lines that are drawn together. */
const BLOCK = 100;

/**
 * `folded`: how many lines stand between the first and the last; `shown`: how many of them are seen; `step`: how many more to open.
 * @param {number} count of all lines @param {number} opened
 */
export function fold(count, opened) {
  const folded = count > MOST_WHOLE ? count - FIRST - LAST : 0;
  const shown = Math.min(folded, opened);
  const left = folded - shown;
  return { folded, shown, step: left <= 1.5 * STEP ? left : STEP };
}

/** The blocks between two lines, as pairs of from and to. @param {number} from @param {number} to @returns {[number, number][]} */
export function blocksOf(from, to) {
  return Array.from({ length: Math.ceil((to - from) / BLOCK) }, (_, index) => [from + index * BLOCK, Math.min(to, from + (index + 1) * BLOCK)]);
}
