/** Converts SVG: inserts a record's SVG into the page with unique ids, and exports it to a file with the page's style rules. */

/**
 * Parses an SVG into an element of this page, makes its ids unique and adapts the references to them; null if the text is not an SVG.
 * @param {string} text
 * @param {string} prefix for its ids
 */
export function adoptSvg(text, prefix) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (!(root instanceof SVGSVGElement)) return null;
  for (const element of root.querySelectorAll("[id], [href], [clip-path], [fill], [stroke]")) {
    if (element.id) element.id = `${prefix}-${element.id}`;
    rewrite(element, "href", /^#/, `#${prefix}-`);
    for (const attribute of ["clip-path", "fill", "stroke"]) rewrite(element, attribute, /^url\(#/, `url(#${prefix}-`);
  }
  return /** @type {SVGSVGElement} */ (document.adoptNode(root));
}

/** @param {Element} element @param {string} attribute @param {RegExp} start @param {string} replacement */
function rewrite(element, attribute, start, replacement) {
  const value = element.getAttribute(attribute);
  if (value !== null) element.setAttribute(attribute, value.replace(start, replacement));
}

/**
 * The SVG as a file, with the page's rules for such pictures, in the light theme's colours.
 * @param {string} text
 * @param {RegExp} rules matches the selectors of the rules to include
 */
export function exportSvg(text, rules) {
  const taken = [...document.styleSheets]
    .flatMap(unlayered)
    .filter((rule) => rule instanceof CSSStyleRule && rules.test(rule.selectorText));
  const tokens = getComputedStyle(document.documentElement);
  const style = taken
    .map((rule) => rule.cssText)
    .join("\n")
    .replace(/var\((--[\w-]+)\)/g, (_, name) => tokens.getPropertyValue(name).trim())
    .replace(/light-dark\(([^,()]+),[^()]*\)/g, "$1");
  return text.replace(/(<svg[^>]*>)/, (open) => `${open}<style>${style.replace(/[<&]/g, "")}</style>`);
}

/** The rules of a stylesheet and of the layers in it. @param {CSSStyleSheet | CSSLayerBlockRule} list @returns {CSSRule[]} */
function unlayered(list) {
  return [...list.cssRules].flatMap((rule) => (rule instanceof CSSLayerBlockRule ? unlayered(rule) : [rule]));
}
