/// <reference path="./node-zlib.d.ts" />
/**
 * Raw inflate in Workers, through `node:zlib`: one synchronous call, with a bound on what comes out.
 *
 * `DecompressionStream` could do it too, but costs a stream and several turns of the event loop per chunk.
 */
import { inflateRawSync } from "node:zlib";
import type { InflateRaw } from "../core/bytes/codec.ts";
import { FormatError } from "../core/errors.ts";

/** What `node:zlib` says when more would come out than allowed. */
const TOO_LARGE = "ERR_BUFFER_TOO_LARGE";

/** Inflate with `node:zlib`. */
export const inflateRaw: InflateRaw = (bytes, maxBytes) => {
  try {
    const inflated = inflateRawSync(bytes, { maxOutputLength: maxBytes });
    return new Uint8Array(inflated.buffer, inflated.byteOffset, inflated.byteLength);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const tooLarge = error instanceof Error && "code" in error && error.code === TOO_LARGE;
    throw new FormatError(
      "deflated data",
      tooLarge
        ? { code: "out-of-range", what: "inflated size", got: maxBytes + 1, limit: maxBytes }
        : { code: "inflate", reason },
      { cause: error },
    );
  }
};
