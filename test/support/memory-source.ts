/**
 * Index files in memory, as the core reads them, and a source around any other that counts what is read.
 */
import { FormatError, StaleGenerationError } from "../../src/core/errors.ts";
import { POINTER_FILE, type PointerObject, type RangeSource } from "../../src/core/index/range-source.ts";

/** A range source over these files. The pointer is one of them; its tag changes with its bytes. */
export function createMemorySource(files: ReadonlyMap<string, Uint8Array>): RangeSource {
  const tags = new Map<Uint8Array, string>();
  const tagOf = (bytes: Uint8Array): string => {
    const tag = tags.get(bytes) ?? `tag ${tags.size}`;
    tags.set(bytes, tag);
    return tag;
  };
  return {
    async readRange(file, offset, length) {
      const bytes = files.get(file);
      if (bytes === undefined) throw new StaleGenerationError(file);
      const have = Math.max(0, Math.min(length, bytes.length - offset));
      if (have < length) throw new FormatError(file, { code: "truncated", need: length, have });
      return bytes.slice(offset, offset + length);
    },
    async readPointer(knownEtag): Promise<PointerObject | "unchanged" | undefined> {
      const bytes = files.get(POINTER_FILE);
      if (bytes === undefined) return undefined;
      const etag = tagOf(bytes);
      return etag === knownEtag ? "unchanged" : { bytes: bytes.slice(), etag };
    },
  };
}

/** A read that a counting source passed on. */
export interface CountedRead {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** A range source that writes down what is read through it. */
export interface CountingSource extends RangeSource {
  /** Every range in the order in which it was asked for. */
  readonly reads: readonly CountedRead[];
  /** Most reads that were under way at one time. */
  readonly mostAtOnce: number;
  /** Rounds: how often reads began while none was under way. */
  readonly rounds: number;
  readonly pointerReads: number;
  /** Forget what was counted. */
  reset(): void;
}

/** Count what is read from `source`. Each answer comes a turn of the event loop later, as from a real storage. */
export function countReads(source: RangeSource): CountingSource {
  let reads: CountedRead[] = [];
  let underWay = 0;
  let mostAtOnce = 0;
  let rounds = 0;
  let pointerReads = 0;
  return {
    get reads() {
      return reads;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    get rounds() {
      return rounds;
    },
    get pointerReads() {
      return pointerReads;
    },
    reset() {
      reads = [];
      mostAtOnce = 0;
      rounds = 0;
      pointerReads = 0;
    },
    async readRange(file, offset, length) {
      reads.push({ file, offset, length });
      if (underWay === 0) rounds++;
      underWay++;
      mostAtOnce = Math.max(mostAtOnce, underWay);
      try {
        const bytes = await source.readRange(file, offset, length);
        await new Promise((resolve) => setTimeout(resolve));
        return bytes;
      } finally {
        underWay--;
      }
    },
    readPointer(knownEtag) {
      pointerReads++;
      return source.readPointer(knownEtag);
    },
  };
}
