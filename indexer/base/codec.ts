/**
 * The one compression of the indexer: raw deflate through zlib, both ways.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { DeflateRaw } from "../../src/core/bytes/capabilities.ts";
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
export const deflateRaw: DeflateRaw = createDeflate("");

/** Compress as raw deflate with a dictionary, as `makeDictionary` made it; none where it is empty. */
export function createDeflate(text: string): DeflateRaw {
  const dictionary = text === "" ? undefined : Buffer.from(text, "latin1");
  return (bytes) => {
    const chunkSize = Math.min(MOST_OUTPUT, Math.max(LEAST_OUTPUT, bytes.length));
    return deflateRawSync(bytes, { level: LEVEL, chunkSize, dictionary });
  };
}

/** A dictionary takes so many bytes at most, and such a share of what it is made of: every reader begins with it. */
const DICTIONARY_BYTES = 8_192;
const SAMPLE_SHARE = 1 / 32;
/** Bytes of a piece of it, and of the runs in a piece that are counted. */
const PIECE = 48;
const RUN = 6;
const RUN_SLOTS = 2 ** 18;

/**
 * Bytes that stand in many of some samples, a character each: of each stretch of all samples the piece whose runs stand in most of them.
 */
export function makeDictionary(samples: readonly Uint8Array[]): string {
  const all = Buffer.concat([...samples, Buffer.alloc(RUN)]);
  const runs = new Uint32Array(all.length);
  const counts = new Uint32Array(RUN_SLOTS);
  const lastIn = new Uint32Array(RUN_SLOTS);
  let end = 0;
  for (const [before, { length }] of samples.entries()) {
    for (let at = end; at < end + length; at++) {
      const mixed = Math.imul(all.readUInt32LE(at), 0x9e3779b1) ^ Math.imul(all.readUInt16LE(at + 4), 0x85ebca6b);
      const run = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 14;
      runs[at] = run;
      if (lastIn[run] === before + 1) continue;
      lastIn[run] = before + 1;
      counts[run] = (counts[run] as number) + 1;
    }
    end += length;
  }
  const pieces = Math.floor(Math.min(DICTIONARY_BYTES, end * SAMPLE_SHARE) / PIECE);
  const chosen: { readonly worth: number; readonly start: number }[] = [];
  // A run of one sample is worth nothing, and one that a piece has is worth nothing in the next.
  const worthOf = (at: number): number => Math.max(0, (counts[runs[at] as number] as number) - 1);
  for (let piece = 0; piece < pieces; piece++) {
    const from = Math.floor((piece * (end - PIECE)) / pieces);
    const to = Math.floor(((piece + 1) * (end - PIECE)) / pieces);
    let best = { worth: 0, start: from };
    let worth = 0;
    for (let at = from; at < from + PIECE - RUN; at++) worth += worthOf(at);
    for (let start = from; start < to; start++) {
      worth += worthOf(start + PIECE - RUN);
      if (worth > best.worth) best = { worth, start };
      worth -= worthOf(start);
    }
    if (best.worth > 0) chosen.push(best);
    for (let at = best.start; at <= best.start + PIECE - RUN; at++) counts[runs[at] as number] = 0;
  }
  chosen.sort((a, b) => a.worth - b.worth);
  return chosen.map(({ start }) => all.toString("latin1", start, start + PIECE)).join("");
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
