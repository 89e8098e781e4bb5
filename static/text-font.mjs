/**
 * An esbuild plugin: Inter without the weights that no style uses, which are a third of the file.
 *
 * The licence lets a font be changed, and this one has no reserved name. Every character of Latin that the file has is kept; of the other
 * letters, which browsers fetch only for a page that has one, those that names are written with.
 */

import { readFile } from "node:fs/promises";
import { basename } from "node:path";

// @ts-expect-error it brings no types
import subsetFont from "subset-font";

import { characters, LICENCE } from "./maths-font.mjs";

/** fonts.css declares the same weights and ranges. */
const WEIGHTS = { min: 400, max: 700, default: 400 };
const RANGES = new Map([
  [
    "inter-latin-wght-normal",
    "U+0-FF, U+131, U+152-153, U+2BB-2BC, U+2C6, U+2DA, U+2DC, U+304, U+308, U+329, U+2000-206F, " +
      "U+20AC, U+2122, U+2191, U+2193, U+2212, U+2215, U+FEFF, U+FFFD",
  ],
  [
    "inter-latin-ext-wght-normal",
    "U+100-130, U+132-151, U+154-17F, U+18F, U+1CD-1DC, U+1FA-1FF, U+218-21B, U+1E02-1E85, U+1E9E, U+1EF2-1EF3",
  ],
  ["inter-vietnamese-wght-normal", "U+1A0-1A1, U+1AF-1B0, U+1EA0-1EF1, U+1EF4-1EF9"],
]);

/** @type {import("esbuild").Plugin} */
export const textFont = {
  name: "text-font",
  setup(build) {
    build.onLoad({ filter: /inter-[a-z-]+-wght-normal\.woff2$/ }, async ({ path }) => {
      const options = { targetFormat: "woff2", variationAxes: { wght: WEIGHTS }, preserveNameIds: LICENCE };
      const ranges = RANGES.get(basename(path, ".woff2")) ?? "";
      return { contents: await subsetFont(await readFile(path), characters(ranges), options), loader: "file" };
    });
  },
};
