/**
 * The interface's words: messages are written in English, and a page brings the others' translations along.
 */

/** @type {Record<string, string>} */
let translations = {};

/** @param {Record<string, string>} messages English to the page's language, what stays English left out */
export function useMessages(messages) {
  translations = messages;
}

/** The message in the page's language, with its `{name}`s filled in. @param {string} message @param {Record<string, string | number>} [values] */
export function t(message, values = {}) {
  return (translations[message] ?? message).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}
