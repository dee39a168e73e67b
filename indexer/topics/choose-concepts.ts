/**
 * The concepts of a corpus, chosen among what its pages may be about, and every document that holds them.
 *
 * A candidate is a concept where two pages may be about it; of what one page alone names in its title or a heading the best few
 * are. A single word must be named by a title, headings or code. Headings that
 * pages of one kind share (`Parameters`) are no concepts. Glossary terms, explained acronyms and exported symbols are without that.
 *
 * All documents that hold a concept count (`concept-uses.ts`). What a document says of it decides the order: by how often it
 * comes (damped), where it stands, and how few documents have it (tf-idf). Logarithms go in half steps, so that one page more or less
 * changes few weights. Candidates are counted by hashes first: those of one page alone, which are most, take no memory.
 */
import { hashKey } from "../../src/core/bytes/checksum.ts";
import { keyOf } from "../../src/core/bytes/key.ts";
import { conceptKey } from "../../src/core/docs/categories.ts";
import type { ConceptType } from "../../src/core/format/topics.ts";
import { isStopWord } from "../../src/core/text/analyze.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import type { Language } from "../../src/core/text/language.ts";
import { compareNames } from "../../src/core/text/names.ts";
import type { GlossaryEntry } from "../config/topic-files.ts";
import { ConceptFinder, type ConceptUse, type DocumentWords, phraseOf } from "./concept-uses.ts";
import { type ConceptCandidate, FLAG } from "./find-candidates.ts";
import { isGeneral } from "./general-words.ts";
import { type AcronymSource, rankAcronyms } from "./synonyms.ts";

const MAX_SYMBOLS = 5;

const MIN_SYMBOL_LENGTH = 3;

interface ConceptSource extends NamedSource {
  /** What it may be about; read each time. */
  readonly candidates: () => readonly ConceptCandidate[];
  readonly words: () => DocumentWords;
  readonly sections: number;
}

interface Concept {
  readonly key: string;
  /** Other keys under which it is known: those of synonyms, and of what an acronym stands for. */
  readonly aliases: readonly string[];
  readonly name: string;
  readonly type: ConceptType;
  /** Above 0, at most 1, two decimals. */
  readonly weight: number;
  /** Documents that hold it; none where the glossary alone has it. */
  readonly documents: number;
}

interface DocumentConcept {
  readonly concept: number;
  /** How much it says of the document, above 0. */
  readonly score: number;
  /** Where it stands. Ascending by section, one at least. */
  readonly uses: readonly ConceptUse[];
  /** Ordinal of the section that says most about it. */
  readonly best: number;
}

interface HeldConcepts {
  /** All concepts that it holds: those that it is about, the best first, then the others. Made anew at each call. */
  readonly list: () => readonly DocumentConcept[];
  /** How many of these it is about. */
  readonly leading: number;
  /** By section, in hundredths: the share of its words that concepts hold. */
  readonly densities: Uint8Array;
}

export interface ChosenConcepts {
  /** In the order of their keys. */
  readonly concepts: readonly Concept[];
  readonly ofDocument: readonly HeldConcepts[];
}

/** Most concepts that a document is shown to be about. It holds as many as its text does. */
const MAX_OF_DOCUMENT = 9;
/** Of an access group; beyond that those of most pages are kept. */
const MAX_CONCEPTS = 50_000;
/** Concepts that one page alone is a candidate for. */
const MAX_LONELY = 3;
const LEAST_DOCUMENTS = 2;
/** A heading that so many documents share, and that is little else, is one of a form that pages are filled into. */
const FORM_DOCUMENTS = 5;
const FORM_SHARE = 0.02;
const FORM_HEADINGS = 0.6;
/** A word has to be named in so many of the documents that may be about it, and a participle to be a title. */
const NAMED_SHARE = 0.2;
/** A plain word that is code in so many of them is a name. */
const CODE_SHARE = 0.5;
const PLAIN_WORD = /^(?:\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}{5,})$/u;
const PARTICIPLE = /(?:ing|ed)$/;
/** Score of a document's concept at which its weight is one half. */
const HALF_SCORE = 14;
const MAX_SURFACES = 12;
const MAX_COUNTERS = 2 ** 26;
/** The keys of so many documents fit into memory without being counted first. */
const UNCOUNTED_DOCUMENTS = 3_000;

const FACTOR = { title: 1.8, heading: 1.35, phrase: 1.25, word: 0.75, glossary: 1.6, acronym: 1.3 } as const;

interface KeyStats {
  documents: number;
  titles: number;
  headings: number;
  codes: number;
  named: number;
  /** How often running text writes it so. */
  surfaces: Map<string, number>;
}

const NO_STATS: KeyStats = { documents: 0, titles: 0, headings: 0, codes: 0, named: 0, surfaces: new Map() };

/** A concept whose documents are counted. */
interface CountedConcept extends Omit<Concept, "weight"> {
  documents: number;
  /** Documents that are about it, and the sum of what it says of them. */
  led: number;
  score: number;
}

export function chooseConcepts(sources: readonly ConceptSource[], glossary: readonly GlossaryEntry[]): ChosenConcepts {
  const names = new FixedNames(sources, glossary);
  const stats = collectStats(sources, names);
  const counted = acceptKeys(sources, names, stats).map((key): CountedConcept => describe(key, stats.get(key), names));
  const total = halfSteps(sources.length);
  const rate = (packed: Uint32Array): RatedConcept[] =>
    unpack(packed).map(({ concept, flags, uses }) => {
      const own = counted[concept] as CountedConcept;
      const count = uses.reduce((sum, use) => sum + use.count, 0);
      const score = scoreOf(own, flags, count, total, names);
      return { concept, key: own.key, count, score, uses, best: bestSection(uses) };
    });
  const ofDocument = findUses(sources, names, counted).map(({ packed, densities }): HeldConcepts => {
    const { all, leading } = leadingFirst(rate(packed));
    for (const { concept, score } of all.slice(0, leading)) {
      const own = counted[concept] as CountedConcept;
      own.led++;
      own.score += score;
    }
    return { list: () => leadingFirst(rate(packed)).all, leading, densities };
  });
  const weighed = counted.map(({ led, score, ...own }) => ({ ...own, weight: weightOf(score / Math.max(1, led)) }));
  return { concepts: weighed, ofDocument };
}

function acceptKeys(
  sources: readonly ConceptSource[],
  names: FixedNames,
  stats: ReadonlyMap<string, KeyStats>,
): string[] {
  const total = sources.length;
  const accepted = new Set(names.keys());
  for (const [key, own] of stats) {
    if (own.documents >= LEAST_DOCUMENTS && isConcept(key, own, total)) accepted.add(key);
  }
  for (const source of sources) {
    let left = MAX_LONELY;
    for (const candidate of candidatesOf(source, names)) {
      const own = stats.get(candidate.key);
      if (left === 0 || own === undefined || accepted.has(candidate.key)) continue;
      if (!isOwn(candidate) || own.documents >= LEAST_DOCUMENTS || !isConcept(candidate.key, own, total)) continue;
      accepted.add(candidate.key);
      left--;
    }
  }
  const documentsOf = (key: string): number => stats.get(key)?.documents ?? 0;
  const keys = [...accepted].sort((a, b) => documentsOf(b) - documentsOf(a) || compareNames(a, b));
  return keys.slice(0, MAX_CONCEPTS).sort(compareNames);
}

/** Whether a page is called so or heads a section with it, so that it may be a concept of that page alone. */
function isOwn({ key, text, flags }: ConceptCandidate): boolean {
  if ((flags & FLAG.code) === 0 && !key.includes(" ")) return false;
  // `Configuring checks` heads what is to be done.
  const isTask = PARTICIPLE.test(text.slice(0, text.search(/[ -]/)));
  return (flags & FLAG.title) !== 0 || ((flags & FLAG.heading) !== 0 && !isTask);
}

/** What a document holds, as numbers: its concept, flags of the candidate, how many numbers follow, and its uses. */
interface PackedUses extends Pick<HeldConcepts, "densities"> {
  readonly packed: Uint32Array;
}

/** Finds concepts in all documents, and counts these. */
function findUses(
  sources: readonly ConceptSource[],
  names: FixedNames,
  concepts: readonly CountedConcept[],
): PackedUses[] {
  const places = new Map(concepts.map(({ key }, at) => [key, at]));
  const finders = new Map<Language, ConceptFinder>();
  for (const language of new Set(sources.map((source) => source.language))) {
    const finder = new ConceptFinder();
    for (const [at, { key, aliases }] of concepts.entries())
      for (const own of [key, ...aliases]) finder.add(phraseOf(own, analyzerOf(language)), at);
    finders.set(language, finder);
  }
  return sources.map((source) => {
    const finder = finders.get(source.language) as ConceptFinder;
    const { uses, densities } = finder.find(source.words(), source.sections);
    const flags = new Map<number | undefined, number>();
    for (const candidate of candidatesOf(source, names)) flags.set(places.get(candidate.key), candidate.flags);
    for (const concept of uses.keys()) (concepts[concept] as CountedConcept).documents++;
    const numbers = [...uses].flatMap(([concept, own]) => [concept, flags.get(concept) ?? 0, own.length, ...own]);
    return { packed: Uint32Array.from(numbers), densities };
  });
}

function unpack(
  packed: Uint32Array,
): { readonly concept: number; readonly flags: number; readonly uses: ConceptUse[] }[] {
  const found = [];
  for (let at = 0; at < packed.length; ) {
    const [concept = 0, flags = 0, count = 0] = packed.subarray(at, at + 3);
    const uses: ConceptUse[] = [];
    at += 3;
    for (const end = at + count; at < end; at += 2) {
      const place = packed[at] as number;
      uses.push({ section: place >> 1, count: packed[at + 1] as number, isNamed: place % 2 === 1 });
    }
    found.push({ concept, flags, uses });
  }
  return found;
}

/** The section that a concept is explained in: the first whose title or heading names it, else where it comes most often. */
function bestSection(uses: readonly ConceptUse[]): number {
  const best = uses.find(({ isNamed }) => isNamed) ?? uses.reduce((most, use) => (use.count > most.count ? use : most));
  return best.section;
}

/** Weight of a score, with two decimals: never 0, so that what is a concept weighs something. */
export function weightOf(score: number, half = HALF_SCORE): number {
  return Math.max(0.01, Math.round((100 * score) / (score + half)) / 100);
}

/** Candidates of a document by the keys that theirs stand for, each key once, the likeliest first. */
function candidatesOf(source: ConceptSource, names: FixedNames): Iterable<ConceptCandidate> {
  const found = new Map<string, ConceptCandidate>();
  const add = (candidate: ConceptCandidate): void => {
    const key = names.canonical(candidate.key);
    const { flags = 0, count = 0, ...known } = found.get(key) ?? {};
    found.set(key, { ...candidate, ...known, key, flags: flags | candidate.flags, count: count + candidate.count });
  };
  for (const candidate of source.candidates()) add(candidate);
  for (const { key, name } of keysOfSymbols(source)) {
    add({ key, text: name, written: 1, flags: FLAG.code | FLAG.heading, count: 1 });
  }
  return found.values();
}

function collectStats(sources: readonly ConceptSource[], names: FixedNames): Map<string, KeyStats> {
  let size = 1;
  while (size < sources.length * 256 && size < MAX_COUNTERS) size *= 2;
  const seen = new Uint8Array(size);
  const slotOf = (key: string): number => hashKey(keyOf(key)) & (size - 1);
  const isCounted = sources.length > UNCOUNTED_DOCUMENTS;
  for (const source of isCounted ? sources : []) {
    for (const { key } of candidatesOf(source, names)) {
      const slot = slotOf(key);
      if ((seen[slot] as number) < LEAST_DOCUMENTS) seen[slot] = (seen[slot] as number) + 1;
    }
  }
  const stats = new Map<string, KeyStats>();
  for (const source of sources) {
    for (const candidate of candidatesOf(source, names)) {
      const isRare = isCounted && (seen[slotOf(candidate.key)] as number) < LEAST_DOCUMENTS;
      if (isRare && !isOwn(candidate) && !names.has(candidate.key)) continue;
      note(stats, candidate);
    }
  }
  return stats;
}

function note(stats: Map<string, KeyStats>, candidate: ConceptCandidate): void {
  const { key, text, written, flags } = candidate;
  const own = stats.get(key) ?? { ...NO_STATS, surfaces: new Map<string, number>() };
  stats.set(key, own);
  own.documents++;
  own.titles += flags & FLAG.title ? 1 : 0;
  own.headings += flags & FLAG.heading ? 1 : 0;
  own.codes += flags & FLAG.code ? 1 : 0;
  own.named += flags !== 0 ? 1 : 0;
  if (own.surfaces.has(text) || own.surfaces.size < MAX_SURFACES)
    own.surfaces.set(text, (own.surfaces.get(text) ?? 0) + written);
}

function isConcept(key: string, own: KeyStats, total: number): boolean {
  const { documents, titles, headings, codes, named, surfaces } = own;
  const isForm = headings > Math.max(FORM_DOCUMENTS, total * FORM_SHARE) && headings > documents * FORM_HEADINGS;
  if (isForm && titles * 4 < headings) return false;
  if (key.includes(" ")) return true;
  const written = bestSurface(surfaces);
  if (isGeneral(written.toLowerCase()) || isStopWord(written.toLowerCase())) return false;
  const isCode = codes >= LEAST_DOCUMENTS && codes >= documents * CODE_SHARE;
  if (isCode || (!PLAIN_WORD.test(written) && codes + named > 0)) return true;
  if (named < documents * NAMED_SHARE) return false;
  return titles > 0 || (headings >= LEAST_DOCUMENTS && !PARTICIPLE.test(written));
}

function halfSteps(value: number): number {
  return Math.round(2 * Math.log2(Math.max(1, value))) / 2;
}

function scoreOf(
  { key, name, documents }: CountedConcept,
  flags: number,
  count: number,
  total: number,
  names: FixedNames,
): number {
  const rarity = Math.max(0.5, total - halfSteps(Math.max(LEAST_DOCUMENTS, documents)));
  const place = flags & FLAG.title ? FACTOR.title : flags & FLAG.heading ? FACTOR.heading : 1;
  const kind = names.terms.has(key) ? FACTOR.glossary : flags & FLAG.acronym ? FACTOR.acronym : 1;
  const isWord = PLAIN_WORD.test(name);
  return (
    (1 + halfSteps(count)) * rarity * place * kind * (key.includes(" ") ? FACTOR.phrase : isWord ? FACTOR.word : 1)
  );
}

interface RatedConcept extends DocumentConcept {
  readonly key: string;
  readonly count: number;
}

/**
 * Concepts of a document, those first that it is about: the best ones without phrases that are part of a better one, or hold a
 * better one and add little to it.
 */
function leadingFirst(rated: readonly RatedConcept[]): {
  readonly all: readonly RatedConcept[];
  readonly leading: number;
} {
  const sorted = [...rated].sort((a, b) => b.score - a.score || a.concept - b.concept);
  const leading = new Set<RatedConcept>();
  for (const one of sorted) {
    if (leading.size === MAX_OF_DOCUMENT) break;
    const isPart = [...leading].some(({ key, count }) => one.count < 2 * count && ` ${key} `.includes(` ${one.key} `));
    if (!isPart) leading.add(one);
  }
  return { all: [...leading, ...sorted.filter((one) => !leading.has(one))], leading: leading.size };
}

function describe(key: string, own = NO_STATS, names: FixedNames): CountedConcept {
  const acronym = names.acronyms.get(key);
  const term = names.terms.get(key);
  const name =
    acronym === undefined
      ? (term ?? names.symbols.get(key) ?? bestSurface(own.surfaces))
      : `${acronym.acronym} (${acronym.expansion})`;
  const type = typeOf(own, acronym !== undefined, names.symbols.has(key), term !== undefined);
  return { key, aliases: names.aliasesOf(key), name, type, documents: 0, led: 0, score: 0 };
}

function typeOf(
  { documents, headings, titles, codes }: KeyStats,
  isAcronym: boolean,
  isSymbol: boolean,
  isTerm: boolean,
): ConceptType {
  if (isAcronym) return "acronym";
  if (isSymbol || (codes > 0 && codes * 2 >= documents)) return "api";
  if (!isTerm && (headings + titles) * 2 >= documents) return "heading";
  return "thematic";
}

function bestSurface(surfaces: ReadonlyMap<string, number>): string {
  const [best] = [...surfaces].sort(([a, one], [b, other]) => other - one || a.length - b.length || compareNames(a, b));
  return best?.[0] ?? "";
}

interface NamedSource extends AcronymSource {
  /** Of a source file: its exported symbols, those that most leads to first. */
  readonly symbols: readonly { readonly name: string; readonly section: number }[];
}

/** Symbols of a document that can be concepts, with their keys, in their order. */
function keysOfSymbols({ symbols, language }: NamedSource): { key: string; name: string; section: number }[] {
  return symbols
    .slice(0, MAX_SYMBOLS)
    .filter(({ name }) => name.length >= MIN_SYMBOL_LENGTH && name !== "default" && !isStopWord(name))
    .map(({ name, section }) => ({ key: conceptKey(name, analyzerOf(language)), name, section }))
    .filter(({ key }) => key !== "");
}

/** Names that are concepts whatever their frequency, by their keys. */
class FixedNames {
  /** From the key of a synonym or an expansion to that of the term or acronym. */
  readonly #canonical = new Map<string, string>();
  readonly terms = new Map<string, string>();
  readonly acronyms = new Map<string, { readonly acronym: string; readonly expansion: string }>();
  readonly #aliases = new Map<string, string[]>();
  readonly symbols = new Map<string, string>();

  constructor(sources: readonly NamedSource[], glossary: readonly GlossaryEntry[]) {
    for (const language of new Set(sources.map((source) => source.language))) {
      const analyzer = analyzerOf(language);
      for (const { term, synonyms } of glossary) {
        const key = conceptKey(term, analyzer);
        if (key === "") continue;
        if (!this.terms.has(key)) this.terms.set(key, term.trim().replace(/\s+/g, " "));
        for (const synonym of synonyms) this.#alias(conceptKey(synonym, analyzer), key);
      }
    }
    this.#addAcronyms(sources);
    for (const { key, name } of sources.flatMap(keysOfSymbols)) {
      if (!this.symbols.has(key)) this.symbols.set(key, name);
    }
  }

  /** Each acronym with the expansion that most documents give; of those that share one, the best explained comes first. */
  #addAcronyms(sources: readonly NamedSource[]): void {
    for (const { acronym, expansion, language } of rankAcronyms(sources)) {
      const [key, alias] = [acronym, expansion].map((text) => conceptKey(text, analyzerOf(language))) as [
        string,
        string,
      ];
      if (key === "" || alias === "" || this.acronyms.has(key)) continue;
      this.acronyms.set(key, { acronym, expansion });
      this.#alias(alias, key);
    }
  }

  /** Lets an alias stand for a key, or for what that stands for: the first key that claims an alias has it. */
  #alias(alias: string, key: string): void {
    const target = this.canonical(key);
    if (alias === "" || alias === target || this.#canonical.has(alias) || this.terms.has(alias)) return;
    this.#canonical.set(alias, target);
    this.#aliases.set(target, [...this.aliasesOf(target), alias]);
  }

  aliasesOf(key: string): readonly string[] {
    return this.#aliases.get(key) ?? [];
  }

  /** All of them that stand for themselves. */
  keys(): string[] {
    return [...this.terms.keys(), ...this.acronyms.keys(), ...this.symbols.keys()].filter(
      (key) => !this.#canonical.has(key),
    );
  }

  canonical(key: string): string {
    return this.#canonical.get(key) ?? key;
  }

  has(key: string): boolean {
    return this.terms.has(key) || this.acronyms.has(key) || this.symbols.has(key);
  }
}

const MAX_RELATED = 12;
/** Of a concept of more documents, so many are looked at: what comes together does so there, too. */
const MAX_DOCUMENTS = 200;
const LEAST_TOGETHER = 2;
/** Likeness counts in tenths, so that a section more changes few orders. */
const STEPS = 10;

/** Of each concept those related to it, the nearest first, by their indexes. */
export function findRelated({ concepts, ofDocument }: ChosenConcepts): number[][] {
  const documentsOf: number[][] = concepts.map(() => []);
  const sections = new Uint32Array(concepts.length);
  // What documents are about is near: they mention much.
  const lists = ofDocument.map(({ list, leading }) => list().slice(0, leading));
  for (const [document, list] of lists.entries()) {
    for (const { concept, uses } of list) {
      sections[concept] = (sections[concept] as number) + uses.length;
      const own = documentsOf[concept] as number[];
      if (own.length < MAX_DOCUMENTS) own.push(document);
    }
  }
  return concepts.map((_, concept) => {
    const together = new Map<number, number>();
    for (const document of documentsOf[concept] as number[]) {
      const list = lists[document] ?? [];
      const own = new Set(list.find((one) => one.concept === concept)?.uses.map(({ section }) => section));
      for (const { concept: other, uses } of list) {
        if (other === concept) continue;
        const count = uses.filter(({ section }) => own.has(section)).length;
        if (count > 0) together.set(other, (together.get(other) ?? 0) + count);
      }
    }
    const likeness = (other: number, count: number): number =>
      Math.round((STEPS * count) / Math.sqrt((sections[concept] as number) * (sections[other] as number)));
    return [...together]
      .filter(([, count]) => count >= LEAST_TOGETHER || (sections[concept] as number) < 2 * LEAST_TOGETHER)
      .map(([other, count]): [number, number] => [other, likeness(other, count)])
      .sort(([a, one], [b, next]) => next - one || a - b)
      .slice(0, MAX_RELATED)
      .map(([other]) => other);
  });
}
