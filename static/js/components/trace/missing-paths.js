/** The paths that a double backward lacks, as paragraphs with links to their lines. */

import { html } from "lit";

import { groupPaths, missingWords } from "../../lib/trace/missing-words.js";
import { lineLink } from "../results/panel.js";

/** @param {import("../../lib/types.js").MissingPath[]} paths */
export function missingPaths(paths) {
  return groupPaths(paths).map(
    (group) =>
      html`<p class="missing-path">${missingWords(group)} ${group.map(({ made }) => lineLink(made))} ${lineLink(group[0]?.used ?? null)}</p>`,
  );
}
