/**
 * When another tab removes the reader's work from this browser, stops this page from writing and sending, since it shows that reader's
 * work, and reloads it. The same applies to a page that the Back button restores afterwards.
 */

export const KEY = "gradroom/left"; // as in state/saving/this-browser.js, whose imports are too large for every page
export const LEAVING = "leaving"; // the reader leaves this browser: it is cleared, and gets the cookie of a new learner
export const RESUMING = "resuming"; // a resume code was sent: with the answer comes the cookie of another learner, and then it is cleared
const before = read();

/** Whether the browser's reader is changing. @param {string | null} value of KEY */
export const isChanging = (value) => value === LEAVING || value === RESUMING;

/** @returns {string | null} */
function read() {
  try {
    return window.localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Stops all writing and sending: a page may have saves in progress, and saves again when it is left. */
function silence() {
  Storage.prototype.setItem = () => {};
  window.fetch = () => new Promise(() => {});
}

function loadAnew() {
  silence();
  try {
    window.sessionStorage.clear();
  } catch {
    // There was no storage.
  }
  location.reload();
}

const finisher = before === RESUMING ? "[data-leaves], [data-leaving]" : "mine-forgetting, [data-leaves], [data-leaving]";
if (isChanging(before) && !document.querySelector(finisher)) {
  silence(); // otherwise this page would send the stored work under the next user's cookie
  // the page that was removing the work was closed too early: another page finishes it
  location.replace(before === RESUMING ? `/${document.documentElement.lang}/resume?unfinished` : "/mine");
}

window.addEventListener("storage", ({ key, newValue }) => {
  if (key !== KEY) return;
  if (isChanging(newValue)) silence();
  else loadAnew();
});
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted && read() !== before) loadAnew();
});
