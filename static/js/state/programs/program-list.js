/**
 * The programs of the playground in the browser's storage: one entry for each, so that two tabs do not overwrite each other's programs.
 *
 * An entry contains a program's name and its starter. Its text is stored like the edit of a cell (`drafts.js`).
 */

/**
 * @typedef {"blank" | "example" | "link" | "lesson" | "copy" | "old"} Origin  `old`: written before programs had names
 *
 * @typedef {object} Program
 * @property {string} id
 * @property {string} name
 * @property {boolean} named whether the reader has named it
 * @property {string} runtime
 * @property {string} starter its text when it was made
 * @property {Origin} origin
 * @property {number} made in ms since 1970
 * @property {number} deleted in ms since 1970, 0 if it is not deleted; it can be restored for some days
 *
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">} Store
 */

const PREFIX = "gradroom/program/";
const CURRENT_KEY = "gradroom/current-program";

export class ProgramList {
  /**
   * @param {() => Store} open gives the storage, or throws where there is none
   * @param {() => Pick<Storage, "getItem" | "setItem">} openTab gives the storage of this tab
   */
  constructor(open, openTab) {
    this.open = open;
    this.openTab = openTab;
    /** @type {Map<string, Program>} the programs that could not be stored */
    this.memory = new Map();
  }

  /** All programs, oldest first, including those deleted recently. @returns {Program[]} */
  read() {
    const found = new Map(this.memory);
    try {
      const store = this.open();
      for (let index = 0; index < store.length; index++) {
        const key = store.key(index) ?? "";
        const program = key.startsWith(PREFIX) ? parseProgram(key.slice(PREFIX.length), store.getItem(key) ?? "") : null;
        if (program && !found.has(program.id)) found.set(program.id, program);
      }
    } catch {
      // Without storage there are only the programs made on this page.
    }
    return [...found.values()].sort((a, b) => a.made - b.made);
  }

  /** Stores a program. Returns false if it lasts only as long as the page. @param {Program} program */
  write(program) {
    const { id, ...entry } = program;
    try {
      this.open().setItem(PREFIX + id, JSON.stringify(entry));
      this.memory.delete(id);
      return true;
    } catch {
      this.memory.set(id, program);
      return false;
    }
  }

  /** @param {string} id */
  remove(id) {
    this.memory.delete(id);
    try {
      this.open().removeItem(PREFIX + id);
    } catch {
      // Without storage there is no entry to remove.
    }
  }

  /** Whether a storage key is that of an entry. Null stands for all keys. @param {string | null} key */
  owns(key) {
    return key === null || key.startsWith(PREFIX);
  }

  /** The program that was open last in this tab, or else in any tab; "" if there is none. */
  readCurrent() {
    for (const open of [this.openTab, this.open]) {
      try {
        const id = open().getItem(CURRENT_KEY);
        if (id) return id;
      } catch {
        // The next storage may be readable.
      }
    }
    return "";
  }

  /** @param {string} id */
  writeCurrent(id) {
    for (const open of [this.openTab, this.open]) {
      try {
        open().setItem(CURRENT_KEY, id);
      } catch {
        // Without storage a visit begins with the first program.
      }
    }
  }
}

/** @param {string} id @param {string} kept @returns {Program | null} */
function parseProgram(id, kept) {
  try {
    const { name, named, runtime, starter, origin, made, deleted } = JSON.parse(kept);
    const words = [name, runtime, starter, origin].every((one) => typeof one === "string");
    return words && typeof made === "number" && typeof deleted === "number"
      ? { id, name, named: named === true, runtime, starter, origin, made, deleted }
      : null;
  } catch {
    return null;
  }
}
