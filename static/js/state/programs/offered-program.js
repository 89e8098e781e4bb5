/**
 * The program that came by a link, as long as it is not stored: it is open and can be run, and the address holds it.
 *
 * It is stored once it is edited or the reader says so, if there is room. What was made of it before lasts as long as the page.
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
    /** Its id, and the fragment of the address that carries it. */
    this.held = signal(/** @type {{id: string, address: string} | null} */ (null));
  }

  /** @param {string} id */
  is(id) {
    return this.held.value?.id === id;
  }

  /**
   * Offers what a link carries, or opens what was stored of it.
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

  /** There is no such program any more; what is to be said of it. @returns {Saying | null} */
  withdraw() {
    const { programs } = this;
    const { address = "", id = "" } = this.held.value ?? {};
    const program = programs.find(id);
    if (!program) return null;
    programs.all.value = programs.all.value.filter((one) => one !== program);
    this.held.value = null;
    return { words: t("{name} was not kept.", { name: program.name }), act: { name: t("Undo"), do: () => this.offer(program, address) } };
  }

  /** Stores it, with what came of its run, if there is room. */
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

  /** Another tab may have stored it. @param {Program[]} stored */
  follow(stored) {
    const { programs } = this;
    const id = this.held.value?.id;
    if (!id || !stored.some((one) => one.id === id)) return;
    this.held.value = null;
    programs.settle(id);
  }
}
