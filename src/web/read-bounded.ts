/**
 * Streams of bytes, read as far as a bound.
 */

/** All bytes of a stream; undefined, and the stream cancelled, where it gives more than `maxBytes`. */
export async function readBounded(
  stream: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  const reader = stream.getReader();
  let size = 0;
  for (let next = await reader.read(); next.value !== undefined; next = await reader.read()) {
    pieces.push(next.value);
    size += next.value.length;
    if (size <= maxBytes) continue;
    // The answer is known; what is wrong with the rest does not matter.
    await reader.cancel().catch(() => undefined);
    return undefined;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
