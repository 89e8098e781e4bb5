/**
 * Writes the types of the API's answers for TypeScript, from the OpenAPI document on standard input, as `python -m bootstrap types` calls it.
 *
 *     node static/api-types.mjs FILE.d.ts < openapi.json
 */

import { writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";

import openapiTS, { astToString } from "openapi-typescript";

const { openapi, info, components } = JSON.parse(await text(process.stdin));
const types = await openapiTS({ openapi, info, components, paths: {} });
await writeFile(process.argv[2] ?? "", astToString(types));
