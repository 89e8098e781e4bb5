/**
 * A program from a link that is not stored. It is open and can be run, and the page's address contains it.
 *
 * It is stored when the reader edits it or asks for it, if there is room. Until then, its results last as long as the page.
 */

import { batch, signal } from "@preact/signals-core";

import { t } from "../../lib/words.js";
import { newProgram, sharedId } from "./new-program.js";

/**
 * @typedef {import("./programs.js").Programs} Programs
 * @typedef {import("./programs.js").Saying} Saying
 * @typedef {import("./program-list.js").Program} Program
 * @typedef {import("../../lib/program/share-link.js").SharedProgram} SharedProgram
 */

export class OfferedProgram {
  /** @param {Programs} programs */
  constructor(programs) {
    this.programs = programs;
    /** The program's id, and the fragment of the address that contains it. */
    this.held = signal(/** @type {{id: string, address: string} | null} */ (null));
  }

  /** @param {string} id */
  is(id) {
    return this.held.value?.id === id;
  }

  /**
   * Offers the program of a link, or opens it if it is stored.
   * @param {SharedProgram} shared
   * @param {"link" | "lesson"} origin
   * @param {string} address the fragment that carries it
   */
  receive(shared, origin, address) {
    const { programs } = this;
    const { name, source, runtime } = shared;
    const id = sharedId(shared);
    this.withdraw();
    const known = programs.listed.value.find(
      (one) => one.starter === source && (one.id === id || (["link", "lesson"].includes(one.origin) && one.runtime === runtime)),
    );
    if (known) {
      programs.choose(known.id);
      programs.saying.value = { words: t("You have this program already; it is as you left it.") };
    } else
      this.offer({ ...newProgram(programs.listed.value, origin, name, source, runtime), ...(programs.find(id) ? {} : { id }) }, address);
  }

  /** @param {Program} program @param {string} address */
  offer(program, address) {
    const { programs } = this;
    batch(() => {
      this.withdraw();
      this.held.value = { id: program.id, address };
      programs.page.drafts.holdBack(program.id);
      programs.history.holdBack(program.id);
      programs.write(program);
    });
    programs.choose(program.id);
  }

  /** Removes the offered program. Returns the message about it. @returns {Saying | null} */
  withdraw() {
    const { programs } = this;
    const { address = "", id = "" } = this.held.value ?? {};
    const program = programs.find(id);
    if (!program) return null;
    programs.all.value = programs.all.value.filter((one) => one !== program);
    this.held.value = null;
    return { words: t("{name} was not kept.", { name: program.name }), act: { name: t("Undo"), do: () => this.offer(program, address) } };
  }

  /** Stores the program and its results, if there is room. */
  keep() {
    const { programs } = this;
    const program = programs.program.value;
    const cell = programs.cell.value;
    if (!this.held.value || !program || !cell || programs.full.value) return;
    batch(() => {
      this.held.value = null;
      programs.write(program);
      programs.choose(program.id);
      cell.keep();
      programs.saying.value = { words: t("Kept in this browser, among your programs.") };
    });
    if (cell.run.value.phase === "done") programs.page.finish(cell);
  }

  /** Ends the offer if another tab has stored the program. @param {Program[]} stored */
  follow(stored) {
    const { programs } = this;
    const id = this.held.value?.id;
    if (!id || !stored.some((one) => one.id === id)) return;
    this.held.value = null;
    programs.settle(id);
  }
}
