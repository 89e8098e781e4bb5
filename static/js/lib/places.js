/** Goes to an address: on the same page, to the element that it names, which then has the focus. */

/** @param {string} url */
export function openPlace(url) {
  const { pathname, search, hash } = new URL(url, location.href);
  if (pathname !== location.pathname || search !== location.search) return location.assign(url);
  if (hash) location.hash = hash; // opens what the element is folded in
  const place = document.getElementById(hash ? decodeURIComponent(hash.slice(1)) : "main");
  if (!place) return;
  if (place.tabIndex < 0) place.tabIndex = -1;
  if (hash)
    place.scrollIntoView(); // needed if the address has this hash already
  else window.scrollTo(0, 0);
  place.focus({ preventScroll: true });
}
