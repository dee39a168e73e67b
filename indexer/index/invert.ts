/**
 * Invert one document: from its units to the terms it holds, each with its encoded units, the pairs of words that stand
 * side by side, and the words as they are written.
 */
import { keyOf } from "../../src/core/bytes/key.ts";
import { ByteWriter } from "../../src/core/bytes/writer.ts";
import { MAX_KEY_BYTES } from "../../src/core/format/chunk.ts";
import {
  DESCRIPTION_UNIT,
  FIRST_TEXT_UNIT,
  TITLE_UNIT,
  type UnitPosting,
  writeUnits,
} from "../../src/core/format/postings.ts";
import { keysOfName, listNames } from "../../src/core/text/name-forms.ts";
import { isSpellable } from "../../src/core/text/word-keys.ts";
import { KIND_BITS, NONE, TOKEN_KINDS, type WordTable, wordsOf } from "../parse/words.ts";
import { growNumbers } from "./compact-lists.ts";
import { TARGET_UNIT_WORDS, type Unit } from "./cut-units.ts";

/** Pairs counted of one document: what a page of ten megabytes could bring takes no more memory than this. */
const MAX_PAIRS = 200_000;

const MAX_FREQUENCY = 0xff;

/** Bit of a name's flags: it is a term, though no units may be listed under it. */
const IS_TERM = 1;
/** Bit of a term's flags: it is also a word as written, not only a stem. */
const TERM_IS_WORD = 2;
/** What a document adds to the term table. */
export interface InvertedDocument {
  /** Terms and names of stop lists in no particular order, each once. A term that only stop words have has no units. */
  readonly terms: readonly string[];
  /** Encoded units of each term, back to back. */
  readonly unitBytes: Uint8Array;
  /** Where each term's units end in `unitBytes`. */
  readonly ends: Uint32Array;
  /** Of each term 0, or `TERM_IS_WORD`. */
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
  /** Other addresses of the page, as its frontmatter has them. */
  readonly aliases?: readonly string[];
  /** Headings by section ordinal; the first one is the title. */
  readonly headings: readonly string[];
  /** Whether headings are names of symbols: then parts of a name count as text. */
  readonly areNames?: boolean;
}

/** Terms, pairs, words and lengths of a document; `words` are those of its collection's language. */
export function invertDocument(
  fields: DocumentFields,
  units: readonly Unit[],
  words: WordTable = wordsOf("english"),
): InvertedDocument {
  const lists = new TermLists(words);
  const title = lists.add(TITLE_UNIT, fields.title, 1, CODE);
  const path = lists.add(TITLE_UNIT, pathWords(fields.path), 0, HEADING);
  for (const name of new Set([fields.title, ...listNames(fields.path, fields.aliases ?? [])])) {
    const [whole = "", tail = ""] = joinName(name);
    lists.addName(name);
    lists.addName(whole);
    lists.addName(tail, 1);
    lists.add(TITLE_UNIT, tail, 1, HEADING);
  }
  const description = lists.add(DESCRIPTION_UNIT, fields.description, 1, 0);
  const unitLengths = new Uint32Array(units.length);
  for (const [index, unit] of units.entries()) {
    const number = FIRST_TEXT_UNIT + index;
    let length = 0;
    if (!unit.continuation) {
      lists.endText();
      // A heading is written for readers; a name of two words says of neither that the symbol is about it.
      const ofParts = fields.areNames === true ? 0 : HEADING;
      length += lists.add(number, fields.headings[unit.section] ?? "", 1, HEADING, ofParts);
    }
    for (const { kind, text, weight = 1 } of unit.texts) {
      // What weighs nothing is shown and not searched.
      if (weight === 0) continue;
      length += lists.add(number, text, frequencyOf(weight), kind === "code" ? CODE : 0);
    }
    unitLengths[index] = length;
  }
  const body = unitLengths.reduce((sum, length) => sum + length, 0);
  return {
    ...lists.finish(),
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

/** An identifier as one word, and its parts but the first where they are several: `findopenssl`, `openssl`. */
function joinName(text: string): string[] {
  const found = /^[A-Z]?[a-z]+([A-Z][A-Za-z0-9]*)$/.exec(text);
  const [whole, tail = ""] = found ?? [];
  const isOnePart = /^(?:[A-Z]+|[A-Z][a-z]*)$/.test(tail);
  return whole === undefined ? [] : [whole, ...(isOnePart ? [] : [tail])].map((name) => name.toLowerCase());
}

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

/** Frequency of a name in its list: less for a name without its kind. */
const WHOLE_NAME = 2;

/** Flag of a word as written that is not the term of its own. */
const IS_FOLDED = 4;

/** Where a term stands in a unit, as bits. */
const HEADING = 1;
const CODE = 2;

const KINDS = (1 << KIND_BITS) - 1;
const PART = TOKEN_KINDS.indexOf("part");
const WHOLE = TOKEN_KINDS.indexOf("whole");

/** By number of a name: the document that met it last, and the index that it has there. They grow with the table of words. */
let metBy = new Uint32Array(1024);
let indexOf = new Uint32Array(1024);
let documents = 0;

/** Terms of one document under construction, with the units that hold them: lists in lists of numbers. */
class TermLists {
  readonly #words: WordTable;
  readonly #document = ++documents;
  /** By index of a term or word: number of its name, flags, its first and last occurrence. */
  readonly #names: number[] = [];
  readonly #flags: number[] = [];
  readonly #first: number[] = [];
  readonly #last: number[] = [];
  /** By occurrence: unit, frequency, `HEADING` and `CODE`, the next one of the term. */
  readonly #units: number[] = [];
  readonly #frequencies: number[] = [];
  readonly #marks: number[] = [];
  readonly #next: number[] = [];
  readonly #pairs = new PairCounts();
  /** Term that stands before the next one, in the text before it too: a section is read on, whatever its blocks. */
  #before = NONE;

  constructor(words: WordTable) {
    this.#words = words;
  }

  /** What comes next has no neighbour before it. */
  endText(): void {
    this.#before = NONE;
  }

  /** Add a text of a unit: its terms count so often, with these marks. The result is the number of its words. */
  add(unit: number, text: string, frequency: number, marks: number, marksOfParts = marks): number {
    const { terms, lists, folded, variants, exacts } = this.#words;
    let count = 0;
    for (const token of this.#words.read(text).tokens) {
      const word = token >> KIND_BITS;
      const kind = token & KINDS;
      const term = terms[word] as number;
      if (term === NONE) continue;
      const own = kind === PART ? marksOfParts : marks;
      // Pairs are of terms, whatever words have them.
      const index = this.#indexOf(term);
      this.#setFlag(index, IS_TERM);
      this.#addTerm(kind === WHOLE ? term : (lists[word] as number), unit, frequency, own);
      if (folded[word] === term) this.#setFlag(index, TERM_IS_WORD);
      else this.#setFlag(this.#indexOf(folded[word] as number), IS_FOLDED);
      if (kind !== WHOLE) {
        // A whole stands for its parts, which come next, other forms for the word before; neither are neighbours.
        count++;
        if (this.#before !== NONE && unit >= FIRST_TEXT_UNIT) this.#pairs.add(this.#before, index);
        this.#before = index;
        const exact = exacts[word] as number;
        if (exact === NONE) continue;
        const variant = variants[word] as number;
        if (variant !== NONE) this.#addTerm(variant, unit, frequency, marks);
        this.#addTerm(exact, unit, frequency, marks);
      }
    }
    return count;
  }

  /** Add what the document is called: twice what it is without its kind, or without its first part. */
  addName(text: string, frequency = WHOLE_NAME): void {
    const { whole = "", bare = "" } = keysOfName(text, this.#words.analyzer);
    for (const [key, count] of [
      [whole, frequency],
      [bare, 1],
    ] as const) {
      if (key !== "" && keyOf(key).length <= MAX_KEY_BYTES) {
        this.#addTerm(this.#words.numberOfName(key), TITLE_UNIT, count, CODE);
      }
    }
  }

  #addTerm(name: number, unit: number, frequency: number, marks: number): void {
    const index = this.#indexOf(name);
    let last = this.#last[index] as number;
    if (last === NONE || this.#units[last] !== unit) {
      const occurrence = this.#units.push(unit) - 1;
      this.#frequencies.push(0);
      this.#marks.push(0);
      this.#next.push(NONE);
      if (last === NONE) this.#first[index] = occurrence;
      else this.#next[last] = occurrence;
      this.#last[index] = occurrence;
      last = occurrence;
    }
    this.#frequencies[last] = (this.#frequencies[last] as number) + frequency;
    this.#marks[last] = (this.#marks[last] as number) | marks;
  }

  #setFlag(index: number, flag: number): void {
    this.#flags[index] = (this.#flags[index] as number) | flag;
  }

  /** Index of a term or word. */
  #indexOf(name: number): number {
    if (name >= metBy.length) {
      metBy = growNumbers(metBy, this.#words.names.length);
      indexOf = growNumbers(indexOf, this.#words.names.length);
    }
    if (metBy[name] === this.#document) return indexOf[name] as number;
    const index = this.#names.push(name) - 1;
    this.#flags.push(0);
    this.#first.push(NONE);
    this.#last.push(NONE);
    metBy[name] = this.#document;
    indexOf[name] = index;
    return index;
  }

  finish(): Pick<InvertedDocument, "terms" | "unitBytes" | "ends" | "flags" | "pairs" | "words"> {
    const { names } = this.#words;
    const terms: string[] = [];
    const words: string[] = [];
    const writer = new ByteWriter(this.#names.length * 4);
    const ends: number[] = [];
    const flags: number[] = [];
    /** By index: place among the terms. */
    const places = new Uint32Array(this.#names.length);
    for (const [index, number] of this.#names.entries()) {
      const name = names[number] as string;
      const own = this.#flags[index] as number;
      if ((own & (IS_FOLDED | TERM_IS_WORD)) === IS_FOLDED && isSpellable(name)) words.push(name);
      let occurrence = this.#first[index] as number;
      if (occurrence === NONE && (own & IS_TERM) === 0) continue;
      const postings: UnitPosting[] = [];
      for (; occurrence !== NONE; occurrence = this.#next[occurrence] as number) {
        const marks = this.#marks[occurrence] as number;
        postings.push({
          unit: this.#units[occurrence] as number,
          frequency: Math.round(this.#frequencies[occurrence] as number),
          heading: (marks & HEADING) !== 0,
          code: (marks & CODE) !== 0,
        });
      }
      writeUnits(writer, postings);
      ends.push(writer.length);
      flags.push(own & TERM_IS_WORD);
      places[index] = terms.push(name) - 1;
    }
    return {
      terms,
      unitBytes: writer.finish(),
      ends: Uint32Array.from(ends),
      flags: Uint8Array.from(flags),
      pairs: this.#pairs.finish(places),
      words,
    };
  }
}

/** First and second term of a pair share a number. */
const SECOND = 2 ** 26;

/** How often each pair of terms stands in one document, in the order in which pairs are first met. */
class PairCounts {
  readonly #counts = new Map<number, number>();

  /** Count a pair once more. Beyond the limit, pairs that were not met before are left out. */
  add(first: number, second: number): void {
    const pair = first * SECOND + second;
    const count = this.#counts.get(pair);
    if (count !== undefined) this.#counts.set(pair, Math.min(MAX_FREQUENCY, count + 1));
    else if (this.#counts.size < MAX_PAIRS) this.#counts.set(pair, 1);
  }

  /** Three numbers a pair: first term, second term, how often, at most 255. @param places Those of the terms. */
  finish(places: Uint32Array): Uint32Array {
    return Uint32Array.from(
      [...this.#counts].flatMap(([pair, count]) => [
        places[Math.floor(pair / SECOND)] as number,
        places[pair % SECOND] as number,
        count,
      ]),
    );
  }
}
