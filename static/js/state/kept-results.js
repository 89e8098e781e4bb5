/**
 * Stores the last results of each cell in the browser, so that they are shown again without a run.
 *
 * Results that are too large are not stored. Of the results of all pages, only the newest are stored. Without storage, none are.
 */

import { createStore, del, get, set, update } from "idb-keyval";

import { renewState, withoutPlaces, withPitfall } from "../lib/run/earlier-results.js";
import { areResults } from "../lib/run/sound.js";

/**
 * @typedef {import("./run-state.js").RunState} RunState
 * @typedef {{at: number, sources: Record<string, string>, state: RunState}} Kept  `at`: when the run ended, in ms since 1970; `sources`:
 *   the text that ran, by cell
 * @typedef {object} AsyncStore  the storage
 * @property {(key: string) => Promise<any>} get
 * @property {(key: string, value: unknown) => Promise<void>} set
 * @property {(key: string) => Promise<void>} del
 * @property {(key: string, change: (value: any) => any) => Promise<void>} update
 */

/**
 * The version of the stored format. Increase it if the views need other fields of a record. `renewState` converts results of the version
 * before.
 */
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
      // There is no storage: results last as long as the page.
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
      // The storage is full or forbidden: results remain until the page is left.
    }
  }

  /** @param {string} cell */
  async forget(cell) {
    try {
      await this.drop([this.key(cell)]);
    } catch {
      // Without storage there is nothing to delete.
    }
  }

  /** @param {string} cell */
  key(cell) {
    return `${this.scope}/${cell}`;
  }

  /** Records the time of an entry. Returns the keys of the oldest entries beyond the limit. @param {string} key @param {number} at */
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
 * The results in a stored entry; null if they cannot be read.
 * @param {{format?: number, kept: any}} entry  those of the version before have no `format`
 * @returns {Kept | null}
 */
function readEntry({ format, kept }) {
  const state = format === FORMAT ? withPitfall(withoutPlaces(kept.state)) : format === undefined ? renewState(kept?.state) : null;
  const found = { ...kept, state };
  return areResults(found) ? found : null;
}
