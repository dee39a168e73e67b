/**
 * Grep: the lines of all texts that match a pattern, in order of path, as `grep -n` would find them in the files. A line is what
 * stands between line feeds, as it is to `grep`; a carriage return belongs to its line.
 *
 * Two waves of reads. Wave one: chunks of the trigram table, with the resident tables that are not in memory. Wave two:
 * the texts of the documents that can match, as many from the first on as the bounds allow, in few reads that go through what
 * lies between them. What the bounds leave out is said; an answer that leaves nothing out is complete.
 *
 * What is read and scanned depends on the index and the request alone, never on what happens to be in memory: the
 * pages of an answer must be pages of one list.
 */
import { utf8Length } from "../bytes/encodings.ts";
import { checkFilter, selectDocuments } from "../docs/facets.ts";
import type { FacetFilter } from "../docs/model.ts";
import { makeDocumentId, makeUrl } from "../docs/node-id.ts";
import { collectionOf, countUnits, hasDocument, unitsOf } from "../format/locator.ts";
import type { TextBlock } from "../format/text-block.ts";
import type { BlockRead, IndexReader, VisibleShard } from "../index/index-reader.ts";
import { blockReads, readWithResident, residentTable } from "../index/resident.ts";
import { MAX_CONCURRENT_READS, measureReads } from "../index/waves.ts";
import { countLines, endOfLine, linesOf } from "../text/lines.ts";
import { compareNames } from "../text/names.ts";
import {
  type Candidates,
  findCandidates,
  type GramLookup,
  planLookup,
  readsOf,
  type Wanted,
} from "./grep-candidates.ts";

/** Bytes of text that one call scans at most. */
const MAX_SCANNED_BYTES = 2_000_000;
/** Reads of one call at most, that of the pointer among them. */
const MAX_GREP_READS = 12;
/** Compressed bytes of texts, and bytes with what lies between them, that one call reads at most. */
const MAX_TEXT_BYTES = 1_200_000;
const MAX_READ_BYTES = 4_000_000;
/** Compressed bytes of small documents that are chosen: inflated, they stay below `MAX_SCANNED_BYTES`. */
const MAX_SMALL_BYTES = 600_000;
/** Steps of the matcher at most: about a second's work for a pattern that is slow everywhere. */
const MAX_STEPS = 200_000_000;

/** Reads for grams that a call spends, and that it spends where fewer would narrow nothing. */
const LOOKUP_READS = 4;
const MOST_LOOKUP_READS = 7;
/** Reads that are left for texts in any case. */
const LEAST_TEXT_READS = 3;

/** A pattern, ready to look for. */
export interface GrepPattern extends Wanted {
  /** Steps that a character of a line takes at most; 1 for a text. */
  readonly steps: number;
  /** Finds the next place of a text, from one on, whose line may match; -1 without one. */
  readonly finder: (text: string) => (from: number) => number;
  /** Whether a line that the finder found does match. */
  readonly matches: (text: string, begin: number, end: number) => boolean;
  /** Where the leftmost match in a line begins, in UTF-16 units; -1 without one. */
  readonly start: (line: string) => number;
}

/** What to look for and where. */
interface GrepRequest {
  readonly pattern: GrepPattern;
  /** Only this collection; `""` = all. */
  readonly collection: string;
  /** Only documents whose path it accepts. */
  readonly acceptsPath: (path: string) => boolean;
  readonly filter: FacetFilter;
  /** Lines of context on each side of a match. */
  readonly context: number;
  /** Matches to skip, and to return. */
  readonly offset: number;
  readonly limit: number;
}

/** A line that matches. */
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

/** Matches of one document. */
export interface FileMatches {
  readonly id: string;
  readonly path: string;
  /** Page address, or `""`. */
  readonly url: string;
  readonly contentHash: string;
  /** Lines of the document that match. */
  readonly count: number;
  /** Those of them that are on this page of the answer. */
  readonly matches: readonly LineMatch[];
}

/** Lines that match. */
export interface GrepAnswer {
  /** Documents with matches, in order of collection and path; those without a match on this page have an empty list. */
  readonly files: readonly FileMatches[];
  /** Lines that match in what was scanned. */
  readonly total: number;
  /** Documents that can match, as far as grams, filters and paths tell. */
  readonly candidates: number;
  /** True where collection, filter and path leave no document to look into, whatever the pattern. */
  readonly selectsNothing: boolean;
  /** Those of them that were scanned whole. */
  readonly scanned: number;
  readonly bytesScanned: number;
}

interface Candidate {
  readonly shard: number;
  readonly number: number;
  readonly collection: string;
  readonly path: string;
}

interface ShardPlan extends VisibleShard {
  readonly lookup: GramLookup;
}

/**
 * Answer a grep.
 *
 * @throws {InputError} for facets that do not exist.
 */
export async function grep(reader: IndexReader, request: GrepRequest): Promise<GrepAnswer> {
  const plans = planShards(reader, request);
  const reads = plans.flatMap(({ index, lookup }) => readsOf(lookup, index));
  const { tables } = await readWithResident(reader, ["locator", "facets", "titles"], reads);
  checkFilter(reader, request.filter);
  let next = 0;
  const candidates = plans.flatMap(({ index, lookup }) => {
    const chunks = tables.slice(next, next + lookup.grams.length);
    next += lookup.grams.length;
    const left = findCandidates(request.pattern.need, lookup, chunks, (postings) => reader.countPostings(postings));
    return selectCandidates(reader, index, left, request);
  });
  candidates.sort(byPath);
  const tableReads = plans.reduce((sum, { lookup }) => sum + lookup.reads, reader.shards.length);
  const texts = chooseTexts(reader, candidates, MAX_GREP_READS - 1 - tableReads);
  const blocks = await reader.read([], texts.blocks.flat(), texts.maxReads);
  const selectsNothing =
    candidates.length === 0 && plans.every(({ index }) => selectCandidates(reader, index, "all", request).length === 0);
  const scan = scanTexts(reader, request, texts, blocks.blocks);
  return { ...scan, candidates: candidates.length, selectsNothing };
}

/** Grams to look up in each shard: one read is for its resident tables, some are for text. */
function planShards(reader: IndexReader, { pattern, collection }: GrepRequest): ShardPlan[] {
  const group = reader.collections.find(({ name }) => name === collection)?.access;
  const shards = reader.shards.filter(({ root }) => collection === "" || root.group === group);
  const share = (reads: number): number => Math.floor(reads / Math.max(1, shards.length));
  const most = Math.max(0, Math.min(MOST_LOOKUP_READS, MAX_GREP_READS - 1 - reader.shards.length - LEAST_TEXT_READS));
  return shards.map((shard): ShardPlan => {
    const directory = shard.root.tables.trigrams;
    return {
      ...shard,
      lookup: planLookup(pattern, directory, share(Math.min(LOOKUP_READS, most)), share(most)),
    };
  });
}

function selectCandidates(
  reader: IndexReader,
  shard: number,
  candidates: Candidates,
  { collection, filter, acceptsPath }: GrepRequest,
): Candidate[] {
  const locator = residentTable(reader, shard, "locator");
  const titles = residentTable(reader, shard, "titles");
  const selected = selectDocuments(reader, shard, filter);
  const found: Candidate[] = [];
  for (const number of candidates === "all" ? Array(titles.slots).keys() : candidates) {
    const name = titles.at(number);
    if (!hasDocument(locator, number) || name === undefined || selected?.[number] === 0) continue;
    const own = reader.collectionAt(collectionOf(locator, number)).name;
    if ((collection !== "" && own !== collection) || !acceptsPath(name.path)) continue;
    found.push({ shard, number, collection: own, path: name.path });
  }
  return found;
}

function byPath(a: Candidate, b: Candidate): number {
  return compareNames(a.collection, b.collection) || compareNames(a.path, b.path);
}

/** Documents to scan, in the order of paths, and the reads to get them with. */
interface ChosenTexts {
  readonly candidates: readonly Candidate[];
  /** Per document. Of the very first there may be some blocks only, where it is larger than the bounds. */
  readonly blocks: readonly (readonly BlockRead[])[];
  readonly maxReads: number;
}

/**
 * Chooses documents from the first one on. Where they do not all fit and small ones are more, a bundle that comes first must
 * not take the place of a hundred files: small ones are chosen then.
 */
function chooseTexts(reader: IndexReader, candidates: readonly Candidate[], mostReads: number): ChosenTexts {
  const first = fitTexts(reader, candidates, mostReads);
  if (first.blocks.length === candidates.length) return first;
  const small = fitTexts(reader, chooseSmall(reader, candidates), mostReads);
  return small.blocks.length > first.blocks.length ? small : first;
}

/** The smallest documents that fit together, in the order of paths. */
function chooseSmall(reader: IndexReader, candidates: readonly Candidate[]): Candidate[] {
  const sized = candidates.map(({ shard, number }, at) => {
    const bytes = blocksOf(reader, shard, number).reduce((sum, { place }) => sum + place.length, 0);
    return { at, bytes };
  });
  let left = MAX_SMALL_BYTES;
  const chosen = new Set<number>();
  for (const { at, bytes } of sized.sort((a, b) => a.bytes - b.bytes || a.at - b.at)) {
    left -= bytes;
    if (left < 0) break;
    chosen.add(at);
  }
  return candidates.filter((_, at) => chosen.has(at));
}

function fitTexts(reader: IndexReader, candidates: readonly Candidate[], mostReads: number): ChosenTexts {
  const documents: BlockRead[][] = [];
  let bytes = 0;
  for (const { shard, number } of candidates) {
    const blocks = blocksOf(reader, shard, number);
    bytes += blocks.reduce((sum, { place }) => sum + place.length, 0);
    if (bytes > MAX_TEXT_BYTES && documents.length > 0) break;
    documents.push(cutBlocks(blocks));
  }
  // A document's blocks lie back to back.
  const ranges = documents.map((blocks) => {
    const first = reader.rangeOf((blocks[0] as BlockRead).place);
    return { ...first, length: blocks.reduce((sum, { place }) => sum + place.length, 0) };
  });
  const fits = (count: number, reads: number): boolean => {
    const read = measureReads(ranges.slice(0, count), reads);
    return read !== undefined && read <= MAX_READ_BYTES;
  };
  // One round of reads where it gets everything, else all that there are.
  const maxReads =
    mostReads > MAX_CONCURRENT_READS && fits(documents.length, MAX_CONCURRENT_READS) ? MAX_CONCURRENT_READS : mostReads;
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle, maxReads)) low = middle;
    else high = middle - 1;
  }
  return { candidates, blocks: documents.slice(0, low), maxReads };
}

function blocksOf(reader: IndexReader, shard: number, document: number): BlockRead[] {
  return blockReads(reader, shard, document, unitsOf(residentTable(reader, shard, "locator"), document));
}

/** The first blocks of a document, as many as a call may read. */
function cutBlocks(blocks: readonly BlockRead[]): BlockRead[] {
  let bytes = 0;
  return blocks.filter(({ place }, at) => {
    bytes += place.length;
    return at === 0 || bytes <= MAX_TEXT_BYTES;
  });
}

function scanTexts(
  reader: IndexReader,
  request: GrepRequest,
  { candidates, blocks: documents }: ChosenTexts,
  blocks: readonly TextBlock[],
): Omit<GrepAnswer, "candidates" | "selectsNothing"> {
  const scanner = new LineScanner(request);
  const files: FileMatches[] = [];
  let bytesScanned = 0;
  let scanned = 0;
  let next = 0;
  for (const [at, reads] of documents.entries()) {
    const { shard, number, collection, path } = candidates[at] as Candidate;
    const own = blocks.slice(next, next + reads.length);
    next += reads.length;
    const whole = own.map(({ text }) => text).join("");
    const isWhole = reads.length === countUnits(residentTable(reader, shard, "locator"), number);
    const text = takeBytes(whole, MAX_SCANNED_BYTES - bytesScanned, isWhole, at === 0);
    if (text === undefined) break;
    const scan = scanner.scan(text);
    bytesScanned += utf8Length(text);
    if (scan.count > 0) {
      files.push({
        id: makeDocumentId(collection, path),
        path,
        url: makeUrl(
          reader.collections.find(({ name }) => name === collection),
          path,
          "",
        ),
        contentHash: own[0]?.contentHash ?? "",
        count: scan.count,
        matches: scan.kept,
      });
    }
    if (!scan.isWhole || text.length < whole.length || !isWhole) break;
    scanned++;
  }
  reader.countScanned(bytesScanned);
  return { files, total: scanner.total, scanned, bytesScanned };
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

/** What a text gave. */
interface TextScan {
  /** Lines that match. */
  readonly count: number;
  /** Those of them that are to be shown. */
  readonly kept: readonly LineMatch[];
  /** False where the work came to its bound inside the text. */
  readonly isWhole: boolean;
}

/** Scans one text after another, keeping count of matches and work. */
class LineScanner {
  readonly #request: GrepRequest;
  #steps = 0;
  /** Lines that matched so far. */
  total = 0;

  constructor(request: GrepRequest) {
    this.#request = request;
  }

  /** Scan a text. */
  scan(text: string): TextScan {
    const { pattern, offset, limit } = this.#request;
    const find = pattern.finder(text);
    const kept: LineMatch[] = [];
    let count = 0;
    let line = 1;
    let at = 0;
    while (at < text.length) {
      const found = find(at);
      // What lies between two matches is passed over, and counts as looked at.
      const begin = found < 0 ? text.length : beginOfLine(text, found);
      const end = found < 0 ? text.length : endOfLine(text, begin);
      const isOpen = end === text.length && !text.endsWith("\n");
      const characters = end - at + (found < 0 && !isOpen ? 0 : 1);
      if (!this.#spend(characters)) return { count, kept, isWhole: false };
      if (found < 0) break;
      line += countLines(text.slice(at, begin));
      if (pattern.matches(text, begin, end)) {
        const number = this.total++;
        count++;
        if (number >= offset && number < offset + limit) kept.push(this.#describe(text, line, begin, end));
      }
      line++;
      at = end + 1;
    }
    return { count, kept, isWhole: true };
  }

  /** @param begin Where the line begins. @param end Where its line feed stands. */
  #describe(text: string, line: number, begin: number, end: number): LineMatch {
    const { context, pattern } = this.#request;
    const own = text.slice(begin, end);
    let first = begin;
    for (let left = context; left > 0 && first > 0; left--) first = beginOfLine(text, first - 1);
    let last = end;
    for (let left = context; left > 0 && last < text.length; left--) last = endOfLine(text, last + 1);
    return {
      line,
      column: this.#spend(own.length) ? pattern.start(own) + 1 : undefined,
      text: own,
      before: linesOf(text.slice(first, begin)),
      after: linesOf(text.slice(end + 1, last + 1)),
    };
  }

  /** Whether so many characters may still be worked on. */
  #spend(characters: number): boolean {
    const steps = characters * this.#request.pattern.steps;
    if (this.#steps + steps > MAX_STEPS) return false;
    this.#steps += steps;
    return true;
  }
}

/** Where the line begins that a character, or the line feed behind it, stands in. */
function beginOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}
