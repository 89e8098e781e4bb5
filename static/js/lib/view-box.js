/**
 * Zooming and panning as arithmetic on an SVG's view box: [x, y, width, height].
 */

/** @typedef {[number, number, number, number]} Box */

export const CLOSEST = 8;

/** The box after zooming by `factor` (over 1: closer) about a point given as shares of the box. @param {Box} box @param {Box} whole @param {number} factor @param {number} [u] @param {number} [v] @returns {Box} */
export function zoom(box, whole, factor, u = 0.5, v = 0.5) {
  const [x, y, width, height] = box;
  const wide = Math.min(whole[2], Math.max(whole[2] / CLOSEST, width / factor));
  const high = (wide / whole[2]) * whole[3];
  return clamp([x + (width - wide) * u, y + (height - high) * v, wide, high], whole);
}

/** The box moved by shares of itself. @param {Box} box @param {Box} whole @param {number} across @param {number} down @returns {Box} */
export function pan(box, whole, across, down) {
  return clamp([box[0] + across * box[2], box[1] + down * box[3], box[2], box[3]], whole);
}

/** Kept inside of the whole. @param {Box} box @param {Box} whole @returns {Box} */
function clamp([x, y, width, height], whole) {
  const left = Math.min(Math.max(x, whole[0]), whole[0] + whole[2] - width);
  const top = Math.min(Math.max(y, whole[1]), whole[1] + whole[3] - height);
  return [left, top, width, height];
}

/** Whether part of the whole is out of sight. @param {Box} box @param {Box} whole */
export function isCloser(box, whole) {
  return box[2] < whole[2] * 0.999;
}

/** @param {string | null} text a viewBox attribute @returns {Box} */
export function parseBox(text) {
  const numbers = (text ?? "").split(/[\s,]+/).map(Number);
  return numbers.length === 4 && numbers.every(Number.isFinite) ? /** @type {Box} */ (numbers) : [0, 0, 100, 100];
}
