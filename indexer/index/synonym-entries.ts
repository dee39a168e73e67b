/**
 * Entries of synonyms: for each phrase that has some, the postings of all that stands for the same thing.
 *
 * A phrase of several terms stands in a unit that holds all of them, in a document where each two neighbours of them
 * stand side by side. Pure: prepared documents in, entries out.
 */
import { KEY_SEPARATOR } from "../../src/core/bytes/key.ts";
import { MAX_KEY_BYTES, type TableEntry } from "../../src/core/format/chunk.ts";
import { encodeSynonyms, keyOfSynonyms } from "../../src/core/format/pairs.ts";
import {
  decodeUnits,
  encodeUnits,
  PostingBuilder,
  type UnitPosting,
  visitUnits,
} from "../../src/core/format/postings.ts";
import type { SynonymSet } from "../topics/synonyms.ts";
import type { PreparedDocument } from "./prepare-document.ts";

type Phrase = readonly string[];

/** What stands for the same thing in all documents of a shard. */
export class SynonymCollector {
  readonly #others: ReadonlyMap<string, readonly Phrase[]>;
  readonly #phrases: ReadonlyMap<string, Phrase>;
  readonly #builders = new Map<string, PostingBuilder>();

  constructor(sets: readonly SynonymSet[]) {
    this.#others = listOthers(sets);
    this.#phrases = new Map([...this.#others.values()].flat().map((phrase) => [phrase.join(KEY_SEPARATOR), phrase]));
  }

  /** Add a document. Documents ascend by number. */
  add(document: Pick<PreparedDocument, "number" | "inverted">): void {
    if (this.#phrases.size === 0) return;
    const found = findPhrases(document, this.#phrases);
    if (found.size === 0) return;
    for (const [name, members] of this.#others) {
      const units = mergeUnits(members.flatMap((member) => found.get(member.join(KEY_SEPARATOR)) ?? []));
      if (units.length === 0) continue;
      const builder = this.#builders.get(name) ?? new PostingBuilder();
      this.#builders.set(name, builder);
      builder.add(document.number, encodeUnits(units));
    }
  }

  /** Entries in no particular order. `rank` orders documents of long lists. */
  finish(rank: (document: number, frequency: number) => number): TableEntry[] {
    return [...this.#builders].flatMap(([name, builder]): TableEntry[] => {
      const key = keyOfSynonyms(name.split(KEY_SEPARATOR));
      const value = encodeSynonyms(this.#others.get(name) ?? [], builder.finish(false, rank));
      return key.length > MAX_KEY_BYTES ? [] : [{ key, value }];
    });
  }
}

/** For each phrase, the other members of all sets that it is in. */
function listOthers(sets: readonly SynonymSet[]): Map<string, Phrase[]> {
  const others = new Map<string, Map<string, Phrase>>();
  for (const { members } of sets) {
    for (const member of members) {
      const name = member.join(KEY_SEPARATOR);
      const own = others.get(name) ?? new Map<string, Phrase>();
      others.set(name, own);
      for (const other of members) if (other !== member) own.set(other.join(KEY_SEPARATOR), other);
    }
  }
  return new Map([...others].map(([name, own]) => [name, [...own.values()]]));
}

/** Units of a document that hold each of the phrases. */
function findPhrases(
  { inverted }: Pick<PreparedDocument, "inverted">,
  phrases: ReadonlyMap<string, Phrase>,
): ReadonlyMap<string, UnitPosting[]> {
  const indexes = new Map(inverted.terms.map((term, index) => [term, index]));
  const found = new Map<string, UnitPosting[]>();
  let pairs: ReadonlySet<string> | undefined;
  for (const [name, phrase] of phrases) {
    const own = phrase.map((term) => indexes.get(term));
    if (own.some((index) => index === undefined)) continue;
    const at = own as number[];
    if (phrase.length > 1) {
      pairs ??= listPairs(inverted.pairs);
      const known = pairs;
      if (!at.slice(1).every((second, before) => known.has(`${at[before]} ${second}`))) continue;
    }
    const units = intersectUnits(at.map((index) => readUnits(inverted, index)));
    if (units.length > 0) found.set(name, units);
  }
  return found;
}

function listPairs(pairs: Uint32Array): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at = 0; at < pairs.length; at += 3) names.add(`${pairs[at]} ${pairs[at + 1]}`);
  return names;
}

function readUnits({ unitBytes, ends }: PreparedDocument["inverted"], index: number): UnitPosting[] {
  const own = unitBytes.subarray(index === 0 ? 0 : (ends[index - 1] as number), ends[index] as number);
  const list = decodeUnits(own);
  const units: UnitPosting[] = [];
  visitUnits(list, 0, (unit, frequency, heading, code) => {
    units.push({ unit, frequency: Math.round(frequency), heading, code });
  });
  return units;
}

/** Units that all lists have: the least frequency, in a heading where all are. */
function intersectUnits(lists: readonly (readonly UnitPosting[])[]): UnitPosting[] {
  const [first = [], ...rest] = lists;
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

/** Units of several phrases as one list, ascending. */
function mergeUnits(units: readonly UnitPosting[]): UnitPosting[] {
  const merged = new Map<number, UnitPosting>();
  for (const posting of units) {
    const known = merged.get(posting.unit);
    merged.set(
      posting.unit,
      known === undefined
        ? posting
        : {
            unit: posting.unit,
            frequency: known.frequency + posting.frequency,
            heading: known.heading || posting.heading,
            code: known.code || posting.code,
          },
    );
  }
  return [...merged.values()].sort((a, b) => a.unit - b.unit);
}
