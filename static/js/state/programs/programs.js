/**
 * The programs of the playground, the one that is open, and the actions on them.
 *
 * A program's text is the text of a cell, and what it was made from is that cell's starter. So a program knows whether it was edited.
 */

import { batch, computed, effect, signal, untracked } from "@preact/signals-core";

import { cleanName } from "../../lib/program/file-name.js";
import { DEFAULT_RUNTIME } from "../../lib/run/runtimes.js";
import { t } from "../../lib/words.js";
import { DeletedPrograms } from "./deleted-programs.js";
import { firstProgram, freeName, newProgram } from "./new-program.js";
import { OfferedProgram } from "./offered-program.js";

/**
 * @typedef {import("../page-state.js").PageState} PageState
 * @typedef {import("../cell-state.js").CellState} CellState
 * @typedef {import("./program-list.js").ProgramList} ProgramList
 * @typedef {import("./program-list.js").Program} Program
 * @typedef {import("../saving/history.js").History} History
 * @typedef {import("../saving/history.js").Why} Why
 * @typedef {import("../saving/history.js").Version} Version
 * @typedef {import("../../lib/program/examples.js").Example} Example
 * @typedef {import("../../lib/program/share-link.js").SharedProgram} SharedProgram
 *
 * @typedef {{words: string, link?: string, act?: {name: string, do: () => void}, carried?: SharedProgram}} Saying  a message. `link`: to
 *   copy by hand; `carried`: the message applies while the open program has this name, text and runtime
 */

const MOST_PROGRAMS = 100;

export class Programs {
  /** @param {PageState} page @param {ProgramList} list @param {History} history @param {string[]} runtimes the installed ones */
  constructor(page, list, history, runtimes) {
    this.page = page;
    this.list = list;
    this.history = history;
    this.runtimes = runtimes;
    this.all = signal(list.read());
    this.current = signal("");
    this.listed = computed(() => this.all.value.filter((one) => !one.deleted));
    this.deleted = new DeletedPrograms(this);
    this.program = computed(() => this.find(this.current.value));
    this.cell = computed(() => page.find(this.current.value));
    this.offered = new OfferedProgram(this);
    this.stored = computed(() => this.listed.value.filter((one) => !this.offered.is(one.id)));
    this.full = computed(() => this.stored.value.length >= MOST_PROGRAMS);
    /** The message about the latest action, with a further action that it offers. */
    this.saying = signal(/** @type {Saying | null} */ (null));
    /** What a link to the open program contains. */
    this.carried = computed(() => this.carry());
    /** The message in `saying`, as long as it is true. */
    this.said = computed(() => {
      const { carried } = this.saying.value ?? {};
      return carried && !isSame(carried, this.carried.value) ? null : this.saying.value;
    });
    this.deleted.clear();
  }

  /** Opens the program that was open last, or else the first. */
  openLast() {
    if (this.stored.value.length === 0) this.write(firstProgram(this.page.drafts, this.all.value));
    const last = this.list.readCurrent();
    this.choose((this.stored.value.find((one) => one.id === last) ?? /** @type {Program} */ (this.stored.value[0])).id);
  }

  /** @param {string} id @returns {Program | null} */
  find(id) {
    return this.all.value.find((one) => one.id === id) ?? null;
  }

  /** @returns {SharedProgram | null} */
  carry() {
    const program = this.program.value;
    const cell = this.cell.value;
    return program && cell && { name: program.name, runtime: program.runtime, source: cell.text.value };
  }

  /** Opens a program. A run of the program that was open continues; if that program was only offered, it is removed. @param {string} id */
  choose(id) {
    batch(() => {
      this.saying.value = this.offered.is(id) ? null : this.offered.withdraw();
      this.current.value = id;
      const { page } = this;
      const cell = page.find(id) ?? this.open(id);
      page.active.value = page.wanted.value = cell;
      if (!cell.beside.value) page.column.value = null;
    });
    if (!this.offered.is(id)) this.settle(id);
  }

  /** Stores the text, versions and results of the open program from now on. @param {string} id */
  settle(id) {
    this.page.drafts.release(id);
    void this.history.release(id);
    this.list.writeCurrent(id);
  }

  /** @param {string} id */
  open(id) {
    const programs = this;
    const facts = {
      id,
      number: 0,
      after: [],
      raises: "",
      get filename() {
        return programs.find(id)?.name ?? "";
      },
      get runtime() {
        return programs.find(id)?.runtime ?? DEFAULT_RUNTIME;
      },
      get starter() {
        return programs.find(id)?.starter ?? "";
      },
    };
    const cell = this.page.add(facts);
    if (cell.conflict.value) cell.keepMine();
    effect(() => {
      if (cell.run.value.phase === "sending") untracked(() => this.keepVersion(id, "run"));
    });
    effect(() => {
      if (this.offered.is(id) && cell.changed.value && !this.full.value) untracked(() => this.offered.keep());
    });
    void this.page.restore([cell]);
    return cell;
  }

  /** Stores a new program and opens it. Returns false if there are too many programs. @param {Program} program */
  create(program) {
    if (this.full.value) {
      this.saying.value = this.lackOfRoom();
      return false;
    }
    this.write(program);
    this.choose(program.id);
    return true;
  }

  createBlank() {
    if (this.create(newProgram(this.listed.value, "blank", t("Program"), "", this.program.value?.runtime))) this.takeKeyboard();
  }

  duplicate() {
    this.offered.keep();
    const { program, cell } = this;
    if (!program.value || !cell.value) return;
    this.create(newProgram(this.listed.value, "copy", program.value.name, cell.value.text.value, program.value.runtime));
  }

  /**
   * Loads an example. It replaces the open program if that is an unedited blank program or unnamed example; otherwise it becomes a new
   * program.
   * @param {Example} example
   */
  load({ name, source, runtime = DEFAULT_RUNTIME }) {
    const program = this.program.value;
    const cell = this.cell.value;
    const replaced =
      program && cell && this.untouched(cell) && (program.origin === "blank" || (program.origin === "example" && !program.named));
    if (replaced) {
      void this.keepVersion(program.id, "replaced");
      const called = program.named || program.name === name ? program.name : freeName(this.listed.value, name);
      this.page.drafts.forget(program.id);
      batch(() => {
        this.write({ ...program, name: called, runtime, starter: source, origin: "example" });
        cell.edit(source);
        cell.undoable.value = null;
        this.saying.value = null;
      });
    } else if (!this.create(newProgram(this.listed.value, "example", name, source, runtime))) return;
    this.takeKeyboard();
  }

  /** Whether a cell is unedited here and, according to the storage, in other tabs. @param {CellState} cell */
  untouched(cell) {
    return !cell.changed.value && this.page.drafts.restore(cell.id, cell.facts.starter).kind === "starter";
  }

  /** A message that there are too many programs. It offers to delete the oldest one that was never edited. @returns {Saying} */
  lackOfRoom() {
    const spare = this.stored.value.find((one) => one.id !== this.current.value && this.neverEdited(one));
    const count = MOST_PROGRAMS;
    if (!spare) return { words: t("This browser keeps at most {count} programs, and has that many. Delete one first.", { count }) };
    return {
      words: t("This browser keeps at most {count} programs, and has that many. The oldest that you never edited is {name}.", {
        count,
        name: spare.name,
      }),
      act: { name: t("Delete {name}", { name: spare.name }), do: () => this.delete(spare.id) },
    };
  }

  /**
   * Whether the reader has neither edited nor named a program. A copy counts as edited, since its text is the reader's.
   * @param {Program} program
   */
  neverEdited({ id, named, origin, starter }) {
    return !named && !["copy", "old"].includes(origin) && this.page.drafts.restore(id, starter).kind === "starter";
  }

  /** @param {string} name */
  rename(name) {
    const clean = cleanName(name);
    if (clean) this.change({ name: clean, named: true });
  }

  /** @param {string} runtime */
  chooseRuntime(runtime) {
    this.change({ runtime });
  }

  /**
   * Deletes a program so that it can be restored. If it was open, the next one is opened. A program that is only offered is removed
   * instead.
   */
  delete(id = this.current.value) {
    const program = this.find(id);
    if (!program) return;
    if (this.offered.is(id)) return this.openLast();
    const wasOpen = id === this.current.value;
    const at = this.listed.value.indexOf(program);
    void this.page.find(id)?.stop();
    this.write({ ...program, deleted: Date.now() });
    const next = this.listed.value[at] ?? this.listed.value.at(-1);
    if (!next) this.openLast();
    else if (wasOpen) this.choose(next.id);
    this.saying.value = {
      words: t("{name} was deleted.", { name: program.name }),
      act: { name: t("Undo"), do: () => this.deleted.undelete(id, wasOpen) },
    };
  }

  /** Replaces the text by an earlier version. The replaced text becomes a version itself. @param {Version} version */
  async restore(version) {
    const cell = this.cell.value;
    const program = this.program.value;
    if (!cell || !program) return;
    await this.keepVersion(cell.id, "restored");
    this.write({ ...(this.find(program.id) ?? program), runtime: version.runtime }); // another program may be open by now
    cell.edit(version.source);
    this.takeKeyboard();
  }

  /** @param {string} id @param {Why} why */
  async keepVersion(id, why) {
    const source = this.page.find(id)?.text.value ?? "";
    await this.history.keep(id, { at: Date.now(), why, source, runtime: this.find(id)?.runtime ?? DEFAULT_RUNTIME });
  }

  /**
   * Adopts a list that another tab has changed. Cells that are unedited here get their new starter; this is not stored, since storing would
   * undo the other tab's edit.
   * @param {string | null} key
   */
  onStorage(key) {
    if (!this.list.owns(key)) return;
    const open = this.program.value;
    const all = this.list.read();
    const untouched = this.page.cells.filter((cell) => !cell.changed.value);
    batch(() => {
      this.offered.follow(all);
      this.all.value = open && !all.some((one) => one.id === open.id) ? [...all, open] : all;
      for (const cell of untouched.filter((one) => this.find(one.id))) cell.text.value = cell.facts.starter;
    });
  }

  takeKeyboard() {
    if (this.cell.value) this.page.target.value = { cell: this.cell.value };
  }

  /** @param {Partial<Program>} change of the program that is open */
  change(change) {
    this.offered.keep();
    if (this.program.value) this.write({ ...this.program.value, ...change });
  }

  /** @param {Program} program */
  write(program) {
    if (!this.offered.is(program.id) && !this.list.write(program)) this.page.lasting.value = false;
    const all = this.all.value;
    this.all.value = all.some((one) => one.id === program.id)
      ? all.map((one) => (one.id === program.id ? program : one))
      : [...all, program];
  }
}

/** @param {SharedProgram} one @param {SharedProgram | null} other */
function isSame(one, other) {
  return one.name === other?.name && one.runtime === other.runtime && one.source === other.source;
}
