/** An index as it is kept, whatever copies of it caches hold. Pure. */
import type { OpenIndex } from "./open-generation.ts";

/**
 * The same index, read past every cache on the way and past what was decoded before; what is read anew takes its place
 * there.
 */
export function pastCaches(index: OpenIndex): OpenIndex {
  const { source, cache } = index;
  return {
    ...index,
    source: {
      readRange: (file, offset, length) =>
        source.readFresh === undefined
          ? source.readRange(file, offset, length)
          : source.readFresh(file, offset, length),
      readPointer: (knownEtag) => source.readPointer(knownEtag),
    },
    cache: { get: () => undefined, set: (key, value, bytes) => cache.set(key, value, bytes) },
  };
}
