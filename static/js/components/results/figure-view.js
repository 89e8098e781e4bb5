/** A figure that the program drew: its picture in the page's colours, its texts, and downloads. */

import { html, nothing } from "lit";

import { inARow, t } from "../../lib/words.js";
import { FullScreen } from "../page/full-screen.js";
import { icon } from "../page/icons.js";
import { lineLink, Panel, panel } from "./panel.js";
import { adoptSvg, exportSvg } from "../page/svg.js";
import { download } from "./copy-download.js";

/** @typedef {import("../../lib/types.js").FigureRecord} FigureRecord */

/** The number of texts in a figure's name. The list under the figure has all of them. */
const NAMING = 6;

/** The selectors of the rules in figure.css that replace default colours by the theme's. */
const COLOURS = /^\[data-(fill|stroke)=/;

let count = 0;

class FigureView extends Panel {
  /** @override */
  static properties = { record: { attribute: false } };

  constructor() {
    super();
    /** @type {FigureRecord | null} */
    this.record = null;
    /** @type {Element | null} */
    this.picture = null;
    this.fullScreen = new FullScreen(this);
    this.idPrefix = `figure-${++count}`;
  }

  /** The name of the figure: its title, labels and legend. */
  get called() {
    const texts = this.record?.texts.slice(0, NAMING) ?? [];
    return texts.length ? t("Figure: {texts}", { texts: inARow(texts) }) : t("Figure");
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("record")) this.picture = this.record && this.draw(this.record);
  }

  /** @param {FigureRecord} figure @returns {Element | null} */
  draw(figure) {
    const picture = figure.svg ? adoptSvg(figure.svg, this.idPrefix) : figure.png ? new Image() : null;
    if (!picture) return null;
    if (picture instanceof HTMLImageElement) {
      picture.src = `data:image/png;base64,${figure.png}`;
      picture.alt = this.called;
    } else {
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", this.called);
      if (!picture.hasAttribute("viewBox")) picture.setAttribute("viewBox", `0 0 ${figure.width} ${figure.height}`);
    }
    picture.setAttribute("width", `${figure.width}`);
    picture.setAttribute("height", `${figure.height}`);
    return picture;
  }

  /** @override */
  render() {
    const figure = this.record;
    if (!figure) return nothing;
    return panel(
      {
        label: this.called,
        heading: figure.title ? html`<code>${figure.title}</code>` : t("Figure"),
        end: lineLink(figure.span),
        filling: this.fullScreen.filling,
      },
      html`${
        this.picture
          ? html`<div class="figure-stage">${this.picture}</div>
              ${this.tools(figure)}`
          : html`<p class="panel-meaning">${figure.note ?? t("There is no picture of this figure.")}</p>`
      }
      ${
        figure.texts.length
          ? html`<details class="folded-part">
              <summary>${t("Text in the figure")}</summary>
              <ul class="figure-texts">
                ${figure.texts.map((text) => html`<li>${text}</li>`)}
              </ul>
            </details>`
          : nothing
      }`,
    );
  }

  /** @param {FigureRecord} figure */
  tools(figure) {
    const { svg, png } = figure;
    return html`<div class="panel-tools">
      ${this.fullScreen.button()}
      <span class="gap"></span>
      ${
        svg
          ? html`<button
              class="ghost"
              type="button"
              aria-label=${t("Download SVG")}
              title=${t("Download SVG")}
              @click=${() => download("figure.svg", exportSvg(svg, COLOURS), "image/svg+xml")}
            >
              ${icon("down")}SVG
            </button>`
          : html`<button
              class="ghost"
              type="button"
              aria-label=${t("Download PNG")}
              title=${t("Download PNG")}
              @click=${() => download("figure.png", bytes(png ?? ""), "image/png")}
            >
              ${icon("down")}PNG
            </button>`
      }
    </div>`;
  }
}

/** @param {string} base64 */
function bytes(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** @param {FigureRecord} record */
export function view(record) {
  return html`<figure-view .record=${record}></figure-view>`;
}

export function name() {
  return t("Figure");
}

customElements.define("figure-view", FigureView);
