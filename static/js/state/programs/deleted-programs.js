/** The programs that were deleted. Each can be restored for a week; then its text, versions and results are removed. */

import { computed } from "@preact/signals-core";

/** @typedef {import("./programs.js").Programs} Programs */

const KEPT_AFTER_DELETING_MS = 7 * 24 * 3600 * 1000;

export class DeletedPrograms {
  /** @param {Programs} programs */
  constructor(programs) {
    this.programs = programs;
    this.all = computed(() => programs.all.value.filter((one) => one.deleted));
  }

  /** Restores a program and opens it, if there is room. @param {string} id */
  bringBack(id) {
    const { programs } = this;
    if (programs.full.value) programs.saying.value = programs.lackOfRoom();
    else this.undelete(id, true);
  }

  /** @param {string} id @param {boolean} opens */
  undelete(id, opens) {
    const { programs } = this;
    const program = programs.find(id);
    if (!program) return;
    programs.write({ ...program, deleted: 0 });
    if (opens) programs.choose(id);
    else programs.saying.value = null;
  }

  /** Removes the programs that were deleted more than KEPT_AFTER_DELETING_MS ago. */
  clear() {
    const { programs } = this;
    const gone = this.all.value.filter((one) => Date.now() - one.deleted > KEPT_AFTER_DELETING_MS);
    for (const { id } of gone) {
      programs.list.remove(id);
      programs.page.drafts.forget(id);
      void programs.history.forget(id);
      void programs.page.kept.forget(id);
    }
    programs.all.value = programs.all.value.filter((one) => !gone.includes(one));
  }
}
