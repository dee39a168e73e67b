/**
 * Synonyms of what a query says: the phrases that the index lists for the same thing, and the documents that hold them.
 *
 * Index-format v1, section 7.4. Where the table is small it is read whole, once.
 */
import { type ByteKey, keyOf } from "../bytes/key.ts";
import { indexOfNumber } from "../bytes/numbers.ts";
import type { Chunk } from "../format/chunk.ts";
import { decodeSynonyms, keyOfPair, keyOfPhrase } from "../format/pairs.ts";
import {
  decodePostings,
  encodeUnits,
  FIRST_TEXT_UNIT,
  PostingBuilder,
  type PostingList,
  type UnitPosting,
  visitUnits,
} from "../format/postings.ts";
import { areFlatWithin } from "../format/table.ts";
import { findInChunks, type IndexReader, type TableRead } from "../index/index-reader.ts";
import type { SynonymPhrase } from "./query.ts";

/** A table of no more bytes is read whole. */
const MAX_WHOLE_BYTES = 32 * 1024;
/** Phrases of one query whose documents are read; each costs reads. */
const MAX_SYNONYMS = 24;

/** A phrase that stands for words of the query. */
interface Synonym {
  readonly terms: readonly string[];
  /** Indexes of the words that it stands for. */
  readonly words: readonly number[];
  /** Access groups that call it so. */
  readonly groups: ReadonlySet<string>;
}

/** Reads of the table `synonyms` that tell those of some phrases, one for each visible shard. */
export function readsOfSynonyms(reader: IndexReader, phrases: readonly SynonymPhrase[]): TableRead[] {
  if (phrases.length === 0) return [];
  const isSmall = areFlatWithin(
    reader.shards.map(({ root }) => root.tables.synonyms),
    MAX_WHOLE_BYTES,
  );
  const keys = isSmall ? "all" : phrases.map(({ terms }) => keyOfPhrase(terms));
  return reader.shards.map(({ index }) => ({ shard: index, table: "synonyms", keys }));
}

/** The synonyms of phrases. @param tables Chunks of what `readsOfSynonyms` names. */
export function findSynonyms(
  { shards }: IndexReader,
  phrases: readonly SynonymPhrase[],
  tables: readonly (readonly Chunk[])[],
): readonly Synonym[] {
  const synonyms = phrases.flatMap(({ terms, words }): Synonym[] => {
    // Of the shards of a group the last one that has the phrase is right.
    const values = new Map<string, Uint8Array>();
    for (const [at, chunks] of tables.entries()) {
      const value = findInChunks(chunks, keyOfPhrase(terms));
      if (value !== undefined) values.set(shards[at]?.root.group ?? "", value);
    }
    const found = new Map<ByteKey, { readonly terms: readonly string[]; readonly groups: Set<string> }>();
    for (const [group, value] of values) {
      for (const other of decodeSynonyms(value)) {
        const known = found.get(keyOfPhrase(other)) ?? { terms: other, groups: new Set() };
        found.set(keyOfPhrase(other), known);
        known.groups.add(group);
      }
    }
    return [...found.values()].map((other) => ({ ...other, words }));
  });
  return synonyms.slice(0, MAX_SYNONYMS);
}

/** Keys of \`terms\` that tell which documents hold these: of their terms, and of those side by side. */
export function keysOfSynonyms(synonyms: readonly Synonym[]): ByteKey[] {
  const keys = synonyms.flatMap(({ terms }) => [
    ...terms.map(keyOf),
    ...terms.slice(1).map((second, before) => keyOfPair(terms[before] as string, second)),
  ]);
  return [...new Set(keys)];
}

/**
 * The documents of a shard that hold all terms of a phrase, with the units that do, the least of their frequencies, and marked
 * as heading or code where all of them are; undefined for none.
 *
 * @param lists Postings of each term; undefined where no document holds it.
 * @param pairs Documents that hold each two neighbours side by side; undefined where the index does not say.
 */
export function listDocuments(
  lists: readonly (PostingList | undefined)[],
  pairs: readonly (ArrayLike<number> | undefined)[],
): PostingList | undefined {
  const [first, ...rest] = lists;
  if (first === undefined || rest.length === 0) return first;
  const builder = new PostingBuilder();
  const unplaced: number[] = [];
  const sides = pairs.flatMap((pair) => (pair === undefined ? [] : [new Set(Array.from(pair))]));
  for (const document of first.documents) {
    if (!sides.every((side) => side.has(document))) continue;
    const held = lists.map((list) => (list === undefined ? -1 : indexOfNumber(list.documents, document)));
    if (held.includes(-1)) continue;
    const placed = lists.flatMap((list, at) => {
      const units = list === undefined ? [] : unitsAt(list, held[at] as number);
      return units === undefined ? [] : [units];
    });
    if (placed.length === 0) unplaced.push(builder.documents);
    const units = placed.length === 0 ? [UNPLACED] : intersectUnits(placed);
    if (units.length > 0) builder.add(document, encodeUnits(units));
  }
  if (builder.documents === 0) return undefined;
  const made = decodePostings(builder.finish(false, (_, frequency) => frequency));
  for (const at of unplaced) made.unitsAt[at] = -1;
  return made;
}

/** Stands for the units of a document in lists too long to keep them. */
const UNPLACED: UnitPosting = { unit: FIRST_TEXT_UNIT, frequency: 1, heading: false, code: false };

/** Units of a document by its index in a list; undefined where the list does not keep them. */
function unitsAt(list: PostingList, index: number): UnitPosting[] | undefined {
  if ((list.unitsAt[index] as number) < 0) return undefined;
  const units: UnitPosting[] = [];
  visitUnits(list, index, (unit, frequency, heading, code) => {
    units.push({ unit, frequency: Math.round(frequency), heading, code });
  });
  return units;
}

/** Units that all lists have. */
function intersectUnits([first = [], ...rest]: readonly (readonly UnitPosting[])[]): UnitPosting[] {
  return first.flatMap((posting): UnitPosting[] => {
    const same = rest.map((list) => list.find(({ unit }) => unit === posting.unit));
    if (!same.every((other) => other !== undefined)) return [];
    const all = [posting, ...same];
    return [
      {
        unit: posting.unit,
        frequency: Math.min(...all.map(({ frequency }) => frequency)),
        heading: all.every(({ heading }) => heading),
        code: all.every(({ code }) => code),
      },
    ];
  });
}
