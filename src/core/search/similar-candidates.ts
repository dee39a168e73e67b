/**
 * Candidates for similar sections: the draft is cut into stretches, each stretch's most telling terms are looked up, and
 * the units of text that hold them best, by BM25, name the sections that are worth reading.
 */

import { indexOfNumber } from "../bytes/numbers.ts";
import { countUnits, hasDocument, type Locator, sectionsOfUnits, unitLength } from "../format/locator.ts";
import { FIRST_TEXT_UNIT, type PostingList, visitUnits } from "../format/postings.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";
import { documentOrder } from "../index/shards.ts";
import { compareNames } from "../text/names.ts";
import type { ComparedText } from "./overlap.ts";
import { DEFAULT_RANKING, inverseDocumentFrequency, saturate } from "./ranking.ts";
import { readPostings } from "./read-words.ts";
import { sumStatistics } from "./statistics.ts";

/** Terms of the draft that are looked up. */
export const MAX_TERMS = 24;
/** Parts of a draft that are looked for each on its own, so that a copy of one of its paragraphs is found too. */
const MAX_STRETCHES = 8;
/** Words of a stretch: about those of a unit of text. */
const STRETCH_WORDS = 200;
/** Longer terms are not rarer. */
const LONGEST_COUNTED = 12;
/** Documents whose units are scored for a stretch, those with most of its terms. */
const MAX_DOCUMENTS = 50;
/** Units that a stretch offers at most. */
const MAX_UNITS = 50;

/** Whether a document may be a candidate. `shard` is its index in the root. */
export type DocumentTest = (shard: number, document: number) => boolean;

/** A section that may overlap. */
export interface Candidate {
  /** Index of the visible shard. */
  readonly shard: number;
  readonly document: number;
  readonly ordinal: number;
  /** Its text units, first and behind the last. */
  readonly from: number;
  readonly to: number;
  /** The unit that made it one. */
  readonly bestUnit: number;
}

/** A unit that holds terms of a stretch of the draft. */
interface FoundUnit {
  readonly shard: number;
  readonly document: number;
  readonly unit: number;
  readonly score: number;
}

/** Terms of one stretch of the draft, with their postings. */
interface Stretch {
  readonly lists: readonly (readonly (PostingList | undefined)[])[];
  /** Inverse document frequency of each. */
  readonly weights: readonly number[];
}

/**
 * Sections that may overlap with a draft, those that are likeliest for any of its stretches first. One wave.
 *
 * @param accepts Whether a document of a shard may be a candidate.
 */
export async function findCandidates(
  reader: IndexReader,
  draft: ComparedText,
  accepts: DocumentTest,
  count: number,
): Promise<Candidate[]> {
  const stretches = await readStretches(reader, chooseTerms(draft));
  return chooseCandidates(reader, stretches, accepts, count);
}

/**
 * The terms that tell most, without knowing yet how common they are: long ones and frequent ones, for each stretch of
 * the draft its own.
 */
function chooseTerms({ words }: ComparedText): string[][] {
  const counts = new Map<string, number>();
  for (const { term, stop } of words) if (!stop) counts.set(term, (counts.get(term) ?? 0) + 1);
  const value = (term: string): number =>
    Math.min(term.length, LONGEST_COUNTED) * Math.log2(1 + (counts.get(term) as number));
  const count = Math.min(MAX_STRETCHES, Math.ceil(words.length / STRETCH_WORDS));
  const size = Math.ceil(words.length / count);
  const chosen = new Set<string>();
  return Array.from({ length: count }, (_, at) => {
    const own = words.slice(at * size, (at + 1) * size).filter(({ stop }) => !stop);
    const fresh = [...new Set(own.map(({ term }) => term))].filter((term) => !chosen.has(term));
    const best = fresh
      .sort((a, b) => value(b) - value(a) || compareNames(a, b))
      .slice(0, Math.floor(MAX_TERMS / count));
    for (const term of best) chosen.add(term);
    return best;
  });
}

/** The lists of all stretches, read together. */
async function readStretches(reader: IndexReader, terms: readonly (readonly string[])[]): Promise<Stretch[]> {
  const lists = await readPostings(reader, terms.flat(), ["locator"]);
  const documents = reader.shards.reduce((sum, { root }) => sum + root.documents, 0);
  let next = 0;
  return terms.map((own) => {
    const ownLists = lists.slice(next, next + own.length);
    next += own.length;
    const weights = ownLists.map((shards) =>
      inverseDocumentFrequency(
        documents,
        shards.reduce((sum, list) => sum + (list?.frequencies.documents ?? 0), 0),
      ),
    );
    return { lists: ownLists, weights };
  });
}

/** Sections to compare: the best for the whole draft and for each stretch in turn, then the second best, and so on. */
function chooseCandidates(
  reader: IndexReader,
  stretches: readonly Stretch[],
  accepts: DocumentTest,
  count: number,
): Candidate[] {
  const whole: Stretch = {
    lists: stretches.flatMap(({ lists }) => lists),
    weights: stretches.flatMap(({ weights }) => weights),
  };
  const ranked = (stretches.length > 1 ? [whole, ...stretches] : stretches).map((stretch) =>
    rankUnits(reader, stretch, accepts),
  );
  const longest = Math.max(...ranked.map((units) => units.length));
  const candidates = new Map<string, Candidate>();
  for (let rank = 0; rank < longest && candidates.size < count; rank++) {
    for (const units of ranked) {
      const found = units[rank];
      if (found === undefined || candidates.size >= count) continue;
      const candidate = toCandidate(reader, found);
      const key = `${candidate.shard} ${candidate.document} ${candidate.ordinal}`;
      if (!candidates.has(key)) candidates.set(key, candidate);
    }
  }
  return [...candidates.values()];
}

/** Units by BM25 of the stretch's terms, best first: those of the documents that hold most of them. */
function rankUnits(reader: IndexReader, stretch: Stretch, accepts: DocumentTest): FoundUnit[] {
  const averageLength = sumStatistics(reader.shards.map(({ root }) => root)).averages.unit;
  const found = reader.shards.flatMap(({ index }, shard) => {
    const locator = residentTable(reader, index, "locator");
    const lists = stretch.lists.map((shards) => shards[shard]);
    const documents = bestDocuments(
      lists,
      stretch.weights,
      locator.slots,
      (document) => hasDocument(locator, document) && accepts(index, document),
    );
    return documents.flatMap((document) =>
      scoreUnits(lists, stretch.weights, document, locator, averageLength).map((one) => ({ shard, document, ...one })),
    );
  });
  const compare = documentOrder(reader.shards);
  found.sort((a, b) => b.score - a.score || compare(a.shard, a.document, b.shard, b.document) || a.unit - b.unit);
  return found.slice(0, MAX_UNITS);
}

/** Documents of a shard by the weight of the terms that they hold. */
function bestDocuments(
  lists: readonly (PostingList | undefined)[],
  weights: readonly number[],
  slots: number,
  isWanted: (document: number) => boolean,
): number[] {
  const scores = new Float64Array(slots);
  const found: number[] = [];
  for (const [at, list] of lists.entries()) {
    for (const [index, document] of list?.documents.entries() ?? []) {
      if (list?.body[index] === 0 || document >= slots) continue;
      if (scores[document] === 0) found.push(document);
      scores[document] = (scores[document] as number) + (weights[at] as number);
    }
  }
  return found
    .filter(isWanted)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .slice(0, MAX_DOCUMENTS);
}

function scoreUnits(
  lists: readonly (PostingList | undefined)[],
  weights: readonly number[],
  document: number,
  locator: Locator,
  averageLength: number,
): { readonly unit: number; readonly score: number }[] {
  const { k1, b } = DEFAULT_RANKING;
  const scores = new Map<number, number>();
  const end = FIRST_TEXT_UNIT + countUnits(locator, document);
  for (const [at, list] of lists.entries()) {
    const index = list === undefined ? -1 : indexOfNumber(list.documents, document);
    if (list === undefined || index < 0) continue;
    visitUnits(list, index, (unit, frequency) => {
      if (unit < FIRST_TEXT_UNIT || unit >= end) return;
      const length = unitLength(locator, document, unit) / averageLength;
      const score = (weights[at] as number) * saturate(frequency, length, k1, b);
      scores.set(unit, (scores.get(unit) ?? 0) + score);
    });
  }
  return [...scores].map(([unit, score]) => ({ unit, score }));
}

function toCandidate(reader: IndexReader, { shard, document, unit }: FoundUnit): Candidate {
  const ordinals = sectionsOfUnits(residentTable(reader, reader.shards[shard]?.index ?? 0, "locator"), document);
  const ordinal = ordinals[unit - FIRST_TEXT_UNIT] as number;
  const from = ordinals.indexOf(ordinal) + FIRST_TEXT_UNIT;
  const to = ordinals.lastIndexOf(ordinal) + 1 + FIRST_TEXT_UNIT;
  return { shard, document, ordinal, from, to, bestUnit: unit };
}
