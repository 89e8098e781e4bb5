/** Converts positions in a line: the API counts Unicode code points, editors count UTF-16 units. */

/**
 * The UTF-16 offset of a code point in `line`, or the end of the line if it has fewer code points.
 * @param {string} line
 * @param {number} codePoints
 */
export function toUtf16(line, codePoints) {
  let units = 0;
  for (const character of line) {
    if (codePoints-- <= 0) break;
    units += character.length;
  }
  return units;
}

/** Replaces surrogates without a partner, which UTF-8 cannot encode, and NUL, which the server does not store. @param {string} text */
export function wellFormed(text) {
  return text.replace(/\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}
