/**
 * The reference: Python's and PyTorch's names with their signatures and summaries. `python -m bootstrap.reference` creates the file where
 * PyTorch is installed.
 */

/**
 * @typedef {object} ReferenceData  an entry is [kind, signatures, summary, page] without empty items at its end
 * @property {Record<string, string>} versions
 * @property {Record<string, string>} sites the address of each library's documentation
 * @property {Record<string, Record<string, string[]>>} modules the entries of names, by the dotted name of their module or class
 *
 * @typedef {object} Name  the reference's entry for a name
 * @property {string} path including the module, e.g. "torch.sinh"
 * @property {string} name
 * @property {string} kind one of CodeMirror's kinds of completions
 * @property {string[]} signatures one for each way to call it
 * @property {string} summary one sentence, in English
 * @property {string} url of its documentation; "" if it has no page
 */

export class Reference {
  /** @param {ReferenceData} data */
  constructor(data) {
    this.data = data;
  }

  /** Whether the reference lists the names of this module or class. @param {string} path */
  has(path) {
    return Object.hasOwn(this.data.modules, path);
  }

  /** The names in a module or class. @param {string} path @returns {Name[]} */
  members(path) {
    return Object.keys(this.data.modules[path] ?? {}).map((name) => /** @type {Name} */ (this.find(`${path}.${name}`)));
  }

  /** @param {string} path e.g. "torch.sinh", "torch.Tensor.sum", "builtins.print" @returns {Name | null} */
  find(path) {
    const dot = path.lastIndexOf(".");
    const [home, name] = [path.slice(0, dot), path.slice(dot + 1)];
    const names = this.has(home) ? this.data.modules[home] : undefined;
    const entry = names && Object.hasOwn(names, name) ? names[name] : undefined;
    if (!entry) return null;
    const [kind = "", signatures = "", summary = "", page = ""] = entry;
    return { path, name, kind, signatures: signatures ? signatures.split("\n") : [], summary, url: this.address(path, page) };
  }

  /** @param {string} path @param {string} page "=" for the page that Sphinx names after the path */
  address(path, page) {
    const site = this.data.sites[path.split(".")[0] ?? ""];
    if (!page || !site) return "";
    return site + (page === "=" ? `generated/${path}.html#${path}` : page);
  }
}

/** An empty reference. With it, completion offers Python's keywords and built-ins and the names in the text. */
export const EMPTY = new Reference({ versions: {}, sites: {}, modules: {} });
