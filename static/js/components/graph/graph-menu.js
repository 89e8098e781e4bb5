/** The menu of a graph: its nodes as a list, and its visible picture as SVG and the graph as DOT to take away. */

import { t } from "../../lib/words.js";
import { dropMenu } from "../page/drop-menu.js";
import { icon } from "../page/icons.js";
import { exportSvg } from "../page/svg.js";
import { copyAndTell, download } from "../results/copy-download.js";

/** Matches the rules of graph.css and graph-marks.css that an exported picture needs: all but those for hovering and for the view from far. */
const RULES = /^\.graph[\s.](?!.*(picking|outline))/;

/**
 * @param {{copied: boolean, idPrefix: string}} host
 * @param {import("../../lib/types.js").GraphRecord} graph
 * @param {{listing: boolean, list: () => void}} list
 * @param {string} [svg] of the visible picture
 */
export function graphMenu(host, graph, { listing, list }, svg) {
  const takeAway = [
    ...(svg ? [{ words: t("Download SVG"), act: () => download("graph.svg", exportSvg(svg, RULES), "image/svg+xml") }] : []),
    ...(graph.dot
      ? [
          { words: t("Download DOT"), act: () => download("graph.dot", graph.dot, "text/vnd.graphviz") },
          { words: t("Copy DOT"), act: () => void copyAndTell(host, graph.dot) },
        ]
      : []),
  ];
  return dropMenu({ id: `${host.idPrefix}-menu`, label: t("More"), face: icon(host.copied ? "pass" : "more") }, [
    { choices: [{ words: t("As a list"), act: list, current: listing }] },
    { choices: takeAway },
  ]);
}
