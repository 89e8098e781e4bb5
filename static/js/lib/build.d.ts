/** The hashed name of reference.json, which lies beside the scripts; empty if there was none. `static/build.mjs` puts it in. */
declare const REFERENCE_FILE: string;
