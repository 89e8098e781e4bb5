/**
 * The interface's words: messages are written in English, and a page brings the others' translations along.
 */

/** @type {Record<string, string>} */
let translations = {};
let lang = "en";

/**
 * @param {Record<string, string>} messages English to the page's language, what stays English left out
 * @param {string} [language] the page's
 */
export function useMessages(messages, language = "en") {
  translations = messages;
  lang = language;
}

/** For `accept-language`. */
export function pageLanguage() {
  return lang;
}

/**
 * A moment for reading: the time of today, else with its day; to the second where `near` others are in the same minute.
 * @param {number} at in ms since 1970
 * @param {(number | null)[]} [near]
 */
export function moment(at, near = []) {
  const minute = (/** @type {number} */ time) => Math.floor(time / 60_000);
  const second =
    near.filter((other) => other !== null && minute(other) === minute(at)).length > 1 ? /** @type {const} */ ({ second: "2-digit" }) : {};
  const day = new Date(at).toDateString() === new Date().toDateString() ? {} : /** @type {const} */ ({ month: "short", day: "numeric" });
  return new Intl.DateTimeFormat(lang, { ...day, hour: "2-digit", minute: "2-digit", ...second }).format(at);
}

/** A day for reading. @param {number} at in ms since 1970 */
export function day(at) {
  return new Intl.DateTimeFormat(lang, { year: "numeric", month: "short", day: "numeric" }).format(at);
}

/** How large something is, for reading. @param {number} bytes */
export function fileSize(bytes) {
  const unit = bytes < 1_000_000 ? "kilobyte" : "megabyte";
  const count = bytes / (unit === "kilobyte" ? 1000 : 1_000_000);
  return new Intl.NumberFormat(lang, { style: "unit", unit, maximumFractionDigits: count < 10 ? 1 : 0 }).format(count);
}

/**
 * The message in the page's language, as pieces: its own words, and the values in their places.
 * @template T
 * @param {string} message
 * @param {Record<string, T>} values
 * @returns {(string | T)[]}
 */
export function pieces(message, values) {
  return t(message)
    .split(/(\{\w+\})/)
    .map((piece) => values[piece.slice(1, -1)] ?? piece);
}

/** Things in a row, with the commas of the page's language. @param {string[]} words */
export function inARow(words) {
  return words.filter(Boolean).reduce((row, next) => (row ? t("{row}, {next}", { row, next }) : next), "");
}

/**
 * The message in the page's language, with its `{name}`s filled in.
 * @param {string} message
 * @param {Record<string, string | number>} [values]
 */
export function t(message, values = {}) {
  return (translations[message] ?? message).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
