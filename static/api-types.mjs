/**
 * Writes static/js/lib/api.d.ts, the types of what the API answers with, from the OpenAPI document on standard input.
 *
 *     curl -s localhost:8000/api/openapi.json | npm run api
 */

import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

import openapiTS, { astToString } from "openapi-typescript";

const target = process.argv[2] ?? new URL("./js/lib/api.d.ts", import.meta.url);
const { openapi, info, components } = JSON.parse(await text(process.stdin));
const types = await openapiTS({ openapi, info, components, paths: {} });
await writeFile(target, `/** Written by static/api-types.mjs from the app's OpenAPI document; do not edit. */\n\n${astToString(types)}`);
