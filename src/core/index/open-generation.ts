/**
 * Open generation: the decoded root and what later reads need. Opened once, shared by requests; it holds decoded values
 * only.
 */
import type { InflateRaw } from "../bytes/capabilities.ts";
import { concatBytes } from "../bytes/writer.ts";
import {
  decodePointer,
  generationOf,
  type PreviousGeneration,
  parsePointer,
  readBuildTime,
} from "../format/generation.ts";
import {
  type CollectionInfo,
  decodeRoot,
  FORMAT_VERSION,
  isEmbedded,
  type Root,
  readRootHeader,
} from "../format/root.ts";
import { type Analyzer, type LoadAnalyzers, loadAnalyzers } from "../text/analyze.ts";
import type { Language } from "../text/language.ts";
import type { RangeSource } from "./range-source.ts";
import type { ValueCache } from "./value-cache.ts";

/** What answers say about the generation they come from. */
export interface GenerationInfo {
  /** First 12 digits of the root's hash. */
  readonly id: string;
  /** Commit of the indexed tree, or `none`. */
  readonly commit: string;
  /** Time of that commit, ISO 8601, or `""`; absent where nobody asks, see `openTimedIndex`. */
  readonly committedAt?: string;
  /** Set where files of the commit had been changed. */
  readonly dirty?: true;
  /** Set where checkers of compilers left files unanswered. */
  readonly precise?: "incomplete";
  /** When the index was built, ISO 8601; where nobody says, the time of the commit or else of storing, or `""`. */
  readonly builtAt: string;
  readonly formatVersion: number;
  readonly documents: number;
  readonly sections: number;
  readonly terms: number;
  readonly words: number;
  readonly skippedFiles: number;
  readonly diagnostics: number;
  readonly indexBytes: number;
  readonly textBytes: number;
  readonly facetKeysLeftOut: readonly string[];
}

/**
 * Most bytes of tables that are read whole beside what is looked for; larger ones are looked up where that is enough: the first
 * search of an isolate waits for them. Lists of source files are, because without them each answer takes a round more.
 */
const WHOLE_TABLE_LIMITS = { titles: 64 * 1024, facets: 64 * 1024, files: 3 * 1024 * 1024 };

export interface OpenIndex {
  readonly generation: GenerationInfo;
  readonly collections: readonly CollectionInfo[];
  readonly root: Root;
  /** Bytes of the root with its levels, as they were read. */
  readonly rootBytes: number;
  /** Name of the build log's file. */
  readonly log: string;
  readonly previous: readonly PreviousGeneration[];
  readonly source: RangeSource;
  readonly inflate: InflateRaw;
  readonly cache: ValueCache;
  readonly wholeTableLimits: Readonly<typeof WHOLE_TABLE_LIMITS>;
  /** Of the languages of its collections, and English. */
  readonly analyzers: ReadonlyMap<Language, Analyzer>;
  /** How long the build took, in milliseconds; see `openTimedIndex`. */
  readonly buildMs?: number;
}

/**
 * Open the generation that a pointer names.
 *
 * @param load Gives the analyzers of other languages than English.
 * @param storedAt When the pointer was stored, ISO 8601 or `""`.
 * @throws {FormatError} when pointer or root is damaged or newer.
 */
export async function openGeneration(
  pointerBytes: Uint8Array,
  source: RangeSource,
  inflate: InflateRaw,
  cache: ValueCache,
  load: LoadAnalyzers,
  storedAt = "",
): Promise<OpenIndex> {
  const pointer = parsePointer(pointerBytes);
  let rootBytes = pointer.rootBytes.length;
  const root = await decodeRoot(pointer.rootBytes, inflate, (name, bytes) => {
    rootBytes += bytes;
    return source.readRange(name, 0, bytes);
  });
  const analyzers = await loadAnalyzers(
    root.collections.map(({ language }) => language),
    load,
  );
  return {
    generation: describeGeneration(generationOf(pointer.root), root, storedAt),
    collections: root.collections,
    root,
    rootBytes,
    log: pointer.log,
    previous: pointer.previous,
    source,
    inflate,
    cache,
    wholeTableLimits: WHOLE_TABLE_LIMITS,
    analyzers,
  };
}

/** A root with its small levels as pointers hold them, read from their files. @throws {FormatError}. */
export async function readRoot(
  root: string,
  rootBytes: number,
  source: RangeSource,
  inflate: InflateRaw,
): Promise<Uint8Array> {
  const file = await source.readRange(root, 0, rootBytes);
  const small = (await readRootHeader(file, inflate)).levels.filter(isEmbedded);
  return concatBytes([file, ...(await Promise.all(small.map(({ name, bytes }) => source.readRange(name, 0, bytes))))]);
}

function describeGeneration(id: string, root: Root, storedAt: string): GenerationInfo {
  const sum = (count: (collection: CollectionInfo) => number): number =>
    root.collections.reduce((total, collection) => total + count(collection), 0);
  return {
    id,
    commit: root.commit,
    builtAt: root.builtAt === "" ? storedAt : root.builtAt,
    formatVersion: FORMAT_VERSION,
    documents: sum((collection) => collection.documents),
    sections: sum((collection) => collection.sections),
    terms: root.shards.reduce((total, shard) => total + shard.terms, 0),
    words: sum((collection) => collection.words),
    skippedFiles: root.skippedFiles,
    diagnostics: root.diagnostics,
    indexBytes: root.indexBytes,
    textBytes: root.textBytes,
    facetKeysLeftOut: root.facetKeysLeftOut,
  };
}

/**
 * The index that `open` opens, with `buildMs` and the time of the build.
 *
 * @throws {FormatError} when pointer or root is damaged or newer, or the pointer has names that no index file has.
 */
export async function openTimedIndex(
  pointerBytes: Uint8Array,
  open: (pointerBytes: Uint8Array) => Promise<OpenIndex>,
): Promise<OpenIndex> {
  decodePointer(pointerBytes);
  const index = withTimes(await open(pointerBytes));
  const built = readBuildTime(pointerBytes);
  return built === undefined ? index : { ...withTimes(index, built.at), buildMs: built.ms };
}

/** The index with what its root says of the commit, and when it was built where that is known. */
export function withTimes(index: OpenIndex, builtAt = index.generation.builtAt): OpenIndex {
  const { builtAt: committedAt, dirty, precise } = index.root;
  const more = { ...(dirty === true && { dirty }), ...(precise !== undefined && { precise }) };
  return { ...index, generation: { ...index.generation, committedAt, ...more, builtAt } };
}

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
