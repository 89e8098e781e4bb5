/**
 * A gradient as a table: numbers if it is small, otherwise a heatmap. In the heatmap the entry under the pointer, or that the arrow keys have
 * moved to, is written below.
 */

import { html, LitElement, nothing } from "lit";

import { heat, index as place, scale } from "../../lib/numbers/jacobian.js";
import { brief, size } from "../../lib/numbers/number.js";
import { entriesOf, shapeWords } from "../../lib/trace/gradient-words.js";
import { t } from "../../lib/words.js";

/** @typedef {import("../../lib/types.js").Gradient} Gradient */

const MOST_NUMBERS = 4;
const WAYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

class GradientTable extends LitElement {
  /** @override */
  static properties = { gradient: { attribute: false }, name: {}, at: { state: true } };

  constructor() {
    super();
    /** @type {Gradient | null} */
    this.gradient = null;
    this.name = "";
    /** The index of the entry that is written below, or -1. */
    this.at = -1;
  }

  /** @override */
  createRenderRoot() {
    return this;
  }

  /** @override @param {import("lit").PropertyValues<this>} changed */
  willUpdate(changed) {
    if (changed.has("gradient")) this.at = -1;
  }

  /** @override */
  render() {
    const { gradient, name } = this;
    const shape = gradient?.shape;
    if (!gradient) return html`<figure class="gradient-figure"><figcaption>${name}</figcaption><p>${t("None")}</p></figure>`;
    const entries = entriesOf(gradient);
    const caption = html`<figcaption>${name} ${shape?.length ? html`<span>${shapeWords(shape)}</span>` : nothing}</figcaption>`;
    if (!entries || !shape) return html`<figure class="gradient-figure">${caption}<p>${t("Too large to be shown.")}</p></figure>`;
    const columns = shape.at(-1) ?? 1;
    const rows = Array.from({ length: columns ? entries.length / columns : 0 }, (_, row) =>
      entries.slice(row * columns, (row + 1) * columns),
    );
    const readable = columns <= MOST_NUMBERS && rows.length <= MOST_NUMBERS;
    const top = scale(entries);
    return html`<figure class="gradient-figure ${readable ? "readable" : ""}" .style=${`--columns: ${columns}`}>
      ${caption}
      <table
        class="heat-table ${readable ? "" : "dense fine"}"
        aria-label=${name}
        tabindex=${readable ? nothing : "0"}
        @keydown=${(/** @type {KeyboardEvent} */ event) => this.onKey(event, columns, entries.length)}
        @focus=${() => !readable && this.at < 0 && ((this.at = 0))}
      >
        <tbody>
          ${rows.map(
            (row, y) =>
              html`<tr>
                ${row.map((entry, x) => {
                  const index = y * columns + x;
                  const warmth = Number.isFinite(size(entry)) ? `h${heat(entry, top)}` : "odd";
                  return html`<td class="${warmth} ${index === this.at ? "at" : ""}" @pointerenter=${() => !readable && ((this.at = index))}>
                    <span class=${readable ? "" : "unseen"}>${brief(entry)}</span>
                  </td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
      ${
        readable
          ? nothing
          : html`<p role="status">
              ${this.at < 0 ? t("Point at an entry to read it.") : `${place(this.at, shape)} ${brief(entries[this.at] ?? 0, 6)}`}
            </p>`
      }
    </figure>`;
  }

  /** @param {KeyboardEvent} event @param {number} columns @param {number} count */
  onKey(event, columns, count) {
    const way = WAYS[/** @type {keyof typeof WAYS} */ (event.key)];
    if (!way) return;
    const [down = 0, right = 0] = way;
    const next = Math.max(0, this.at) + down * columns + right;
    if (next >= 0 && next < count) this.at = next;
    event.preventDefault();
    event.stopPropagation();
  }
}

customElements.define("gradient-table", GradientTable);
