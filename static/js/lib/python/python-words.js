/** Python's keywords and built-in names. Completion offers them even if the reference cannot be loaded. */

export const KEYWORDS = (
  "False None True and as assert async await break class continue def " +
  "del elif else except finally for from global if import in is lambda " +
  "nonlocal not or pass raise return try while with yield"
).split(" ");

export const BUILTINS = (
  "abs all any bin bool bytes " +
  "callable chr complex dict dir divmod enumerate filter float format frozenset getattr hasattr hash hex id int " +
  "isinstance issubclass iter len list map max min next object oct ord " +
  "pow print property range repr reversed round set setattr slice sorted " +
  "staticmethod str sum super tuple type vars zip"
).split(" ");
