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

/** How many code points stand before a UTF-16 offset of `line`. @param {string} line @param {number} units */
export function toCodePoints(line, units) {
  return [...line.slice(0, units)].length;
}

/** `text` cut after `codePoints` characters, and the rest. @param {string} text @param {number} codePoints @returns {[string, string]} */
export function splitAt(text, codePoints) {
  const units = toUtf16(text, codePoints);
  return [text.slice(0, units), text.slice(units)];
}

/** The text without surrogates that have no partner, which UTF-8 cannot carry, and without NUL, which no program has and no server keeps. @param {string} text */
export function wellFormed(text) {
  return text.replace(/\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, "\uFFFD");
}
