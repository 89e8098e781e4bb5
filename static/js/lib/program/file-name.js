/** Cleans the names of programs and makes file names for downloads. */

import { wellFormed } from "../python/positions.js";

const MOST_CHARACTERS = 80;

/**
 * A program's name for display: one line of at most 80 characters without control or direction characters; "" if nothing remains.
 * @param {string} name
 */
export function cleanName(name) {
  const words = wellFormed(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim());
  return [...words].slice(0, MOST_CHARACTERS).join("").trim();
}

/**
 * A file name that is valid on any system: letters, digits, "_", "-" and "."; "program" if nothing remains of the name.
 * @param {string} name
 * @param {string} ending with its dot
 */
export function fileName(name, ending) {
  const stem = name
    .replace(/\.py$/i, "")
    .replace(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/^[._-]+|[._-]+$/g, "");
  return (stem || "program") + ending;
}
