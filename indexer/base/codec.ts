/**
 * The one compression of the indexer: raw deflate through zlib, both ways.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { FormatError } from "../../src/core/errors.ts";

/** Chunks are small and written once, read many times: the slowest level is the right one. */
const LEVEL = 9;

/**
 * How much zlib collects before it writes a block with codes of its own. A little, for inputs of several columns: they
 * differ in their bytes more than a second set of codes costs (measured: roots become a fifth smaller).
 */
const COLUMNS_MEMORY_LEVEL = 4;

/** Room for what comes out: zlib allocates it each time, and most inputs are small. */
const LEAST_OUTPUT = 256;
const MOST_OUTPUT = 16_384;

/** Compress as raw deflate. Same bytes in, same bytes out. */
export function deflateRaw(bytes: Uint8Array): Uint8Array {
  const chunkSize = Math.min(MOST_OUTPUT, Math.max(LEAST_OUTPUT, bytes.length));
  return deflateRawSync(bytes, { level: LEVEL, chunkSize });
}

/** Compress columns as raw deflate: the same as `deflateRaw`, shorter where the bytes change their kind on the way. */
export function deflateColumns(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { level: LEVEL, memLevel: COLUMNS_MEMORY_LEVEL });
}

/** Inflate raw deflate, at most `maxBytes` of it. @throws {FormatError} `inflate`. */
export function inflateRaw(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw new FormatError("compressed bytes", { code: "inflate", reason: (cause as Error).message }, { cause });
  }
}
