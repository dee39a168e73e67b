/**
 * Acronyms that documents explain, and the phrases that stand for the same thing: of the glossary, of acronyms, and of a
 * shipped thesaurus of developers' words (`thesaurus.json`: sets of at most eight phrases, the author's own work).
 *
 * Every phrase of a set stands for every other one of it, but sets are not joined: one acronym can have two expansions that
 * have nothing to do with each other. Phrases are lists of terms as a query would read them
 * (`src/core/text/analyze-query.ts`), in each language of the group's collections. The sets depend on what documents hold,
 * not on their order.
 */
import { type ByteKey, KEY_SEPARATOR } from "../../src/core/bytes/key.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { encodeSynonyms, keyOfPhrase } from "../../src/core/format/pairs.ts";
import { readSynonymPhrase } from "../../src/core/text/analyze-query.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import type { Language } from "../../src/core/text/language.ts";
import { compareNames } from "../../src/core/text/names.ts";
import type { GlossaryEntry } from "../config/topic-files.ts";
import type { ParsedDocument } from "../parse/parsed-document.ts";
import THESAURUS from "./thesaurus.json" with { type: "json" };

/** An acronym and what it stands for, both as written. */
export interface Acronym {
  readonly acronym: string;
  readonly expansion: string;
}

/** A document that explains more is a list of acronyms; what is behind these is left out. */
const MAX_ACRONYMS = 100;
/** An expansion is looked for in so much text before `(ABC)`. */
const MAX_EXPANSION_CHARACTERS = 120;
/** Initials, and as many small words again. */
const MAX_EXPANSION_WORDS = 16;

const ACRONYM = "[\\p{Lu}\\p{N}]{2,8}";
const BEFORE_EXPANSION = new RegExp(
  `(?<![\\p{L}\\p{N}_.-])(${ACRONYM})s?\\s?\\(([^()\\n]{3,${MAX_EXPANSION_CHARACTERS}})\\)`,
  "gu",
);
const BEHIND_EXPANSION = new RegExp(`\\s?\\((${ACRONYM})s?\\)`, "gu");
const HAS_LETTER = /\p{Lu}/u;
/** Before these ends what can belong to an expansion. */
const BORDER = /[.!?:;,()[\]{}"“”„«»|=<>\n]/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’]*/gu;
const OPENING_QUOTES = /^["“„«']+/;
const LEADING_PHRASE = /^(?:(?:short|an acronym|an abbreviation) for|stands for|i\.e\.|aka|also known as|or)\s+/i;

const SMALL_WORDS = new Set(
  `a an and as at by for from in into of on or over per the to via with
  au aux d da das de dei del della den der des di do du e en et für i in l la las le les los o och of para per por pour u
  um und van von voor y zu zum zur и на по с`.split(/\s+/),
);

const NUMBER_WORDS: Readonly<Record<string, readonly string[]>> = {
  "1": ["one"],
  "2": ["to", "too", "two", "second"],
  "3": ["three", "third"],
  "4": ["for", "four", "fourth"],
  "5": ["five"],
};

/** The acronyms of a document, each with each of its expansions once. */
export function findAcronyms(document: ParsedDocument): Acronym[] {
  const found = new Map<string, Acronym>();
  const add = (acronym: string, expansion: string | undefined): void => {
    if (expansion === undefined || found.size >= MAX_ACRONYMS) return;
    const key = `${acronym}\0${expansion.toLowerCase()}`;
    if (!found.has(key)) found.set(key, { acronym, expansion });
  };
  for (const text of proseOf(document)) {
    if (!text.includes("(")) continue;
    for (const [, acronym = "", inside = ""] of text.matchAll(BEFORE_EXPANSION)) {
      add(acronym, matchInside(acronym, inside));
    }
    for (const match of text.matchAll(BEHIND_EXPANSION)) {
      const [, acronym = ""] = match;
      add(acronym, matchBefore(acronym, text.slice(Math.max(0, match.index - MAX_EXPANSION_CHARACTERS), match.index)));
    }
  }
  return [...found.values()];
}

function* proseOf({ title, description, sections }: ParsedDocument): Generator<string> {
  yield title;
  yield description;
  for (const section of sections) {
    yield section.title;
    for (const { kind, text } of section.blocks) if (kind === "prose") yield text;
  }
}

/** What stands in parentheses behind the acronym, up to the first comma, as far as it is an expansion from its start. */
function matchInside(acronym: string, inside: string): string | undefined {
  const text = inside.trim().replace(OPENING_QUOTES, "").replace(LEADING_PHRASE, "").replace(OPENING_QUOTES, "");
  const border = text.search(BORDER);
  const words = wordsOf(border < 0 ? text : text.slice(0, border));
  if (words.length > MAX_EXPANSION_WORDS) return undefined;
  while (words.length > 0 && isSmall(words[0] as string) && !matches(acronym, words, 1)) words.shift();
  return matches(acronym, words, 1) ? words.join(" ") : undefined;
}

/** The fewest words at the end of the text before `(ABC)` that are an expansion, by their first letters if they can. */
function matchBefore(acronym: string, before: string): string | undefined {
  const text = before.replace(/["“”»']+$/, "");
  let start = text.length;
  while (start > 0 && !BORDER.test(text[start - 1] as string)) start--;
  const words = wordsOf(text.slice(start));
  const most = Math.min(words.length, MAX_EXPANSION_WORDS);
  for (const inner of [0, 1]) {
    for (let count = 2; count <= most; count++) {
      const last = words.slice(words.length - count);
      if (matches(acronym, last, inner)) return last.join(" ");
    }
  }
  return undefined;
}

function wordsOf(text: string): string[] {
  return text.match(WORD) ?? [];
}

function isSmall(word: string): boolean {
  return SMALL_WORDS.has(word.toLowerCase());
}

/** Whether these words, at least two that are not small, have the acronym as their initials and `inner` more letters. */
function matches(acronym: string, words: readonly string[], inner: number): boolean {
  if (!HAS_LETTER.test(acronym) || words.filter((word) => !isSmall(word)).length < 2) return false;
  const lower = words.map((word) => word.toLowerCase());
  // A digit behind a letter may say how often it comes: `W3C`, `S3`, `I2C`.
  const repeated = acronym.replace(/(\p{Lu})([23])/gu, (_, letter: string, times: string) =>
    letter.repeat(Number(times)),
  );
  return [acronym, repeated].some((signs) => matchFrom(Array.from(signs.toLowerCase()), 0, lower, 0, inner));
}

/** Whether a sign is written for the sound of a word: `B2B`, `XSS` (cross), `XML` (extensible). */
function isSoundOf(sign: string, word: string): boolean {
  return sign === "x" ? word === "cross" || word.startsWith("ex") : NUMBER_WORDS[sign]?.includes(word) === true;
}

/** `inner` letters may still stand inside a word. Depth and work are bounded by the few words and letters. */
function matchFrom(
  signs: readonly string[],
  sign: number,
  words: readonly string[],
  word: number,
  inner: number,
): boolean {
  const current = words[word];
  if (current === undefined) return sign === signs.length;
  const wanted = signs[sign];
  if (wanted !== undefined && (current.startsWith(wanted) || isSoundOf(wanted, current))) {
    if (matchFrom(signs, sign + 1, words, word + 1, inner)) return true;
    const next = signs[sign + 1];
    if (inner > 0 && next !== undefined && current.indexOf(next, 1) > 0) {
      if (matchFrom(signs, sign + 2, words, word + 1, inner - 1)) return true;
    }
  }
  return word > 0 && isSmall(current) && matchFrom(signs, sign, words, word + 1, inner);
}

/** Phrases for the same thing, two at least, all different. A phrase is its terms in order, one at least. */
interface SynonymSet {
  readonly members: readonly (readonly string[])[];
  /** Of the thesaurus: its members count less, and those that documents hold stand for those that none does. */
  readonly isFound?: (member: readonly string[]) => boolean;
}

/** What a document tells of words for the same thing. */
export interface WordSource {
  readonly acronyms: readonly Acronym[];
  /** Phrases of the thesaurus that it holds, by number, ascending. */
  readonly thesaurus: Uint16Array;
}

export interface AcronymSource extends Pick<WordSource, "acronyms"> {
  /** Language of its collection. */
  readonly language: Language;
}

/** Sets of a shard: the glossary first, then acronyms by the number of documents that explain them. */
const MAX_SETS = 2_000;
/** A glossary entry with the most synonyms that it may have. */
const MAX_MEMBERS = 8;
/** An acronym that stands for more things stands for nothing in particular. */
const MAX_EXPANSIONS = 3;
/** A phrase is part of a key, which has at most 1,024 bytes; a UTF-16 unit is at most three of them. */
const MAX_PHRASE_TERMS = 8;
const MAX_PHRASE_UNITS = 320;
/** A phrase of the thesaurus in more than this share of a group's documents, and in more than so many, says too little. */
const MOST_COMMON_SHARE = 0.2;
const MOST_COMMON_DOCUMENTS = 16;

/** What of an inverted document tells which phrases it holds. */
interface ThesaurusText {
  readonly terms: readonly string[];
  /** Indexes of two terms that stand side by side, and a third number, each. */
  readonly pairs: Uint32Array;
}

let thesaurus: ReturnType<typeof makeThesaurus> | undefined;

function makeThesaurus() {
  const phrases = new Map<ByteKey, readonly string[]>();
  const sets = THESAURUS.map((texts) => {
    const members = makeSet(texts, "english")?.members ?? [];
    return members.map((member) => {
      const key = keyOfPhrase(member);
      if (!phrases.has(key)) phrases.set(key, member);
      return phrases.get(key) as readonly string[];
    });
  });
  /** All different phrases, by number; a set has the same objects. */
  return { sets, phrases: [...phrases.values()], terms: new Set([...phrases.values()].flat()) };
}

/** Numbers of the thesaurus' phrases that an English document holds, ascending: words of a phrase side by side. */
export function findThesaurusPhrases({ terms, pairs }: ThesaurusText): Uint16Array {
  thesaurus ??= makeThesaurus();
  const { phrases, terms: known } = thesaurus;
  const places = new Map<string, number>();
  for (const [at, term] of terms.entries()) if (known.has(term)) places.set(term, at);
  const own = new Set(places.values());
  const beside = new Set<string>();
  for (let at = 0; at < pairs.length; at += 3) {
    const [first, second] = [pairs[at] as number, pairs[at + 1] as number];
    if (own.has(first) && own.has(second)) beside.add(`${first} ${second}`);
  }
  const holds = (phrase: readonly string[]): boolean =>
    phrase.every((term, at) => {
      const place = places.get(term);
      const before = places.get(phrase[at - 1] ?? "");
      return place !== undefined && (at === 0 || beside.has(`${before} ${place}`));
    });
  return Uint16Array.from(phrases.flatMap((phrase, number) => (holds(phrase) ? [number] : [])));
}

/** Sets of the thesaurus that say something about these documents, without the phrases that are too common among them. */
function chooseThesaurus(documents: readonly WordSource[]): SynonymSet[] {
  thesaurus ??= makeThesaurus();
  const { phrases, sets } = thesaurus;
  const counts = new Map<readonly string[], number>();
  for (const number of documents.flatMap((document) => [...document.thesaurus])) {
    const phrase = phrases[number] as readonly string[];
    counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const most = Math.max(MOST_COMMON_DOCUMENTS, documents.length * MOST_COMMON_SHARE);
  const isFound = (phrase: readonly string[]): boolean => counts.has(phrase);
  return sets
    .map((set) => ({ members: set.filter((phrase) => (counts.get(phrase) ?? 0) <= most), isFound }))
    .filter(({ members }) => members.length >= 2 && members.some(isFound));
}

/**
 * The sets of an access group's shard, the most trusted and most frequent first. Only the group's own documents are looked at: what another group calls a thing is
 * not for its readers.
 *
 * @param collections All collections, in the order that documents count them by.
 */
export function makeGroupSynonyms(
  group: string,
  collections: readonly { readonly access: string; readonly language: Language }[],
  documents: readonly ({ readonly collection: number } & WordSource)[],
  glossary: readonly GlossaryEntry[],
  withThesaurus = false,
): SynonymSet[] {
  const sources = documents.flatMap(({ collection, acronyms, thesaurus }) => {
    const { access, language } = collections[collection] as { access: string; language: Language };
    return access === group ? [{ language, acronyms, thesaurus }] : [];
  });
  const languages = [...new Set(sources.map(({ language }) => language))].sort();
  const sets = new Map<string, SynonymSet>();
  const add = (texts: readonly string[], language: Language): void => {
    const set = makeSet(texts, language);
    if (set === undefined || sets.size >= MAX_SETS) return;
    const key = set.members.map(keyOfPhrase).sort().join(`${KEY_SEPARATOR}${KEY_SEPARATOR}`);
    if (!sets.has(key)) sets.set(key, set);
  };
  for (const { term, synonyms } of glossary) {
    for (const language of languages) add([term, ...synonyms], language);
  }
  for (const { acronym, expansion, language } of rankAcronyms(sources)) add([acronym, expansion], language);
  return withThesaurus ? [...sets.values(), ...chooseThesaurus(sources)] : [...sets.values()];
}

/** Entries of the table `synonyms`, sorted: for each phrase, the other members of all sets that it is in. */
export function synonymEntries(sets: readonly SynonymSet[]): TableEntry[] {
  const others = new Map<ByteKey, Map<ByteKey, readonly string[]>>();
  for (const { members, isFound } of sets) {
    for (const member of members) {
      if (isFound?.(member) === true) continue;
      const key = keyOfPhrase(member);
      const own = others.get(key) ?? new Map<ByteKey, readonly string[]>();
      for (const other of members) {
        if (other === member || own.has(keyOfPhrase(other)) || isFound?.(other) === false) continue;
        own.set(keyOfPhrase(other), isFound === undefined ? other : ["", ...other]);
      }
      if (own.size > 0) others.set(key, own);
    }
  }
  // Sorted too, so that counts of documents, which order the sets, change no value.
  const sort = <T>(map: ReadonlyMap<ByteKey, T>): [ByteKey, T][] => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  const isShipped = ([, [first]]: [ByteKey, readonly string[]]): number => (first === "" ? 1 : 0);
  return sort(others).map(([key, own]) => {
    const inOrder = sort(own).sort((a, b) => isShipped(a) - isShipped(b));
    return { key, value: encodeSynonyms(inOrder.map(([, phrase]) => phrase)) };
  });
}

function makeSet(texts: readonly string[], language: Language): SynonymSet | undefined {
  const members = new Map<string, readonly string[]>();
  for (const text of texts) {
    const phrase = readSynonymPhrase(text, analyzerOf(language)).map(({ term }) => term);
    const units = phrase.reduce((sum, term) => sum + term.length, 0);
    if (phrase.length === 0 || phrase.length > MAX_PHRASE_TERMS || units > MAX_PHRASE_UNITS) continue;
    if (members.size < MAX_MEMBERS) members.set(keyOfPhrase(phrase), phrase);
  }
  return members.size < 2 ? undefined : { members: [...members.values()] };
}

interface CountedExpansion extends Acronym {
  readonly language: Language;
  documents: number;
}

/** Acronyms with their most frequent expansions, those that most documents explain first. */
export function rankAcronyms(documents: readonly AcronymSource[]): CountedExpansion[] {
  const byAcronym = new Map<string, Map<string, CountedExpansion>>();
  for (const { language, acronyms } of documents) {
    // A document that spells an expansion in two ways counts once.
    const seen = new Set<CountedExpansion>();
    for (const found of acronyms) {
      const analyzer = analyzerOf(language);
      const phrase = keyOfPhrase(readSynonymPhrase(found.expansion, analyzer).map(({ term }) => term));
      const name = `${language}${KEY_SEPARATOR}${found.acronym}`;
      const expansions = byAcronym.get(name) ?? new Map<string, CountedExpansion>();
      byAcronym.set(name, expansions);
      const counted = expansions.get(phrase) ?? { ...found, language, documents: 0 };
      expansions.set(phrase, counted);
      if (!seen.has(counted)) counted.documents++;
      seen.add(counted);
    }
  }
  const order = ([a, one]: [string, CountedExpansion], [b, other]: [string, CountedExpansion]): number =>
    other.documents - one.documents || compareNames(a, b);
  return [...byAcronym]
    .flatMap(([acronym, expansions]) =>
      [...expansions]
        .sort(order)
        .slice(0, MAX_EXPANSIONS)
        .map(([phrase, counted]): [string, CountedExpansion] => [`${acronym}${KEY_SEPARATOR}${phrase}`, counted]),
    )
    .sort(order)
    .map(([, counted]) => counted);
}
