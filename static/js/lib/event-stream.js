/**
 * Reads server-sent events from the body of a fetch: EventSource cannot POST.
 */

/** @typedef {{id: string, event: string, data: string}} StreamEvent */

/** The events of a stream, each as soon as its blank line is in. @param {ReadableStream<Uint8Array>} body @returns {AsyncGenerator<StreamEvent>} */
export async function* readEvents(body) {
  const reader = body.pipeThrough(/** @type {TransformStream<Uint8Array, string>} */ (/** @type {unknown} */ (new TextDecoderStream()))).getReader();
  let waiting = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (waiting + value).split(/\r?\n\r?\n/);
      waiting = blocks.pop() ?? "";
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
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
