/**
 * How much memory one isolate spends on an index. A Worker's isolate has 128 MB in all; Treeline means to stay under 64.
 *
 * The cache counts what decoded values really take within a quarter (`bench/measure-memory.ts`). Beside it stand the open
 * root (about half a megabyte for 10,000 pages; two while a new generation is taken up), what a request holds while it
 * runs, and words that analyzers remember (about 3 MB for each language that is searched).
 */

/** Decoded chunks, texts and tables of one isolate, of all generations together. */
export const MAX_CACHE_BYTES = 32 * 1024 * 1024;
