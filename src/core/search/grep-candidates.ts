/**
 * Which documents can match: some grams of a pattern's need looked up in the table `trigrams`, and the formula worked
 * out over them.
 *
 * Not every gram is looked up, since each lies in another chunk and every chunk is a read: the rarest, as far as that
 * can be told from letters, and all that lie in the same chunks. A gram that was not looked up leaves all documents. Pure.
 */
import { type ByteKey, keyOf } from "../bytes/key.ts";
import type { Chunk } from "../format/chunk.ts";
import { type Directory, findEntry } from "../format/table.ts";
import { decodeTrigram } from "../format/word-tables.ts";
import { entriesOf, findInChunks, type KeyRange, type TableRead } from "../index/index-reader.ts";
import { isBeginning } from "../text/word-keys.ts";
import type { Need } from "./grep-needs.ts";

/** Documents that a formula leaves: ascending numbers, or all of them. */
export type Candidates = Uint32Array | "all";

export interface GramLookup {
  readonly grams: readonly string[];
  /** Reads that this takes at most. */
  readonly reads: number;
}

/** Letters of technical English, the most frequent first; all other characters are rarer. */
const FREQUENT = "etaoinsrcldphumfgybwvxk";
/** A gram that overlaps with a chosen one is taken only before grams that are so many times as frequent. */
const OVERLAP_PENALTY = 20;

/**
 * The grams of a need that are worth their reads.
 *
 * @param wanted Reads to spend.
 * @param most Reads to spend where fewer would leave nothing narrowed: each side of a choice needs its own.
 */
export function planLookup(need: Need, directory: Directory, wanted: number, most: number): GramLookup {
  const none: GramLookup = { grams: [], reads: 0 };
  if (need.kind === "nothing" || directory.entries.length === 0) return none;
  // With directory chunks in between, the place of a gram is not known, and finding it is a read of its own.
  const isFlat = directory.height === 0;
  const readsOfGram = isFlat ? 1 : 2;
  const placeOf = (gram: string): string => (isFlat ? placeIn(directory, gram) : gram);
  let covers = (need.kind === "all" ? need.needs : [need]).map((one) => coverOf(one));
  const places = new Set<string>();
  while (covers.length > 0) {
    const best = covers.reduce((least, cover) => (cover.share < least.share ? cover : least));
    const more = new Set([...places, ...best.grams.map(placeOf)]);
    const limit = places.size === 0 ? most : wanted;
    const isTaken = more.size * readsOfGram <= limit;
    if (isTaken) for (const place of more) places.add(place);
    covers = covers
      .filter((cover) => cover !== best)
      .map((cover) => (isTaken && overlaps(cover, best) ? { ...cover, share: cover.share * OVERLAP_PENALTY } : cover));
  }
  if (places.size === 0) return none;
  const grams = [...new Set(gramsIn(need))].filter((gram) => places.has(placeOf(gram)));
  return { grams, reads: places.size * readsOfGram };
}

/** What to read of a shard for a lookup: one read of the table for each gram, in order. */
export function readsOf({ grams }: GramLookup, shard: number): TableRead[] {
  return grams.map((gram) => ({ shard, table: "trigrams", keys: isBeginning(gram) ? rangeOf(gram) : [keyOf(gram)] }));
}

/**
 * The documents that a need leaves.
 *
 * @param chunks What the reads of the lookup gave.
 * @param count Takes how many entries of lists were decoded, list by list.
 * @throws {FormatError} on a damaged table.
 */
export function findCandidates(
  need: Need,
  { grams }: GramLookup,
  chunks: readonly (readonly Chunk[])[],
  count: (postings: number) => void = () => undefined,
): Candidates {
  const known = new Map<string, Candidates>();
  for (const [at, gram] of grams.entries()) known.set(gram, documentsOf(gram, chunks[at] ?? [], count));
  return workOut(need, known);
}

function documentsOf(gram: string, chunks: readonly Chunk[], count: (postings: number) => void): Candidates {
  const decode = (bytes: Uint8Array): Candidates => {
    const documents = decodeTrigram(bytes);
    if (documents === "common") return "all";
    count(documents.length);
    return documents;
  };
  if (!isBeginning(gram)) {
    const bytes = findInChunks(chunks, keyOf(gram));
    return bytes === undefined ? new Uint32Array() : decode(bytes);
  }
  const { from, to } = rangeOf(gram);
  const lists: Uint32Array[] = [];
  for (const [key, bytes] of entriesOf(chunks)) {
    if (key < from || key >= to) continue;
    const list = decode(bytes);
    if (list === "all") return "all";
    lists.push(list);
  }
  return unite(lists);
}

/** Keys that begin with a gram, itself among them. */
function rangeOf(gram: string): KeyRange {
  const from = keyOf(gram);
  // No byte of UTF-8 is the highest there is, so the last one has a next.
  const to = `${from.slice(0, -1)}${String.fromCharCode(from.charCodeAt(from.length - 1) + 1)}` as ByteKey;
  return { from, to };
}

/** Chunks of a flat directory that hold a gram, as one name: neighbours are one read. */
function placeIn({ entries }: Directory, gram: string): string {
  const first = findEntry(entries, keyOf(gram));
  return isBeginning(gram) ? `${first}-${findEntry(entries, rangeOf(gram).to)}` : `${first}`;
}

function workOut(need: Need, known: ReadonlyMap<string, Candidates>): Candidates {
  switch (need.kind) {
    case "nothing":
      return "all";
    case "gram":
      return known.get(need.gram) ?? "all";
    case "all": {
      const lists = need.needs.map((one) => workOut(one, known)).filter((list) => list !== "all");
      return lists.length === 0 ? "all" : lists.reduce(intersect);
    }
    case "one": {
      const lists = need.needs.map((one) => workOut(one, known));
      return lists.some((list) => list === "all") ? "all" : unite(lists as Uint32Array[]);
    }
  }
}

interface Cover {
  /** Grams without which the need narrows nothing. */
  readonly grams: readonly string[];
  /** Guess at the share of documents that it leaves; only comparisons mean anything. */
  readonly share: number;
}

/** The cheapest way to narrow by a need: its rarest gram, and for a choice one of each side. */
function coverOf(need: Need): Cover {
  switch (need.kind) {
    case "nothing":
      return { grams: [], share: Number.POSITIVE_INFINITY };
    case "gram":
      return { grams: [need.gram], share: guessShare(need.gram) };
    case "all":
      return need.needs.map((one) => coverOf(one)).reduce((best, one) => (one.share < best.share ? one : best));
    case "one": {
      const covers = need.needs.map((one) => coverOf(one));
      return {
        grams: [...new Set(covers.flatMap(({ grams }) => grams))],
        share: covers.reduce((sum, { share }) => sum + share, 0),
      };
    }
  }
}

/** Whether two covers are grams of one stretch of text, so that the second says little that the first does not. */
function overlaps(one: Cover, other: Cover): boolean {
  return one.grams.some((a) => other.grams.some((b) => a.includes(b.slice(0, 2)) || b.includes(a.slice(0, 2))));
}

function guessShare(gram: string): number {
  let share = 1;
  for (const character of gram) {
    const place = FREQUENT.indexOf(character);
    share *= (place < 0 ? 3 : FREQUENT.length + 3 - place) ** 2;
  }
  return share;
}

function gramsIn(need: Need): string[] {
  if (need.kind === "gram") return [need.gram];
  return need.kind === "nothing" ? [] : need.needs.flatMap(gramsIn);
}

function intersect(a: Uint32Array, b: Uint32Array): Uint32Array {
  const members = new Set(b);
  return a.filter((number) => members.has(number));
}

function unite(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Set<number>();
  for (const list of lists) for (const number of list) all.add(number);
  return Uint32Array.from(all).sort();
}
