/**
 * Which key means what. The editor has its own map; these are for the page around it.
 */

/**
 * @typedef {{key: string, shiftKey: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean, repeat?: boolean, defaultPrevented?:
 *   boolean}} Key
 * @typedef {{atStart: boolean, atEnd: boolean, busy: boolean}} Place  whether the page is scrolled as far as it goes, and whether something
 *   runs on it
 */

/** @typedef {"next" | "previous" | "stop"} Action */

/**
 * What a key asks of a page with cells. In a field or an editor keys write, and of the shortcuts only Stop works; Page Down and Page Up
 * scroll until there is nothing more to scroll, and turn the page with the next press; to turn it would end a run, so not while one is
 * active.
 * @param {Key} key
 * @param {boolean} writing
 * @param {Place} place
 * @returns {Action | null}
 */
export function pageAction(key, writing, place) {
  if (key.key === "." && (key.ctrlKey || key.metaKey) && !key.altKey) return "stop";
  if (writing || key.defaultPrevented || key.ctrlKey || key.metaKey || key.altKey || key.shiftKey || key.repeat || place.busy) return null;
  if (key.key === "PageDown" && place.atEnd) return "next";
  if (key.key === "PageUp" && place.atStart) return "previous";
  return null;
}

/** Whether a key asks for the list of keys. @param {Key} key @param {boolean} writing */
export function asksForHelp(key, writing) {
  return key.key === "?" && !writing && !key.defaultPrevented && !key.ctrlKey && !key.metaKey && !key.altKey;
}
