/**
 * Text to terms: the one path that index and query share.
 *
 * A word's term is its stem, computed without accents, so it is the same for people who type them and people who do not. A
 * word with accents has further terms, which do not count as words:
 * - `variant`: its stem computed with accents, where that differs. Most Snowball stemmers know the endings of their language
 *   with accents only: `comunicación` and `comunicaciones` meet in `comun`, `comunicacion` does not.
 * - `exact`: the word as written, in lower case. A match of it earns a bonus, nothing more.
 *
 * English stop words are articles, pronouns, prepositions, conjunctions, auxiliaries and question words, including those
 * that name things in software (`if`, `for`, `this`, `not`). They are indexed, and score when a query has nothing else.
 */

import type { Language } from "./language.ts";
import { foldAccents, foldSpelling, stemWord } from "./normalize.ts";
import { cutToken, type TokenKind, visitTokens } from "./tokenize.ts";

/**
 * Pages have few hundred different words, and a build meets the same ones again and again. Of a server this is memory that
 * no budget counts: about 3 MB for each language that is searched.
 */
const MAX_REMEMBERED_WORDS = 8000;
/** From this length on, engines keep a part of a string as a reference into the whole. */
const LEAST_REFERENCE = 13;

const STOP_WORDS = new Set(
  `a about above after again against all almost also although always am among an and any anyone anything are around as
  at be became because become becomes been before being below between both but by came can cannot could did do does
  doing done down due during each either else etc even ever every few for from further gave get gets getting give given
  gives go goes going got had has have having he hence her here hers herself him himself his how however i if in into
  is it its itself just let lets like made make makes making many may me might mine more most much must my myself near
  neither no nor not now of off often on once one only onto or other others ought our ours ourselves out over own per
  perhaps please quite rather really s same see seem seems shall she should since so some someone something somewhat
  still such t than that the their theirs them themselves then there therefore these they thing things this those
  though through thus to together too toward towards under until up upon us use used uses using very via want wants was
  way we well were what whatever when whenever where whereas wherever whether which while who whoever whole whom whose
  why will with within without would yes yet you your yours yourself yourselves im ive dont doesnt didnt cant couldnt
  shouldnt wouldnt wont isnt arent wasnt werent hasnt havent hadnt whats hows thats theres`.split(/\s+/),
);

/** True for a folded, unstemmed word that does not score. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

/** Stems of English words that say how something is asked for rather than what: they score less. */
const GENERAL_TERMS = new Set(
  `abl actual add allow alreadi alway anyway appear appli ask avoid awar bad base basic becom begin behav best better bring call care case
  caus certain chang check choos clear come common complet consid contain correct creat current deal decid depend describ determin differ
  difficult easi enabl end ensur entir exact exist expect explain extra fact fail fast final find fine first fix follow full general
  generat give good handl happen hard help hold idea ignor implement improv includ increas instead keep kind know larg last late lead
  learn leav left like limit littl live long look lose lot main manual mean miss modifi move multipl need never new next nice normal note
  obtain occur offer old onc open order part particular pass peopl perform person pick place point possibl prevent problem produc proper
  provid question quick reach readi real reason receiv recommend reduc refer relat remov replac requir result return right run safe save
  say second see select send separ set sever share show similar simpl singl small someon someth specif start stay step still stop suggest
  support sure take tell thing time total treat tri true turn twice understand use usual various wait way whole without wonder word work
  worri write wrong yet`.split(/\s+/),
);

/** Whether an English term says how something is asked for rather than what. */
export function isGeneralTerm(term: string): boolean {
  return GENERAL_TERMS.has(term);
}

const STOP_MARK = "\0\u0001";

/** Name of the list of a stop word's own occurrences. Those of other words with its stem are listed under the term alone. */
export function stopListOf(term: string): string {
  return `${term}${STOP_MARK}`;
}

/** Whether `stopListOf` made a name, or the key of one. */
export function isStopList(name: string): boolean {
  return name.endsWith(STOP_MARK);
}

/** What a term is of its text. `variant` and `exact` stand behind the word or part that they belong to. */
type TermKind = TokenKind | "variant" | "exact";

/** One term at its place in the text, in UTF-16 units. */
interface AnalyzedToken {
  readonly term: string;
  readonly start: number;
  readonly end: number;
  readonly kind: TermKind;
  readonly stop: boolean;
}

/** Receives each term with its place in the text, in UTF-16 units, and its word, folded but not stemmed. */
export type TermVisitor = (
  term: string,
  kind: TermKind,
  stop: boolean,
  start: number,
  end: number,
  word: string,
) => void;

/** What a language adds to the shared path. */
interface LanguageRules {
  /** Stem of a word in lower case; other text comes back as it is. */
  readonly stem: (word: string) => string;
  /** Whether the stemmer knows some endings with their accents only. */
  readonly stemsAccents: boolean;
  /** Folded, unstemmed words that do not score. */
  readonly stopWords: ReadonlySet<string>;
  /** What an apostrophe ties to the next word without being part of it, in lower case. */
  readonly elisions?: ReadonlySet<string> | undefined;
  /** Whether a stem begins with the letter that its word begins with. */
  readonly keepsInitials?: boolean;
}

interface AnalyzedWord {
  readonly term: string;
  /** Folded, not stemmed. */
  readonly word: string;
  readonly isStop: boolean;
  /** `""` where there is none. */
  readonly variant: string;
  readonly exact: string;
}

/** The path from text to terms for one language. */
export interface Analyzer {
  readonly analyzeWord: (token: string) => AnalyzedWord;
  /** True for a term that some stop word has: `well`, which is that word and the stem of `wells`. */
  readonly isStopTerm: (term: string) => boolean;
  readonly elisions: ReadonlySet<string> | undefined;
  readonly keepsInitials: boolean;
}

/** The analyzers of all languages that are searched, that of most documents first. */
export type Analyzers = readonly [Analyzer, ...Analyzer[]];

/** An analyzer of a language. Remembers what it worked out; results do not depend on that. */
export function createAnalyzer(rules: LanguageRules): Analyzer {
  // Two lots, of which the older one is forgotten when the newer is full: what is met again and again stays.
  let recent = new Map<string, AnalyzedWord>();
  let older = new Map<string, AnalyzedWord>();
  const remember = (token: string, known: AnalyzedWord | undefined): AnalyzedWord => {
    if (recent.size >= MAX_REMEMBERED_WORDS / 2) {
      older = recent;
      recent = new Map();
    }
    const own = copyText(token);
    const word = known ?? workOut(own, rules);
    recent.set(own, word);
    return word;
  };
  const analyzeWord = (token: string): AnalyzedWord => {
    const known = recent.get(token);
    if (known !== undefined) return known;
    return remember(token, older.get(token));
  };
  let stopTerms: ReadonlySet<string> | undefined;
  const isStopTerm = (term: string): boolean => {
    stopTerms ??= new Set(Array.from(rules.stopWords, rules.stem));
    return stopTerms.has(term);
  };
  return { analyzeWord, isStopTerm, elisions: rules.elisions, keepsInitials: rules.keepsInitials === true };
}

/** A text that keeps no longer one, which it was cut out of, in memory. */
export function copyText(text: string): string {
  return text.length < LEAST_REFERENCE ? text : (JSON.parse(JSON.stringify(text)) as string);
}

/** A test for terms that some stop word of any of these languages has. */
export function makeStopTermTest(analyzers: Iterable<Analyzer>): (term: string) => boolean {
  const all = [...new Set(analyzers)];
  return (term) => all.some((analyzer) => analyzer.isStopTerm(term));
}

/** Analyzer of English text. */
export const ENGLISH: Analyzer = createAnalyzer({
  stem: stemWord,
  stemsAccents: false,
  stopWords: STOP_WORDS,
  keepsInitials: true,
});

function workOut(token: string, rules: LanguageRules): AnalyzedWord {
  // Some characters unfold to many: the ligature U+FDFA to eighteen.
  const written = cutToken(foldSpelling(token));
  const folded = cutToken(foldAccents(written));
  const term = rules.stem(folded);
  const isStop = rules.stopWords.has(folded);
  if (isStop || written === folded) return { term, word: folded, isStop, variant: "", exact: "" };
  const variant = rules.stemsAccents ? cutToken(foldAccents(rules.stem(written))) : "";
  return { term, word: folded, isStop, variant: variant === term ? "" : variant, exact: written };
}

const CASE_BIT = 0x20;

/**
 * Visit the terms of a text in order. Wholes come before their parts, other forms behind their word.
 *
 * @param only Terms that count, where not all do. Words of other initials need no stemmer: they are visited once, with `""` for a term.
 */
export function visitTerms(
  text: string,
  visit: TermVisitor,
  analyzer: Analyzer = ENGLISH,
  only?: Iterable<string>,
): void {
  const initials = only !== undefined && analyzer.keepsInitials ? new Uint8Array(0x80) : undefined;
  if (initials !== undefined) for (const term of only ?? []) initials[term.charCodeAt(0) | CASE_BIT] = 1;
  visitTokens(
    text,
    (token, start, end, kind) => {
      // Undefined for what is not ASCII.
      if (initials?.[token.charCodeAt(0) | CASE_BIT] === 0) {
        visit("", kind, false, start, end, token);
        return;
      }
      const { term, word, isStop, variant, exact } = analyzer.analyzeWord(token);
      if (term === "") return;
      visit(term, kind, isStop && kind !== "whole", start, end, word);
      if (exact === "" || kind === "whole") return;
      if (variant !== "") visit(variant, "variant", false, start, end, word);
      visit(exact, "exact", false, start, end, word);
    },
    analyzer.elisions,
  );
}

export function analyzeText(text: string, analyzer: Analyzer = ENGLISH): AnalyzedToken[] {
  const tokens: AnalyzedToken[] = [];
  visitTerms(text, (term, kind, stop, start, end) => tokens.push({ term, kind, stop, start, end }), analyzer);
  return tokens;
}

/** Whether a term counts where lengths are counted in words: wholes and other forms stand beside words that do. */
export function countsAsWord(kind: TermKind): boolean {
  return kind === "word" || kind === "part";
}

export function countWords(text: string): number {
  let words = 0;
  visitTokens(text, (_, _start, _end, kind) => {
    if (countsAsWord(kind)) words++;
  });
  return words;
}

/*
 * The stemmers of all languages but English are eight times the rest of a search, so whoever opens an index says where they come from:
 * a page fetches them, and a Worker evaluates them, only for an index that has such a language.
 */

/** Gives the function that makes analyzers, `analyzerOf`. */
export type LoadAnalyzers = () => Promise<(language: Language) => Analyzer>;

/** The analyzers of some languages, with English. */
export async function loadAnalyzers(
  languages: readonly Language[],
  load: LoadAnalyzers,
): Promise<ReadonlyMap<Language, Analyzer>> {
  const others = languages.filter((language) => language !== "english");
  const analyzers = new Map<Language, Analyzer>([["english", ENGLISH]]);
  if (others.length === 0) return analyzers;
  const analyzerOf = await load();
  for (const language of others) analyzers.set(language, analyzerOf(language));
  return analyzers;
}
