/** Values of fields for times: the server's are in UTC, and people type those of their own time zone. */

/** @param {number} number */
const two = (number) => String(number).padStart(2, "0");

/**
 * Converts a field's value from UTC to the browser's time zone.
 * @param {string} value such as "2026-03-01T08:30", or ""
 */
export function toLocal(value) {
  const at = new Date(`${value}Z`);
  if (Number.isNaN(at.getTime())) return "";
  const date = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/**
 * Converts a field's value from the browser's time zone to UTC.
 * @param {string} value
 */
export function toUtc(value) {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? "" : at.toISOString().slice(0, 16);
}
