/// <reference path="./node-zlib.d.ts" />
/**
 * Raw inflate in Workers, through `node:zlib`: one synchronous call, with a bound on what comes out.
 *
 * `DecompressionStream` could do it too, but costs a stream and several turns of the event loop per chunk.
 */
import { inflateRawSync } from "node:zlib";
import type { InflateRaw } from "../../core/bytes/capabilities.ts";
import { FormatError } from "../../core/errors.ts";

/** Inflate with `node:zlib`. */
export const inflateRaw: InflateRaw = (bytes, maxBytes) => {
  try {
    const inflated = inflateRawSync(bytes, { maxOutputLength: maxBytes });
    return new Uint8Array(inflated.buffer, inflated.byteOffset, inflated.byteLength);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // More than `maxBytes` would come out: Node and workerd both say so with a `RangeError`.
    throw new FormatError(
      "deflated data",
      error instanceof RangeError
        ? { code: "out-of-range", what: "inflated size", got: maxBytes + 1, limit: maxBytes }
        : { code: "inflate", reason },
      { cause: error },
    );
  }
};
