import assert from "node:assert/strict";
import { test } from "node:test";

import { cleanName, fileName } from "../../../../static/js/lib/program/file-name.js";

for (const [name, file] of /** @type {[string, string][]} */ ([
  ["SinhBad", "SinhBad.py"],
  ["sinh_bad.py", "sinh_bad.py"],
  ["My program 2", "My_program_2.py"],
  ["梯度", "梯度.py"],
  ["../../etc/passwd", "etc_passwd.py"],
  ["a/b\\c:d", "a_b_c_d.py"],
  ["...", "program.py"],
  ["", "program.py"],
])) {
  test(`the file of "${name}" is ${file}`, () => assert.equal(fileName(name, ".py"), file));
}

test("a name keeps whole characters when it is cut", () => {
  assert.equal(cleanName("🎓".repeat(100)), "🎓".repeat(80));
});
