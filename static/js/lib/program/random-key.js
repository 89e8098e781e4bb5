/**
 * A name that nobody else has made: 128 bits at random, in hexadecimal. `crypto.randomUUID` is not there where a page came without
 * encryption.
 */
export function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
