/** Counts and clears what this browser stores of the reader, for all pages. */

import { clear, createStore, keys } from "idb-keyval";

import { ProgramList } from "../programs/program-list.js";

/**
 * Tells other tabs, and pages that the Back button brings back, that the reader whose work they show is going or gone: js/pages/left.js
 * listens.
 */
const LEFT_KEY = "gradroom/left";
const LEAVING = "leaving";

/** How many programs of the playground there are, and of how many cells the last results. */
export async function countKept() {
  const programs = new ProgramList(
    () => window.localStorage,
    () => window.sessionStorage,
  ).read();
  return { programs: programs.filter((one) => !one.deleted).length, results: await countResults() };
}

/** Tells other tabs that the reader is leaving, so that they stop writing. */
export function beginLeaving() {
  mark(LEAVING);
}

/** Whether a page that began was closed before it was done. */
export function wasLeaving() {
  try {
    return window.localStorage.getItem(LEFT_KEY) === LEAVING;
  } catch {
    return false;
  }
}

/** Tells other tabs that the reader stays, so that they write again. */
export function cancelLeaving() {
  quietly(() => window.localStorage.removeItem(LEFT_KEY));
}

/** Deletes everything that is stored of the reader, and leaves a mark that somebody has left. */
export async function clearBrowser() {
  quietly(() => window.localStorage.clear());
  quietly(() => window.sessionStorage.clear());
  mark(String(Math.random()));
  try {
    await clear(createStore("gradroom", "results")); // the database itself can go only when no tab has it open
  } catch {
    // A browser that keeps nothing has nothing to clear.
  }
}

/** @param {string} value */
function mark(value) {
  quietly(() => window.localStorage.setItem(LEFT_KEY, value));
}

/** Without storage there is nothing to change, and no other tab that shares any. @param {() => void} act */
function quietly(act) {
  try {
    act();
  } catch {
    // As said.
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
