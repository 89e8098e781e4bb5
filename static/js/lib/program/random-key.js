/** A unique key: 128 random bits in hexadecimal. `crypto.randomUUID` is missing on pages without encryption. */
export function randomKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
