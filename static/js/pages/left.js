/**
 * When another tab removes the reader's work from this browser, stops this page from writing and sending, since it shows that reader's
 * work, and reloads it. The same applies to a page that the Back button restores afterwards.
 */

const KEY = "gradroom/left"; // as in state/this-browser.js, which would bring what it needs into every page
const LEAVING = "leaving";
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

if (before === LEAVING && !document.querySelector("mine-forgetting")) {
  silence(); // or this page would send what is kept here as the work of whoever has the cookie by now
  location.replace("/mine"); // the page that was about to forget was closed too early: there it is finished
}

window.addEventListener("storage", ({ key, newValue }) => {
  if (key !== KEY) return;
  if (newValue === LEAVING) silence();
  else loadAnew();
});
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted && read() !== before) loadAnew();
});
