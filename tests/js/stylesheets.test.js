import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";

const CSS = "static/css";
const FOLDERS = readdirSync(CSS, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
/** Stylesheets with rules, and their text without comments and strings. */
const SHEETS = new Map(FOLDERS.flatMap((folder) => filesIn(join(CSS, folder), /\.css$/)).map((file) => [file, readSheet(file)]));
/** Stylesheets that pages load: lists of imports. Author mode's is taken as it is. */
const LISTS = readdirSync(CSS).filter((name) => name.endsWith(".css") && name !== "author.css");

const SHARED = new Set([
  ...["button", "ghost", "run", "link", "select", "icon"], // controls
  ...["sheet", "rail", "text", "lede", "unseen", "unloaded"], // of every page
  ...["maths", "notes", "term", "whole", "forward", "backward", "saved", "leaf", "missing"], // made from Markdown, and stored with attempts
  ...["a", "c", "d", "k", "n", "s"], // pieces of code, which are many
]);

/** Classes that scripts and templates put together, so that no source has them as a word. */
const COMPOSED = /^(cm|kind|ink|ground|order)-|^h\d$/;

/** @param {string} folder @param {RegExp} names @returns {string[]} */
function filesIn(folder, names) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((one) => one.isFile() && names.test(one.name))
    .map((one) => join(one.parentPath, one.name));
}

/** @param {string} file */
function readSheet(file) {
  return readFileSync(file, "utf8")
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/"[^"]*"/g, '""');
}

/** @param {string} text @returns {string[]} the selectors of all rules */
function selectorsOf(text) {
  const preludes = [...text.matchAll(/([^{};]+)\{/g)].map(([, prelude = ""]) => prelude.trim());
  return preludes.filter((one) => !/^(@|from$|to$|\d)/.test(one)).flatMap((one) => split(one, /,/));
}

/** Splits at the top level, outside of brackets. @param {string} selector @param {RegExp} at */
function split(selector, at) {
  let depth = 0;
  const parts = [""];
  for (const sign of selector) {
    depth += Number("([".includes(sign)) - Number(")]".includes(sign));
    if (depth === 0 && at.test(sign)) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.map((one) => one.trim()).filter(Boolean);
}

/** The classes of one word with which a selector begins, if nothing in it says of which block they are. @param {string} selector */
function bareClasses(selector) {
  const [first = ""] = split(selector, /[\s>+~]/);
  const among = /^:is\((.*)\)$/s.exec(first);
  return (among ? split(among[1] ?? "", /,/) : [first]).flatMap((one) => {
    const own = one.replace(/:(not|has)\((?:[^()]|\([^()]*\))*\)/g, "");
    const classes = classesIn(own);
    return classes.some((name) => name.includes("-")) || /^[a-z]+-/.test(own) ? [] : [classes];
  });
}

/** @param {string} text */
function classesIn(text) {
  return [...text.matchAll(/\.([a-z_][\w-]*)/gi)].map(([, name = ""]) => name);
}

test("a stylesheet's folder is its layer, and the lists have their order", () => {
  const [, order = ""] = /@layer ([^;]+);/.exec(readSheet(join(CSS, "page.css"))) ?? [];
  assert.deepEqual(order.split(", ").concat("unlayered").sort(), FOLDERS.sort());
  const imported = new Set();
  for (const name of LISTS) {
    const lines = readFileSync(join(CSS, name), "utf8").replace(/\/\*.*?\*\/|@layer [^;{]*;/gs, "");
    for (const line of lines.trim().split("\n").filter(Boolean)) {
      const [, path = "", folder = ""] = /^@import "\.\/((\w+)\/[^"]+)"/.exec(line) ?? [];
      assert.equal(line, `@import "./${path}"${folder === "unlayered" ? "" : ` layer(${folder})`};`, name);
      imported.add(join(CSS, path));
    }
  }
  assert.deepEqual([...imported].sort(), [...SHEETS.keys()].sort());
});

test("only a stylesheet without a layer has rules about CodeMirror's elements", () => {
  const found = [...SHEETS].flatMap(([file, text]) =>
    selectorsOf(text)
      .filter((one) => /\.cm-/.test(one.replace(/:(has|not)\([^()]*\)/g, "")) && !file.includes("unlayered"))
      .map((one) => `${file}: ${one}`),
  );
  assert.deepEqual(found, [], "CodeMirror's sheet has no layer and would win");
});

test("a class of one word is a block, or a selector says whose it is", () => {
  const kinds = filesIn("templates", /\.html$/).flatMap((file) => /block kind %\}([\w-]+)/.exec(readFileSync(file, "utf8"))?.[1] ?? []);
  const names = [...SHEETS.keys()].map((file) => basename(file, ".css"));
  const blocks = new Set([...SHARED, ...kinds, ...names.flatMap((name) => [name, `${name}s`, name.replace(/s$/, "")])]);
  for (const text of SHEETS.values()) {
    const classes = classesIn(selectorsOf(text).join(" "));
    for (const one of classes) if (classes.some((part) => part.startsWith(`${one}-`))) blocks.add(one);
  }
  const found = [...SHEETS].flatMap(([file, text]) =>
    selectorsOf(text)
      .filter((selector) => bareClasses(selector).some((classes) => classes.length && !classes.some((one) => blocks.has(one))))
      .map((selector) => `${file}: ${selector}`),
  );
  assert.deepEqual(found, [], "CONTRIBUTING.md, “Style in brief”, says how classes are named");
});

test("what a stylesheet names is somewhere", () => {
  const sources = [...filesIn("templates", /\.html$/), ...filesIn("static/js", /\.js$/), ...filesIn("app", /\.py$/)];
  const words = new Set(sources.flatMap((file) => readFileSync(file, "utf8").match(/[\w-]+/g) ?? []));
  const dead = [...SHEETS].flatMap(([file, text]) =>
    classesIn(selectorsOf(text).join(" "))
      .filter((name) => !words.has(name) && !COMPOSED.test(name))
      .map((name) => `${file}: .${name}`),
  );
  assert.deepEqual(dead, []);
});
