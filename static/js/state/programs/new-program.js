/** Creates programs of the playground, before they are stored. */

import { EXAMPLES } from "../../lib/program/examples.js";
import { cleanName } from "../../lib/program/file-name.js";
import { randomKey } from "../../lib/program/random-key.js";
import { DEFAULT_RUNTIME } from "../../lib/run/runtimes.js";
import { t } from "../../lib/words.js";
import { hash } from "../saving/drafts.js";

/**
 * @typedef {import("../saving/drafts.js").Drafts} Drafts
 * @typedef {import("./program-list.js").Origin} Origin
 * @typedef {import("./program-list.js").Program} Program
 */

export const FIRST_EXAMPLE = "SinhBad";
/** The id under which older versions stored the playground's only program. */
const FIRST = "playground";

/**
 * @param {Program[]} others
 * @param {Origin} origin
 * @param {string} name
 * @param {string} starter
 * @param {string} [runtime]
 * @returns {Program}
 */
export function newProgram(others, origin, name, starter, runtime = DEFAULT_RUNTIME) {
  return {
    id: randomKey(),
    name: freeName(others, cleanName(name) || t("Program")),
    named: false,
    runtime,
    starter,
    origin,
    made: Date.now(),
    deleted: 0,
  };
}

/**
 * The id of a program from a link. The same link gives the same id in every tab.
 * @param {import("../../lib/program/share-link.js").SharedProgram} shared
 */
export function sharedId({ source, runtime }) {
  return `shared-${hash(`${runtime}\n${source}`)}`;
}

/**
 * The first program: what an older version stored as the playground's only program, or else an example, so that Run shows something at
 * once.
 * @param {Drafts} drafts
 * @param {Program[]} all including deleted ones
 * @returns {Program}
 */
export function firstProgram(drafts, all) {
  const example = EXAMPLES.find((one) => one.name === FIRST_EXAMPLE);
  const begun = newProgram([], "example", example?.name ?? "", example?.source ?? "");
  if (all.some((one) => one.id === FIRST)) return begun;
  if (drafts.restore(FIRST, "").kind === "starter") return { ...begun, id: FIRST };
  const runtime = drafts.restore("runtime", DEFAULT_RUNTIME);
  drafts.forget("runtime");
  return { ...newProgram([], "old", t("My program"), "", runtime.kind === "starter" ? DEFAULT_RUNTIME : runtime.text), id: FIRST };
}

/** The name, with a number added if another program has it. @param {Program[]} others @param {string} name */
export function freeName(others, name) {
  const taken = new Set(others.map((one) => one.name));
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name} ${number}`;
  return free;
}
