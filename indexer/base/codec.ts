/**
 * The one compression of the indexer: raw deflate through zlib, both ways, and the dictionaries that it begins with.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { DeflateRaw } from "../../src/core/bytes/capabilities.ts";
import { FormatError } from "../../src/core/errors.ts";

/**
 * Chunks are small and written once, read many times: the slowest level is the right one. Little is collected before zlib writes a
 * block with codes of its own: columns differ in their bytes (measured: levels become a twentieth smaller), and small inputs begin faster.
 */
const OPTIONS = { level: 9, memLevel: 6 };

/** Room for what comes out: zlib allocates it each time, and most inputs are small. */
const LEAST_OUTPUT = 256;
const MOST_OUTPUT = 16_384;

/** Compresses as raw deflate without a dictionary. */
export const deflateRaw = createDeflate("");

/** Compresses as raw deflate with a dictionary, a character a byte. Same bytes in, same bytes out. */
export function createDeflate(characters: string): DeflateRaw {
  const dictionary = Buffer.from(characters, "latin1");
  return (bytes) => {
    const chunkSize = Math.min(MOST_OUTPUT, Math.max(LEAST_OUTPUT, bytes.length));
    return deflateRawSync(bytes, { ...OPTIONS, chunkSize, dictionary });
  };
}

/** Bytes of a dictionary at most, and its share of what it is made of: every reader begins with it. */
const DICTIONARY_BYTES = 8_192;
const SAMPLE_SHARE = 1 / 32;
/** Bytes of a piece of it, and of the runs in a piece that are counted. */
const PIECE = 48;
const RUN = 6;
const RUN_SLOTS = 2 ** 18;

/** Bytes that many of some samples have, a character each: of each stretch of all samples the piece whose runs stand in most of them. */
export function makeDictionary(samples: readonly Uint8Array[]): string {
  const all = Buffer.concat([...samples, Buffer.alloc(RUN)]);
  const runs = new Uint32Array(all.length);
  const counts = new Uint32Array(RUN_SLOTS);
  const lastIn = new Uint32Array(RUN_SLOTS);
  let end = 0;
  for (const [at, sample] of samples.entries()) {
    for (const stop = end + sample.length; end < stop; end++) {
      const mixed = Math.imul(all.readUInt32LE(end), 0x9e3779b1) ^ Math.imul(all.readUInt16LE(end + 4), 0x85ebca6b);
      const run = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 14;
      runs[end] = run;
      // Samples count from the second one on that has the run.
      if (lastIn[run] !== 0 && lastIn[run] !== at + 1) counts[run] = (counts[run] as number) + 1;
      lastIn[run] = at + 1;
    }
  }
  const worthAt = (at: number): number => counts[runs[at] as number] as number;
  const pieces = Math.floor(Math.min(DICTIONARY_BYTES, end * SAMPLE_SHARE) / PIECE);
  const stretch = Math.floor((end - PIECE) / pieces);
  let dictionary = "";
  for (let piece = 0; piece < pieces; piece++) {
    const from = piece * stretch;
    let [best, most, worth] = [from, 0, 0];
    for (let at = from; at < from + stretch + PIECE - RUN; at++) {
      const start = at - PIECE + RUN;
      worth += worthAt(at) - (start < from ? 0 : worthAt(start));
      if (worth > most) [best, most] = [Math.max(from, start + 1), worth];
    }
    if (most > 0) dictionary += all.toString("latin1", best, best + PIECE);
    // Later pieces gain nothing by runs that this one has.
    for (let at = best; at <= best + PIECE - RUN; at++) counts[runs[at] as number] = 0;
  }
  return dictionary;
}

/** Inflate raw deflate, at most `maxBytes` of it. @throws {FormatError} `inflate`. */
export function inflateRaw(bytes: Uint8Array, maxBytes: number): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    throw new FormatError("compressed bytes", { code: "inflate", reason: (cause as Error).message }, { cause });
  }
}
