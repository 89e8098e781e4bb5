/** The buttons that download a graph's visible picture as SVG, and download or copy the graph as DOT. */

import { html, nothing } from "lit";

import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { exportSvg } from "../page/svg.js";
import { copyAndTell, download } from "../results/copy-download.js";

/** Matches the rules of graph.css that an exported picture needs: all but those for hovering and for the view from far. */
const RULES = /^\.graph[\s.](?!.*(picking|outline))/;

/**
 * @param {{copied: boolean}} host
 * @param {import("../../lib/types.js").GraphRecord} graph
 * @param {string} [svg] of the visible picture
 */
export function downloads(host, graph, svg) {
  return html`${
    svg
      ? html`<button
          class="ghost"
          type="button"
          aria-label=${t("Download SVG")}
          title=${t("Download SVG")}
          @click=${() => download("graph.svg", exportSvg(svg, RULES), "image/svg+xml")}
        >
          ${icon("down")}SVG
        </button>`
      : nothing
  }
  ${
    graph.dot
      ? html`<button
            class="ghost"
            type="button"
            aria-label=${t("Download DOT")}
            title=${t("Download DOT")}
            @click=${() => download("graph.dot", graph.dot, "text/vnd.graphviz")}
          >
            ${icon("down")}DOT
          </button>
          <button
            class="ghost"
            type="button"
            aria-label=${t("Copy DOT")}
            title=${t("Copy DOT")}
            @click=${() => void copyAndTell(host, graph.dot)}
          >
            ${icon(host.copied ? "pass" : "copy")}
          </button>`
      : nothing
  }`;
}
