/**
 * Raw inflate in a page: `DecompressionStream`, which all browsers have (Chromium 103, Firefox 113, Safari 16.4), read
 * only as far as the bound.
 */
import type { InflateRaw } from "../core/bytes/codec.ts";
import { FormatError } from "../core/errors.ts";
import { readBounded } from "./read-bounded.ts";

const WHAT = "deflated data";

/** Inflate with `DecompressionStream`. */
export const inflateStream: InflateRaw = async (bytes, maxBytes) => {
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const writer = writable.getWriter();
  // What goes wrong with the bytes comes out of the reading side; from here it would be thrown a second time.
  writer.write(bytes as Uint8Array<ArrayBuffer>).catch(ignore);
  writer.close().catch(ignore);
  const inflated = await readBounded(readable, maxBytes).catch((cause: unknown) => {
    throw new FormatError(WHAT, { code: "inflate", reason: String(cause) }, { cause });
  });
  if (inflated !== undefined) return inflated;
  throw new FormatError(WHAT, { code: "out-of-range", what: "inflated size", got: maxBytes + 1, limit: maxBytes });
};

function ignore(): void {
  // Said by the other side of the stream.
}
