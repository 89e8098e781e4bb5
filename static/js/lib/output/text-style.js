/**
 * The style of printed text as set by `ESC [ … m` (ECMA-48's SGR), encoded as one number, so that a program with many styles needs no more
 * memory.
 *
 * Text is shown in the page's colours only. A colour of the program, of 16, 256 or 16 million, becomes the nearest of them, which is
 * readable in both themes.
 */

/** The colours of text and of its background, by number; 0 is the page's own. */
export const COLOURS = ["", "red", "green", "yellow", "blue", "magenta", "cyan", "grey"];
const GREY = 7;

const BITS = { bold: 1, dim: 2, italic: 4, underline: 8, inverse: 16, struck: 32 };
const COLOUR_SHIFT = 6;
const GROUND_SHIFT = 9;
const COLOUR_BITS = 7;

export const PLAIN = 0;

/** The codes that set a style, and below, the codes that unset it. @type {Record<number, number>} */
const SETS = { 1: BITS.bold, 2: BITS.dim, 3: BITS.italic, 4: BITS.underline, 7: BITS.inverse, 9: BITS.struck, 21: BITS.underline };
/** @type {Record<number, number>} */
const UNSETS = { 22: BITS.bold | BITS.dim, 23: BITS.italic, 24: BITS.underline, 27: BITS.inverse, 29: BITS.struck };

/** The hue, in degrees, at which each colour ends. @type {[number, number][]} */
const HUES = [
  [20, 1],
  [72, 3],
  [165, 2],
  [200, 6],
  [262, 4],
  [330, 5],
  [361, 1],
];

/** The style after an SGR sequence. @param {number} style @param {string} parameters @returns {number} */
export function restyle(style, parameters) {
  if (!/^[\d;:]*$/.test(parameters)) return style;
  const codes = parameters.split(";");
  let next = style;
  for (let index = 0; index < codes.length; index += 1) {
    const [code = 0, ...subcodes] = (codes[index] ?? "").split(":").map(Number);
    if (code === 38 || code === 48) {
      const given = subcodes.length
        ? subcodes.filter((_, place) => subcodes.length < 5 || place !== 1)
        : codes.slice(index + 1).map(Number);
      const [colour, used] = givenColour(given, code === 48);
      next = withColour(next, code === 48 ? GROUND_SHIFT : COLOUR_SHIFT, colour);
      index += subcodes.length ? 0 : used;
    } else if (code === 4 && subcodes[0] === 0) {
      next &= ~BITS.underline;
    } else {
      next = apply(next, code);
    }
  }
  return next;
}

/** @param {number} style @param {number} code */
function apply(style, code) {
  if (code === 0) return PLAIN;
  if (code in SETS) return style | (SETS[code] ?? 0);
  if (code in UNSETS) return style & ~(UNSETS[code] ?? 0);
  if ((code >= 30 && code <= 37) || code === 39) return withColour(style, COLOUR_SHIFT, code === 39 ? 0 : basicColour(code - 30, false));
  if ((code >= 40 && code <= 47) || code === 49) return withColour(style, GROUND_SHIFT, code === 49 ? 0 : basicColour(code - 40, true));
  if (code >= 90 && code <= 97) return withColour(style, COLOUR_SHIFT, basicColour(code - 82, false));
  if (code >= 100 && code <= 107) return withColour(style, GROUND_SHIFT, basicColour(code - 92, true));
  return style;
}

/** @param {number} style @param {number} shift @param {number} colour */
function withColour(style, shift, colour) {
  return (style & ~(COLOUR_BITS << shift)) | (colour << shift);
}

/**
 * One of the 16 basic colours. Black and white become the page's own text colour; as a background they become grey.
 * @param {number} index
 * @param {boolean} ground
 */
function basicColour(index, ground) {
  if (index === 8) return GREY;
  return [0, 7].includes(index % 8) ? (ground ? GREY : 0) : index % 8;
}

/**
 * The colour that follows code 38 or 48, and the number of codes that it uses.
 * @param {number[]} codes
 * @param {boolean} ground
 * @returns {[number, number]}
 */
function givenColour([kind = 0, first = 0, second = 0, third = 0], ground) {
  if (kind === 2) return [nearest(first, second, third, ground), 4];
  if (kind !== 5) return [0, 1];
  if (first < 16) return [basicColour(first, ground), 2];
  if (first >= 232) return [nearest(first * 10 - 2312, first * 10 - 2312, first * 10 - 2312, ground), 2];
  const cube = first - 16;
  const level = (/** @type {number} */ step) => (step ? step * 40 + 55 : 0);
  return [nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6), ground), 2];
}

/**
 * The page's colour that is nearest to red, green and blue, each 0 to 255.
 * @param {number} red
 * @param {number} green
 * @param {number} blue
 * @param {boolean} ground
 */
function nearest(red, green, blue, ground) {
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  if (spread < 48) return ground || (most >= 64 && most <= 192) ? GREY : 0;
  const hue = most === red ? (green - blue) / spread : most === green ? (blue - red) / spread + 2 : (red - green) / spread + 4;
  const degrees = (hue * 60 + 360) % 360;
  return HUES.find(([end]) => degrees < end)?.[1] ?? 0;
}

/** The CSS classes of a style, for example "bold ink-red ground-grey". @param {number} style */
export function classesOf(style) {
  const names = Object.entries(BITS)
    .filter(([, bit]) => style & bit)
    .map(([name]) => name);
  const colour = COLOURS[(style >> COLOUR_SHIFT) & COLOUR_BITS];
  const ground = COLOURS[(style >> GROUND_SHIFT) & COLOUR_BITS];
  return [...names, ...(colour ? [`ink-${colour}`] : []), ...(ground ? [`ground-${ground}`] : [])].join(" ");
}
