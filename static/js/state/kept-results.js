/**
 * The last results of each cell, kept in the browser and shown again without running anything.
 *
 * What is too large is not kept, and of all pages together only the newest; a browser without storage keeps none.
 */

import { createStore, del, get, set, update } from "idb-keyval";

import { renewState, withoutPlaces } from "../lib/run/earlier-results.js";
import { areResults } from "../lib/run/sound.js";

/**
 * @typedef {import("./run-state.js").RunState} RunState
 * @typedef {{at: number, sources: Record<string, string>, state: RunState}} Kept  `at`: when the run ended, in ms since 1970; `sources`:
 *   what ran, by cell
 * @typedef {object} AsyncStore  where they are kept
 * @property {(key: string) => Promise<any>} get
 * @property {(key: string, value: unknown) => Promise<void>} set
 * @property {(key: string) => Promise<void>} del
 * @property {(key: string, change: (value: any) => any) => Promise<void>} update
 */

/** A change of what the views need of a record takes another; results of the one before go through `renewState`. */
const FORMAT = 2;
const MOST_CHARACTERS = 3_000_000;
const MOST_ENTRIES = 60;
const INDEX = "index";

/** @returns {AsyncStore} */
export function browserStore() {
  const store = createStore("gradroom", "results");
  return {
    get: (key) => get(key, store),
    set: (key, value) => set(key, value, store),
    del: (key) => del(key, store),
    update: (key, change) => update(key, change, store),
  };
}

export class KeptResults {
  /** @param {() => AsyncStore} open gives the store, or throws @param {string} scope the lesson's path */
  constructor(open, scope) {
    this.scope = scope;
    /** @type {AsyncStore | null} */
    this.store = null;
    try {
      this.store = open();
    } catch {
      // There is none: results last as long as the page.
    }
  }

  /** @param {string} cell @returns {Promise<Kept | null>} */
  async read(cell) {
    try {
      const entry = await this.store?.get(this.key(cell));
      return entry ? readEntry(entry) : null;
    } catch {
      return null;
    }
  }

  /** @param {string} cell @param {Kept} kept */
  async keep(cell, kept) {
    try {
      const small = JSON.stringify(kept.state.result).length <= MOST_CHARACTERS;
      if (!small) return await this.drop([this.key(cell)]);
      await this.store?.set(this.key(cell), { format: FORMAT, kept });
      await this.drop(await this.note(this.key(cell), kept.at));
    } catch {
      // A full or forbidden store: what was shown stays until the page is left.
    }
  }

  /** @param {string} cell */
  async forget(cell) {
    try {
      await this.drop([this.key(cell)]);
    } catch {
      // What cannot be reached cannot be thrown away either.
    }
  }

  /** @param {string} cell */
  key(cell) {
    return `${this.scope}/${cell}`;
  }

  /** Notes an entry's time; the entries that are now too many. @param {string} key @param {number} at */
  async note(key, at) {
    /** @type {string[]} */
    let spare = [];
    await this.store?.update(INDEX, (index) => {
      const times = /** @type {[string, number][]} */ (Object.entries({ ...index, [key]: at })).sort(([, a], [, b]) => b - a);
      spare = times.slice(MOST_ENTRIES).map(([one]) => one);
      return Object.fromEntries(times.slice(0, MOST_ENTRIES));
    });
    return spare;
  }

  /** @param {string[]} keys */
  async drop(keys) {
    for (const key of keys) await this.store?.del(key);
  }
}

/**
 * Null for what cannot be read.
 * @param {{format?: number, kept: any}} entry  one of the version before has no format
 * @returns {Kept | null}
 */
function readEntry({ format, kept }) {
  const state = format === FORMAT ? withoutPlaces(kept.state) : format === undefined ? renewState(kept?.state) : null;
  const found = { ...kept, state };
  return areResults(found) ? found : null;
}
