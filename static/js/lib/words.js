/**
 * Translates the messages of the interface. They are written in English in the source; each page includes the translations into its
 * language.
 */

/** @type {Record<string, string>} */
let translations = {};
let lang = "en";

/**
 * @param {Record<string, string>} messages from English to the page's language, without those that remain English
 * @param {string} [language] the page's language
 */
export function useMessages(messages, language = "en") {
  translations = messages;
  lang = language;
}

/** The page's language, to be sent as `accept-language`. */
export function pageLanguage() {
  return lang;
}

/**
 * A point in time as text: the time of day, with the date if it is not today. Seconds are included if another time in `near` is in the same
 * minute.
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

/** A date as text. @param {number} at in ms since 1970 */
export function day(at) {
  return new Intl.DateTimeFormat(lang, { year: "numeric", month: "short", day: "numeric" }).format(at);
}

/** A size as text, in kilobytes or megabytes. @param {number} bytes */
export function fileSize(bytes) {
  const unit = bytes < 1_000_000 ? "kilobyte" : "megabyte";
  const count = bytes / (unit === "kilobyte" ? 1000 : 1_000_000);
  return new Intl.NumberFormat(lang, { style: "unit", unit, maximumFractionDigits: count < 10 ? 1 : 0 }).format(count);
}

/**
 * The translated message, split into pieces: its text and, in place of each `{name}`, the value.
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

/** Joins the words that are not empty with the comma of the page's language. @param {string[]} words */
export function inARow(words) {
  return words.filter(Boolean).reduce((row, next) => (row ? t("{row}, {next}", { row, next }) : next), "");
}

/**
 * Translates a message into the page's language and replaces each `{name}` with its value.
 * @param {string} message
 * @param {Record<string, string | number>} [values]
 */
export function t(message, values = {}) {
  return (translations[message] ?? message).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
