/**
 * The one compression of the indexer: raw deflate through zlib, both ways.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { FormatError } from "../src/core/errors.ts";

/** Chunks are small and written once, read many times: the slowest level is the right one. */
const LEVEL = 9;

/** Compress as raw deflate. Same bytes in, same bytes out. */
export function deflateRaw(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { level: LEVEL });
}

/** Inflate raw deflate, at most `maxBytes` of it. @throws {FormatError} `inflate`. */
export function inflateRaw(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw new FormatError("compressed bytes", { code: "inflate", reason: (cause as Error).message }, { cause });
  }
}
