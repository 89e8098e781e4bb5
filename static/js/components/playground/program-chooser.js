/** The chooser of programs: a list of all, a new one, and actions on the open one. Its name is edited in place. */

import { html, nothing } from "lit";

import { runtimeName } from "../../lib/run/runtimes.js";
import { t } from "../../lib/words.js";
import { dropMenu } from "../page/drop-menu.js";
import { icon } from "../page/icons.js";
import { PageElement } from "../page/page-element.js";

class ProgramChooser extends PageElement {
  /** @override */
  static properties = { programs: { attribute: false }, naming: { state: true } };

  constructor() {
    super();
    /** @type {import("../../state/programs/programs.js").Programs | null} */
    this.programs = null;
    this.naming = false;
  }

  /** @override */
  render() {
    const program = this.programs?.program.value;
    if (!this.programs || !program) return nothing;
    return this.naming ? this.field(program.name) : this.buttons(this.programs, program.name);
  }

  /** @param {import("../../state/programs/programs.js").Programs} programs @param {string} name */
  buttons(programs, name) {
    const several = programs.runtimes.length > 1;
    const choices = programs.listed.value.map((one) => ({
      words: html`<span>${one.name}</span>${several ? html`<small>${runtimeName(one.runtime)}</small>` : nothing}`,
      current: one.id === programs.current.value,
      act: () => this.act(() => programs.choose(one.id)),
    }));
    const deleted = programs.deleted.all.value.map((one) => ({
      words: one.name,
      act: () => this.act(() => programs.deleted.bringBack(one.id)),
    }));
    const groups = deleted.length ? [{ choices }, { title: t("Deleted in the last seven days"), choices: deleted }] : [{ choices }];
    const acts = [
      { words: t("Rename"), act: () => void this.rename() },
      { words: t("Duplicate"), act: () => this.act(() => programs.duplicate()) },
      { words: t("Delete"), act: () => this.act(() => programs.delete()) },
    ];
    return html`${dropMenu(
      { id: "programs", label: t("Program: {name}", { name }), kind: "program-name", face: html`<span>${name}</span>${icon("unfold")}` },
      groups,
    )}
      <button
        class="ghost square"
        type="button"
        aria-label=${t("New program")}
        title=${t("New program")}
        @click=${() => programs.createBlank()}
      >
        ${icon("closer")}
      </button>
      ${dropMenu({ id: "program-acts", label: t("Rename, duplicate, delete"), kind: "square", face: icon("more") }, [{ choices: acts }])}`;
  }

  /** @param {string} name */
  field(name) {
    const keep = (/** @type {HTMLInputElement} */ input) => this.finish(input.value);
    return html`<form
      @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        keep(/** @type {HTMLInputElement} */ (this.querySelector("input")));
      }}
    >
      <input
        class="select"
        name="name"
        aria-label=${t("Name of the program")}
        autocomplete="off"
        maxlength="80"
        .value=${name}
        @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && void this.finish(null)}
        @blur=${(/** @type {FocusEvent} */ event) => this.naming && void keep(/** @type {HTMLInputElement} */ (event.currentTarget))}
      />
    </form>`;
  }

  async rename() {
    this.naming = true;
    await this.updateComplete;
    this.querySelector("input")?.select();
    this.querySelector("input")?.focus();
  }

  /** @param {string | null} name null: unchanged */
  async finish(name) {
    const held = this.contains(document.activeElement);
    this.naming = false;
    if (name !== null) this.programs?.rename(name);
    await this.updateComplete;
    if (held) this.querySelector("button")?.focus();
  }

  /** Runs an action, and then focuses the name of the open program. @param {() => void} act */
  act(act) {
    act();
    this.querySelector("button")?.focus();
  }
}

customElements.define("program-chooser", ProgramChooser);
