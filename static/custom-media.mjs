/**
 * An esbuild plugin: `@media (--narrow)` in a stylesheet means what `NARROW` in js/lib/breakpoints.js says.
 *
 * CSS has no variables in media queries; its own custom media, of which this is the use, no browser has yet.
 */

import { readFile } from "node:fs/promises";

import * as breakpoints from "./js/lib/breakpoints.js";

/** @type {Record<string, string>} */
const QUERIES = Object.fromEntries(Object.entries(breakpoints).map(([name, query]) => [`(--${name.toLowerCase()})`, query]));

/** @type {import("esbuild").Plugin} */
export const customMedia = {
  name: "custom-media",
  setup(build) {
    build.onLoad({ filter: /static\/css\/.*\.css$/ }, async ({ path }) => {
      const css = await readFile(path, "utf8");
      return { contents: css.replace(/(?<=@media[^{]*)\(--[a-z-]+\)/g, resolve), loader: "css" };
    });
  },
};

/** @param {string} name */
function resolve(name) {
  const query = QUERIES[name];
  if (!query) throw new Error(`breakpoints.js has no ${name}; it has ${Object.keys(QUERIES).join(", ")}`);
  return query;
}
