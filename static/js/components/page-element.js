/** What the components of a page share: they live in the page's own DOM and draw again when a signal that they read has changed. */

import { SignalWatcher } from "@lit-labs/preact-signals";
import { LitElement } from "lit";

export class PageElement extends SignalWatcher(LitElement) {
  /** @override */
  createRenderRoot() {
    return this;
  }
}
