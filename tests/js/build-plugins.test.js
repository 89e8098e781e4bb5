import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { build } from "esbuild";

import { customMedia } from "../../static/custom-media.mjs";
import { NARROW } from "../../static/js/lib/breakpoints.js";
import { characters, FACES } from "../../static/maths-font.mjs";

/** What the plugin makes of a stylesheet. @param {string} css */
async function built(css) {
  const folder = await mkdtemp(join(tmpdir(), "gradroom-"));
  const file = join(folder, "static/css/one.css");
  try {
    await mkdir(join(folder, "static/css"), { recursive: true });
    await writeFile(file, css);
    const result = await build({
      entryPoints: [file],
      bundle: true,
      write: false,
      minify: true,
      plugins: [customMedia],
      logLevel: "silent",
    });
    return result.outputFiles[0]?.text;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("a named width in a stylesheet is that of the scripts", async () => {
  const css = await built("@media screen and (--narrow) { p { top: var(--narrow) } }");
  assert.equal(css?.trim(), `@media screen and ${NARROW.replace(": ", ":")}{p{top:var(--narrow)}}`);
});

test("a width that has no such name ends the build", async () => {
  await assert.rejects(built("@media (--narow) { p { top: 0 } }"), /breakpoints\.js has no \(--narow\)/);
});

test("no character is in two faces of the font for mathematics", () => {
  const all = Object.values(FACES).flatMap((ranges) => [...characters(ranges)]);
  assert.deepEqual(
    all.filter((one, index) => all.indexOf(one) !== index),
    [],
  );
});
