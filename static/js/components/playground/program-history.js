/** Shows earlier versions of the open program. This module is loaded on demand. */

import { runtimeName } from "../../lib/run/runtimes.js";
import { t } from "../../lib/words.js";
import { showHistory } from "../page/history-dialog.js";

/** @param {import("../../state/programs/programs.js").Programs} programs */
export async function openHistory(programs) {
  const id = programs.current.value;
  const versions = await programs.history.read(id);
  if (programs.current.value !== id) return; // another program has been opened since
  const program = programs.program.value;
  const now = programs.cell.value?.text.value ?? "";
  const several = new Set(versions.map((one) => one.runtime)).size > 1;
  const reasons = { run: t("when it was run"), replaced: t("replaced by an example"), restored: t("before an earlier one came back") };
  const pasts = versions.map((version) => ({
    ...version,
    words: `${reasons[version.why]}${several ? ` · ${runtimeName(version.runtime)}` : ""}`,
    current: now === version.source && program?.runtime === version.runtime,
  }));
  showHistory({
    title: t("History of {name}", { name: program?.name ?? "" }),
    now,
    pasts,
    none: t("There is none yet. A version is kept each time the program is run, and when something else takes its place."),
    words: { same: t("This is the program as it is now."), compared: t("Compared with the program as it is now:") },
    restore: (past) => void programs.restore(/** @type {typeof pasts[0]} */ (past)),
  });
}
