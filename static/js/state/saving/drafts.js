/**
 * The learner's texts in the browser's storage, one entry for each cell, written with each keystroke and restored without running anything.
 *
 * An entry stores the hash of its starter, so that a changed lesson is noticed; the text that the last reset replaced; and the name of the
 * server's text from which it was edited. If the entry's own text has another name, it still has to be sent.
 */

import { wellFormed } from "../../lib/python/positions.js";
import { fits } from "../../lib/run/sound.js";

/**
 * @typedef {object} Entry
 * @property {string} starter a hash of the starter from which the text was edited
 * @property {string | null} text null: the lesson's text
 * @property {string | null} undo
 * @property {string | null} other the text written elsewhere, until the reader has chosen
 * @property {number} from the server's version of `other`; 0 if another tab wrote it
 * @property {number} version of the server's text from which this one was edited; 0 if there was none
 * @property {string} base the name of that server text
 * @property {string[]} sent the names of texts that were sent since and may have arrived
 *
 * @typedef {import("../../lib/me/me-client.js").ServerDraft} ServerDraft
 * @typedef {{kind: "starter"} | {kind: "kept", text: string} | {kind: "changed", text: string}} Restored
 * @typedef {"same" | "theirs" | "ours" | "both"} Meeting  which text counts: the texts agree, the server's, the browser's, or the reader
 *   has to choose
 * @typedef {Pick<Storage, "getItem" | "setItem" | "removeItem">} Store
 */

/** How many names of texts are remembered that were sent and not answered. */
const MOST_SENT = 4;

/** Stands for the name of an unknown server text. No text has this name. */
const UNKNOWN = "?";

const PREFIX = "gradroom/draft/";

export class Drafts {
  /** @param {() => Store} open gives the storage, or throws where there is none @param {string} scope the lesson's path */
  constructor(open, scope) {
    this.scope = scope;
    /** Whether the browser can store edits. */
    this.lasting = true;
    /** @type {Map<string, string>} the entries that could not be stored */
    this.memory = new Map();
    /** @type {Set<string>} the cells whose edits are stored in memory only */
    this.heldBack = new Set();
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

  /**
   * Returns the text to show for a cell, and whether the lesson's starter has changed since it was edited.
   * @param {string} cell
   * @param {string} starter
   * @returns {Restored}
   */
  restore(cell, starter) {
    const entry = this.read(cell);
    if (entry?.text == null || entry.text === starter) return { kind: "starter" };
    return { kind: entry.starter === hash(starter) ? "kept" : "changed", text: entry.text };
  }

  /**
   * Stores the text of a cell, or null if it equals the starter. A text offered in a conflict stays until the reader has chosen.
   * @param {string} cell
   * @param {string} starter
   * @param {string} text
   */
  keep(cell, starter, text) {
    const entry = this.read(cell) ?? EMPTY;
    this.write(cell, {
      ...entry,
      starter: hash(starter),
      text: text === starter ? null : text,
      undo: text === starter ? entry.undo : null,
    });
  }

  /** Resets a cell to its starter. The replaced text can be restored. @param {string} cell @param {string} starter @param {string} text */
  reset(cell, starter, text) {
    this.write(cell, { ...(this.read(cell) ?? EMPTY), starter: hash(starter), text: null, undo: text === starter ? null : text });
  }

  /**
   * Stores `other`, a text written elsewhere, so that the reader can choose between it and the stored one.
   * @param {string} cell
   * @param {string} other
   * @param {number} [from] the server's version of it
   */
  offer(cell, other, from = 0) {
    this.write(cell, { ...(this.read(cell) ?? EMPTY), other, from });
  }

  /** Ends a conflict. The next stored text counts as edited from the text that was offered. @param {string} cell @param {string} starter */
  settle(cell, starter) {
    const entry = this.read(cell);
    if (!entry || entry.other === null) return;
    const server = entry.from ? { version: entry.from, base: nameText(entry.other === starter ? null : entry.other), sent: [] } : {};
    this.write(cell, { ...entry, ...server, other: null, from: 0 });
  }

  /** Returns whether the stored text still has to be sent to the server. @param {string} cell */
  unsaved(cell) {
    const entry = this.read(cell);
    return entry !== null && nameText(entry.text) !== entry.base;
  }

  /** @param {string} cell @param {string | null} text */
  noteSent(cell, text) {
    const entry = this.read(cell);
    if (entry)
      this.write(cell, { ...entry, sent: [...entry.sent.filter((one) => one !== nameText(text)), nameText(text)].slice(-MOST_SENT) });
  }

  /**
   * Records that the server stored `text`. The browser may have stored a later text meanwhile.
   * @param {string} cell
   * @param {string | null} text
   * @param {number} version
   */
  noteSaved(cell, text, version) {
    const entry = this.read(cell);
    if (entry && (version >= entry.version || entry.base === UNKNOWN))
      this.write(cell, { ...entry, version, base: nameText(text), sent: [] });
  }

  /**
   * Compares the stored text with the server's, and takes the one that changed. A side has changed if its text is not the one that both
   * last had; no clocks are compared.
   * @param {string} cell
   * @param {string} starter
   * @param {ServerDraft} server version 0 if it has no text
   * @returns {Meeting}
   */
  meet(cell, starter, { version, source }) {
    const entry = this.read(cell) ?? EMPTY;
    if (entry.other !== null && entry.from === 0) return "both"; // the open choice is decided first
    const text = source === starter ? null : source;
    const [mine, theirs] = [nameText(entry.text), nameText(text)];
    const known = { version, base: theirs, sent: [], other: null, from: 0 };
    if (mine === theirs) {
      this.write(cell, { ...entry, ...known });
      return "same";
    }
    if (version === 0 || theirs === entry.base || entry.sent.includes(theirs)) {
      this.write(cell, { ...entry, ...known });
      return "ours";
    }
    if (mine === entry.base) {
      this.write(cell, { ...known, starter: hash(starter), text, undo: null });
      return "theirs";
    }
    this.write(cell, { ...entry, other: text ?? starter, from: version });
    return "both";
  }

  /**
   * Does the same as `meet` with the server's text that the page was rendered with, which may be old because another tab may have saved
   * since. If it is older than what this browser knows, the stored text is sent, and the server's answer decides.
   * @param {string} cell
   * @param {string} starter
   * @param {ServerDraft} server
   */
  meetPage(cell, starter, server) {
    const entry = this.read(cell);
    const theirs = nameText(server.source === starter ? null : server.source);
    if (!entry || server.version === 0 || server.version >= entry.version || theirs === nameText(entry.text))
      return this.meet(cell, starter, server);
    this.write(cell, { ...entry, base: UNKNOWN });
    return "ours";
  }

  /** Stores the text that a restored version replaced. @param {string} cell @param {string} undo */
  remember(cell, undo) {
    this.write(cell, { ...(this.read(cell) ?? EMPTY), undo });
  }

  /** Returns the text that the last reset replaced; null if the learner has written since. @param {string} cell */
  undoable(cell) {
    return this.read(cell)?.undo ?? null;
  }

  /** Deletes the entry of a cell, with its undo. @param {string} cell */
  forget(cell) {
    this.write(cell, EMPTY);
  }

  /** Stores the texts of a cell in memory only, until `release` is called. @param {string} cell */
  holdBack(cell) {
    this.heldBack.add(cell);
  }

  /** Stores the texts of a cell in the browser from now on. @param {string} cell */
  release(cell) {
    if (this.heldBack.delete(cell)) this.memory.delete(this.key(cell));
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
    const empty = entry.text === null && entry.undo === null && entry.other === null && entry.version === 0;
    if (this.heldBack.has(cell)) return void this.memory.set(key, JSON.stringify(entry));
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

/** @type {Entry} */
const EMPTY = { starter: "", text: null, undo: null, other: null, from: 0, version: 0, base: "", sent: [] };

/** Returns the fields of an entry that describe the server's text. */
const KNOWN = { from: "number", version: "number", base: "string", sent: ["string"] };

/** @param {string} kept @returns {Entry | null} */
function parseEntry(kept) {
  const entry = JSON.parse(kept);
  if (typeof entry?.starter !== "string") return null;
  const [text, undo, other] = [entry.text, entry.undo, entry.other].map((one) => (typeof one === "string" ? one : null));
  const known = { from: 0, version: 0, base: "", sent: [], ...entry }; // entries of older versions lack these fields
  const { from, version, base, sent } = fits(known, KNOWN) ? known : EMPTY;
  return { starter: entry.starter, text: text ?? null, undo: undo ?? null, other: other ?? null, from, version, base, sent };
}

/** Returns the name of a text: a hash of what is sent to the server, or "" for null, the lesson's starter. @param {string | null} text */
export function nameText(text) {
  return text === null ? "" : hash(wellFormed(text));
}

/** Returns a hash of a text: 53 bits (cyrb53), enough to notice that a starter has changed. @param {string} text */
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
