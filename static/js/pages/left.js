/**
 * When another tab removes the reader's work from this browser, stops this page from writing and sending, since it shows that reader's
 * work, and reloads it. The same applies to a page that the Back button restores afterwards.
 */

export const KEY = "gradroom/left"; // as in state/saving/this-browser.js, whose imports are too large for every page
export const LEAVING = "leaving";
const before = read();

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

if (before === LEAVING && !document.querySelector("mine-forgetting, [data-leaving]")) {
  silence(); // otherwise this page would send the stored work under the next user's cookie
  location.replace("/mine"); // the tab that was removing the work was closed too early: "My work" finishes it
}

window.addEventListener("storage", ({ key, newValue }) => {
  if (key !== KEY) return;
  if (newValue === LEAVING) silence();
  else loadAnew();
});
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted && read() !== before) loadAnew();
});
