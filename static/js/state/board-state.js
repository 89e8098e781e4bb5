/** The state of a board: its rows, where they stand, which member is open, and whether the server can be reached. */

import { computed, signal } from "@preact/signals-core";

import { arrange, findMoved } from "../lib/board/arrangement.js";
import { followBoard, helpMember, readMember, writeNote } from "../lib/board/board-client.js";
import { failureKey } from "../lib/board/board-words.js";
import { t } from "../lib/words.js";

/**
 * @typedef {import("../lib/board/board-client.js").BoardRow} BoardRow
 * @typedef {import("../lib/board/board-client.js").BoardNews} BoardNews
 * @typedef {import("../lib/board/board-client.js").Cluster} Cluster
 * @typedef {import("../lib/board/board-client.js").MemberWork} MemberWork
 * @typedef {"live" | "connecting" | "lost" | "unreadable" | "ended"} Reach
 */

const HIDDEN_NAMES = "gradroom/board/hidden-names";

export class BoardState {
  /** @param {number} id of the class @param {string} lang @param {BoardNews} board @param {() => Storage} open gives the browser's storage */
  constructor(id, lang, board, open) {
    this.id = id;
    this.lang = lang;
    this.open = open;
    this.rows = signal(new Map(board.rows.map((row) => [row.member, row])));
    /** Members who are gone and still have a row. @type {import("@preact/signals-core").Signal<Map<number, BoardRow>>} */
    this.gone = signal(new Map());
    this.clusters = signal(board.clusters ?? []);
    this.limits = signal(board.limits ?? { tries: 0, minutes: 0 });
    this.now = signal(board.at);
    this.arrangement = signal(arrange(this.rows.value));
    this.moved = computed(() => findMoved(this.arrangement.value, this.rows.value));
    this.reach = signal(/** @type {Reach} */ ("connecting"));
    this.hidesNames = signal(this.#readHiding());
    /** The member whose drawer is open. */
    this.opened = signal(/** @type {number | null} */ (null));
    /** @type {import("@preact/signals-core").Signal<MemberWork | number | null>} null while it is read; a status if it cannot be */
    this.work = signal(/** @type {MemberWork | number | null} */ (null));
    this.words = /** @type {Record<string, string>} */ ({ ...board.words });
  }

  /** Follows the board for as long as the page is open. */
  async follow() {
    await followBoard(this.id, (news) => {
      if (news.type === "board") {
        this.reach.value = "live";
        this.take(news.news);
      } else this.reach.value = news.type;
    });
  }

  /** Takes what has changed, or the whole board, with which each stream begins. @param {BoardNews} news */
  take({ at, rows, gone = [], clusters, limits, words, whole = false }) {
    Object.assign(this.words, words);
    const present = new Map(rows.map((row) => [row.member, row]));
    const absent = whole ? [...this.rows.value.keys()].filter((member) => !present.has(member)) : gone;
    if (rows.length || absent.length) {
      const all = new Map([...this.rows.value, ...present]);
      const left = new Map(this.gone.value);
      for (const member of absent) {
        const row = all.get(member);
        if (row) left.set(member, row);
        all.delete(member);
      }
      for (const member of present.keys()) left.delete(member);
      this.gone.value = left;
      this.rows.value = all;
    }
    if (clusters) this.clusters.value = clusters;
    if (limits) this.limits.value = limits;
    this.now.value = at;
    const { value: opened } = this.opened;
    if (opened !== null && present.has(opened) && !whole) void this.#readAgain(opened);
  }

  /** Lets the rows move to where they belong now. */
  update() {
    this.gone.value = new Map();
    this.arrangement.value = arrange(this.rows.value);
  }

  /** @param {number} member @returns {BoardRow | undefined} */
  row(member) {
    return this.rows.value.get(member) ?? this.gone.value.get(member);
  }

  /** The members in the order in which they stand. */
  get order() {
    const { hand, stuck, working, away } = this.arrangement.value;
    return [...hand, ...stuck, ...working, ...away].filter((member) => this.row(member));
  }

  /** The name to show, or a number in its place. @param {BoardRow} row */
  nameOf(row) {
    if (!this.hidesNames.value) return row.name;
    const ids = [...this.rows.value.keys(), ...this.gone.value.keys()].sort((one, other) => one - other);
    return t("Learner {number}", { number: ids.indexOf(row.member) + 1 });
  }

  /** @param {{lesson?: string, exercise?: string}} place */
  placeWords({ lesson = "", exercise = "" }) {
    return (exercise && this.words[`${lesson}/${exercise}`]) || this.words[lesson] || "";
  }

  /** @param {{lesson?: string, exercise?: string, failure?: import("../lib/board/board-client.js").Failure | null}} one */
  failureWords({ lesson = "", exercise = "", failure }) {
    return (failure && this.words[`${lesson}/${exercise}#${failureKey(failure)}`]) || "";
  }

  toggleNames() {
    this.hidesNames.value = !this.hidesNames.value;
    try {
      this.open().setItem(HIDDEN_NAMES, this.hidesNames.value ? "yes" : "");
    } catch {
      // Without storage it lasts as long as the page.
    }
  }

  /** Opens the drawer of a member, at an exercise or where the member is. @param {number} member @param {string} [place] */
  async show(member, place) {
    const row = this.row(member);
    if (this.opened.value !== member || place !== undefined) this.work.value = null;
    this.opened.value = member;
    await this.#read(member, place ?? [row?.lesson, row?.exercise].filter(Boolean).join("/"));
  }

  close() {
    this.opened.value = null;
  }

  /**
   * Sends what a helper does for the open member. The row changes when the server reports the change.
   * @param {"come" | "stay" | "lower"} act
   * @returns {Promise<boolean>} whether the server has stored it
   */
  async help(act) {
    const { value: member } = this.opened;
    return member !== null && (await helpMember(this.id, member, act)) === null;
  }

  /** @param {number} attempt @param {number} line @param {string} text @returns {Promise<boolean>} whether the server has stored it */
  async write(attempt, line, text) {
    const answer = await writeNote(this.id, attempt, line, text);
    if (typeof answer === "number") return false;
    const { value: member } = this.opened;
    if (member !== null) await this.#readAgain(member);
    return true;
  }

  /** @param {number} member */
  async #readAgain(member) {
    const { value: work } = this.work;
    if (typeof work === "object" && work?.member === member) await this.#read(member, work.place);
  }

  /** @param {number} member @param {string} place */
  async #read(member, place) {
    const work = await readMember(this.id, member, place);
    if (this.opened.value === member) this.work.value = work;
  }

  #readHiding() {
    try {
      return this.open().getItem(HIDDEN_NAMES) === "yes";
    } catch {
      return false;
    }
  }
}
