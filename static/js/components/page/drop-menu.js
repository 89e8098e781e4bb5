/** A button that opens a list of buttons: a popover that closes on Escape or a press outside, and returns the focus. */

import { html, nothing } from "lit";

/** @typedef {{words: unknown, act: () => void, current?: boolean}} Choice */

const GAP_PX = 4;

/**
 * @param {{id: string, label?: string, kind?: string, face: unknown}} button `label`: its name, if its face has no text
 * @param {{title?: string, choices: Choice[]}[]} groups
 */
export function dropMenu({ id, label, kind = "", face }, groups) {
  return html`<button class="ghost ${kind}" type="button" popovertarget=${id} aria-label=${label ?? nothing} title=${label ?? nothing}>
      ${face}
    </button>
    <div class="drop-menu" popover id=${id} @beforetoggle=${place}>
      ${groups.map(
        ({ title, choices }) =>
          html`${title ? html`<p>${title}</p>` : nothing}
            <menu>${choices.map(item)}</menu>`,
      )}
    </div>`;
}

/** @param {Choice} choice */
function item({ words, act, current = false }) {
  const press = (/** @type {Event} */ event) => {
    const menu = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.currentTarget).closest("[popover]"));
    menu?.hidePopover();
    act();
  };
  return html`<li><button type="button" aria-current=${current ? "true" : nothing} @click=${press}>${words}</button></li>`;
}

/** Places the list under its button, on the side that has room. @param {ToggleEvent} event */
function place(event) {
  const menu = /** @type {HTMLElement} */ (event.currentTarget);
  const button = /** @type {HTMLElement} */ (menu.previousElementSibling).getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const left = button.left + button.right < width;
  menu.style.top = `${button.bottom + GAP_PX}px`;
  menu.style.left = left ? `${button.left}px` : "auto";
  menu.style.right = left ? "auto" : `${width - button.right}px`;
  if (event.newState === "open") window.addEventListener("scroll", () => menu.hidePopover(), { once: true });
}
