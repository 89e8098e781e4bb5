/**
 * An esbuild plugin: `@import "maths-font"` in a stylesheet becomes the faces of STIX Two Math, cut to what formulas use.
 *
 * The whole font is 400 kB. A browser fetches a face when a formula has one of its characters, so all but a few pages need the first alone.
 * Each face keeps the MATH table, and with it the larger variants of brackets, roots and arrows.
 *
 * The licence lets a font be changed, and this one has no reserved name. What is changed is how far scripts go with what they stand at: TeX
 * sets those of single characters on one line, browsers take each for a box, and lower the index of a y or lift the power of a bracket.
 */

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

// @ts-expect-error it brings no types
import subsetFont from "subset-font";

const SOURCE = createRequire(import.meta.url).resolve("@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2");
const NAMESPACE = "maths-font";

/**
 * Of the MATH table's constants, by their place there: SubscriptBaselineDropMin and SuperscriptBaselineDropMax, in thousandths of an em.
 */
const SCRIPTS = new Map([
  [6, 0],
  [10, 390],
]);

/** What a glyph becomes as a script, a dotless letter under an accent, and a flat accent over a capital; and kerning. */
const FEATURES = ["ssty", "dtls", "flac", "kern"];

/** The entries of the name table that the licence wants kept: the copyright, the licence and its address. */
export const LICENCE = [0, 13, 14];

/**
 * The characters of each face as CSS writes them: no character in two. A letter in `<mi>` is shown as its italic in plane 1.
 * @type {Record<string, string>}
 */
export const FACES = {
  // Latin, accents, dashes and dots; Greek; arrows and operators as courses on calculus use them; italics and bold; capitals in script
  // and double-struck.
  maths: `
    U+20-7E, U+A0, U+A8, U+AC, U+AF-B1, U+B4, U+B7, U+D7, U+F7, U+131, U+237, U+2C6-2C7, U+2D8-2DA, U+2DC, U+300-304, U+306-308, U+30C,
    U+391-3A1, U+3A3-3A9, U+3B1-3C9, U+3D1, U+3D5, U+3F5, U+2010-2016, U+2018-2019, U+201C-201D, U+2020-2022, U+2026, U+2032-2034, U+203E,
    U+2061-2064, U+20D7, U+2102, U+210B, U+210D-210E, U+2110, U+2112-2113, U+2115, U+2119-211B, U+211D, U+2124, U+212C, U+2130-2131,
    U+2133, U+2190-2195, U+21A6, U+21D0-21D4, U+2200, U+2202-220B, U+220F-2213, U+2215-221A, U+221D-222C, U+222E, U+2234-2235, U+223C,
    U+2243, U+2245, U+2248, U+224D, U+2254, U+2260-2261, U+2264-226B, U+227A-227B, U+2282-2283, U+2286-2287, U+2293-2299, U+22A4-22A5,
    U+22C0-22C6, U+22EE-22F1, U+2308-230B, U+23DE-23DF, U+25A1, U+25CB, U+27E8-27E9, U+27F5-27FA, U+27FC, U+2A7D-2A7E, U+1D400-1D454,
    U+1D456-1D467, U+1D49C-1D4B5, U+1D538-1D551, U+1D6A4-1D6A5, U+1D6E2-1D71B, U+1D7CE-1D7D7`,
  // The other letters: bold italics, small script and double-struck, Fraktur, sans serif, typewriter.
  "maths-letters": `
    U+3D0, U+3DC-3DD, U+3F4, U+3F6, U+2107, U+210A, U+210C, U+210F, U+2111, U+2118, U+211C, U+2126-2129, U+212B, U+212D, U+212F, U+2132,
    U+2134-2138, U+213C-2149, U+1D468-1D49B, U+1D4B6-1D537, U+1D552-1D6A3, U+1D6A8-1D6E1, U+1D71C-1D7CB, U+1D7D8-1D7FF`,
  // Every other arrow, operator and delimiter.
  "maths-symbols": `
    U+305, U+309-30A, U+310, U+312, U+315, U+31A, U+330-332, U+338, U+3D6, U+3F0-3F1, U+2017, U+2025, U+2035-2037, U+2044, U+2057,
    U+20D0-20D6, U+20D8-20F0, U+214A-214B, U+2196-21A5, U+21A7-21CF, U+21D5-21FF, U+2201, U+220C-220E, U+2214, U+221B-221C, U+222D,
    U+222F-2233, U+2236-223B, U+223D-2242, U+2244, U+2246-2247, U+2249-224C, U+224E-2253, U+2255-225F, U+2262-2263, U+226C-2279,
    U+227C-2281, U+2284-2285, U+2288-2292, U+229A-22A3, U+22A6-22BF, U+22C7-22ED, U+22F2-2307, U+230C-23DD, U+23E0-23FF, U+2506,
    U+2571-2572, U+2580-2593, U+25A0, U+25A2-25CA, U+25CC-25FF, U+2605-2606, U+2610-2612, U+2639-2653, U+2660-2667, U+2669-266F, U+2713,
    U+2717, U+2720, U+2736, U+2772-2773, U+27C0-27E7, U+27EA-27F4, U+27FB, U+27FD-2A7C, U+2A7F-2BFF`,
};

/** @type {import("esbuild").Plugin} */
export const mathsFont = {
  name: NAMESPACE,
  setup(build) {
    build.onResolve({ filter: /^maths-font/ }, ({ path }) => ({ path: path === NAMESPACE ? "faces.css" : path, namespace: NAMESPACE }));
    build.onLoad({ filter: /^faces\.css$/, namespace: NAMESPACE }, () => ({
      contents: Object.keys(FACES).map(declare).join("\n"),
      loader: "css",
    }));
    build.onLoad({ filter: /\.woff2$/, namespace: NAMESPACE }, async ({ path }) => ({ contents: await cut(path), loader: "file" }));
  },
};

/** @param {string} name */
function declare(name) {
  return `@font-face {
  font-family: "STIX Two Math";
  font-style: normal;
  font-weight: 400;
  font-display: swap;
  src: url("maths-font/${name}.woff2") format("woff2");
  unicode-range: ${FACES[name]};
}`;
}

/** @param {string} path maths-font/NAME.woff2 */
async function cut(path) {
  const ranges = FACES[path.slice("maths-font/".length, -".woff2".length)] ?? "";
  const options = { noHinting: true, keepFeatures: FEATURES, preserveNameIds: LICENCE };
  const font = await subsetFont(await readFile(SOURCE), characters(ranges), { targetFormat: "sfnt", ...options });
  setScripts(font);
  return subsetFont(font, characters(ranges), { targetFormat: "woff2", ...options });
}

/** Sets these constants in the font. @param {Buffer} font */
function setScripts(font) {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  const entry = tables.find((at) => font.toString("latin1", at, at + 4) === "MATH");
  if (entry === undefined) throw new Error("the font has no MATH table");
  const table = font.readUInt32BE(entry + 8);
  const values = table + font.readUInt16BE(table + 4) + 8; // after four numbers of other kinds, each is followed by an offset
  for (const [place, value] of SCRIPTS) font.writeInt16BE(value, values + 4 * place);
}

/** Every character of a unicode-range. @param {string} ranges */
export function characters(ranges) {
  return ranges
    .split(",")
    .map((range) => {
      const [first, last = first] = range
        .trim()
        .slice(2)
        .split("-")
        .map((code) => parseInt(code, 16));
      return String.fromCodePoint(...Array.from({ length: Number(last) - Number(first) + 1 }, (_, step) => Number(first) + step));
    })
    .join("");
}
