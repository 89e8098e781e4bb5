/** The buttons of a graph: the choice of its picture, and zooming. */

import { html, nothing } from "lit";

import { FOLDED, WHOLE } from "../../lib/graph/folds.js";
import { t } from "../../lib/words.js";
import { icon } from "../page/icons.js";
import { tool } from "../results/panel.js";

/** @typedef {import("../../lib/graph/exploration.js").Exploration} Exploration */

/** The pictures that a graph has, if it has several. @param {Exploration} exploration @param {(name: string) => void} go */
export function sceneSwitch({ scene, folds }, go) {
  const inside = folds.all.get(scene?.name ?? "");
  const scenes = [
    { name: FOLDED, words: t("Folded") },
    ...(inside ? [{ name: inside.id, words: t("One of {count}", { count: inside.times }) }] : []),
    { name: WHOLE, words: t("All {count} nodes", { count: folds.graph.nodes.length }) },
  ].filter(({ name }) => folds.scene(name));
  if (scenes.length < 2) return nothing;
  return html`<div class="graph-scenes" role="group" aria-label=${t("Picture")}>
    ${scenes.map(
      ({ name, words }) =>
        html`<button class="ghost" type="button" aria-pressed=${scene?.name === name} @click=${() => go(name)}>${words}</button>`,
    )}
  </div>`;
}

/** @typedef {"graph" | "steps" | "saved"} View  what is shown of a graph and its backward passes */

/**
 * The choice of what is shown; `nothing` if there is only one view.
 * @param {View[]} views
 * @param {View} shown
 * @param {(view: View) => void} go
 */
export function viewSwitch(views, shown, go) {
  if (views.length < 2) return nothing;
  const words = { graph: t("Graph"), steps: t("Steps"), saved: t("Saved") };
  return html`<div class="graph-views" role="group" aria-label=${t("View")}>
    ${views.map(
      (view) => html`<button class="ghost" type="button" aria-pressed=${view === shown} @click=${() => go(view)}>${words[view]}</button>`,
    )}
  </div>`;
}

/**
 * @param {{stage: import("./graph-stage.js").GraphStage | null, fullScreen: import("../page/full-screen.js").FullScreen, requestUpdate: () =>
 *   void}} host
 */
export function zoomTools(host) {
  const picture = () => host.stage?.picture;
  const percent = Math.round(100 * (picture()?.scale ?? 1));
  const whole = !picture()?.movable;
  return html`${tool(t("Zoom in"), icon("closer"), () => picture()?.zoom(1))}
    ${tool(t("Zoom out"), icon("farther"), () => picture()?.zoom(-1), whole)}
    <button
      class="ghost scale"
      type="button"
      aria-label=${t("Actual size; now {percent}%", { percent })}
      title=${t("Actual size")}
      @click=${() => picture()?.zoomTo(1)}
    >
      ${percent}%
    </button>
    ${tool(t("Fit"), icon("fit"), () => picture()?.fit(), whole)} ${host.fullScreen.button()}`;
}
