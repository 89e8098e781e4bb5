/** The icons of buttons and verdicts, in one stroke width and the colour of the surrounding text. */

import { svg, html } from "lit";

const PATHS = {
  pass: svg`<path d="M3 8.5l3.2 3.2L13 4.8"/>`,
  fail: svg`<path d="M4 4l8 8M12 4l-8 8"/>`,
  alert: svg`<circle cx="8" cy="8" r="6.2"/><path d="M8 4.8v3.8M8 11v.1"/>`,
  closer: svg`<path d="M3.5 8h9M8 3.5v9"/>`,
  farther: svg`<path d="M3.5 8h9"/>`,
  up: svg`<path d="M3.5 10L8 5.5l4.5 4.5"/>`,
  next: svg`<path d="M3.5 6L8 10.5 12.5 6"/>`,
  fit: svg`<path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3"/>`,
  full: svg`<path d="M9.5 3H13v3.5M6.5 13H3V9.5M13 3L9 7M3 13l4-4"/>`,
  down: svg`<path d="M8 2.8v7.4M4.8 7.2L8 10.4l3.2-3.2M3 13.2h10"/>`,
  copy: svg`<rect x="5.5" y="5.5" width="8" height="8" rx="1.6"/>
    <path d="M10.5 3.2V3a1 1 0 0 0-1-1H3.6a1 1 0 0 0-1 1v5.9a1 1 0 0 0 1 1h.3"/>`,
  unfold: svg`<path d="M4.5 6.5L8 10l3.5-3.5"/>`,
  more: svg`<path class="solid" d="M3 8a1 1 0 1 0 2 0a1 1 0 1 0-2 0M7 8a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 8a1 1 0 1 0 2 0a1 1 0 1 0-2 0"/>`,
  history: svg`<path d="M3.2 5.2A5.6 5.6 0 1 1 2.4 8M3 2.4v3h3M8 5v3.2l2.2 1.3"/>`,
  link: svg`<path d="M6.7 9.3l2.6-2.6M7.4 4.9l1.5-1.5a2.6 2.6 0 0 1 3.7 3.7l-1.5 1.5M8.6 11.1l-1.5 1.5a2.6 2.6 0 0 1-3.7-3.7l1.5-1.5"/>`,
  back: svg`<path d="M10 3.5L5.5 8l4.5 4.5"/>`,
  forward: svg`<path d="M6 3.5L10.5 8 6 12.5"/>`,
  play: svg`<path class="solid" d="M5 3.2v9.6L13 8z"/>`,
  pause: svg`<path d="M5.5 3.5v9M10.5 3.5v9"/>`,
  away: svg`<path d="M6.5 3H4a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1V9.5M9.5 3H13v3.5M13 3L7.5 8.5"/>`,
  open: svg`<circle cx="8" cy="8" r="5.4"/>`,
  bulb: svg`<path d="M6 12.4h4M6.6 14.2h2.8M5.9 10.6C4.8 9.8 4 8.6 4 7.1a4 4 0 0 1 8 0c0 1.5-.8 2.7-1.9 3.5z"/>`,
  close: svg`<path d="M4 4l8 8M12 4l-8 8"/>`,
};

/** @param {keyof typeof PATHS} name */
export function icon(name) {
  return html`<svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${PATHS[name]}</svg>`;
}
