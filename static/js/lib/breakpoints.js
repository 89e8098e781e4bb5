/**
 * The widths at which the layout of a page changes, for scripts and for stylesheets, where NARROW is `@media (--narrow)`.
 *
 * They are in em, so that a reader with larger text gets a layout that has room for it.
 */

/** At this width there is no room for the list of lessons beside the text and the results. */
export const MEDIUM = "(max-width: 86em)";

/** At this width there is no room for results beside the text: the results follow their cells. */
export const NARROW = "(max-width: 60em)";

/** At this width the results have room beside the text. */
export const WIDE = "(min-width: 60.01em)";

/** At this width the screen is a phone's. */
export const SMALL = "(max-width: 35em)";
