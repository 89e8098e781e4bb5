/** Counts and clears what this browser stores of the reader, for all pages. */

import { clear, createStore, keys } from "idb-keyval";

import { ProgramList } from "../programs/program-list.js";

/**
 * The key of a mark that informs other tabs, and pages that the Back button restores, that their reader's work is being removed or was
 * removed. js/pages/left.js reads it.
 */
const LEFT_KEY = "gradroom/left";
const LEAVING = "leaving";

/** Counts the playground's programs and the cells with stored results. */
export async function countKept() {
  const programs = new ProgramList(
    () => window.localStorage,
    () => window.sessionStorage,
  ).read();
  return { programs: programs.filter((one) => !one.deleted).length, results: await countResults() };
}

/** Marks the start of the removal, so that other tabs stop writing. */
export function beginLeaving() {
  mark(LEAVING);
}

/** Whether a page that began the removal was closed before it was complete. */
export function wasLeaving() {
  try {
    return window.localStorage.getItem(LEFT_KEY) === LEAVING;
  } catch {
    return false;
  }
}

/** Removes the mark after the removal failed. Other tabs then reload. */
export function cancelLeaving() {
  quietly(() => window.localStorage.removeItem(LEFT_KEY));
}

/** Deletes everything that this browser stores of the reader, and sets a mark, so that other tabs reload. */
export async function clearBrowser() {
  quietly(() => window.localStorage.clear());
  quietly(() => window.sessionStorage.clear());
  mark(String(Math.random()));
  try {
    await clear(createStore("gradroom", "results")); // deleting the database itself fails while a tab has it open
  } catch {
    // Without storage there is nothing to clear.
  }
}

/** @param {string} value */
function mark(value) {
  quietly(() => window.localStorage.setItem(LEFT_KEY, value));
}

/** Runs `act` and ignores its errors: without storage there is nothing to change, and no tab that shares it. @param {() => void} act */
function quietly(act) {
  try {
    act();
  } catch {
    // There is no storage.
  }
}

async function countResults() {
  try {
    const all = await keys(createStore("gradroom", "results"));
    return all.filter((key) => key !== "index" && !String(key).startsWith("history/")).length;
  } catch {
    return 0;
  }
}
