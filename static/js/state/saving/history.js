/**
 * Earlier versions of the playground's programs, stored in the browser; without storage, in memory.
 *
 * Only the newest versions of each program are stored. A version equal to the one before replaces it.
 */

/**
 * @typedef {import("../kept-results.js").AsyncStore} AsyncStore
 * @typedef {"run" | "replaced" | "restored"} Why  the text was run; another text replaced it; an earlier version replaced it
 * @typedef {{at: number, why: Why, source: string, runtime: string}} Version  `at`: in ms since 1970
 */

const MOST_VERSIONS = 50;
const MOST_CHARACTERS = 1_000_000;

export class History {
  /** @param {() => AsyncStore} open gives the store, or throws */
  constructor(open) {
    /** @type {Map<string, Version[]>} the versions of programs for which storing one failed */
    this.memory = new Map();
    /** @type {AsyncStore | null} */
    this.store = null;
    try {
      this.store = open();
    } catch {
      // There is no storage: versions last as long as the page.
    }
  }

  /** The versions of a program, newest first. @param {string} id @returns {Promise<Version[]>} */
  async read(id) {
    try {
      if (!this.store || this.memory.has(id)) return this.memory.get(id) ?? [];
      return (await this.store.get(keyOf(id))) ?? [];
    } catch {
      return this.memory.get(id) ?? [];
    }
  }

  /** @param {string} id @param {Version} version */
  async keep(id, version) {
    if (!version.source.trim()) return;
    try {
      if (!this.store || this.memory.has(id)) throw new Error("no storage");
      await this.store.update(keyOf(id), (versions) => withVersion(versions ?? [], version));
    } catch {
      const earlier = await this.read(id);
      this.memory.set(id, withVersion(this.memory.get(id) ?? earlier, version));
    }
  }

  /** Stores the versions of a program in memory only, until `release` is called. @param {string} id */
  holdBack(id) {
    if (!this.memory.has(id)) this.memory.set(id, []);
  }

  /** Stores the versions of a program in the browser from now on, including those in memory. @param {string} id */
  async release(id) {
    const versions = this.memory.get(id);
    if (!this.store || !versions) return;
    this.memory.delete(id);
    for (const version of versions.reverse()) await this.keep(id, version);
  }

  /** @param {string} id */
  async forget(id) {
    this.memory.delete(id);
    try {
      await this.store?.del(keyOf(id));
    } catch {
      // Without storage there is nothing to delete.
    }
  }
}

/** @param {string} id */
function keyOf(id) {
  return `history/${id}`;
}

/** @param {Version[]} versions newest first @param {Version} version @returns {Version[]} */
export function withVersion(versions, version) {
  const [newest] = versions;
  const same = newest?.source === version.source && newest.runtime === version.runtime;
  let characters = 0;
  return [version, ...versions.slice(same ? 1 : 0, MOST_VERSIONS - (same ? 0 : 1))].filter((one, index) => {
    characters += one.source.length;
    return index === 0 || characters <= MOST_CHARACTERS;
  });
}
