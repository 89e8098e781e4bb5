/** Shows a panel in full screen, for example on a projector; if the browser refuses, the panel fills the window. */

import { t } from "../../lib/words.js";
import { icon } from "./icons.js";
import { tool } from "../results/panel.js";

export class FullScreen {
  /** @param {import("../results/panel.js").Panel} host the first `.panel` of which is shown */
  constructor(host) {
    this.host = host;
    /** Whether the panel fills the window, because full screen is not available. */
    this.filling = false;
    host.addEventListener("fullscreenchange", () => host.requestUpdate());
    host.addEventListener("keydown", (event) => event.key === "Escape" && this.fill(false));
  }

  get panel() {
    return /** @type {HTMLElement | null} */ (this.host.querySelector(".panel"));
  }

  get full() {
    return this.filling || (this.panel !== null && document.fullscreenElement === this.panel);
  }

  button() {
    return tool(this.full ? t("Leave full screen") : t("Full screen"), icon(this.full ? "close" : "full"), () => this.toggle());
  }

  toggle() {
    if (document.fullscreenElement) return void document.exitFullscreen();
    if (!this.filling && this.panel?.requestFullscreen) return void this.panel.requestFullscreen().catch(() => this.fill(true));
    this.fill(!this.filling);
  }

  /** @param {boolean} filling */
  fill(filling) {
    this.filling = filling;
    this.host.requestUpdate();
  }
}
