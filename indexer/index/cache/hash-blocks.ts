/**
 * Hashes of pairs and words in a segment of the parse cache: in few blocks, each read when it is first asked for.
 *
 * A build on a base looks through those of all documents, another build through none: until then they take no memory.
 */
import { readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { DamagedCacheError } from "./damaged-cache.ts";

/** Some hashes in a row. No document's pairs or words lie in two blocks. */
export interface HashBlock {
  /** Place of the first one among all. */
  readonly from: number;
  readonly count: number;
  /** In the file, in bytes. */
  readonly offset: number;
  readonly check: number;
}

/** The hashes of one file. */
export class HashBlocks {
  readonly #file: number;
  readonly #blocks: readonly HashBlock[];
  readonly #read = new Map<HashBlock, Uint32Array>();

  /** @param blocks In order; more may be added to the list. */
  constructor(file: number, blocks: readonly HashBlock[]) {
    this.#file = file;
    this.#blocks = blocks;
  }

  /** Hashes from a place on. @throws {DamagedCacheError} */
  slice([from, count]: readonly [from: number, count: number]): Uint32Array {
    if (count === 0) return new Uint32Array();
    const block = this.#blocks.find((one) => from >= one.from && from + count <= one.from + one.count);
    if (block === undefined) throw new DamagedCacheError();
    const hashes = this.#read.get(block) ?? readBlock(this.#file, block);
    this.#read.set(block, hashes);
    return hashes.subarray(from - block.from, from - block.from + count);
  }
}

function readBlock(file: number, { count, offset, check }: HashBlock): Uint32Array {
  const bytes = new Uint8Array(count * 4);
  readSync(file, bytes, 0, bytes.length, offset);
  // Counts of words and pairs come of these, and would be wrong without anybody noticing.
  if (crc32(bytes) !== check) throw new DamagedCacheError();
  return new Uint32Array(bytes.buffer);
}
