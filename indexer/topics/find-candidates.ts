/**
 * Finds what a page may be about: phrases between stop words, headings, inline code and acronyms, with where they stand. The
 * whole corpus decides which of them are concepts (`choose-concepts.ts`).
 *
 * A phrase is up to four words in a row of which none is a stop word or says nothing by itself. A word counts by its stem. In a
 * text a phrase has to come twice, a word three times; in a heading, or as code, once is enough. A phrase that hardly ever comes
 * but as part of a longer one is left out for that (as in C-value, Frantzi et al. 2000).
 */
import { bareCode, conceptKey } from "../../src/core/docs/categories.ts";
import { copyText } from "../../src/core/text/analyze.ts";
import type { Language } from "../../src/core/text/language.ts";
import { findInlineCode } from "../parse/code-words.ts";
import type { ParsedDocument } from "../parse/parsed-document.ts";
import { NONE, type WordTable } from "../parse/words.ts";
import { isConnecting, isFiller, isGeneral } from "./general-words.ts";
import type { Acronym } from "./synonyms.ts";

/** Bits that say where a candidate was found: in the title, in a heading, as code, as an acronym. */
export const FLAG = { title: 1, heading: 2, code: 4, acronym: 8 } as const;

export interface ConceptCandidate {
  readonly key: string;
  /** As running text writes it most often; as a heading does where only headings have it. */
  readonly text: string;
  /** How often running text writes it so; next to nothing for headings. */
  readonly written: number;
  readonly flags: number;
  /** How often it stands in titles, headings and paragraphs of the page. */
  readonly count: number;
}

/** Most candidates of a page: those that most likely matter. */
const MAX_CANDIDATES = 30;
const MAX_PHRASE_WORDS = 4;
const LEAST_PHRASE_COUNT = 2;
const LEAST_WORD_COUNT = 3;
const MAX_WORDS = 50_000;
/** Occurrences of a phrase, all but a fifth of which lie in a longer one, are those of the longer one. */
const NESTED_SHARE = 0.8;

/** Inline code that names something: an identifier, a path, a package, an option; no value and no snippet. */
const NAME = /^(?:--?|@|\.)?[\p{L}_][\p{L}\p{N}_]*(?:(?:::|[./:#-])[\p{L}\p{N}_-]+)*$/u;
const MAX_NAME_LENGTH = 40;
const PLAIN_NAME = /^[\p{Ll}\p{N}]+$/u;
/** Two or three words that are written as one thing, perhaps in quotes: `use cache`, `git commit`. */
const COMMAND = /^\p{Ll}[\p{Ll}\p{N}-]+(?: \p{Ll}[\p{Ll}\p{N}-]+){1,2}$/u;
/** Words of snippets, which no command has. */
const KEYWORDS =
  /\b(?:async|await|class|const|default|else|export|extends|for|function|if|import|in|is|let|new|of|return|var|while)\b/;
const QUOTED = /^(['"])(.* .*)\1$/;
const VERSION = /^v?\d+(?:\.\d+)*$/;
/** What a heading counts for how something is written, against running text: it capitalises what that does not. */
const HEADING_FORM = 2 ** -10;
const VALUES = new Set(
  "true false null undefined none nil string number boolean object any void unknown never int float bool array".split(
    " ",
  ),
);

interface Found {
  text: Map<string, number>;
  flags: number;
  count: number;
  words: number;
}

interface CandidateInput {
  readonly parsed: ParsedDocument;
  /** The source, for inline code. */
  readonly text: string;
  readonly acronyms: readonly Acronym[];
  readonly language: Language;
  /** Those of the language. */
  readonly words: WordTable;
}

/** The candidates of a page, the likeliest first. */
export function findCandidates(input: CandidateInput): ConceptCandidate[] {
  const words = readWords(input);
  const found = new Map<string, Found>();
  addPhrases(words, found);
  addCode(input, found);
  addAcronyms(input, found);
  return [...found]
    .map(([key, one]) => ({ key, one, rating: rate(one) }))
    .sort((a, b) => b.rating - a.rating || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_CANDIDATES)
    .map(({ key, one: { text, flags, count } }) => ({ key, ...mostFrequent(text), flags, count }));
}

function rate({ flags, count, words }: Found): number {
  const place = (flags & FLAG.title ? 3 : 0) + (flags & FLAG.heading ? 2 : 0) + (flags & FLAG.acronym ? 3 : 0);
  return place + Math.log2(1 + count) + (words > 1 ? 1 : 0);
}

/** The words of a page in order; a run of them ends at a `BREAK`. */
interface PageWords {
  /** Places of stems in `terms`, or `BREAK`. */
  readonly stems: Int32Array;
  /** `GENERAL` and `FILLER` of each. */
  readonly kinds: Uint8Array;
  /** Numbers of words as they are written. */
  readonly written: readonly number[];
  /** Words that a hyphen ties to the one before. */
  readonly hyphens: ReadonlySet<number>;
  /** `FLAG.title` or `FLAG.heading`, else 0. */
  readonly places: Uint8Array;
  /** Stems of the page, as numbers of names. */
  readonly terms: readonly number[];
  /** What the numbers stand for. */
  readonly known: WordTable;
}

function readWords({ parsed, language, words: known }: CandidateInput): PageWords {
  const { codes, runs } = knownOf(known);
  const isEnglish = language === "english" || language === "none";
  const written: number[] = [BREAK];
  const hyphens = new Set<number>();
  const texts: { readonly from: number; readonly place: number }[] = [];
  const endRun = (): void => {
    if (written[written.length - 1] !== BREAK) written.push(BREAK);
  };
  let isBroken = true;
  let seen = 0;
  const visit = (number: number, tie: Tie): void => {
    if (tie === BREAK) endRun();
    if (number === BREAK || seen >= MAX_WORDS) return;
    seen++;
    codes[number] ??= codeOf(known, number, isEnglish);
    // What a hyphen ties to a word that does not count is no word either: `third-party`.
    isBroken = codes[number] === BREAK || (isBroken && tie === HYPHEN);
    if (isBroken) {
      endRun();
      return;
    }
    if (tie === HYPHEN) hyphens.add(written.length);
    written.push(number);
  };
  const read = (text: string, place: number): void => {
    if (seen >= MAX_WORDS) return;
    endRun();
    isBroken = true;
    texts.push({ from: written.length, place });
    let tie: Tie = BREAK;
    for (const run of text.split(/\s+/)) {
      const { isTied, words, end } = runs.get(run) ?? readRun(run, known, runs);
      if (!isTied) tie = BREAK;
      for (const word of words) {
        visit(word, word === BREAK ? BREAK : tie);
        tie = word === BREAK ? BREAK : HYPHEN;
      }
      tie = end;
    }
  };
  read(parsed.title, FLAG.title);
  read(parsed.description, 0);
  for (const [ordinal, section] of parsed.sections.entries()) {
    if (ordinal > 0) read(section.title, FLAG.heading);
    for (const { kind, text } of section.blocks) if (kind === "prose") read(text, 0);
  }
  endRun();
  const { length } = written;
  const stems = new Int32Array(length).fill(BREAK);
  const kinds = new Uint8Array(length);
  const terms: number[] = [];
  const places = new Map<number, number>();
  for (let at = 0; at < length; at++) {
    const number = written[at] as number;
    if (number === BREAK) continue;
    const term = known.terms[number] as number;
    let stem = places.get(term);
    if (stem === undefined) {
      stem = terms.push(term) - 1;
      places.set(term, stem);
    }
    stems[at] = stem;
    kinds[at] = codes[number] as number;
  }
  const flags = new Uint8Array(length);
  for (const [at, { from, place }] of texts.entries()) flags.fill(place, from, texts[at + 1]?.from ?? length);
  return { stems, kinds, written, hyphens, places: flags, terms, known };
}

/** Add phrases: those that come often enough, longer ones only where their parts do. */
function addPhrases(words: PageWords, found: Map<string, Found>): void {
  const { stems, places, terms } = words;
  // A phrase of n words has a number for its first n-1 and the stem of its last.
  let before = stems;
  let counts = countNumbers(before, terms.length);
  const kept: Phrase[][] = [keepPhrases(words, before, counts, 1)];
  const isFrequent = (number: number): boolean => (counts[number] as number) >= LEAST_PHRASE_COUNT;
  for (let length = 2; length <= MAX_PHRASE_WORDS; length++) {
    const numbers = new Map<number, number>();
    const now = new Int32Array(stems.length).fill(BREAK);
    for (let at = 0; at + length <= stems.length; at++) {
      const first = before[at] as number;
      const rest = before[at + 1] as number;
      if (first === BREAK || rest === BREAK) continue;
      if (places[at] === 0 && !(isFrequent(first) && isFrequent(rest))) continue;
      const key = first * terms.length + (stems[at + length - 1] as number);
      let number = numbers.get(key);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(key, number);
      }
      now[at] = number;
    }
    if (numbers.size === 0) break;
    before = now;
    counts = countNumbers(now, numbers.size);
    kept.push(keepPhrases(words, now, counts, length));
  }
  for (const phrase of withoutNested(kept, words)) addPhrase(phrase, words, found);
}

/** A phrase with the places where it begins. */
interface Phrase {
  readonly length: number;
  readonly at: number[];
  flags: number;
}

function countNumbers(numbers: Int32Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (const number of numbers) if (number !== BREAK) counts[number] = (counts[number] as number) + 1;
  return counts;
}

function keepPhrases(words: PageWords, numbers: Int32Array, counts: Uint32Array, length: number): Phrase[] {
  const { stems, kinds, places } = words;
  const phrases = new Map<number, Phrase>();
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] as number;
    if (number === BREAK) continue;
    const place = places[at] as number;
    const isRun = place !== 0 && stems[at - 1] === BREAK && stems[at + length] === BREAK;
    const phrase = phrases.get(number);
    if (phrase === undefined) {
      const isFrequent = (counts[number] as number) >= (length === 1 ? LEAST_WORD_COUNT : LEAST_PHRASE_COUNT);
      if (!isFrequent && !isRun) continue;
      if (length === 1 && ((kinds[at] as number) & GENERAL) !== 0) continue;
      if (isAllFiller(words, at, length) || isRepeated(words, at, length)) continue;
      phrases.set(number, { length, at: [at], flags: isRun ? place : 0 });
      continue;
    }
    phrase.at.push(at);
    if (isRun) phrase.flags |= place;
  }
  return [...phrases.values()];
}

function isAllFiller({ kinds }: PageWords, at: number, length: number): boolean {
  for (let word = at; word < at + length; word++) if (((kinds[word] as number) & FILLER) === 0) return false;
  return true;
}

/** Whether a phrase says a word twice in a row: two texts that happen to meet. */
function isRepeated({ stems }: PageWords, at: number, length: number): boolean {
  for (let word = at + 1; word < at + length; word++) if (stems[word] === stems[word - 1]) return true;
  return false;
}

/** Phrases that do not mostly come as part of a longer one. */
function withoutNested(kept: readonly Phrase[][], words: PageWords): Phrase[] {
  const result: Phrase[] = [];
  /** How many longer phrases cover a place, by length of the shorter one: whether a phrase from here on lies in a longer. */
  const covered = new Uint8Array(words.stems.length);
  for (const phrases of [...kept].reverse()) {
    for (const phrase of phrases) {
      const inside = phrase.at.filter((at) => isCovered(covered, at, phrase.length)).length;
      if (phrase.flags === 0 && inside >= phrase.at.length * NESTED_SHARE) continue;
      result.push(phrase);
    }
    for (const { at, length } of phrases) {
      if (length > 1) for (const start of at) for (let word = start; word < start + length; word++) covered[word] = 1;
    }
  }
  return result;
}

function isCovered(covered: Uint8Array, at: number, length: number): boolean {
  for (let word = at; word < at + length; word++) if (covered[word] === 0) return false;
  return true;
}

function addPhrase({ length, at: starts, flags }: Phrase, words: PageWords, found: Map<string, Found>): void {
  const [first = 0] = starts;
  const { known, terms, stems, places } = words;
  const key = Array.from(stems.subarray(first, first + length), (stem) => known.names[terms[stem] as number]).join(" ");
  const phrase = foundAt(found, key, length);
  phrase.flags |= flags;
  const forms: { readonly at: number; weight: number }[] = [];
  for (const at of starts) {
    const weight = places[at] === 0 ? 1 : HEADING_FORM;
    const form = forms.find((one) => isSameForm(words, one.at, at, length));
    if (form === undefined) forms.push({ at, weight });
    else form.weight += weight;
  }
  phrase.count += starts.length;
  for (const { at, weight } of forms) addText(phrase, writtenAt(words, at, length), weight);
}

function isSameForm({ written, hyphens }: PageWords, one: number, other: number, length: number): boolean {
  if (written[one] !== written[other]) return false;
  for (let word = 1; word < length; word++) {
    if (written[one + word] !== written[other + word] || hyphens.has(one + word) !== hyphens.has(other + word))
      return false;
  }
  return true;
}

function writtenAt({ written, hyphens, known }: PageWords, at: number, length: number): string {
  let text = known.words[written[at] as number] as string;
  for (let word = at + 1; word < at + length; word++) {
    text += (hyphens.has(word) ? "-" : " ") + known.words[written[word] as number];
  }
  return text;
}

function addCode({ parsed, text, words: { analyzer } }: CandidateInput, found: Map<string, Found>): void {
  let section = 0;
  const { sections } = parsed;
  const title = conceptKey(parsed.title, analyzer);
  const names = new Map<string, { readonly name: string; readonly key: string }>();
  const commands = new Set<string>();
  const readName = (code: string): { readonly name: string; readonly key: string } => {
    const name = bareCode(code).replace(QUOTED, "$2");
    const isCommand = COMMAND.test(name) && !KEYWORDS.test(name);
    const isName = isCommand || (name === bareCode(code) && NAME.test(name) && !VERSION.test(name));
    const isTaken = isName && name.length > 1 && name.length <= MAX_NAME_LENGTH && !VALUES.has(name);
    const read = { name, key: isTaken ? conceptKey(name, analyzer) : "" };
    if (isCommand && !found.has(read.key)) commands.add(read.key);
    names.set(code, read);
    return read;
  };
  for (const { text: code, line } of findInlineCode(text)) {
    const { name, key } = names.get(code) ?? readName(code);
    if (key === "") continue;
    while (section + 1 < sections.length && (sections[section + 1]?.startLine as number) <= line) section++;
    const isPlain = PLAIN_NAME.test(name);
    const known = found.get(key);
    // A plain word in a font of its own says little: it has to matter as a word.
    if (isPlain && known === undefined) continue;
    const phrase = known ?? foundAt(found, key, 1);
    if ((phrase.flags & FLAG.code) === 0 && !isPlain) phrase.text = new Map();
    const isHeading = section > 0 && sections[section]?.startLine === line;
    phrase.flags |= FLAG.code | (isHeading ? FLAG.heading : 0) | (key === title ? FLAG.title : 0);
    if (!isPlain) addText(phrase, name, 1);
    // Words were counted with the text that they stand in.
    if (known === undefined || phrase.words === 0) phrase.count++;
    if (known === undefined) phrase.words = 0;
  }
  // What is written once and heads nothing is an example.
  for (const key of commands) {
    const { count = 0, flags = 0 } = found.get(key) ?? {};
    if (count < LEAST_PHRASE_COUNT && flags === FLAG.code) found.delete(key);
  }
}

function addAcronyms({ acronyms, words: { analyzer } }: CandidateInput, found: Map<string, Found>): void {
  for (const { acronym, expansion } of acronyms) {
    const key = conceptKey(acronym, analyzer);
    if (key === "") continue;
    const phrase = foundAt(found, key, 1);
    phrase.flags |= FLAG.acronym;
    phrase.text = new Map([[acronym, 1]]);
    phrase.count += found.get(conceptKey(expansion, analyzer))?.count ?? 1;
  }
}

function foundAt(found: Map<string, Found>, key: string, words: number): Found {
  const known = found.get(key);
  if (known !== undefined) return known;
  const made: Found = { text: new Map(), flags: 0, count: 0, words };
  found.set(key, made);
  return made;
}

function addText({ text }: Found, written: string, weight: number): void {
  text.set(written, (text.get(written) ?? 0) + weight);
}

/** The text that counts most, and how much; of equal ones the shorter, then the first in order. */
function mostFrequent(texts: ReadonlyMap<string, number>): { readonly text: string; readonly written: number } {
  let best = "";
  let most = 0;
  for (const [text, count] of texts) {
    const isBetter =
      count > most || (count === most && (text.length < best.length || (text.length === best.length && text < best)));
    if (isBetter) [best, most] = [text, count];
  }
  return { text: best, written: most };
}

/** What stands in front of a word: something that ends a phrase, a space, or a hyphen. */
const BREAK = -1;
const SPACE = 0;
const HYPHEN = 1;
type Tie = typeof BREAK | typeof SPACE | typeof HYPHEN;

const MAX_LENGTH = 30;
const POSSESSIVE = /['’]s$/;
const APOSTROPHES = /['’]/g;
const WORDS = /^[\p{L}\p{N}\p{M}'’]+(?:[-‐‑][\p{L}\p{N}\p{M}'’]+)*$/u;
const OUTER_SIGNS = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu;
const NUMBER = /^\p{N}+$/u;

/** What stands between two spaces. */
interface Run {
  /** Whether its first word is tied to what stands before it. */
  readonly isTied: boolean;
  /** Numbers of its words, which hyphens tie to one another; `BREAK` for something else. */
  readonly words: readonly number[];
  /** What a word behind it is tied with. */
  readonly end: Tie;
}

/** What was found out of words and runs: pages meet the same ones again and again. */
interface Known {
  /** `GENERAL` and `FILLER` of words, by number; `BREAK` for a word that no phrase has. */
  readonly codes: number[];
  readonly runs: Map<string, Run>;
}

const knownOfTables = new WeakMap<WordTable, Known>();
const MAX_RUNS = 60_000;

function knownOf(words: WordTable): Known {
  const known = knownOfTables.get(words) ?? { codes: [], runs: new Map() };
  knownOfTables.set(words, known);
  return known;
}

function readRun(written: string, known: WordTable, runs: Map<string, Run>): Run {
  const inner = written.replace(OUTER_SIGNS, "");
  const isText = WORDS.test(inner);
  const words = (isText ? inner.split(/[-‐‑]/) : [""]).map((part) => {
    const word = part.replace(POSSESSIVE, "").replace(APOSTROPHES, "");
    return word === "" || word.length > MAX_LENGTH || NUMBER.test(word) ? BREAK : known.numberOf(word);
  });
  const ends = !written.endsWith(inner) || POSSESSIVE.test(inner) || words.at(-1) === BREAK;
  const run: Run = { isTied: isText && written.startsWith(inner), words, end: ends ? BREAK : SPACE };
  if (runs.size >= MAX_RUNS) runs.clear();
  runs.set(copyText(written), run);
  return run;
}

/** Bits of a code: the word is no concept where it stands alone; several such words are no concept either. */
const GENERAL = 1;
const FILLER = 2;

/** A shorter word says nothing by itself. */
const MIN_WORD_LENGTH = 3;

function codeOf({ words, terms, folded, names, stops }: WordTable, number: number, isEnglish: boolean): number {
  const text = names[folded[number] as number] as string;
  if (stops[number] === true || terms[number] === NONE || (isEnglish && isConnecting(text))) return BREAK;
  const general = (words[number] as string).length < MIN_WORD_LENGTH || (isEnglish && isGeneral(text));
  return (general ? GENERAL : 0) | (isEnglish && isFiller(text) ? FILLER : 0);
}
