/** Storage as browsers have it, for tests that have no browser. */

export function memoryStore() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  return {
    kept,
    get length() {
      return kept.size;
    },
    key: (/** @type {number} */ index) => [...kept.keys()][index] ?? null,
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
    removeItem: (/** @type {string} */ key) => void kept.delete(key),
  };
}

/** @returns {import("../../static/js/state/kept-results.js").Shelf} */
export function memoryShelf() {
  const kept = new Map();
  return {
    get: async (key) => kept.get(key),
    set: async (key, value) => void kept.set(key, value),
    del: async (key) => void kept.delete(key),
    update: async (key, change) => void kept.set(key, change(kept.get(key))),
  };
}
