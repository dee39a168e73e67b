/**
 * Raw DEFLATE without compression: stored blocks only (RFC 1951, section 3.2.4).
 *
 * What zlib makes of the same input may differ from build to build, so bytes that tests and test vectors write down
 * are made with this. Every inflater reads it.
 */

const MAX_STORED = 0xffff;

/** The bytes as stored blocks, the last one marked as such. */
export function deflateStored(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MAX_STORED));
  const out = new Uint8Array(bytes.length + blocks * 5);
  let at = 0;
  for (let block = 0; block < blocks; block++) {
    const part = bytes.subarray(block * MAX_STORED, (block + 1) * MAX_STORED);
    const length = part.length;
    out.set([block === blocks - 1 ? 1 : 0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff], at);
    out.set(part, at + 5);
    at += 5 + length;
  }
  return out;
}
