/** Which names a program gives itself at its first level, as far as its lines tell: by assignment, def, class and import. */

/** @param {string} source @param {string} name a Python name */
export function defines(source, name) {
  const word = name.replace(/[^\p{L}\p{N}_]/gu, "");
  if (word !== name || !word) return false;
  const places = [
    `(?:async +)?def +${word}\\b`,
    `class +${word}\\b`,
    `(?:\\(?[\\w.\\[\\]]+,\\s*)*\\(?${word}\\s*(?:,[^=\\n]*)?\\)?\\s*(?::[^=\\n]+)?=(?!=)`,
    `(?:import|from) .*\\b${word}\\b *(?:,|\\)|$)`,
    `(?:for|with) .*\\b${word}\\b.*:`,
  ];
  return places.some((place) => new RegExp(`^${place}`, "mu").test(source));
}
