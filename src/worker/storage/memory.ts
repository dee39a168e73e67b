/**
 * How much memory one isolate spends on an index. A Worker's isolate has 128 MB in all; Treeline means to stay under 64.
 *
 * The cache is one for all corpora, and counts what decoded values really take within a quarter (`bench/measure-memory.ts`). Beside it stand the open
 * root (about half a megabyte for 10,000 pages; two while a new generation is taken up), those of other corpora within the
 * bounds below, what a request holds while it runs, decoded values of chunks (8 MB, `decodeOnce`), and words that analyzers remember (about 3 MB for each language that is
 * searched).
 */

/** Decoded chunks, texts and tables of one isolate, of all corpora and generations together. */
export const MAX_CACHE_BYTES = 32 * 1024 * 1024;

/** What took much work to make, of all corpora and generations: names in order, answers. */
export const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/**
 * Memory of an open generation by the size of its root as it is stored, deflated: 28 as measured (`measureRoot` in
 * `test/support/measure-memory.ts`; the roots of 475 pages and of a compiler's sources), and some more to be sure.
 */
export const OPEN_BYTES_A_ROOT_BYTE = 32;
/** Open generations of all corpora with a name together: about ten corpora of 10,000 pages. */
export const MAX_OPEN_BYTES = 6 * 1024 * 1024;
/** Corpora with a name that are open at once, however small they are. Another one costs a read of a pointer. */
export const MAX_OPEN_CORPORA = 16;
