/**
 * When another tab lets this browser forget its reader, what this page shows is of somebody who has gone: it writes and sends nothing any
 * more, and is loaded anew. The same holds for a page that the Back button brings back afterwards.
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

/** A page that is to go may have saves under way, and saves when it is left. */
function silence() {
  Storage.prototype.setItem = () => {};
  window.fetch = () => new Promise(() => {});
}

function loadAnew() {
  silence();
  try {
    window.sessionStorage.clear();
  } catch {
    // There was none.
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
