/** The script of a pitfall's page: its two programs. What the reader changes in them stays in this browser, as in the playground. */

import "./plain.js";
import { openBench } from "./bench.js";
import { readPage } from "./plain.js";

const { lang } = readPage();

openBench("pitfalls", null, (cell, source) => ({ source, runtime: cell.facts.runtime, lang }));
