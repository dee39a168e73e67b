/**
 * The encoding that a page of HTML declares for itself, where that is not UTF-8.
 *
 * Pure: bytes in, text out.
 */

/** Where browsers look for it. */
const LOOKED_AT_BYTES = 1024;
const META = /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w:.-]{2,40})/i;

/** Label of the encoding as `TextDecoder` takes it; undefined where the page declares none, UTF-8, or one that is not known. */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return undefined;
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, LOOKED_AT_BYTES)).replace(/<!--[\s\S]*?-->/g, "");
  const label = META.exec(start)?.[1];
  if (label === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(label);
    // What declares UTF-16 in single bytes is not UTF-16: browsers take it for UTF-8, too.
    return /^utf-/.test(encoding) ? undefined : encoding;
  } catch {
    return undefined;
  }
}
