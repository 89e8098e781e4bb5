/** Shows times, which the server writes in UTC, as they are at the reader's place. */

export function showTimes() {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  for (const time of document.querySelectorAll("time[data-local]")) {
    time.textContent = format.format(new Date(time.getAttribute("datetime") ?? ""));
  }
}
