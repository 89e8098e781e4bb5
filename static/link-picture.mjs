/** Draws, as SVG, the picture that a link to one page shows elsewhere. The colours are those of tokens.css, in light. */

/** @typedef {{lang: "en" | "zh-Hans", title: string, chapter: string, term: string}} Title `chapter` and `term` may be empty */

const TEXT_WIDTH = 690;
const LEFT = 84;
const MIDDLE = 350; // of the title's lines and what stands around them
const SIZES = [76, 68, 60];
const SMALLEST = 52;
const MARKS = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Draws the picture of a page; without a title, that of all pages that have none of their own. @param {Title | null} title */
export function draw(title) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="#fcfbf8"/>
<rect width="1200" height="12" fill="#3b4cca"/>
${graph()}
${title ? brand(LEFT, 72, 52) + words(title) : brand(LEFT, 243, 144)}
</svg>`;
}

/** A graph: two leaves, two operations, and their result. A node is [x, y, width, radius, stroke, fill]; an edge is [x, y, x, y]. */
const NODES = [
  [905, 150, 112, 12, "#2f7a4b", "#e4f3e9"],
  [1075, 150, 112, 12, "#2f7a4b", "#e4f3e9"],
  [905, 270, 132, 29, "#b4470f", "#fbeadf"],
  [990, 390, 132, 29, "#b4470f", "#fbeadf"],
  [990, 510, 112, 12, "#2f6f8f", "#e3f0f5"],
];
const EDGES = [
  [905, 182, 905, 236],
  [924, 302, 968, 356],
  [1064, 182, 1004, 356],
  [990, 422, 990, 476],
];

function graph() {
  const nodes = NODES.map(([x, y, width, radius, stroke, fill]) => {
    const left = Number(x) - Number(width) / 2;
    return `<rect x="${left}" y="${Number(y) - 29}" width="${width}" height="58" rx="${radius}" stroke="${stroke}" fill="${fill}"/>`;
  });
  const edges = EDGES.map(([x1 = 0, y1 = 0, x2 = 0, y2 = 0]) => {
    const degrees = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    const head = `<path d="M0 0L-17 -8V8z" fill="#5d666f" stroke="none" transform="translate(${x2} ${y2}) rotate(${degrees})"/>`;
    return `<path d="M${x1} ${y1}L${x2 - (x2 - x1) * 0.12} ${y2 - (y2 - y1) * 0.12}" stroke="#5d666f"/>${head}`;
  });
  return `<g stroke-width="4">${[...edges, ...nodes].join("\n")}</g>`;
}

/** @param {number} left @param {number} top @param {number} size */
function brand(left, top, size) {
  const scale = size / 28;
  return `<g transform="translate(${left} ${top}) scale(${scale})"><rect width="28" height="28" rx="8" fill="#3b4cca"/><path
d="M7.5 9h13L14 20.5z" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/></g>
<text x="${left + size * 1.36}" y="${top + size * 0.72}" font-family="Inter" font-size="${size * 0.68}"
fill="#1c2126">Gradroom</text>`;
}

/** The chapter's name, below it the title, and below that the term. @param {Title} title */
function words({ lang, title, chapter, term }) {
  const { size, lines } = fit(title, lang);
  const leading = size * (lang === "en" ? 1.14 : 1.3);
  const first = MIDDLE - ((lines.length - 1) * leading) / 2 + (chapter ? 20 : 0) - (term ? 20 : 0);
  const rows = lines.map(
    (line, index) =>
      `<text x="${LEFT}" y="${Math.round(first + index * leading)}" font-family="Inter" font-size="${size}"
letter-spacing="${lang === "en" ? -0.02 * size : 0}" fill="#1c2126">${escapeMarks(line)}</text>`,
  );
  if (chapter)
    rows.push(`<text x="${LEFT}" y="${Math.round(first - size * 1.3)}" font-family="Inter" font-size="30"
fill="#4c555e">${escapeMarks(chapter)}</text>`);
  if (term) rows.push(chip(term, Math.round(first + (lines.length - 1) * leading + 46)));
  return rows.join("\n");
}

/** @param {string} term @param {number} top */
function chip(term, top) {
  const width = Math.round(unitsOf(term, 0.6) * 30) + 36;
  return `<rect x="${LEFT}" y="${top}" width="${width}" height="54" rx="10" fill="#fbeadf"/>
<text x="${LEFT + 18}" y="${top + 37}" font-family="JetBrains Mono" font-size="30" fill="#b4470f">${escapeMarks(term)}</text>`;
}

/**
 * The title in lines about equally long: two at most in the largest size in which they fit, or else what three can hold.
 * @param {string} title @param {Title["lang"]} lang
 */
function fit(title, lang) {
  const tries = SIZES.map((size) => ({ size, lines: wrap(title, lang, TEXT_WIDTH / size) }));
  const smallest = { size: SMALLEST, lines: wrap(title, lang, TEXT_WIDTH / SMALLEST).slice(0, 3) };
  return tries.find(({ lines }) => lines.length <= 2) ?? smallest;
}

/** @param {string} title @param {Title["lang"]} lang @param {number} most the width of a line in em */
function wrap(title, lang, most) {
  const count = Math.ceil(unitsOf(title) / most);
  const even = unitsOf(title) / count;
  /** @type {string[]} */
  const lines = [];
  let line = "";
  for (const piece of pieces(title, lang)) {
    const longer = line + piece;
    const isFull = unitsOf(longer.trimEnd()) > most || (lines.length < count - 1 && unitsOf(line) + unitsOf(piece) / 2 > even);
    if (line && isFull) {
      lines.push(line.trim());
      line = piece;
    } else line = longer;
  }
  return [...lines, line.trim()];
}

/** Words with the punctuation that follows them: a line breaks between two of these. @param {string} title @param {Title["lang"]} lang */
function pieces(title, lang) {
  /** @type {string[]} */
  const found = [];
  for (const { segment, isWordLike } of new Intl.Segmenter(lang, { granularity: "word" }).segment(title)) {
    const joins = !isWordLike || (lang === "en" && !/\s$/.test(found.at(-1) ?? " "));
    if (joins && found.length) found[found.length - 1] += segment;
    else found.push(segment);
  }
  return found;
}

/** About how wide a text is, in em: a Chinese character has the width 1. @param {string} text @param {number} [latin] of other characters */
function unitsOf(text, latin = 0.55) {
  return [...text].reduce((sum, one) => sum + ((one.codePointAt(0) ?? 0) > 0x2e7f ? 1 : latin), 0);
}

/** @param {string} text */
function escapeMarks(text) {
  return text.replace(/[&<>]/g, (mark) => MARKS[/** @type {keyof typeof MARKS} */ (mark)]);
}
