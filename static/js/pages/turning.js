/** Turns to the previous or the next page by Page Up and Page Down, at the start or the end of the page. */

import { pageAction } from "../lib/shortcuts.js";
import { writes } from "./help.js";

/**
 * Follows the page's link to the previous or the next page if a key press asks for it. Returns the action that the key press requests.
 * @param {KeyboardEvent} event
 * @param {boolean} busy whether a run is active
 */
export function turnPage(event, busy) {
  const { scrollY, innerHeight } = window;
  const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  const action = pageAction(event, writes(event), { atStart: scrollY <= 1, atEnd, busy });
  const link =
    action === "next" || action === "previous" ? document.querySelector(`a[rel="${action === "next" ? "next" : "prev"}"]`) : null;
  if (link instanceof HTMLAnchorElement) {
    event.preventDefault();
    link.click();
  }
  return action;
}
