/** Names of programs, and of the files they are downloaded as. */

import { wellFormed } from "../python/positions.js";

const MOST_CHARACTERS = 80;

/** A name as it is shown: one line without control or direction characters, "" where nothing is left. @param {string} name */
export function cleanName(name) {
  const words = wellFormed(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim());
  return [...words].slice(0, MOST_CHARACTERS).join("").trim();
}

/**
 * A file's name on any system: letters, digits, "_", "-" and "."; "program" where nothing is left.
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
