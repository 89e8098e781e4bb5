/** Reads server-sent events from the body of a fetch, since EventSource cannot send a POST request. */

/** @typedef {{id: string, event: string, data: string}} StreamEvent */

/**
 * Yields each event of a stream as soon as its blank line has arrived.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<StreamEvent>}
 */
export async function* readEvents(body) {
  const reader = body
    .pipeThrough(/** @type {TransformStream<Uint8Array, string>} */ (/** @type {unknown} */ (new TextDecoderStream())))
    .getReader();
  const blocks = new Blocks();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      for (const block of blocks.take(value)) {
        const event = parseBlock(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/**
 * Splits text into blocks at blank lines. An unfinished block is stored as pieces, so that a line of megabytes is joined and searched only
 * once.
 */
class Blocks {
  /** @type {string[]} */
  #pieces = [];

  /** Adds a piece of text and returns the blocks that it completes. @param {string} text @returns {string[]} */
  take(text) {
    // a blank line can be split across two pieces: at most three of its characters, with the line end before it and \r, are in the first
    const before = this.#pieces.pop() ?? "";
    const [ending = "", ...rest] = (before + text).split(/\r?\n\r?\n/);
    if (rest.length === 0) {
      this.#keep(ending);
      return [];
    }
    const first = this.#pieces.join("") + ending;
    this.#pieces = [];
    this.#keep(rest.pop() ?? "");
    return [first, ...rest];
  }

  /** @param {string} text */
  #keep(text) {
    this.#pieces.push(text.slice(0, -3), text.slice(-3));
  }
}

/** Parses one block of lines; null for a comment. @param {string} block @returns {StreamEvent | null} */
export function parseBlock(block) {
  /** @type {Record<string, string>} */
  const fields = {};
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, "");
    fields[name] = name in fields ? `${fields[name]}\n${value}` : value;
  }
  if (fields["data"] === undefined) return null;
  return { id: fields["id"] ?? "", event: fields["event"] ?? "message", data: fields["data"] };
}
