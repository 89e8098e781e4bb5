/** Numbers in the API's encoding: NaN and infinities are strings, a complex number is a pair. */

/** @typedef {number | "nan" | "inf" | "-inf"} Real */
/** @typedef {Real | [Real, Real]} Entry */

const WORDS = { nan: NaN, inf: Infinity, "-inf": -Infinity };

/** @param {Real} value */
function toNumber(value) {
  return typeof value === "number" ? value : WORDS[value];
}

/** The absolute value of an entry. @param {Entry} entry */
export function size(entry) {
  return Array.isArray(entry) ? Math.hypot(toNumber(entry[0]), toNumber(entry[1])) : Math.abs(toNumber(entry));
}

/** `a` − `b`. @param {Entry} a @param {Entry} b @returns {Entry} */
export function subtract(a, b) {
  const [realA, imaginaryA] = Array.isArray(a) ? a : [a, 0];
  const [realB, imaginaryB] = Array.isArray(b) ? b : [b, 0];
  const real = encode(toNumber(realA) - toNumber(realB));
  const imaginary = encode(toNumber(imaginaryA) - toNumber(imaginaryB));
  return Array.isArray(a) || Array.isArray(b) ? [real, imaginary] : real;
}

/** @param {number} value @returns {Real} */
function encode(value) {
  if (Number.isNaN(value)) return "nan";
  return Number.isFinite(value) ? value : value > 0 ? "inf" : "-inf";
}

/** A number with few significant digits: 0.951, −1.2e-9, 0. @param {Entry} entry @param {number} [figures] @returns {string} */
export function brief(entry, figures = 3) {
  if (Array.isArray(entry)) {
    const imaginary = toNumber(entry[1]);
    return `${brief(entry[0], figures)}${imaginary < 0 ? "" : "+"}${brief(entry[1], figures)}j`;
  }
  if (typeof entry !== "number") return { nan: "nan", inf: "∞", "-inf": "−∞" }[entry];
  if (entry === 0) return "0";
  const digits = Math.floor(Math.log10(Math.abs(entry)));
  const text =
    digits < -3 || digits >= 5
      ? entry.toExponential(Math.min(figures - 1, 1)).replace(".0e", "e")
      : Number(entry.toPrecision(figures)).toString();
  return text.replace("-", "−").replace("e−", "e-").replace("e-", "e−").replace("e+", "e");
}

/** The number with as many significant digits as fit into `characters`, at least one. @param {Real} entry @param {number} characters */
function fitReal(entry, characters) {
  for (let figures = 3; figures > 1; figures--) {
    const text = brief(entry, figures);
    if (text.length <= characters) return text;
  }
  return brief(entry, 1);
}

/**
 * An entry as pieces of text of about `characters` characters, between which a line can break: one piece, or two for a complex number.
 * @param {Entry} entry
 * @param {number} characters
 */
export function fit(entry, characters) {
  if (!Array.isArray(entry)) return [fitReal(entry, characters)];
  if (size(entry) === 0) return ["0"];
  const imaginary = fitReal(entry[1], characters);
  return [fitReal(entry[0], characters), `${imaginary.startsWith("−") ? "" : "+"}${imaginary}j`];
}

/** An entry with all its digits, for files. @param {Entry} entry */
export function exact(entry) {
  if (!Array.isArray(entry)) return String(entry);
  return `${entry[0]}${String(entry[1]).startsWith("-") ? "" : "+"}${entry[1]}j`;
}
