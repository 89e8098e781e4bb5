/** The paths that a double backward lacks, and what cut them, as sentences with links to the lines. */

import { html, nothing } from "lit";

import { groupPaths } from "../../lib/trace/path-groups.js";
import { inARow, pieces, t } from "../../lib/words.js";
import { placeLink } from "../results/panel.js";

/**
 * @typedef {import("../../lib/types.js").MissingPath} MissingPath
 * @typedef {import("../../lib/types.js").PathCut} PathCut
 * @typedef {import("../../state/cell-state.js").CellState} CellState
 */

/** @param {MissingPath[]} paths @param {CellState | null} cell whose result contains them */
export function missingPaths(paths, cell) {
  const withChange = !cell?.facts.exercise && !cell?.findings.all.value.length; // an exercise asks for it, and a finding describes it
  return groupPaths(paths).map(
    (group) => html`<p class="missing-path">${missingWords(group, cell)} ${withChange ? changeWords(group) : nothing}</p>`,
  );
}

/** @param {MissingPath[]} group @param {CellState | null} cell */
function missingWords(group, cell) {
  const [{ source = "", used = null } = {}] = group;
  const made = new Map(group.map((path) => [`${path.made?.cell} ${path.made?.line}`, path.made])).values();
  const values = {
    saved: inARow(group.map(({ saved }) => saved)),
    source,
    made: [...made].map((place, index) => html`${index ? " · " : ""}${placeLink(place, cell)}`),
    used: placeLink(used, cell),
  };
  return group.length === 1
    ? pieces(
        "Missing path: forward computes {saved} from {source} while nothing is recorded ({made}). Where backward uses it ({used}) it is a " +
          "constant for autograd, so the second derivative lacks what should flow through it.",
        values,
      )
    : pieces(
        "Missing paths: forward computes {saved} from {source} while nothing is recorded ({made}). Where backward uses them ({used}) they " +
          "are constants for autograd, so the second derivative lacks what should flow through them.",
        values,
      );
}

/** @param {MissingPath[]} group */
function changeWords(group) {
  const values = { saved: inARow(group.map(({ saved }) => saved)), source: group[0]?.source ?? "" };
  return group.length === 1
    ? t("Save {source} and compute {saved} again in backward, or let forward return it, too.", values)
    : t("Save {source} and compute {saved} again in backward, or let forward return them, too.", values);
}

/** @param {PathCut[]} cuts @param {CellState | null} cell */
export function pathCuts(cuts, cell) {
  return cuts.map(
    ({ reason, method, span }) => html`<p class="missing-path">${cutWords(reason, { method, line: placeLink(span, cell) })}</p>`,
  );
}

/** @param {PathCut["reason"]} reason @param {{method: string, line: unknown}} values */
function cutWords(reason, values) {
  switch (reason) {
    case "detach":
      return pieces("detach() in {method} ends the path of the gradient ({line}).", values);
    case "data":
      return pieces(".data in {method} ends the path of the gradient ({line}).", values);
    case "no_grad":
      return pieces("no_grad in {method} ends the path of the gradient ({line}).", values);
    case "item":
      return pieces("{method} takes a number out of a tensor ({line}), and no gradient follows a number.", values);
    case "numpy":
      return pieces("{method} computes with NumPy ({line}), which records nothing.", values);
    case "once_differentiable":
      return pieces("once_differentiable allows no second derivative ({line}).", values);
  }
}
