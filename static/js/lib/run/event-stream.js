/**
 * Reads server-sent events from the body of a fetch: EventSource cannot POST.
 */

/** @typedef {{id: string, event: string, data: string}} StreamEvent */

/**
 * The events of a stream, each as soon as its blank line is in.
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
 * Cuts text into blocks at blank lines. What has no end yet is kept in pieces, so that a line of megabytes is joined and looked through
 * once.
 */
class Blocks {
  /** @type {string[]} */
  #pieces = [];

  /** The blocks that end in this piece of text. @param {string} text @returns {string[]} */
  take(text) {
    // a blank line may lie across two pieces: with its line's end and \r, no more than three characters of it are in the first
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

/** One block of lines; null for a comment. @param {string} block @returns {StreamEvent | null} */
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
