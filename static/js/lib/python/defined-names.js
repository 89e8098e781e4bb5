/** Whether a program defines a name at its top level by assignment, def, class, import, for or with, judging by its lines alone. */

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
