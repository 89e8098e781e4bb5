/**
 * An esbuild plugin: Inter without the weights that no style uses, which are a third of the file.
 *
 * The licence lets a font be changed, and this one has no reserved name. Every character that the file has is kept.
 */

import { readFile } from "node:fs/promises";

// @ts-expect-error it brings no types
import subsetFont from "subset-font";

import { characters, LICENCE } from "./maths-font.mjs";

/** fonts.css declares the same. */
const WEIGHTS = { min: 400, max: 700, default: 400 };
const RANGES =
  "U+0-FF, U+131, U+152-153, U+2BB-2BC, U+2C6, U+2DA, U+2DC, U+304, U+308, U+329, U+2000-206F, " +
  "U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD";

/** @type {import("esbuild").Plugin} */
export const textFont = {
  name: "text-font",
  setup(build) {
    build.onLoad({ filter: /inter-latin-wght-normal\.woff2$/ }, async ({ path }) => {
      const options = { targetFormat: "woff2", variationAxes: { wght: WEIGHTS }, preserveNameIds: LICENCE };
      return { contents: await subsetFont(await readFile(path), characters(RANGES), options), loader: "file" };
    });
  },
};
