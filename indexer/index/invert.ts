/**
 * Invert one document: from its units to the terms it holds, each with its encoded units, the pairs of words that stand
 * side by side, and the words as they are written.
 */
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import { DESCRIPTION_UNIT, FIRST_TEXT_UNIT, TITLE_UNIT, writeUnits } from "../../src/core/format/postings.ts";
import {
  type Analyzer,
  countsAsWord,
  ENGLISH,
  stopListOf,
  type TermKind,
  type TermVisitor,
  visitTerms,
} from "../../src/core/text/analyze.ts";
import { isSpellable } from "../../src/core/text/word-keys.ts";
import { TARGET_UNIT_WORDS, type Unit } from "./cut-units.ts";

/** Pairs counted of one document: what a page of ten megabytes could bring takes no more memory than this. */
const MAX_PAIRS = 200_000;

const MAX_FREQUENCY = 0xff;

/** More than a document can have. */
const MAX_TERMS = 2 ** 26;

/** Flag of a term: it is also a word as written, not only a stem. */
const TERM_IS_WORD = 1;
/** What a document adds to the term table. */
export interface InvertedDocument {
  /** Terms and names of stop lists in no particular order, each once. A term that only stop words have has no units. */
  readonly terms: readonly string[];
  /** Encoded units of each term, back to back. */
  readonly unitBytes: Uint8Array;
  /** Where each term's units end in `unitBytes`. */
  readonly ends: Uint32Array;
  /** `TERM_IS_WORD` of each term. */
  readonly flags: Uint8Array;
  /** Pairs of neighbouring words, three numbers each: first term, second term (as indexes of `terms`), how often. */
  readonly pairs: Uint32Array;
  /** Words as written (folded, not stemmed) that are not terms themselves, each once. */
  readonly words: readonly string[];
  /** Words per field; those of the body are the sum over text units. */
  readonly lengths: {
    readonly body: number;
    readonly title: number;
    readonly path: number;
    readonly description: number;
  };
  /** Words of each text unit, its heading included; of one that weighs less than others more than it has. */
  readonly unitLengths: Uint32Array;
}

/** Fields of a document that are not in its units. */
interface DocumentFields {
  readonly title: string;
  readonly path: string;
  readonly description: string;
  /** Headings by section ordinal; the first one is the title. */
  readonly headings: readonly string[];
  /** Whether headings are names of symbols: then parts of a name count as text. */
  readonly areNames?: boolean;
}

interface Occurrence {
  unit: number;
  frequency: number;
  heading: boolean;
  code: boolean;
}

interface TermEntry {
  readonly index: number;
  readonly occurrences: Occurrence[];
  flags: number;
}

/** Indexes of a document's terms that are words as they are written. */
export function listSpelledTerms({ terms, flags }: Pick<InvertedDocument, "terms" | "flags">): number[] {
  const indexes: number[] = [];
  for (const [index, term] of terms.entries()) {
    if (flags[index] === TERM_IS_WORD && isSpellable(term)) indexes.push(index);
  }
  return indexes;
}

/** Terms, pairs, words and lengths of a document; `analyzer` is that of its collection's language. */
export function invertDocument(
  fields: DocumentFields,
  units: readonly Unit[],
  analyzer: Analyzer = ENGLISH,
): InvertedDocument {
  const entries = new Map<string, TermEntry>();
  const pairs = new PairCounts();
  const words = new Set<string>();
  // Term that stands before the next one, in the text before it too: a section is read on, whatever its blocks.
  let before = -1;
  const enter = (name: string): TermEntry => {
    let entry = entries.get(name);
    if (entry === undefined) {
      entry = { index: entries.size, occurrences: [], flags: 0 };
      entries.set(name, entry);
    }
    return entry;
  };
  const add = (unit: number, text: string, mark: (occurrence: Occurrence, kind: TermKind) => void): number => {
    let count = 0;
    const visit: TermVisitor = (term, kind, stop, _start, _end, word) => {
      // Pairs are of terms, whatever words have them.
      const entry = enter(term);
      if (kind !== "variant" && kind !== "exact") {
        if (word === term) entry.flags = TERM_IS_WORD;
        else words.add(word);
      }
      const { occurrences } = stop ? enter(stopListOf(term)) : entry;
      let last = occurrences.at(-1);
      if (last === undefined || last.unit !== unit) {
        last = { unit, frequency: 0, heading: false, code: false };
        occurrences.push(last);
      }
      mark(last, kind);
      // A whole stands for its parts, which come next, other forms for the word before; neither are neighbours.
      if (!countsAsWord(kind)) return;
      count++;
      if (before >= 0 && unit >= FIRST_TEXT_UNIT) pairs.add(before, entry.index);
      before = entry.index;
    };
    visitTerms(text, visit, analyzer);
    return count;
  };
  const count = (occurrence: Occurrence): void => {
    occurrence.frequency++;
  };

  const title = add(TITLE_UNIT, fields.title, (occurrence) => {
    occurrence.frequency++;
    occurrence.code = true;
  });
  const path = add(TITLE_UNIT, pathWords(fields.path), (occurrence) => {
    occurrence.heading = true;
  });
  const description = add(DESCRIPTION_UNIT, fields.description, count);
  const unitLengths = new Uint32Array(units.length);
  for (const [index, unit] of units.entries()) {
    const number = FIRST_TEXT_UNIT + index;
    let length = 0;
    if (!unit.continuation) {
      before = -1;
      length += add(number, fields.headings[unit.section] ?? "", (occurrence, kind) => {
        occurrence.frequency++;
        // A heading is written for readers; a name of two words says of neither that the symbol is about it.
        if (kind !== "part" || fields.areNames !== true) occurrence.heading = true;
      });
    }
    for (const { kind, text, weight = 1 } of unit.texts) {
      // What weighs nothing is shown and not searched.
      if (weight === 0) continue;
      const count = frequencyOf(weight);
      length += add(number, text, (occurrence) => {
        occurrence.frequency += count;
        if (kind === "code") occurrence.code = true;
      });
    }
    unitLengths[index] = length;
  }
  const body = unitLengths.reduce((sum, length) => sum + length, 0);
  return {
    ...encode(entries),
    pairs: pairs.finish(),
    words: [...words].filter((word) => isSpellable(word) && entries.get(word)?.flags !== TERM_IS_WORD),
    lengths: { body, title, path, description },
    unitLengths: lengthenLight(units, unitLengths),
  };
}

/**
 * Lengths of units as they are scored: one whose words weigh less than others is taken for a longer one, of at least the length that
 * it would have with the rest of its section. Frequencies cannot say it: the least there is is 1.
 */
function lengthenLight(units: readonly Unit[], lengths: Uint32Array): Uint32Array {
  if (units.every(({ weight }) => weight === undefined)) return lengths;
  const ofSection = new Map<number, number>();
  for (const [index, { section }] of units.entries()) {
    ofSection.set(section, (ofSection.get(section) ?? 0) + (lengths[index] as number));
  }
  return lengths.map((length, index) => {
    const { section, weight } = units[index] as Unit;
    if (weight === undefined) return length;
    const whole = Math.min(TARGET_UNIT_WORDS, ofSection.get(section) ?? 0);
    return Math.min(MAX_LENGTH, Math.max(length, whole) / frequencyOf(weight));
  });
}

/** More than any unit has; small weights ask for lengths without end. */
const MAX_LENGTH = 50_000;

/** What one word of a weight counts: weights are quadratic, as Pagefind's are. */
function frequencyOf(weight: number): number {
  return weight * weight;
}

/** A path as words: without its ending and without numbers that only order files. */
function pathWords(path: string): string {
  return path
    .replace(/\.[a-z0-9]+$/i, "")
    .split("/")
    .map((part) => part.replace(/^\d+[-_. ]+/, ""))
    .join(" / ");
}

function encode(
  entries: ReadonlyMap<string, TermEntry>,
): Pick<InvertedDocument, "terms" | "unitBytes" | "ends" | "flags"> {
  const terms: string[] = [];
  const writer = new ByteWriter(entries.size * 4);
  const ends = new Uint32Array(entries.size);
  const flags = new Uint8Array(entries.size);
  for (const [term, entry] of entries) {
    flags[terms.length] = entry.flags;
    for (const occurrence of entry.occurrences) occurrence.frequency = Math.round(occurrence.frequency);
    writeUnits(writer, entry.occurrences);
    ends[terms.length] = writer.length;
    terms.push(term);
  }
  const unitBytes = writer.finish();
  return { terms, unitBytes, ends, flags };
}

/** How often each pair of terms stands in one document, in the order in which pairs are first met. */
class PairCounts {
  readonly #counts = new Map<number, number>();

  /** Count a pair once more. Beyond the limit, pairs that were not met before are left out. */
  add(first: number, second: number): void {
    const key = first * MAX_TERMS + second;
    const count = this.#counts.get(key) ?? 0;
    if (count < MAX_FREQUENCY && (count > 0 || this.#counts.size < MAX_PAIRS)) this.#counts.set(key, count + 1);
  }

  /** Three numbers a pair: first term, second term, how often, at most 255. */
  finish(): Uint32Array {
    const pairs = new Uint32Array(this.#counts.size * 3);
    let at = 0;
    for (const [key, count] of this.#counts) {
      pairs[at++] = Math.floor(key / MAX_TERMS);
      pairs[at++] = key % MAX_TERMS;
      pairs[at++] = count;
    }
    return pairs;
  }
}
