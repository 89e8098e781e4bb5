/**
 * Which key means what. The editor has its own map; these are for the page around it.
 */

/** @typedef {{key: string, shiftKey: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean, defaultPrevented?: boolean}} Key */
/** @typedef {"next" | "previous" | "help"} Action */

/** What a key asks of the page; null in a field or an editor, where keys write. @param {Key} key @param {boolean} writing @returns {Action | null} */
export function pageAction(key, writing) {
  if (writing || key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey) return null;
  if (key.key === "?") return "help";
  if (key.shiftKey) return null;
  if (key.key === "PageDown") return "next";
  if (key.key === "PageUp") return "previous";
  return null;
}
