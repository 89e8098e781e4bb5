/**
 * Edits, kept in the browser: each keystroke, one entry a cell, restored without running anything.
 *
 * An entry remembers by a hash which starter it was made from, so that a lesson that has changed since can be noticed, and what
 * the last reset threw away, so that it can be undone, also after a reload.
 */

/**
 * @typedef {{starter: string, text: string | null, undo: string | null, other: string | null}} Entry  `text` null: as the lesson has it
 * @typedef {{kind: "starter"} | {kind: "kept", text: string} | {kind: "changed", text: string}} Restored
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store
 */

const PREFIX = "gradroom/draft/";

export class Drafts {
  /** @param {() => Store} open gives the storage, or throws where there is none @param {string} scope the lesson's path */
  constructor(open, scope) {
    this.scope = scope;
    /** Whether edits outlive the page. */
    this.lasting = true;
    /** @type {Map<string, string>} what the storage would not take */
    this.memory = new Map();
    try {
      this.store = open();
    } catch {
      this.store = null;
      this.lasting = false;
    }
  }

  /** @param {string} cell */
  key(cell) {
    return `${PREFIX}${this.scope}/${cell}`;
  }

  /** What to show for a cell, and whether its lesson has changed under the kept edit. @param {string} cell @param {string} starter @returns {Restored} */
  restore(cell, starter) {
    const entry = this.read(cell);
    if (entry?.text == null || entry.text === starter) return { kind: "starter" };
    return { kind: entry.starter === hash(starter) ? "kept" : "changed", text: entry.text };
  }

  /** Keeps the text of a cell; an unchanged one needs no keeping. `other`: what another tab wrote, until the reader has chosen. @param {string} cell @param {string} starter @param {string} text @param {string | null} [other] */
  keep(cell, starter, text, other = null) {
    const undo = this.read(cell)?.undo ?? null;
    this.write(cell, { starter: hash(starter), text: text === starter ? null : text, undo: text === starter ? undo : null, other });
  }

  /** What another tab wrote, if neither was chosen yet. @param {string} cell */
  other(cell) {
    return this.read(cell)?.other ?? null;
  }

  /** Back to the starter; what is thrown away can be had back. @param {string} cell @param {string} starter @param {string} text */
  reset(cell, starter, text) {
    this.write(cell, { starter: hash(starter), text: null, undo: text === starter ? null : text, other: this.other(cell) });
  }

  /** What an earlier text took the place of. @param {string} cell @param {string} undo */
  remember(cell, undo) {
    this.write(cell, { ...(this.read(cell) ?? { starter: "", text: null, other: null }), undo });
  }

  /** What the last reset threw away, if nothing was written since. @param {string} cell */
  undoable(cell) {
    return this.read(cell)?.undo ?? null;
  }

  /** Nothing is left of a cell, nor of what was reset. @param {string} cell */
  forget(cell) {
    this.write(cell, { starter: "", text: null, undo: null, other: null });
  }

  /** @param {string} cell @returns {Entry | null} */
  read(cell) {
    const key = this.key(cell);
    try {
      const kept = this.memory.get(key) ?? this.store?.getItem(key);
      return kept ? parseEntry(kept) : null;
    } catch {
      return null;
    }
  }

  /** @param {string} cell @param {Entry} entry */
  write(cell, entry) {
    const key = this.key(cell);
    const empty = entry.text === null && entry.undo === null && entry.other === null;
    try {
      if (!this.store) throw new Error("no storage");
      if (empty) this.store.removeItem(key);
      else this.store.setItem(key, JSON.stringify(entry));
      this.memory.delete(key);
    } catch {
      this.lasting = false;
      if (empty) this.memory.delete(key);
      else this.memory.set(key, JSON.stringify(entry));
    }
  }
}

/** @param {string} kept @returns {Entry | null} */
export function parseEntry(kept) {
  const entry = JSON.parse(kept);
  if (typeof entry?.starter !== "string") return null;
  const [text, undo, other] = [entry.text, entry.undo, entry.other].map((one) => (typeof one === "string" ? one : null));
  return { starter: entry.starter, text: text ?? null, undo: undo ?? null, other: other ?? null };
}

/** A short name for a text: 53 bits (cyrb53), enough to notice that a starter has changed. @param {string} text */
export function hash(text) {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
