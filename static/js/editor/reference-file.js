/** Loads the reference when it is first needed. If that fails, completion knows only Python, and a later use tries again. */

import { EMPTY, Reference } from "../lib/python/reference.js";

const RETRY_MS = 30_000;

/** @type {Promise<Reference> | null} */
let loading = null;
/** The reference if it is loaded, otherwise an empty one. */
let known = EMPTY;

/** The reference without waiting for it: an empty one until it is loaded. */
export function knownReference() {
  return known;
}

/** @returns {Promise<Reference>} */
export function loadReference() {
  loading ??= fetchReference().then(
    (reference) => (known = reference),
    (problem) => {
      console.warn("the list of names could not be loaded: completion knows only Python", problem);
      setTimeout(() => (loading = null), RETRY_MS);
      return EMPTY;
    },
  );
  return loading;
}

async function fetchReference() {
  if (!REFERENCE_FILE) throw new Error("it was not built");
  const answer = await fetch(new URL(REFERENCE_FILE, import.meta.url));
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return new Reference(await answer.json());
}
