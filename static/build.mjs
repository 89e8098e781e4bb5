/**
 * Builds the front end into static/build: bundles with hashed names, each also compressed, and `manifest.json`.
 *
 *     node static/build.mjs [--watch]
 *
 * manifest.json: {"lesson.js": "lesson-HASH.js", …}, what a template asks for and what it is called now.
 * pages.json: {imports: {"lesson.js": ["chunk-HASH.js"]}, messages: {"lesson.js": […]}}, the chunks to load ahead of a script, and the
 * messages that it and all that it may load translate, so that a page carries those and no others.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import * as esbuild from "esbuild";

import { customMedia } from "./custom-media.mjs";
import { drawPictures } from "./link-pictures.mjs";
import { mathsFont } from "./maths-font.mjs";
import { textFont } from "./text-font.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const output = join(here, "build");
const watching = process.argv.includes("--watch");

/** Files that are taken as they are. */
const COPIES = {
  "icon.svg": join(here, "icon.svg"),
  "author.js": join(here, "js/author/author.js"),
  "author.css": join(here, "css/author.css"),
  "swagger-ui.css": join(root, "node_modules/swagger-ui-dist/swagger-ui.css"),
  "swagger-ui-bundle.js": join(root, "node_modules/swagger-ui-dist/swagger-ui-bundle.js"),
};

/** What set-up lists, and what a script calls the hashed name of each. A file that is missing has an empty name. */
const LISTS = { "reference.json": "REFERENCE_FILE", "formulas.json": "FORMULAS_FILE" };

/** A string literal; and the first argument of a call that translates it, which may be several of them added up. */
const STRING = /"(?:[^"\\\n]|\\.)*"/g;
const MESSAGE = /(?<![\w.])(?:t|pieces)\(\s*("(?:[^"\\\n]|\\.)*"(?:\s*\+\s*"(?:[^"\\\n]|\\.)*")*)/g;

const COMPRESSED = new Set([".js", ".css", ".svg", ".json"]);

/**
 * The language package has completions of its own, which nothing uses; for their sake alone the whole of CodeMirror's completion would be
 * loaded with every page, rather than when it is first used.
 * @type {esbuild.Plugin}
 */
const lateCompletion = {
  name: "late-completion",
  setup(build) {
    build.onResolve({ filter: /^@codemirror\/autocomplete$/ }, ({ importer }) =>
      importer.includes("lang-python") ? { path: "none", namespace: "none" } : undefined,
    );
    build.onLoad({ filter: /./, namespace: "none" }, () => ({
      contents: "export const snippetCompletion = () => {}, ifNotIn = () => {}, completeFromList = () => {};",
    }));
  },
};

/** @type {esbuild.BuildOptions} */
const options = {
  absWorkingDir: root,
  entryPoints: ["home", "lesson", "playground", "pitfall", "map", "mine", "card", "account", "teaching", "plain"]
    .map((name) => join(here, "js/pages", `${name}.js`))
    .concat(
      [
        "page",
        "columns",
        "home",
        "map",
        "mine",
        "pitfalls",
        "programs",
        "reference",
        "card",
        "search-page",
        "account",
        "signed-in",
        "teaching",
      ].map((name) => join(here, "css", `${name}.css`)),
    ),
  outdir: output,
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["chrome123", "firefox124", "safari17.5"],
  minify: !watching,
  sourcemap: watching ? "linked" : false,
  legalComments: "none",
  charset: "utf8",
  entryNames: "[name]-[hash]",
  chunkNames: "chunk-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file" },
  metafile: true,
  logLevel: "warning",
  plugins: [customMedia, mathsFont, textFont, lateCompletion],
  conditions: watching ? ["development"] : ["production"],
};

/** @param {esbuild.Metafile} metafile */
async function describe(metafile) {
  /** @type {Record<string, string>} */
  const manifest = { ...given };
  /** @type {Record<string, string[]>} */
  const imports = {};
  /** @type {Record<string, string[]>} */
  const messages = {};
  for (const [file, about] of Object.entries(metafile.outputs)) {
    const name = relative(output, join(root, file));
    if (about.entryPoint) {
      manifest[basename(about.entryPoint)] = name;
      imports[basename(about.entryPoint)] = [...importsOf(metafile, file)].map((one) => basename(one));
      messages[basename(about.entryPoint)] = await extractMessages(metafile, [file, ...importsOf(metafile, file, true)]);
    } else if (extname(file) === ".woff2") {
      manifest[basename(Object.keys(about.inputs)[0] ?? name)] = name;
    }
  }
  for (const [name, path] of Object.entries(COPIES)) manifest[name] = await copy(name, await readFile(path));
  await writeWhole("pages.json", JSON.stringify({ imports, messages }));
  await writeWhole("manifest.json", JSON.stringify(manifest, null, 1));
}

/**
 * All chunks that a script needs to start, or with `later` also those that it may load later. Those of its chunks are included.
 * @param {esbuild.Metafile} metafile
 * @param {string} file
 * @param {boolean} [later]
 * @param {Set<string>} [found]
 */
function importsOf(metafile, file, later = false, found = new Set()) {
  for (const { kind, path } of metafile.outputs[file]?.imports ?? []) {
    const counts = kind === "import-statement" || (later && kind === "dynamic-import");
    if (counts && !found.has(path)) importsOf(metafile, path, later, found.add(path));
  }
  return found;
}

/**
 * Every message that the bundled files translate: the literal first arguments of `t(…)` and `pieces(…)`.
 * @param {esbuild.Metafile} metafile
 * @param {string[]} files
 */
async function extractMessages(metafile, files) {
  const inputs = files.flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));
  const own = inputs.filter((path) => path.startsWith("static/js/"));
  const messages = new Set();
  for (const path of own) {
    for (const match of (await readFile(join(root, path), "utf8")).matchAll(MESSAGE)) {
      messages.add(
        (match[1] ?? "")
          .match(STRING)
          ?.map((part) => JSON.parse(part))
          .join(""),
      );
    }
  }
  return [...messages].sort();
}

/** @param {string} name @param {Uint8Array} bytes @returns {Promise<string>} its hashed name */
async function copy(name, bytes) {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 8).toUpperCase();
  const hashed = name.replace(/(\.\w+)$/, `-${hash}$1`);
  await writeWhole(hashed, bytes);
  return hashed;
}

/**
 * Never seen half written: a running server may read it, and browsers cache what they got for ever.
 * @param {string} name
 * @param {string | Uint8Array} content
 */
async function writeWhole(name, content) {
  await writeFile(join(output, `.${name}`), content);
  await rename(join(output, `.${name}`), join(output, name));
}

async function compress() {
  const names = (await readdir(output)).filter((name) => COMPRESSED.has(extname(name)) && !name.startsWith("."));
  for (const name of names) {
    const bytes = await readFile(join(output, name));
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    await writeWhole(`${name}.br`, await promisify(brotliCompress)(bytes, { params }));
    await writeWhole(`${name}.gz`, await promisify(gzip)(bytes, { level: 9 }));
  }
}

await rm(output, { recursive: true, force: true });
await mkdir(output, { recursive: true });
/** @type {Record<string, string>} */
const given = {};
options.define = {};
for (const [name, constant] of Object.entries(LISTS)) {
  if (existsSync(join(here, name))) given[name] = await copy(name, await readFile(join(here, name)));
  options.define[constant] = JSON.stringify(given[name] ?? "");
}
const titles = join(here, "titles.json");
const pictures = await drawPictures(existsSync(titles) ? JSON.parse(await readFile(titles, "utf8")) : {});
for (const [name, picture] of Object.entries(pictures)) given[name] = await copy(name.replaceAll("/", "-"), picture);
if (watching) {
  const after = {
    name: "describe",
    setup: (/** @type {esbuild.PluginBuild} */ build) => build.onEnd((result) => (result.metafile ? describe(result.metafile) : undefined)),
  };
  await (await esbuild.context({ ...options, plugins: [customMedia, mathsFont, lateCompletion, after] })).watch();
} else {
  const result = await esbuild.build({ ...options, write: false });
  if (!result.metafile || !result.outputFiles) throw new Error("esbuild gave no files");
  for (const { path, contents } of result.outputFiles) await writeWhole(relative(output, path), contents);
  await describe(result.metafile);
  await compress();
}
