/**
 * Grep: the lines of all texts that match some patterns, as `grep -n` would find them in the files. A line is what
 * stands between line feeds, as it is to `grep`; a carriage return belongs to its line.
 *
 * First the chunks of the gram table are read, with the resident tables that are not in memory. Then the texts of the
 * documents that can match any of the patterns, in a fixed order, batch by batch, until all are scanned or a bound is
 * reached. An answer is complete, or says at which document the next call goes on.
 *
 * What is read and scanned depends on the index and the request alone, never on what happens to be in memory: the
 * pages of an answer must be pages of one list.
 */
import { utf8Length } from "../bytes/encodings.ts";
import { checkFilter, selectDocuments } from "../docs/facets.ts";
import type { FacetFilter } from "../docs/model.ts";
import { makeDocumentId, makeUrl } from "../docs/node-id.ts";
import { collectionOf, countUnits, hasDocument, textBytes, unitsOf } from "../format/locator.ts";
import type { BlockSection, TextBlock } from "../format/text-block.ts";
import { addedBytes, type BlockRead, type IndexReader, type VisibleShard } from "../index/index-reader.ts";
import { blockReads, readWithResident, residentTable } from "../index/resident.ts";
import { MAX_CONCURRENT_READS, measureReads } from "../index/waves.ts";
import { countLines, endOfLine, linesOf } from "../text/lines.ts";
import { compareNames } from "../text/names.ts";
import { OutOfWorkError } from "./automaton.ts";
import { type Candidates, findCandidates, type GramLookup, planLookup, readsOf } from "./grep-candidates.ts";
import type { Need } from "./grep-needs.ts";

export interface GrepBounds {
  /** Reads of the call, that of the pointer among them. Each batch of texts may take what the lookup leaves of them. */
  readonly reads: number;
  /** Reads for the grams of a pattern, and where fewer would narrow nothing. */
  readonly lookups: number;
  readonly mostLookups: number;
  /** Reads that lookups of all patterns make do with, through the gaps between them. */
  readonly lookupReads?: number;
  readonly batches: number;
  /** Compressed bytes of the texts of a batch, and bytes with what lies between them. */
  readonly textBytes: number;
  readonly readBytes: number;
  /** Bytes of text that are scanned. */
  readonly scannedBytes: number;
}

/** Twelve reads and 2 MB of text: what `grep_documents` promises. */
const SMALL_BOUNDS: GrepBounds = {
  reads: 12,
  lookups: 4,
  mostLookups: 7,
  batches: 1,
  textBytes: 1_200_000,
  readBytes: 4_000_000,
  scannedBytes: 2_000_000,
};
/** About two seconds of CPU, most of it for inflating texts: some thousand files. */
export const LARGE_BOUNDS: GrepBounds = {
  reads: 40,
  lookups: 8,
  mostLookups: 32,
  lookupReads: 12,
  batches: 4,
  textBytes: 4_000_000,
  readBytes: 6_000_000,
  scannedBytes: 32_000_000,
};
/** Work of matchers in one call, in characters looked at: about one and a half seconds. */
const MAX_WORK = 400_000_000;
/** As how many characters a step counts of a matcher that makes its states anew. */
const STEP_WORK = 12;
/** Steps to find out where in a line a match begins. */
const START_STEPS = 5_000_000;
/** Reads that are left for texts in any case. */
const LEAST_TEXT_READS = 3;
/** Documents of more than this share of a batch are scanned last, so that a bundle does not take the place of a hundred files. */
const LARGE_SHARE = 0.25;

export interface GrepPattern {
  /** What a text must hold for any of its lines to match. */
  readonly need: Need;
  /** Steps of the matcher so far, beside looking at characters, and past which it throws an `OutOfWorkError`. */
  readonly work: { readonly stepsTaken: number; mostSteps: number };
  /** Finds the next place of a text, from one on, whose line may match; -1 without one. */
  readonly finder: (text: string) => (from: number) => number;
  /** Whether a line that the finder found does match. */
  readonly matches: (text: string, begin: number, end: number) => boolean;
  /** Where the leftmost match in a line begins, in UTF-16 units; -1 without one. */
  readonly start: (line: string) => number;
}

interface GrepScope {
  /** Only this collection; `""` = all. */
  readonly collection: string;
  /** Only documents whose path it accepts. */
  readonly acceptsPath: (path: string) => boolean;
  readonly filter: FacetFilter;
}

interface ScanRequest extends GrepScope {
  readonly patterns: readonly GrepPattern[];
  readonly bounds: GrepBounds;
  /** Documents that can match and were scanned by calls before. */
  readonly from: number;
  /** Documents with a lower number are scanned first; all alike when absent. */
  readonly priority?: (documentId: string) => number;
}

/** A line that matches: its number, 1-based, and where it stands in the text. */
interface HitLine {
  readonly line: number;
  readonly begin: number;
  readonly end: number;
}

/** A document that was scanned, with the lines that match. */
export interface ScannedFile {
  readonly id: string;
  readonly collection: string;
  readonly path: string;
  readonly text: string;
  /** Its sections, in order; a long one several times. */
  readonly sections: readonly BlockSection[];
  /** Of each pattern. */
  readonly lines: readonly (readonly HitLine[])[];
}

export interface GrepScan {
  /** Documents in which a pattern matches, in the order of the scan. */
  readonly files: readonly ScannedFile[];
  /** Documents that can match, as far as grams, filters and paths tell, and those of them that were scanned whole. */
  readonly candidates: number;
  readonly scanned: number;
  readonly bytesScanned: number;
  /** Documents that a call is to skip which goes on; undefined where nothing is left. */
  readonly next: number | undefined;
  /** Path of a document that takes more than a call may: only its first lines were scanned, and none will be later. */
  readonly cut: string | undefined;
}

interface Candidate {
  readonly shard: number;
  readonly number: number;
  readonly collection: string;
  readonly path: string;
  readonly isLarge: boolean;
  readonly priority: number;
  /** For each pattern whether it can match. */
  readonly isWanted: readonly boolean[];
}

/**
 * Scan texts for several patterns at once.
 *
 * @throws {InputError} for facets that do not exist.
 */
export async function scanTexts(reader: IndexReader, request: ScanRequest): Promise<GrepScan> {
  const { bounds } = request;
  const plans = planShards(reader, request);
  const lookups = plans.flatMap(({ lookups: own }) => own);
  const reads = plans.flatMap(({ index, lookups: own }) => own.flatMap((lookup) => readsOf(lookup, index)));
  const { tables } = await readWithResident(reader, ["locator", "facets", "titles"], reads, [], bounds.lookupReads);
  checkFilter(reader, request.filter);
  let next = 0;
  const candidates = plans.flatMap(({ index, lookups: own }) => {
    const left = own.map((lookup, at): Candidates => {
      const chunks = tables.slice(next, next + lookup.grams.length);
      next += lookup.grams.length;
      const { need } = request.patterns[at] as GrepPattern;
      return findCandidates(need, lookup, chunks, (postings) => reader.countPostings(postings));
    });
    return selectCandidates(reader, index, left, request);
  });
  candidates.sort(byOrder);
  const tableReads = lookups.reduce((sum, lookup) => sum + lookup.reads, reader.shards.length);
  const mostReads = Math.max(LEAST_TEXT_READS, bounds.reads - 1 - tableReads);
  const scan = new Scan(reader, request, candidates);
  for (let batch = 0; batch < bounds.batches && scan.isOpen; batch++) {
    const texts = fitTexts(reader, candidates.slice(scan.position), mostReads, bounds);
    const { blocks } = await reader.read([], texts.blocks.flat(), texts.maxReads);
    let first = 0;
    for (const { length } of texts.blocks) {
      if (scan.isOpen) scan.add(blocks.slice(first, first + length));
      first += length;
    }
  }
  reader.countScanned(scan.charged);
  const { files, position, scanned, bytes, cut } = scan;
  return {
    files,
    candidates: candidates.length,
    scanned,
    bytesScanned: bytes,
    next: position < candidates.length ? position : undefined,
    cut: cut === undefined ? undefined : (candidates[cut] as Candidate).path,
  };
}

/** Documents that a request may look into, whatever the patterns. The resident tables must be in memory. */
function countSelected(reader: IndexReader, scope: GrepScope): number {
  return shardsOf(reader, scope).reduce(
    (sum, { index }) => sum + selectCandidates(reader, index, ["all"], scope).length,
    0,
  );
}

interface ShardPlan extends VisibleShard {
  /** Of each pattern. */
  readonly lookups: readonly GramLookup[];
}

function shardsOf(reader: IndexReader, { collection }: GrepScope): readonly VisibleShard[] {
  const group = reader.collections.find(({ name }) => name === collection)?.access;
  return reader.shards.filter(({ root }) => collection === "" || root.group === group);
}

/** Grams to look up in each shard: one read is for its resident tables, some are for text. */
function planShards(reader: IndexReader, request: ScanRequest): ShardPlan[] {
  const { patterns, bounds } = request;
  const shards = shardsOf(reader, request);
  const share = (reads: number): number => Math.floor(reads / Math.max(1, shards.length));
  const most = Math.max(0, Math.min(bounds.mostLookups, bounds.reads - 1 - reader.shards.length - LEAST_TEXT_READS));
  return shards.map((shard): ShardPlan => {
    const directory = shard.root.tables.trigrams;
    const wanted = share(Math.min(bounds.lookups, most));
    return { ...shard, lookups: patterns.map((pattern) => planLookup(pattern.need, directory, wanted, share(most))) };
  });
}

/** @param left For each pattern the documents that can match. */
function selectCandidates(
  reader: IndexReader,
  shard: number,
  left: readonly Candidates[],
  { collection, filter, acceptsPath, bounds, priority }: GrepScope & Partial<ScanRequest>,
): Candidate[] {
  const locator = residentTable(reader, shard, "locator");
  const titles = residentTable(reader, shard, "titles");
  const selected = selectDocuments(reader, shard, filter);
  const sets = left.map((numbers) => (numbers === "all" ? undefined : new Set(numbers)));
  const isAny = sets.includes(undefined);
  const numbers = isAny
    ? Array(titles.slots).keys()
    : new Set(left.flatMap((own) => [...(own as Uint32Array)])).values();
  const largeBytes = (bounds?.textBytes ?? 0) * LARGE_SHARE;
  const found: Candidate[] = [];
  for (const number of numbers) {
    const name = titles.at(number);
    if (!hasDocument(locator, number) || name === undefined || selected?.[number] === 0) continue;
    const own = reader.collectionAt(collectionOf(locator, number)).name;
    if ((collection !== "" && own !== collection) || !acceptsPath(name.path)) continue;
    found.push({
      shard,
      number,
      collection: own,
      path: name.path,
      isLarge: textBytes(locator, number) > largeBytes,
      priority: priority?.(makeDocumentId(own, name.path)) ?? 0,
      isWanted: sets.map((set) => set?.has(number) ?? true),
    });
  }
  return found;
}

function byOrder(a: Candidate, b: Candidate): number {
  return (
    Number(a.isLarge) - Number(b.isLarge) ||
    a.priority - b.priority ||
    compareNames(a.collection, b.collection) ||
    compareNames(a.path, b.path)
  );
}

/** The next documents to scan, and the reads to get them with. */
interface FittingTexts {
  /** Per document. Of the very first there may be some blocks only, where it is larger than the bounds. */
  readonly blocks: readonly (readonly BlockRead[])[];
  readonly maxReads: number;
}

function fitTexts(
  reader: IndexReader,
  candidates: readonly Candidate[],
  mostReads: number,
  { textBytes: mostBytes, readBytes }: GrepBounds,
): FittingTexts {
  const documents: BlockRead[][] = [];
  let bytes = 0;
  for (const { shard, number } of candidates) {
    const locator = residentTable(reader, shard, "locator");
    bytes += textBytes(locator, number);
    if (bytes > mostBytes && documents.length > 0) break;
    documents.push(cutBlocks(blockReads(reader, shard, number, unitsOf(locator, number)), mostBytes));
  }
  // A document's blocks lie back to back.
  const ranges = documents.map((blocks) => {
    const { shard, place: start } = blocks[0] as BlockRead;
    const first = reader.rangeOf(shard, start);
    return { ...first, length: blocks.reduce((sum, { unit, place }) => sum + addedBytes(unit, place), 0) };
  });
  const fits = (count: number, reads: number): boolean => {
    const read = measureReads(ranges.slice(0, count), reads);
    return read !== undefined && read <= readBytes;
  };
  // One round of reads where it gets everything, else all that there are.
  const maxReads =
    mostReads > MAX_CONCURRENT_READS && fits(documents.length, MAX_CONCURRENT_READS) ? MAX_CONCURRENT_READS : mostReads;
  let low = Math.min(1, documents.length);
  let high = documents.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle, maxReads)) low = middle;
    else high = middle - 1;
  }
  return { blocks: documents.slice(0, low), maxReads };
}

/** The first blocks of a document, as many as a call may read. */
function cutBlocks(blocks: readonly BlockRead[], mostBytes: number): BlockRead[] {
  let bytes = 0;
  return blocks.filter(({ unit, place }, at) => {
    bytes += addedBytes(unit, place);
    return at === 0 || bytes <= mostBytes;
  });
}

/** Scans the texts of candidates, one after another, until a bound is reached. */
class Scan {
  readonly #reader: IndexReader;
  readonly #request: ScanRequest;
  readonly #candidates: readonly Candidate[];
  #work = MAX_WORK;
  #isFull = false;
  /** The candidate that comes next. */
  position: number;
  readonly files: ScannedFile[] = [];
  scanned = 0;
  bytes = 0;
  /** Bytes scanned, once for each pattern. */
  charged = 0;
  /** The candidate of which only the first lines were scanned. */
  cut: number | undefined;

  constructor(reader: IndexReader, request: ScanRequest, candidates: readonly Candidate[]) {
    this.#reader = reader;
    this.#request = request;
    this.#candidates = candidates;
    this.position = request.from;
  }

  /** Whether another document may be scanned. */
  get isOpen(): boolean {
    return !this.#isFull && this.position < this.#candidates.length;
  }

  /** Scan the next candidate, or come to a bound before it. Of the first one as much is scanned as the bounds allow. */
  add(blocks: readonly TextBlock[]): void {
    const { shard, number, collection, path, isWanted } = this.#candidates[this.position] as Candidate;
    const { patterns, bounds, from } = this.#request;
    const isFirst = this.position === from;
    const whole = blocks.map(({ text }) => text).join("");
    const isRead = blocks.length === countUnits(residentTable(this.#reader, shard, "locator"), number);
    const text = takeBytes(whole, bounds.scannedBytes - this.bytes, isRead, isFirst);
    const scans = text === undefined ? [] : patterns.map((pattern, at) => this.#scan(pattern, text, isWanted[at]));
    const isWhole = isRead && text === whole && scans.every((scan) => scan.isWhole);
    if (!isWhole) this.#isFull = true;
    if (text === undefined || (!isWhole && !isFirst)) return;
    const bytes = utf8Length(text);
    this.bytes += bytes;
    this.charged += bytes * isWanted.filter(Boolean).length;
    if (scans.some(({ lines }) => lines.length > 0)) {
      this.files.push({
        id: makeDocumentId(collection, path),
        collection,
        path,
        text,
        sections: blocks.map(({ section }) => section),
        lines: scans.map(({ lines }) => lines),
      });
    }
    if (isWhole) this.scanned++;
    else this.cut = this.position;
    this.position++;
  }

  #scan(pattern: GrepPattern, text: string, isWanted = true): { readonly lines: HitLine[]; readonly isWhole: boolean } {
    const lines: HitLine[] = [];
    if (!isWanted) return { lines, isWhole: true };
    const { work } = pattern;
    const before = work.stepsTaken;
    work.mostSteps = before + Math.max(0, this.#work - text.length) / STEP_WORK;
    this.#work -= text.length;
    const isWhole = this.#work >= 0 && untilOutOfWork(() => findLines(pattern, text, lines)) !== undefined;
    this.#work -= (work.stepsTaken - before) * STEP_WORK;
    return { lines, isWhole };
  }
}

/** Adds the lines of a text that match. @throws {OutOfWorkError} */
function findLines(pattern: GrepPattern, text: string, lines: HitLine[]): true {
  const find = pattern.finder(text);
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const found = find(at);
    if (found < 0) break;
    const begin = beginOfLine(text, found);
    const end = endOfLine(text, begin);
    line += countLines(text.slice(at, begin));
    if (pattern.matches(text, begin, end)) lines.push({ line, begin, end });
    line++;
    at = end + 1;
  }
  return true;
}

/** What is returned; undefined where it takes too much work. */
function untilOutOfWork<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof OutOfWorkError) return undefined;
    throw error;
  }
}

/**
 * The text, as far as it is to be scanned: all of it where it fits into `maxBytes`, else nothing, but of the first
 * document its first lines, since it would never fit.
 */
function takeBytes(text: string, maxBytes: number, isWhole: boolean, isFirst: boolean): string | undefined {
  if (isWhole && utf8Length(text) <= maxBytes) return text;
  if (!isFirst) return undefined;
  const bytes = utf8Length(text);
  // No character takes more than three bytes a unit, and those of ASCII take one.
  const most = bytes <= maxBytes ? text.length : bytes === text.length ? maxBytes : Math.floor(maxBytes / 3);
  return text.slice(0, text.lastIndexOf("\n", most - 1) + 1);
}

/** Where the line begins that a character, or the line feed behind it, stands in. */
export function beginOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

/** Where the leftmost match in a line begins; undefined where finding it would take too much. */
export function startIn(pattern: GrepPattern, line: string): number | undefined {
  pattern.work.mostSteps = pattern.work.stepsTaken + START_STEPS;
  return untilOutOfWork(() => pattern.start(line));
}

/** What to look for, for one page of lines in order of path. */
interface GrepRequest extends GrepScope {
  readonly pattern: GrepPattern;
  /** Lines of context on each side of a match. */
  readonly context: number;
  /** Documents that were scanned by calls before. */
  readonly from?: number;
  /** Those of `grep_documents` when absent. */
  readonly bounds?: GrepBounds;
  /** Matches to skip of what is scanned from there on, and to return. */
  readonly offset: number;
  readonly limit: number;
}

export interface LineMatch {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units; undefined where finding it in a very long line would take too much. */
  readonly column: number | undefined;
  readonly text: string;
  /** Lines before and after it, nearest ones, in their order. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface FileMatches {
  readonly id: string;
  readonly path: string;
  /** Page address, or `""`. */
  readonly url: string;
  /** Lines of the document that match. */
  readonly count: number;
  /** Those of them that are on this page of the answer. */
  readonly matches: readonly LineMatch[];
}

export interface GrepAnswer extends Pick<GrepScan, "candidates" | "scanned" | "bytesScanned" | "next"> {
  /** Documents with matches, in order of collection and path, very large ones last; those without a match on this page have an empty list. */
  readonly files: readonly FileMatches[];
  /** Lines that match in what was scanned. */
  readonly total: number;
  /** True where collection, filter and path leave no document to look into, whatever the pattern. */
  readonly selectsNothing: boolean;
}

/**
 * The lines that match one pattern, within the bounds of `grep_documents` unless others are given.
 *
 * @throws {InputError} for facets that do not exist.
 */
export async function grep(reader: IndexReader, request: GrepRequest): Promise<GrepAnswer> {
  const { pattern, context, from = 0, bounds = SMALL_BOUNDS, offset, limit } = request;
  const scan = await scanTexts(reader, { ...request, patterns: [pattern], bounds, from });
  const { candidates, scanned, bytesScanned, next } = scan;
  let total = 0;
  const files = scan.files.map((file): FileMatches => {
    const { id, path, collection, text, lines } = file;
    const own = lines[0] ?? [];
    const first = total;
    total += own.length;
    const collectionInfo = reader.collections.find(({ name }) => name === collection);
    const shown = own.slice(Math.max(0, offset - first), Math.max(0, offset + limit - first));
    return {
      id,
      path,
      url: makeUrl(collectionInfo, path, ""),
      count: own.length,
      matches: shown.map((hit) => describeLine(pattern, text, hit, context)),
    };
  });
  const selectsNothing = candidates === 0 && countSelected(reader, request) === 0;
  return { files, total, candidates, scanned, bytesScanned, next, selectsNothing };
}

function describeLine(pattern: GrepPattern, text: string, { line, begin, end }: HitLine, context: number): LineMatch {
  const own = text.slice(begin, end);
  let first = begin;
  for (let left = context; left > 0 && first > 0; left--) first = beginOfLine(text, first - 1);
  let last = end;
  for (let left = context; left > 0 && last < text.length; left--) last = endOfLine(text, last + 1);
  const start = startIn(pattern, own);
  return {
    line,
    column: start === undefined ? undefined : start + 1,
    text: own,
    before: linesOf(text.slice(first, begin)),
    after: linesOf(text.slice(end + 1, last + 1)),
  };
}
