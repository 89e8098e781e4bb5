/**
 * Draws the pictures that links to lessons and chapters show elsewhere: the title in the course's fonts, and a graph.
 *
 * A picture that was drawn before is taken from a folder in node_modules, where it has the hash of its drawing as its name.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { Resvg } from "@resvg/resvg-js";
// @ts-expect-error it brings no types
import subsetFont from "subset-font";

import { draw } from "./link-picture.mjs";

/** @typedef {import("./link-picture.mjs").Title} Title */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const fonts = join(root, "node_modules");
const cache = join(fonts, ".cache/link-pictures");

const INTER = "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
const CODE = "@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2";
const CHINESE = "@fontsource-variable/noto-sans-sc"; // a file for each of some hundred ranges of characters
const WEIGHT = 600;

/**
 * Draws all pictures.
 * @param {Record<string, Title>} titles by language and the page's path, such as "en/autograd/graph"
 * @returns {Promise<Record<string, Uint8Array>>} PNG files by name; that of all other pages is "link.png"
 */
export async function drawPictures(titles) {
  await mkdir(cache, { recursive: true });
  const drawings = Object.entries({ link: null, ...titles }).map(([name, title]) => ({ name: `${name}.png`, svg: draw(title) }));
  const places = drawings.map(({ name, svg }) => ({ name, svg, file: join(cache, `${hash(svg)}.png`) }));
  const missing = places.filter(({ file }) => !existsSync(file));
  if (missing.length) {
    const fontFiles = await makeFonts(missing.map(({ svg }) => svg).join(""));
    for (const { svg, file } of missing) {
      const options = { font: { loadSystemFonts: false, fontFiles, defaultFontFamily: "Inter" } };
      await writeFile(file, new Resvg(svg, options).render().asPng());
    }
  }
  return Object.fromEntries(await Promise.all(places.map(async ({ name, file }) => [name, await readFile(file)])));
}

/**
 * Makes fonts that have these characters and no others, in files of the format that Resvg reads.
 * @param {string} characters
 * @returns {Promise<string[]>} the files
 */
async function makeFonts(characters) {
  const made = [makeFont(INTER, characters, { wght: WEIGHT }), makeFont(CODE, characters, {})];
  const wanted = new Set([...characters].map((one) => one.codePointAt(0) ?? 0).filter((code) => code > 0x2e7f));
  /** @type {Record<string, string>} */
  const ranges = JSON.parse(await readFile(join(fonts, CHINESE, "unicode.json"), "utf8"));
  for (const [key, range] of Object.entries(ranges)) {
    const here = [...wanted].filter((code) => covers(range, code)).map((code) => String.fromCodePoint(code));
    const path = `${CHINESE}/files/noto-sans-sc-${key.replace(/[[\]]/g, "")}-wght-normal.woff2`;
    if (here.length) made.push(makeFont(path, here.join(""), { wght: WEIGHT }));
  }
  return Promise.all(made);
}

/** @param {string} path @param {string} characters @param {{wght?: number}} variationAxes */
async function makeFont(path, characters, variationAxes) {
  const font = await subsetFont(await readFile(join(fonts, path)), characters, { targetFormat: "truetype", variationAxes });
  const file = join(cache, `${hash(font)}.ttf`);
  await writeFile(file, font);
  return file;
}

/** Whether a code point is in a CSS unicode-range, such as "U+4e00,U+4e02-4e05". @param {string} range @param {number} code */
function covers(range, code) {
  return range.split(",").some((part) => {
    const [first = 0, last = first] = part
      .replace("U+", "")
      .split("-")
      .map((one) => Number.parseInt(one, 16));
    return first <= code && code <= last;
  });
}

/** @param {string | Uint8Array} content */
function hash(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 32);
}
