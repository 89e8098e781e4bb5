/**
 * Validates data from the browser's storage. It may be from another version, incomplete, or written by another tool. Invalid data is
 * ignored, so that the page loads in any case.
 */

/** @typedef {string | ((value: any) => boolean)} Kind  results of `typeof`, "null" or "time", separated by spaces; or a test */
/**
 * @typedef {Kind | [any] | Record<string, any>} Shape  a kind; an array of one shape; or an object's fields, which can have others
 */

const LATEST_MS = 8.64e15;

/** @param {any} value @param {Shape} shape @returns {boolean} */
export function fits(value, shape) {
  if (typeof shape === "function") return shape(value);
  if (typeof shape === "string") return shape.split(" ").some((kind) => isOf(value, kind));
  if (Array.isArray(shape)) return Array.isArray(value) && value.every((one) => fits(one, shape[0]));
  return isOf(value, "object") && Object.entries(shape).every(([name, inner]) => fits(value[name], inner));
}

/** @param {...Shape} shapes @returns {Kind} */
function either(...shapes) {
  return (value) => shapes.some((shape) => fits(value, shape));
}

/**
 * The valid fields of an entry and the valid items of its lists. Fields without a shape are returned unchanged.
 * @param {Record<string, any>} entry
 * @param {Record<string, Shape>} shapes
 * @returns {Record<string, any>}
 */
function soundFields(entry, shapes) {
  const fields = Object.entries(entry).map(([name, value]) => {
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (Array.isArray(shape) && Array.isArray(value)) return [name, value.filter((one) => fits(one, shape[0]))];
    return [name, shape === undefined || fits(value, shape) ? value : undefined];
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** @param {any} value @param {string} kind */
function isOf(value, kind) {
  switch (kind) {
    case "null":
      return value === null;
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "number":
      return Number.isFinite(value);
    case "time":
      return Number.isFinite(value) && Math.abs(value) <= LATEST_MS;
    default:
      return typeof value === kind;
  }
}

const OPTIONAL_TEXT = "string null undefined";
const SENT = { source: "string", key: "string" };
const RECEIPT = { id: "string", at: (/** @type {any} */ at) => fits(Date.parse(at), "time") };
const CHECK = {
  id: "string",
  title: "string",
  passed: "boolean",
  html: OPTIONAL_TEXT,
  message: OPTIONAL_TEXT,
  explanation: OPTIONAL_TEXT,
  facts: either("undefined", [{ title: "string", value: "string" }]),
};
const SUBMISSION = {
  passed: "boolean",
  checks: [CHECK],
  hidden: { passed: "number", total: "number" },
  mistake: either("null undefined", { html: "string" }),
  after: OPTIONAL_TEXT,
  receipt: either("null undefined", RECEIPT),
};
const EXERCISE = {
  standing: (/** @type {any} */ standing) => ["new", "tried", "passed", "shown"].includes(standing),
  hints: "number",
  count: "number",
  attempts: [{ at: "time", passed: "boolean", good: "number", total: "number" }],
  judged: either("null", { source: "string", lang: "string", submission: SUBMISSION }),
  pending: either("null", SENT),
  unkept: [SENT],
};
const ANSWER = either("number string", ["number"]);
const TOLD = { said: either("null", ANSWER), answer: ANSWER, explanation: "string", lang: "string" };
const PREDICTION = { told: either("null", TOLD), first: either("null", TOLD) };

/**
 * The valid parts of a stored entry of a lesson's work.
 * @param {import("../../state/saving/kept-work.js").Kind} kind
 * @param {Record<string, any>} entry
 * @returns {Record<string, any>}
 */
export function soundWork(kind, entry) {
  if (kind === "rule") return entry;
  return soundFields(entry, kind === "exercise" ? EXERCISE : PREDICTION);
}

/**
 * The valid lists among stored data that should have one list of names for each lesson.
 * @param {unknown} kept
 * @returns {Record<string, string[]>}
 */
export function soundLists(kept) {
  return Object.fromEntries(Object.entries(kept ?? {}).filter(([, parts]) => fits(parts, ["string"])));
}

const PIECE = { stream: (/** @type {any} */ stream) => stream === "stdout" || stream === "stderr", text: "string" };
const MOST_RECORDS = 1000; // twice as many as a run shows
const RECORDS = (/** @type {any} */ records) => fits(records, [{ kind: "string" }]) && records.length <= MOST_RECORDS;
const ERROR = { type: "string", message: "string", traceback: ["object"] };
const RESULT = {
  outcome: "string",
  stdout: "string",
  stderr: "string",
  timing: { total_ms: "number" },
  records: RECORDS,
  error: either("null undefined", ERROR),
};
const KEPT_RESULTS = {
  at: "time",
  sources: (/** @type {any} */ sources) => fits(sources, "object") && Object.values(sources).every((one) => typeof one === "string"),
  state: { phase: (/** @type {any} */ phase) => phase === "done", pieces: [PIECE], records: RECORDS, result: RESULT },
};

/**
 * Whether a stored value is a cell's results in a form that the page can show.
 * @param {unknown} kept
 * @returns {kept is import("../../state/kept-results.js").Kept}
 */
export function areResults(kept) {
  return fits(kept, KEPT_RESULTS);
}
