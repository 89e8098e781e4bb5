/**
 * Encodes a program in the fragment of an address, which browsers do not send to servers: `#program=1.` and JSON, deflated, in base64url.
 *
 * Anybody can make a link, so its size is limited before and after it is inflated, and each field is checked.
 */

import { cleanName } from "./file-name.js";

/** @typedef {{name: string, source: string, runtime: string}} SharedProgram */

const BEGIN = "#program=";
const VERSION = "1.";
/** The server's limit: a longer source cannot be run. */
const MOST_SOURCE_BYTES = 65_536;
const MOST_CHARACTERS = 200_000;
const MOST_INFLATED_BYTES = 500_000;

/** Raised for a link that does not contain a valid program. */
export class BrokenLink extends Error {}

/** The fragment that contains a program; raises a RangeError if its source is too long to be run. @param {SharedProgram} program */
export async function encodeProgram({ name, source, runtime }) {
  if (bytesOf(source) > MOST_SOURCE_BYTES) throw new RangeError("the program is too long");
  const json = new TextEncoder().encode(JSON.stringify({ name, source, runtime }));
  const deflated = new Blob([json]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return BEGIN + VERSION + toBase64(new Uint8Array(await new Response(deflated).arrayBuffer()));
}

/** Whether a fragment claims to contain a program. @param {string} fragment */
export function carriesProgram(fragment) {
  return fragment.startsWith(BEGIN);
}

/** The program that a fragment contains; raises BrokenLink. @param {string} fragment @returns {Promise<SharedProgram>} */
export async function decodeProgram(fragment) {
  const coded = fragment.slice(BEGIN.length + VERSION.length);
  if (!fragment.startsWith(BEGIN + VERSION) || coded.length > MOST_CHARACTERS || !/^[\w-]+$/.test(coded))
    throw new BrokenLink("not a program");
  try {
    const json = new TextDecoder("utf-8", { fatal: true }).decode(await inflate(fromBase64(coded)));
    return check(JSON.parse(json));
  } catch (error) {
    throw error instanceof BrokenLink ? error : new BrokenLink("damaged", { cause: error });
  }
}

/** Inflates the bytes and stops at the size limit, since a few bytes can inflate to gigabytes. @param {Uint8Array<ArrayBuffer>} bytes */
async function inflate(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MOST_INFLATED_BYTES) {
      await reader.cancel();
      throw new BrokenLink("too large");
    }
    parts.push(part.value);
  }
  return new Blob(parts).arrayBuffer();
}

/** @param {any} found @returns {SharedProgram} */
function check(found) {
  const { name, source, runtime } = found ?? {};
  if (typeof name !== "string" || typeof source !== "string" || typeof runtime !== "string") throw new BrokenLink("a field is missing");
  if (bytesOf(source) > MOST_SOURCE_BYTES || !/^[a-z][a-z0-9_-]{0,31}$/.test(runtime)) throw new BrokenLink("a field is not as it must be");
  return { name: cleanName(name), source: source.replace(/\r\n?/g, "\n"), runtime };
}

/** @param {string} text */
function bytesOf(text) {
  return new TextEncoder().encode(text).length;
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {string} coded */
function fromBase64(coded) {
  return Uint8Array.from(atob(coded.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
