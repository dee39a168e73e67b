/**
 * Text to terms: the one path that index and query share, so that what was indexed is what is looked up.
 *
 * A word's term is its stem, worked out without accents, so that it is the same for those who type them and those who
 * do not. A word with accents has further terms beside it, which do not count as words:
 * - `variant`: its stem worked out with accents, where that is another one. Most Snowball stemmers know the endings of
 *   their language with accents only: `comunicación` and `comunicaciones` meet in `comun`, `comunicacion` does not.
 * - `exact`: the word as written, in lower case. A match of it earns a bonus, nothing more.
 *
 * Pure.
 */
import { foldAccents, foldSpelling, stemWord } from "./normalize.ts";
import { englishStopWords } from "./stop-words.ts";
import { cutToken, type TokenKind, visitTokens } from "./tokenize.ts";

/** What a term is of its text. `variant` and `exact` stand behind the word or part that they belong to. */
export type TermKind = TokenKind | "variant" | "exact";

/** One term at its place in the text, in UTF-16 units. */
export interface AnalyzedToken {
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
export interface LanguageRules {
  /** Stem of a word in lower case; other text comes back as it is. */
  readonly stem: (word: string) => string;
  /** Whether the stemmer knows some endings with their accents only. */
  readonly stemsAccents: boolean;
  /** Folded, unstemmed words that do not score. */
  readonly stopWords: ReadonlySet<string>;
  /** What an apostrophe ties to the next word without being part of it, in lower case. */
  readonly elisions?: ReadonlySet<string> | undefined;
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
}

/** The analyzers of all languages that are searched, that of most documents first. */
export type Analyzers = readonly [Analyzer, ...Analyzer[]];

/**
 * Pages have few hundred different words, and a build meets the same ones again and again. Of a server this is memory that
 * no budget counts: about 3 MB for each language that is searched.
 */
const MAX_REMEMBERED_WORDS = 8000;
/** From this length on, engines keep a part of a string as a reference into the whole. */
const LEAST_REFERENCE = 13;

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
    // A word that refers to the text that it was cut from would keep all of that text in memory.
    const own = token.length < LEAST_REFERENCE ? token : copyText(token);
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
  return { analyzeWord, isStopTerm, elisions: rules.elisions };
}

/** The same text as a string of its own. Tokens are short. */
function copyText(text: string): string {
  return String.fromCharCode(...Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
}

/** A test for terms that some stop word of any of these languages has. */
export function makeStopTermTest(analyzers: Iterable<Analyzer>): (term: string) => boolean {
  const all = [...new Set(analyzers)];
  return (term) => all.some((analyzer) => analyzer.isStopTerm(term));
}

/** Analyzer of English text. */
export const ENGLISH: Analyzer = createAnalyzer({ stem: stemWord, stemsAccents: false, stopWords: englishStopWords() });

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

/** Visit the terms of a text in order. Wholes come before their parts, other forms behind their word. */
export function visitTerms(text: string, visit: TermVisitor, analyzer: Analyzer = ENGLISH): void {
  visitTokens(
    text,
    (token, start, end, kind) => {
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

/** The terms of a text in order. */
export function analyzeText(text: string, analyzer: Analyzer = ENGLISH): AnalyzedToken[] {
  const tokens: AnalyzedToken[] = [];
  visitTerms(text, (term, kind, stop, start, end) => tokens.push({ term, kind, stop, start, end }), analyzer);
  return tokens;
}

/** Whether a term counts where lengths are counted in words: wholes and other forms stand beside words that do. */
export function countsAsWord(kind: TermKind): boolean {
  return kind === "word" || kind === "part";
}

/** Words of a text as lengths count them. */
export function countWords(text: string): number {
  let words = 0;
  visitTokens(text, (_, _start, _end, kind) => {
    if (countsAsWord(kind)) words++;
  });
  return words;
}
