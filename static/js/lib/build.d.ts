/** The hashed names of files that lie beside the scripts; empty if there was none. `static/build.mjs` puts them in. */
declare const REFERENCE_FILE: string;
declare const FORMULAS_FILE: string;
