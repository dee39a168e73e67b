/**
 * The concepts of a corpus, chosen among what its pages may be about: what tells some pages from others.
 *
 * A candidate of a page rates by how often it comes (damped), where it stands, and how few pages have it (tf-idf). At least two pages
 * must have it, or one page is called so and comes back to it, and at most a quarter of all pages. A single word must be named
 * by a title, a heading or code. Headings that pages of one kind share (`Parameters`) are no concepts. Glossary terms, explained
 * acronyms and exported symbols are concepts without that. A page keeps its best ones.
 *
 * Logarithms go in half steps, so that one page more or less changes few weights. Pages are read three times and counted by
 * hashes first: words of one page alone, which are most, take no memory.
 */
import { hashKey } from "../../src/core/bytes/checksum.ts";
import { keyOf } from "../../src/core/bytes/key.ts";
import { conceptKey } from "../../src/core/docs/concepts.ts";
import type { ConceptType } from "../../src/core/format/topics.ts";
import type { Analyzer } from "../../src/core/text/analyze.ts";
import { compareNames } from "../../src/core/text/names.ts";
import type { GlossaryEntry } from "../config/topic-files.ts";
import { type ConceptCandidate, FLAG } from "./find-candidates.ts";
import { isGeneral } from "./general-words.ts";
import type { Acronym } from "./synonyms.ts";

/** Exported symbols of a source file that count. */
const MAX_SYMBOLS = 5;

const MIN_SYMBOL_LENGTH = 3;

interface ConceptSource extends NamedSource {
  /** What it may be about; read each time. */
  readonly candidates: () => readonly ConceptCandidate[];
}

interface Concept {
  readonly key: string;
  /** Another key under which it is known: that of an acronym's expansion. */
  readonly alias: string;
  readonly name: string;
  readonly type: ConceptType;
  /** Above 0, at most 1, two decimals. */
  readonly weight: number;
}

interface DocumentConcept {
  /** Index of the concept. */
  readonly concept: number;
  /** How much it says of the document, above 0. */
  readonly score: number;
  /** Where it stands. */
  readonly uses: ConceptCandidate["uses"];
  /** Ordinal of the section that says most about it. */
  readonly best: number;
}

export interface ChosenConcepts {
  /** In the order of their keys. */
  readonly concepts: readonly Concept[];
  /** Of each document, the best first. */
  readonly ofDocument: readonly (readonly DocumentConcept[])[];
}

/** Most concepts of a document. */
const MAX_OF_DOCUMENT = 9;
const LEAST_DOCUMENTS = 2;
const LEAST_SUBJECT_COUNT = 3;
/** In corpora of more documents than this, what a larger share of them has says nothing. */
const FEW_DOCUMENTS = 12;
const MOST_SHARE = 0.25;
/** A heading that so many documents share, and that is little else, is one of a form that pages are filled into. */
const FORM_DOCUMENTS = 5;
const FORM_SHARE = 0.02;
const FORM_HEADINGS = 0.6;
/** A word has to be named in so many of the documents that have it. */
const NAMED_SHARE = 0.08;
/** Score of a document's concept at which its weight is one half. */
const HALF_SCORE = 14;
const MAX_SURFACES = 12;
const MAX_COUNTERS = 2 ** 26;
/** The keys of so many documents fit into memory without being counted first. */
const UNCOUNTED_DOCUMENTS = 3_000;

const FACTOR = { title: 1.8, heading: 1.35, phrase: 1.25, word: 0.75, glossary: 1.6, acronym: 1.3, code: 1 } as const;

interface KeyStats {
  documents: number;
  titles: number;
  headings: number;
  codes: number;
  named: number;
  isSubject: boolean;
  surfaces: Map<string, number>;
  score: number;
  kept: number;
}

export function chooseConcepts(sources: readonly ConceptSource[], glossary: readonly GlossaryEntry[]): ChosenConcepts {
  const names = new FixedNames(sources, glossary);
  const stats = collectStats(sources, names);
  const accepted = new Set(
    [...stats].filter(([key, found]) => names.has(key) || isConcept(key, found, sources.length)).map(([key]) => key),
  );
  const total = halfSteps(sources.length);
  const ofDocument = sources.map((source) => {
    const rated = [...candidatesOf(source, names)]
      .filter(({ key }) => accepted.has(key))
      .map((candidate) => {
        const own = stats.get(candidate.key) as KeyStats;
        return { candidate, score: scoreOf(candidate, own, total, names) };
      })
      .sort((a, b) => b.score - a.score || compareNames(a.candidate.key, b.candidate.key));
    return withoutParts(rated).slice(0, MAX_OF_DOCUMENT);
  });
  for (const list of ofDocument) {
    for (const { candidate, score } of list) {
      const own = stats.get(candidate.key) as KeyStats;
      own.kept++;
      own.score += score;
    }
  }
  const keys = [...accepted].filter((key) => (stats.get(key) as KeyStats).kept > 0).sort(compareNames);
  const indexes = new Map(keys.map((key, index) => [key, index]));
  return {
    concepts: keys.map((key) => {
      const concept = describe(key, stats.get(key) as KeyStats, names);
      // An expansion can be a concept of its own: it keeps its key.
      return indexes.has(concept.alias) ? { ...concept, alias: "" } : concept;
    }),
    ofDocument: ofDocument.map((list) =>
      list.map(({ candidate: { key, flags, home, uses }, score }) => ({
        concept: indexes.get(key) as number,
        score,
        uses,
        best: bestSection(flags, home, uses),
      })),
    ),
  };
}

/** The section that a concept is explained in: where its title or a heading names it, else where it comes most often. */
function bestSection(flags: number, home: number, uses: ConceptCandidate["uses"]): number {
  if (flags & FLAG.title) return 0;
  if (home > 0) return home;
  const [first] = uses;
  return uses.reduce((best, use) => (use.count > best.count ? use : best), first ?? { section: 0, count: 0 }).section;
}

/** Weight of a score, with two decimals: never 0, so that what is a concept weighs something. */
export function weightOf(score: number, half = HALF_SCORE): number {
  return Math.max(0.01, Math.round((100 * score) / (score + half)) / 100);
}

/** Candidates of a document by the keys that theirs stand for, each key once. */
function candidatesOf(source: ConceptSource, names: FixedNames): Iterable<ConceptCandidate> {
  const found = new Map<string, ConceptCandidate>();
  const add = (candidate: ConceptCandidate): void => {
    const key = names.canonical(candidate.key);
    const known = found.get(key);
    const { text, flags, count, home } = candidate;
    const own = key === candidate.key ? candidate : { key, text, flags, count, home, uses: candidate.uses };
    found.set(key, known === undefined ? own : joinCandidates(known, own));
  };
  for (const candidate of source.candidates()) add(candidate);
  for (const { key, name, section } of keysOfSymbols(source)) {
    add({ key, text: name, flags: FLAG.code | FLAG.heading, count: 1, home: section, uses: [{ section, count: 1 }] });
  }
  return found.values();
}

function joinCandidates(a: ConceptCandidate, b: ConceptCandidate): ConceptCandidate {
  const counts = new Map(a.uses.map(({ section, count }) => [section, count]));
  for (const { section, count } of b.uses) counts.set(section, (counts.get(section) ?? 0) + count);
  const uses = [...counts].sort(([one], [other]) => one - other).map(([section, count]) => ({ section, count }));
  const home = a.home || b.home;
  return { key: a.key, text: a.text, flags: a.flags | b.flags, count: a.count + b.count, home, uses };
}

/** Statistics of the keys that may be concepts: those of two documents, and fixed ones. */
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
      if (isRare && !isSubject(candidate) && !names.has(candidate.key)) continue;
      note(stats, candidate);
    }
  }
  return stats;
}

/** Whether a page is called so, and comes back to it. */
function isSubject({ key, flags, count }: ConceptCandidate): boolean {
  return (flags & FLAG.title) !== 0 && count >= LEAST_SUBJECT_COUNT && key.includes(" ");
}

function note(stats: Map<string, KeyStats>, candidate: ConceptCandidate): void {
  const { key, text, flags } = candidate;
  const own = stats.get(key) ?? {
    ...{ documents: 0, titles: 0, headings: 0, codes: 0, named: 0, score: 0, kept: 0 },
    isSubject: false,
    surfaces: new Map<string, number>(),
  };
  stats.set(key, own);
  own.documents++;
  own.titles += flags & FLAG.title ? 1 : 0;
  own.headings += flags & FLAG.heading ? 1 : 0;
  own.codes += flags & FLAG.code ? 1 : 0;
  own.named += flags !== 0 ? 1 : 0;
  own.isSubject ||= isSubject(candidate);
  if (own.surfaces.has(text) || own.surfaces.size < MAX_SURFACES)
    own.surfaces.set(text, (own.surfaces.get(text) ?? 0) + 1);
}

function isConcept(
  key: string,
  { documents, titles, headings, codes, named, surfaces, isSubject: isNamed }: KeyStats,
  total: number,
): boolean {
  if (documents < LEAST_DOCUMENTS && !isNamed) return false;
  if (total > FEW_DOCUMENTS && documents > total * MOST_SHARE) return false;
  const isForm = headings > Math.max(FORM_DOCUMENTS, total * FORM_SHARE) && headings > documents * FORM_HEADINGS;
  if (isForm && titles * 4 < headings) return false;
  const isWord = !key.includes(" ");
  if (!isWord) return true;
  return !isGeneral(bestSurface(surfaces).toLowerCase()) && (codes > 0 || named >= documents * NAMED_SHARE);
}

/** Logarithm to base two in half steps. */
function halfSteps(value: number): number {
  return Math.round(2 * Math.log2(Math.max(1, value))) / 2;
}

function scoreOf(
  { key, text, flags, count }: ConceptCandidate,
  own: KeyStats,
  total: number,
  names: FixedNames,
): number {
  const rarity = Math.max(0.5, total - halfSteps(Math.max(LEAST_DOCUMENTS, own.documents)));
  const place = flags & FLAG.title ? FACTOR.title : flags & FLAG.heading ? FACTOR.heading : 1;
  const kind = names.terms.has(key)
    ? FACTOR.glossary
    : flags & FLAG.acronym
      ? FACTOR.acronym
      : flags & FLAG.code
        ? FACTOR.code
        : 1;
  const length = key.includes(" ")
    ? FACTOR.phrase
    : /^[\p{Ll}\p{N}]+$/u.test(text) || /^\p{Lu}?\p{Ll}+$/u.test(text)
      ? FACTOR.word
      : 1;
  return (1 + halfSteps(count)) * rarity * place * kind * length;
}

interface Rated {
  readonly candidate: ConceptCandidate;
  readonly score: number;
}

/** Without phrases that are part of a better one, or hold a better one and add little to it. */
function withoutParts(rated: readonly Rated[]): Rated[] {
  const kept: Rated[] = [];
  for (const one of rated) {
    if (kept.length >= MAX_OF_DOCUMENT) break;
    const isPart = kept.some(
      ({ candidate: { key, count } }) =>
        one.candidate.count < 2 * count && ` ${key} `.includes(` ${one.candidate.key} `),
    );
    if (!isPart) kept.push(one);
  }
  return kept;
}

function describe(key: string, own: KeyStats, names: FixedNames): Concept {
  const acronym = names.acronyms.get(key);
  const term = names.terms.get(key);
  const surface = bestSurface(own.surfaces);
  const name =
    acronym === undefined ? (term ?? names.symbols.get(key) ?? surface) : `${acronym.acronym} (${acronym.expansion})`;
  return {
    key,
    alias: acronym?.alias ?? "",
    name,
    type: typeOf(own, acronym !== undefined, names.symbols.has(key), term !== undefined),
    weight: weightOf(own.score / own.kept),
  };
}

function typeOf(
  { documents, headings, titles, codes }: KeyStats,
  isAcronym: boolean,
  isSymbol: boolean,
  isTerm: boolean,
): ConceptType {
  if (isAcronym) return "acronym";
  if (isSymbol || codes * 2 >= documents) return "api";
  if (!isTerm && (headings + titles) * 2 >= documents) return "heading";
  return "thematic";
}

function bestSurface(surfaces: ReadonlyMap<string, number>): string {
  const [best] = [...surfaces].sort(([a, one], [b, other]) => other - one || a.length - b.length || compareNames(a, b));
  return best?.[0] ?? "";
}

interface NamedSource {
  readonly acronyms: readonly Acronym[];
  readonly analyzer: Analyzer;
  /** Of a source file: its exported symbols, those that most leads to first. */
  readonly symbols: readonly { readonly name: string; readonly section: number }[];
}

interface ExplainedAcronym {
  readonly acronym: string;
  readonly expansions: Map<string, { readonly text: string; readonly count: number }>;
}

/** Symbols of a document that can be concepts, with their keys, in their order. */
function keysOfSymbols({ symbols, analyzer }: NamedSource): { key: string; name: string; section: number }[] {
  return symbols
    .slice(0, MAX_SYMBOLS)
    .filter(({ name }) => name.length >= MIN_SYMBOL_LENGTH)
    .map(({ name, section }) => ({ key: conceptKey(name, analyzer), name, section }))
    .filter(({ key }) => key !== "");
}

/** Names that are concepts whatever their frequency, by their keys. */
class FixedNames {
  /** From the key of a synonym or an expansion to that of the term or acronym. */
  readonly #canonical = new Map<string, string>();
  readonly terms = new Map<string, string>();
  readonly acronyms = new Map<
    string,
    { readonly acronym: string; readonly expansion: string; readonly alias: string }
  >();
  readonly symbols = new Map<string, string>();

  constructor(sources: readonly NamedSource[], glossary: readonly GlossaryEntry[]) {
    const analyzers = [...new Set(sources.map(({ analyzer }) => analyzer))];
    for (const analyzer of analyzers) {
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
    const explained = [...collectAcronyms(sources)].flatMap(([key, { acronym, expansions }]) => {
      const [best] = [...expansions].sort(([a, one], [b, other]) => other.count - one.count || compareNames(a, b));
      return best === undefined ? [] : [{ key, acronym, alias: best[0], ...best[1] }];
    });
    explained.sort((a, b) => b.count - a.count || compareNames(a.key, b.key));
    for (const { key, acronym, alias, text } of explained) {
      this.acronyms.set(key, { acronym, expansion: text, alias: this.#alias(alias, key) ? alias : "" });
    }
  }

  /** @returns Whether the alias stands for the key: the first key that claims an alias has it. */
  #alias(alias: string, key: string): boolean {
    if (alias === "" || alias === key || this.#canonical.has(alias) || this.terms.has(alias)) return false;
    this.#canonical.set(alias, key);
    return true;
  }

  /** The key that a key stands for. */
  canonical(key: string): string {
    return this.#canonical.get(key) ?? key;
  }

  has(key: string): boolean {
    return this.terms.has(key) || this.acronyms.has(key) || this.symbols.has(key);
  }
}

/** Acronyms of all sources by their keys. */
function collectAcronyms(sources: readonly NamedSource[]): Map<string, ExplainedAcronym> {
  const found = new Map<string, ExplainedAcronym>();
  for (const { acronyms, analyzer } of sources) {
    for (const { acronym, expansion } of acronyms) {
      const [key, long] = [conceptKey(acronym, analyzer), conceptKey(expansion, analyzer)];
      if (key === "" || long === "") continue;
      const own = found.get(key) ?? { acronym, expansions: new Map() };
      found.set(key, own);
      const known = own.expansions.get(long) ?? { text: expansion, count: 0 };
      own.expansions.set(long, {
        text: compareNames(expansion, known.text) < 0 ? expansion : known.text,
        count: known.count + 1,
      });
    }
  }
  return found;
}

/** Related concepts that are listed. */
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
  for (const [document, list] of ofDocument.entries()) {
    for (const { concept, uses } of list) {
      sections[concept] = (sections[concept] as number) + uses.length;
      const own = documentsOf[concept] as number[];
      if (own.length < MAX_DOCUMENTS) own.push(document);
    }
  }
  return concepts.map((_, concept) => {
    const together = new Map<number, number>();
    for (const document of documentsOf[concept] as number[]) {
      const list = ofDocument[document] ?? [];
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
