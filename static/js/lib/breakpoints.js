/**
 * The widths at which the layout of a page changes, for scripts and for stylesheets, where NARROW is `@media (--narrow)`.
 *
 * In em, so that a reader with larger text is given the layout that has room for it.
 */

/** Too narrow for the list of lessons beside text and results. */
export const MEDIUM = "(max-width: 86em)";

/** Too narrow for results beside the text: they follow their cells. */
export const NARROW = "(max-width: 60em)";

/** Wide enough for results beside the text. */
export const WIDE = "(min-width: 60.01em)";

/** A phone. */
export const SMALL = "(max-width: 35em)";
