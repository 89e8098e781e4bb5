/**
 * Stores the reader's work in a lesson except edits: predictions, submissions and the words of a rule. The browser's storage has one entry
 * for each.
 */

import { soundWork } from "../../lib/run/sound.js";

/** @typedef {import("./drafts.js").Store & Partial<Pick<Storage, "key" | "length">>} Store */

/** @typedef {"prediction" | "exercise" | "rule"} Kind */

export class KeptWork {
  /** @param {() => Store} open gives the storage, or throws where there is none @param {string} lesson its path */
  constructor(open, lesson) {
    this.open = open;
    this.lesson = lesson;
    /** @type {Map<string, object>} the entries that could not be stored */
    this.memory = new Map();
  }

  /** @param {Kind} kind @param {string} id */
  key(kind, id) {
    return `gradroom/${kind}/${this.lesson}/${id}`;
  }

  /** The ids of all entries of a kind. @param {Kind} kind */
  ids(kind) {
    const prefix = this.key(kind, "");
    return [...keysOf(this.open), ...this.memory.keys()].flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  }

  /** The stored entry; an empty object if there is none. @param {Kind} kind @param {string} id @returns {Record<string, any>} */
  read(kind, id) {
    const key = this.key(kind, id);
    try {
      const kept = this.memory.get(key) ?? JSON.parse(this.open().getItem(key) ?? "{}");
      return kept && typeof kept === "object" ? soundWork(kind, kept) : {};
    } catch {
      return {};
    }
  }

  /** Changes some fields of an entry. @param {Kind} kind @param {string} id @param {object} changes */
  keep(kind, id, changes) {
    const key = this.key(kind, id);
    const entry = { ...this.read(kind, id), ...changes };
    try {
      this.open().setItem(key, JSON.stringify(entry));
      this.memory.delete(key);
    } catch {
      this.memory.set(key, entry); // it lasts as long as the page
    }
  }
}

/** All keys of the storage; an empty list if there is no storage. @param {() => Store} open */
export function keysOf(open) {
  try {
    const store = open();
    return Array.from({ length: store.length ?? 0 }, (_, index) => store.key?.(index) ?? "");
  } catch {
    return [];
  }
}
