/**
 * Phrases: which documents hold words side by side. Those of a query, and synonyms of its words.
 *
 * Postings say which documents and units hold all words of a phrase, and pairs of neighbouring words that stand in
 * several documents are in the index: of two words the pair decides alone. What postings leave open the text decides
 * (`check-page.ts`). Terms are compared, so endings do not count; stop words do.
 */
import { keyOf } from "../bytes/key.ts";
import { indexOfNumber } from "../bytes/numbers.ts";
import { ByteWriter } from "../bytes/writer.ts";
import type { DocumentSet } from "../docs/facets.ts";
import { isContinuation, type Locator } from "../format/locator.ts";
import { isRarePair, keyOfPair, type PairSides } from "../format/pairs.ts";
import {
  decodePostings,
  encodePostings,
  FIRST_TEXT_UNIT,
  type FieldFrequencies,
  type PostingList,
  type UnitPosting,
  visitUnits,
  writeUnits,
} from "../format/postings.ts";
import { findInChunks, type IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";
import type { ParsedQuery, Phrase, Requirement } from "./query.ts";
import type { RankingParameters } from "./ranking.ts";
import { readList, readPairList, type Synonym } from "./read-words.ts";
import type { Alternative, PairPostings, WordPostings } from "./scoring.ts";

/** Pairs that are looked up for phrases: each may cost a read. */
const MAX_PHRASE_PAIRS = 12;

/** What the index alone says of a phrase in a document. */
export interface Verdict {
  /** The words stand side by side, they do not, or the text must be read. */
  readonly is: "yes" | "no" | "open";
  /** Units whose text decides, those first that hold all words; absent where the index does not know them. */
  readonly units?: readonly number[];
  /** True where the index tells that one document of the shard at most holds the phrase. */
  readonly isRare?: boolean;
}

/** A pair as each visible shard lists it, and whether that is by hashes, which other pairs share. */
interface JudgedPair {
  readonly lists: PairPostings["lists"];
  readonly isHashed: readonly boolean[];
}

const YES: Verdict = { is: "yes" };
const NO: Verdict = { is: "no" };

/** Judges phrases by what was read of the index. A class, because verdicts are asked for more than once. */
export class PhraseJudge {
  readonly #lists: ReadonlyMap<string, WordPostings["alternatives"][number]["lists"]>;
  readonly #pairs: ReadonlyMap<string, JudgedPair>;
  readonly #locators: readonly Locator[];
  readonly #verdicts = new Map<Phrase, Map<string, Verdict>>();

  /** The locator must be in memory. */
  constructor(
    reader: IndexReader,
    { words, phrasePairs }: { readonly words: readonly WordPostings[]; readonly phrasePairs: readonly PairPostings[] },
  ) {
    this.#lists = new Map(
      words.flatMap(({ alternatives }) =>
        alternatives.filter(({ isLonger }) => !isLonger).map(({ term, lists }) => [term, lists]),
      ),
    );
    this.#locators = reader.shards.map(({ index }) => residentTable(reader, index, "locator"));
    const sideOf = (term: string, shard: number) => this.#lists.get(term)?.[shard];
    this.#pairs = new Map(
      phrasePairs.map(({ terms, lists }) => {
        const isHashed = lists.map((_, shard) => isRarePair([sideOf(terms[0], shard), sideOf(terms[1], shard)]));
        return [terms.join(" "), { lists, isHashed }];
      }),
    );
  }

  /** What the index says of a phrase in a document of a visible shard. */
  judge(phrase: Phrase, shard: number, document: number): Verdict {
    const known = this.#verdicts.get(phrase) ?? new Map<string, Verdict>();
    this.#verdicts.set(phrase, known);
    const key = `${shard} ${document}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const verdict = this.#decide(phrase, shard, document);
    known.set(key, verdict);
    return verdict;
  }

  /** Documents of a visible shard that fulfil the requirement, as far as the index knows. */
  select({ anyOf, negated }: Requirement, shard: number, slots: number): DocumentSet {
    const selected = new Uint8Array(slots).fill(negated ? 1 : 0);
    for (const phrase of anyOf) {
      const shortest = this.#listsOf(phrase, shard).sort((a, b) => a.documents.length - b.documents.length)[0];
      for (const document of shortest?.documents ?? []) {
        const { is } = this.judge(phrase, shard, document);
        if (negated ? is === "yes" : is !== "no") selected[document] = negated ? 0 : 1;
      }
    }
    return selected;
  }

  /**
   * Units of a document in which the phrase is likeliest: those that hold all its words. None where the index does not
   * know, or where the words stand in the title alone.
   */
  likelyUnits(phrase: Phrase, shard: number, document: number): readonly number[] {
    const lists = this.#listsOf(phrase, shard);
    return this.#commonUnits(lists, shard, document).exact;
  }

  /** Lists of the words that decide, or none where one of them is in no document. */
  #listsOf({ deciding }: Phrase, shard: number): PostingList[] {
    const lists = deciding.map((term) => this.#lists.get(term)?.[shard]);
    return lists.every((list) => list !== undefined) ? lists : [];
  }

  #decide(phrase: Phrase, shard: number, document: number): Verdict {
    const { terms } = phrase;
    const lists = this.#listsOf(phrase, shard);
    if (lists.length === 0) return NO;
    const missing = lists.filter((list) => indexOfNumber(list.documents, document) < 0);
    if (!missing.every(isPartial)) return NO;
    if (terms.length === 1) return missing.length === 0 ? YES : { is: "open" };
    let isRare = false;
    for (let at = 0; at + 1 < terms.length; at++) {
      const [first = "", second = ""] = [terms[at], terms[at + 1]];
      const pair = this.#pairs.get(`${first} ${second}`);
      if (pair === undefined) continue;
      const list = pair.lists[shard];
      const isHashed = pair.isHashed[shard] === true;
      if (list === undefined && !isHashed) {
        isRare = true;
        continue;
      }
      if (list === undefined || indexOfNumber(list.documents, document) < 0) return NO;
      if (terms.length === 2 && !isHashed) return YES;
    }
    const { units } = this.#commonUnits(lists, shard, document);
    if (units?.length === 0) return NO;
    return { is: "open", isRare, ...(units !== undefined && { units }) };
  }

  #locatorOf(shard: number): Locator {
    return this.#locators[shard] as Locator;
  }

  /**
   * Units that hold all words, then those that do with the unit beside them in the same section, for a phrase may reach over
   * the border; undefined where no list keeps the document's units.
   */
  #commonUnits(
    lists: readonly PostingList[],
    shard: number,
    document: number,
  ): { exact: readonly number[]; units: readonly number[] | undefined } {
    let exact: Set<number> | undefined;
    let near: Set<number> | undefined;
    for (const list of lists) {
      const at = indexOfNumber(list.documents, document);
      if (at < 0 || (list.unitsAt[at] as number) < 0) continue;
      const own = new Set<number>();
      visitUnits(list, at, (unit) => {
        if (unit >= FIRST_TEXT_UNIT) own.add(unit);
      });
      exact = intersect(exact, own);
      near = intersect(near, this.#withNeighbours(own, shard, document));
    }
    if (exact === undefined || near === undefined) return { exact: [], units: undefined };
    return { exact: [...exact], units: [...new Set([...exact, ...near])] };
  }

  #withNeighbours(units: ReadonlySet<number>, shard: number, document: number): Set<number> {
    const all = new Set(units);
    const locator = this.#locatorOf(shard);
    for (const unit of units) {
      if (isContinuation(locator, document, unit)) all.add(unit - 1);
      if (isContinuation(locator, document, unit + 1)) all.add(unit + 1);
    }
    return all;
  }
}

function intersect(before: ReadonlySet<number> | undefined, next: ReadonlySet<number>): Set<number> {
  return before === undefined ? new Set(next) : new Set([...before].filter((unit) => next.has(unit)));
}

/** True for a stop word's list, which names its best documents and only counts the others. */
function isPartial({ documents, frequencies }: PostingList): boolean {
  return documents.length < frequencies.documents;
}

/**
 * Terms side by side in phrases. Of a long phrase some say enough, those of words that are no stop words first: they
 * stand in the fewest documents.
 */
export function listPhrasePairs({ requirements }: ParsedQuery): (readonly [string, string])[] {
  const found = new Map<string, { readonly pair: readonly [string, string]; readonly words: number }>();
  for (const { terms, deciding } of requirements.flatMap(({ anyOf }) => anyOf)) {
    for (const [at, second] of terms.slice(1).entries()) {
      const pair = [terms[at] as string, second] as const;
      found.set(pair.join(" "), { pair, words: pair.filter((term) => deciding.includes(term)).length });
    }
  }
  return [...found.values()]
    .sort((a, b) => b.words - a.words)
    .slice(0, MAX_PHRASE_PAIRS)
    .map(({ pair }) => pair);
}

/** What decides on the phrases of a query whose words were read; the locator must be in memory. */
export function judgePhrases(...given: ConstructorParameters<typeof PhraseJudge>): PhraseJudge {
  return new PhraseJudge(...given);
}

/** Words of phrases are not read where they take more bytes: pairs tell which documents hold the phrase. */
const MOST_SYNONYM_BYTES = 1536;

/** What a phrase of the shipped thesaurus counts of a synonym of the corpus: in the index its first term is empty. */
const THESAURUS_SHARE = 0.6;

/** The words with their synonyms, which takes a wave. */
export async function addSynonyms(
  reader: IndexReader,
  words: readonly WordPostings[],
  found: readonly Synonym[],
  ranking: RankingParameters,
): Promise<WordPostings[]> {
  const synonyms = found.map((synonym) => {
    const isShipped = synonym.terms[0] === "";
    return { ...synonym, isShipped, terms: isShipped ? synonym.terms.slice(1) : synonym.terms };
  });
  const added = new Map<number, Alternative[]>();
  const pairKeys = ({ terms }: Synonym) => terms.slice(1).map((second, at) => keyOfPair(terms[at] as string, second));
  // How long lists are is known when directories of two levels are.
  await reader.locate(
    reader.shards.map(({ index }) => ({
      shard: index,
      table: "terms",
      keys: synonyms.flatMap((synonym) => [...synonym.terms.map(keyOf), ...pairKeys(synonym)]),
    })),
  );
  const isMany = (shard: number, term: string, { terms }: Synonym): boolean =>
    terms.length > 1 && reader.chunkBytes(shard, "terms", keyOf(term)) > MOST_SYNONYM_BYTES;
  const wave = await reader.read(
    reader.shards.map(({ index }) => ({
      shard: index,
      table: "terms",
      keys: synonyms.flatMap((synonym) => [
        ...synonym.terms.filter((term) => !isMany(index, term, synonym)).map(keyOf),
        ...pairKeys(synonym),
      ]),
    })),
  );
  for (const synonym of synonyms) {
    const { terms, words: indexes, group, isShipped } = synonym;
    const lists = reader.shards.map(({ index, root }, shard): PostingList | undefined => {
      if (group !== root.group) return undefined;
      const chunks = wave.tables[shard] ?? [];
      const known = terms.map((term) =>
        isMany(index, term, synonym) ? "many" : readList(reader, shard, findInChunks(chunks, keyOf(term)), term),
      );
      const sideOf = (list: (typeof known)[number]) => (list === "many" ? undefined : list);
      const pairs = pairKeys(synonym).map((key, at) => {
        const sides: PairSides = [sideOf(known[at]), sideOf(known[at + 1])];
        const pair = [terms[at] as string, terms[at + 1] as string] as const;
        return readPairList(reader, shard, chunks, key, pair, sides)?.documents ?? [];
      });
      return listDocuments(known, pairs);
    });
    if (lists.every((list) => list === undefined)) continue;
    // One occurrence of `SSO` stands for all words of `single sign-on` together.
    const weight = (ranking.synonyms * (isShipped ? THESAURUS_SHARE : 1)) / indexes.length;
    const alternative: Alternative = { term: terms.join(" "), weight, isLonger: false, lists, marks: terms };
    for (const index of indexes) {
      const isKnown = words[index]?.alternatives.some((own) => own.lists.some((list) => list !== undefined)) === true;
      added.set(index, [
        ...(added.get(index) ?? []),
        isShipped && isKnown ? withoutFrequencies(alternative) : alternative,
      ]);
    }
  }
  return words.map((word, at) => ({ ...word, alternatives: [...word.alternatives, ...(added.get(at) ?? [])] }));
}

const NONE: FieldFrequencies = { documents: 0, body: 0, title: 0, path: 0, description: 0, units: 0 };

/** The same for a word that documents hold: what only means something like it makes it no more common than it is. */
function withoutFrequencies({ lists, ...alternative }: Alternative): Alternative {
  return { ...alternative, lists: lists.map((list) => list && { ...list, frequencies: NONE }) };
}

/**
 * The documents of a shard that hold all terms of a phrase, with the units that do, the least of their frequencies, and marked
 * as heading or code where all of them are; undefined for none.
 *
 * @param lists Postings of each term; undefined where no document holds it.
 * @param pairs Documents that hold each two neighbours side by side.
 */
export function listDocuments(
  lists: readonly (PostingList | "many" | undefined)[],
  pairs: readonly ArrayLike<number>[],
): PostingList | undefined {
  if (lists.includes(undefined)) return undefined;
  const known = lists.filter((list) => typeof list === "object");
  if (lists.length === 1) return known[0];
  const writer = new ByteWriter();
  const documents: number[] = [];
  const unplaced: number[] = [];
  const sides = pairs.map((pair) => new Set(Array.from(pair)));
  for (const document of known[0]?.documents ?? sides[0] ?? []) {
    if (!sides.every((side) => side.has(document))) continue;
    const held = known.map((list) => indexOfNumber(list.documents, document));
    if (held.includes(-1)) continue;
    const placed = known.flatMap((list, at) =>
      [unitsAt(list, held[at] as number) ?? []].filter((own) => own.length > 0),
    );
    const units = placed.length === 0 ? [UNPLACED] : intersectUnits(placed);
    if (units.length === 0) continue;
    if (placed.length === 0) unplaced.push(documents.length);
    writer.writeVarint(document - (documents.at(-1) ?? -1) - 1);
    writeUnits(writer, units);
    documents.push(document);
  }
  if (documents.length === 0) return undefined;
  const made = decodePostings(encodePostings(writer.finish(), documents.length, false, (_, frequency) => frequency));
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
