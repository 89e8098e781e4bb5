/** The keyboard shortcuts of a page outside the editor. The editor has its own key map. */

/**
 * @typedef {{key: string, shiftKey: boolean, ctrlKey: boolean, metaKey: boolean, altKey: boolean, repeat?: boolean, defaultPrevented?:
 *   boolean}} Key
 * @typedef {{atStart: boolean, atEnd: boolean, busy: boolean}} Place  whether the page is at its start or end, and whether a run is
 *   active
 */

/** @typedef {"next" | "previous" | "stop"} Action */

/**
 * The action that a key press requests on a page with cells, or null.
 *
 * While the focus is in a field or an editor, only Stop works. Page Down and Page Up scroll the page; at the end of the page, the next
 * press turns the page. Turning the page would end a run, so these keys do nothing while a run is active.
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

/** Whether a key press opens the list of keys. @param {Key} key @param {boolean} writing */
export function asksForHelp(key, writing) {
  return key.key === "?" && !writing && !key.defaultPrevented && !key.ctrlKey && !key.metaKey && !key.altKey;
}

/**
 * Whether a key press opens the search: Ctrl+K and Cmd+K always do; `/` does unless it is typed into a field or switched off.
 * @param {Key} key
 * @param {boolean} writing
 */
export function asksForSearch({ key, shiftKey, ctrlKey, metaKey, altKey, defaultPrevented }, writing) {
  if (defaultPrevented || altKey) return false;
  if (ctrlKey || metaKey) return key.toLowerCase() === "k" && !shiftKey;
  return key === "/" && !writing;
}
