/**
 * Positions in a line: the API counts Unicode code points, editors count UTF-16 units.
 */

/** The UTF-16 offset of a code point's place in `line`; its end if there are fewer. @param {string} line @param {number} codePoints */
export function toUtf16(line, codePoints) {
  let units = 0;
  for (const character of line) {
    if (codePoints-- <= 0) break;
    units += character.length;
  }
  return units;
}

/**
 * The text without surrogates that have no partner, which UTF-8 cannot carry, and without NUL, which no program has and no server keeps.
 * @param {string} text
 */
export function wellFormed(text) {
  return text.replace(/\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}
