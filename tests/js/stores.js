/** Stand-ins for what a browser keeps. */

/** As localStorage. */
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

/** As a store of IndexedDB; `settled` waits until what was begun is done. */
export function memoryAsyncStore() {
  /** @type {Map<string, unknown>} */
  const kept = new Map();
  return {
    get: async (/** @type {string} */ key) => kept.get(key),
    set: async (/** @type {string} */ key, /** @type {unknown} */ value) => void kept.set(key, value),
    del: async (/** @type {string} */ key) => void kept.delete(key),
    update: async (/** @type {string} */ key, /** @type {(value: any) => any} */ change) => void kept.set(key, change(kept.get(key))),
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  };
}
