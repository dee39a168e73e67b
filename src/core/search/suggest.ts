/**
 * Suggest: what somebody types in, titles and headings that begin like it or hold its words out.
 *
 * Read are the chunks where the typed phrase would stand (`getting st`) and, of several words, the chunk of the longest
 * one behind the first (`started`), so that words in another order are found too; with them the titles, where those are
 * small, for the paths of what is shown. Else the paths of the few that are shown are looked up, in another wave.
 */
import { type ByteKey, keyOf, textOfKey } from "../bytes/key.ts";
import { makeDocumentId, makeOrdinalId, makeUrl } from "../docs/node-id.ts";
import { FormatError } from "../errors.ts";
import type { Chunk } from "../format/chunk.ts";
import { decodeSuggestions, type SuggestionEntry, type SuggestionPlace } from "../format/suggestions.ts";
import type { Cost } from "../index/cost.ts";
import { findName, nameRead } from "../index/decode-tables.ts";
import { entriesOf, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { isAtHand, knownName, readWithResident } from "../index/resident.ts";
import { compareNames, slugify } from "../text/names.ts";
import { nearestNames } from "../text/nearest.ts";
import { foldText } from "../text/normalize.ts";
import { cutPhrase, foldPhrase, MAX_PHRASE_LENGTH } from "../text/phrase.ts";
import { visitTokens } from "../text/tokenize.ts";

/** Entries that are put in order: a bound on the work of one keystroke. */
const MAX_CANDIDATES = 300;
/** Where a phrase stands at the end of a chunk, what it begins goes on in the next. */
const MAX_PHRASE_CHUNKS = 2;
/** Shorter ones are near to everything. */
const MIN_MISTYPED_LENGTH = 4;
/** Phrases that a mistyped one may have meant. */
const MAX_NEAR = 20;
/** Above every byte of UTF-8. */
const ABOVE_ALL = "\u00ff";

export interface SuggestRequest {
  /** What was typed so far. */
  readonly query: string;
  readonly limit: number;
  /** Only from these collections; empty = all. */
  readonly collections: readonly string[];
}

export interface Suggestion {
  /** Title or heading as written. */
  readonly text: string;
  readonly kind: "title" | "heading" | "symbol";
  /** Sections that have the text as title or heading. */
  readonly count: number;
  /** The best of them: the id of its document, with its ordinal where it is not the root. */
  readonly nodeId: string;
  readonly documentId: string;
  /** Page address with the section's anchor, or `""` without `baseUrl`. */
  readonly url: string;
}

export interface SuggestAnswer {
  readonly suggestions: readonly Suggestion[];
  readonly cost: Cost;
}

interface Candidate extends Pick<Suggestion, "text" | "kind" | "count"> {
  readonly shard: number;
  /** The best of its places in the collections that were asked for. */
  readonly place: SuggestionPlace;
  readonly phrase: string;
  /** Begins, at one of its words, with all that was typed. */
  readonly isBegun: boolean;
}

interface ReadShard {
  readonly shard: number;
  /** Where the phrase would stand. */
  readonly phrase: readonly Chunk[];
  /** Where the longest further word would; none for one word. */
  readonly word: readonly Chunk[];
}

/**
 * Suggestions for what was typed. None for a text without letters and digits.
 *
 * @throws {FormatError} on damage.
 */
export async function suggest(reader: IndexReader, request: SuggestRequest): Promise<SuggestAnswer> {
  const phrase = cutPhrase(foldPhrase(request.query));
  if (phrase === "") return { suggestions: [], cost: reader.cost };
  const word = longestFurtherWord(phrase);
  const reads = reader.shards.flatMap(({ index }): TableRead[] => [
    rangeOf(index, phrase, MAX_PHRASE_CHUNKS),
    ...(word === "" ? [] : [rangeOf(index, word, 1)]),
  ]);
  const wave = await readWithResident(reader, isAtHand(reader, "titles") ? ["titles"] : [], reads);
  const perShard = word === "" ? 1 : 2;
  const shards = reader.shards.map(
    ({ index }, at): ReadShard => ({
      shard: index,
      phrase: wave.tables[at * perShard] ?? [],
      word: word === "" ? [] : (wave.tables[at * perShard + 1] ?? []),
    }),
  );
  const collected = collect(reader, shards, request.collections, phrase, word);
  reader.countScored(collected.length);
  const found = collected.sort(compareCandidates).slice(0, MAX_CANDIDATES);
  const chosen = chooseBest(found, phrase, request.limit);
  const shown = chosen.length > 0 ? chosen : findMistyped(reader, shards, request, phrase);
  const paths = await readPaths(reader, shown);
  return { suggestions: shown.map((one, at) => describe(reader, one, paths[at] as string)), cost: reader.cost };
}

/** Paths of the documents that suggestions lead to. @throws {FormatError} for documents that are not there. */
async function readPaths(reader: IndexReader, shown: readonly Candidate[]): Promise<string[]> {
  const known = shown.map(({ shard, place: { document } }) => knownName(reader, shard, document));
  const reads = shown.flatMap(({ shard, place: { document } }, at): TableRead[] =>
    known[at] === undefined ? [nameRead(shard, document)] : [],
  );
  const tables = reads.length === 0 ? [] : [...(await reader.read(reads)).tables];
  return shown.map(({ shard, place: { document } }, at) => {
    const name = known[at] ?? findName(tables.shift() ?? [], document);
    if (name !== undefined && !reader.deletedIn(shard).has(document)) return name.path;
    throw new FormatError("table suggestions", { code: "malformed", reason: `there is no document ${document}` });
  });
}

function describe(reader: IndexReader, { text, kind, count, place }: Candidate, path: string): Suggestion {
  const collection = reader.collectionAt(place.collection);
  const documentId = makeDocumentId(collection.name, path);
  const anchor = place.ordinal === 0 ? "" : place.anchor === "" ? slugify(text) : place.anchor;
  const nodeId = makeOrdinalId(documentId, place.ordinal);
  return { text, kind, count, nodeId, documentId, url: makeUrl(collection, path, anchor) };
}

/** What goes on as it was typed, then what holds the words in another order. */
function chooseBest(candidates: readonly Candidate[], phrase: string, limit: number): Candidate[] {
  const begun = candidates.filter(({ isBegun }) => isBegun);
  // Not every beginning is one of a word that is compared: a phrase may begin inside a run of CJK characters.
  const chosen = [...new Set([...orderByPlace(begun, phrase), ...begun])];
  if (chosen.length < limit) {
    const others = candidates.filter(({ isBegun }) => !isBegun);
    chosen.push(...orderByPlace(others, phrase));
  }
  return chosen.slice(0, limit);
}

/** What holds every word of the phrase, each perhaps only begun: where they stand early first, equals in their order. */
function orderByPlace(candidates: readonly Candidate[], phrase: string): Candidate[] {
  const asked = phrase.split(" ");
  return candidates
    .map((candidate) => {
      const words = foldWords(candidate.text);
      return { candidate, places: asked.map((word) => words.findIndex((one) => one.startsWith(word))) };
    })
    .filter(({ places }) => !places.includes(-1))
    .sort((a, b) => sum(a.places) - sum(b.places))
    .map(({ candidate }) => candidate);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** What begins with the phrase or with the word, in all shards; each text once. */
function collect(
  reader: IndexReader,
  shards: readonly ReadShard[],
  collections: readonly string[],
  phrase: string,
  word: string,
): Candidate[] {
  const candidates: Candidate[] = [];
  const add = (shard: number, chunks: readonly Chunk[], beginning: string): void => {
    const from = keyOf(beginning);
    for (const [key, value] of entriesOf(chunks)) {
      if (!key.startsWith(from)) continue;
      for (const entry of decodeSuggestions(textOfKey(key), value, reader.deletedIn(shard))) {
        const candidate = toCandidate(reader, shard, entry, collections, beginning === phrase);
        if (candidate !== undefined) candidates.push(candidate);
      }
    }
  };
  for (const { shard, phrase: chunks } of shards) add(shard, chunks, phrase);
  for (const { shard, word: chunks } of shards) if (word !== "") add(shard, chunks, word);
  return mergeTexts(candidates);
}

/** What a phrase that begins nothing may have meant: the nearest beginnings among those where it would stand. */
function findMistyped(
  reader: IndexReader,
  shards: readonly ReadShard[],
  { limit, collections }: SuggestRequest,
  phrase: string,
): Candidate[] {
  if (phrase.length < MIN_MISTYPED_LENGTH) return [];
  const values = shards.flatMap(({ shard, phrase: chunks }) =>
    [...entriesOf(chunks)].map(([key, value]) => ({ shard, key: textOfKey(key), value })),
  );
  const beginnings = new Map<string, typeof values>();
  for (const entry of values) {
    // One letter too many, too few or another one moves the end by at most one.
    for (const length of [phrase.length - 1, phrase.length, phrase.length + 1]) {
      if (entry.key.length < length) continue;
      const beginning = entry.key.slice(0, length);
      const same = beginnings.get(beginning);
      if (same === undefined) beginnings.set(beginning, [entry]);
      else same.push(entry);
    }
  }
  const near = nearestNames(phrase, beginnings.keys(), MAX_NEAR).flatMap((name) => beginnings.get(name) ?? []);
  const candidates = [...new Set(near)].flatMap(({ shard, key, value }) =>
    decodeSuggestions(key, value, reader.deletedIn(shard)).flatMap(
      (entry) => toCandidate(reader, shard, entry, collections, false) ?? [],
    ),
  );
  reader.countScored(candidates.length);
  return mergeTexts(candidates).slice(0, limit);
}

function toCandidate(
  reader: IndexReader,
  shard: number,
  { text, kind, places }: SuggestionEntry,
  collections: readonly string[],
  isBegun: boolean,
): Candidate | undefined {
  const isWanted = ({ collection }: SuggestionPlace): boolean =>
    collections.length === 0 || collections.includes(reader.collectionAt(collection).name);
  const wanted = places.filter(isWanted);
  const [best] = wanted;
  if (best === undefined) return undefined;
  return {
    text,
    kind: best.ordinal === 0 ? "title" : kind,
    count: wanted.reduce((sum, { count }) => sum + count, 0),
    shard,
    place: best,
    phrase: foldPhrase(text),
    isBegun,
  };
}

/** One candidate a text: two keys may lead to it, and shards share texts. Counts of shards add up. */
function mergeTexts(candidates: readonly Candidate[]): Candidate[] {
  const merged = new Map<string, Map<string, Candidate>>();
  for (const candidate of candidates) {
    const same = merged.get(candidate.phrase) ?? new Map<string, Candidate>();
    const { shard, place } = candidate;
    const section = `${shard} ${place.document} ${place.ordinal}`;
    same.set(section, same.get(section) ?? candidate);
    merged.set(candidate.phrase, same);
  }
  return [...merged.values()].map((same) => {
    const list = [...same.values()].sort(compareCandidates);
    const count = list.reduce((sum, one) => sum + one.count, 0);
    return { ...(list[0] as Candidate), count };
  });
}

function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    Number(b.isBegun) - Number(a.isBegun) ||
    Number(b.kind === "title") - Number(a.kind === "title") ||
    b.count - a.count ||
    a.phrase.length - b.phrase.length ||
    compareNames(a.phrase, b.phrase)
  );
}

function rangeOf(shard: number, beginning: string, maxChunks: number): TableRead {
  const from = keyOf(beginning);
  return { shard, table: "suggestions", keys: { from, to: `${from}${ABOVE_ALL}` as ByteKey, maxChunks } };
}

/** The longest word behind the first, the last of equals; `""` for one word. */
function longestFurtherWord(phrase: string): string {
  const [, ...further] = phrase.split(" ");
  return further.reduce((longest, word) => (word.length >= longest.length ? word : longest), "");
}

/** Words and identifiers of a text, whole and in parts, folded. */
function foldWords(text: string): string[] {
  const words: string[] = [];
  visitTokens(text.slice(0, 4 * MAX_PHRASE_LENGTH), (word) => words.push(foldText(word)));
  return words;
}
