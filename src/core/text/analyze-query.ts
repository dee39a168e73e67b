/**
 * A typed query, analysed in every language of the searched collections: collections of several languages hold the same
 * word under different terms. A synonym phrase becomes the list of its terms: stop words are dropped, a hyphenated compound
 * gives its parts, any other identifier its whole.
 */
import { type Analyzer, type Analyzers, countsAsWord, ENGLISH, stopListOf, visitTerms } from "./analyze.ts";
import type { TokenKind } from "./tokenize.ts";

/** A term of a phrase with its place in the text, in UTF-16 units. */
interface PhraseTerm {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

const HYPHENATED = /^[\p{L}\p{N}\p{M}]+(?:[-‐‑][\p{L}\p{N}\p{M}]+)+$/u;

/** The terms of a phrase in order; none where it is of stop words only. */
export function readSynonymPhrase(text: string, analyzer: Analyzer = ENGLISH): PhraseTerm[] {
  const terms: PhraseTerm[] = [];
  let wholeEnd = 0;
  visitTerms(
    text,
    (term, kind, stop, start, end) => {
      if (kind === "variant" || kind === "exact") return;
      if (kind === "whole") {
        // A second whole of the same run is the first one without the signs around it.
        if (start < wholeEnd || HYPHENATED.test(text.slice(start, end))) return;
        wholeEnd = end;
      } else if (stop || (kind === "part" && start < wholeEnd)) {
        return;
      }
      terms.push({ term, start, end });
    },
    analyzer,
  );
  return terms;
}

/** A word, identifier or part of one, as typed. */
interface QueryToken {
  /** Place in the typed text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly kind: TokenKind;
  /** Whether it is a stop word of the language that the text seems to be in. Wholes never are. */
  readonly stop: boolean;
  /** Folded, not stemmed, as the first language reads it. */
  readonly word: string;
  /** Different names that the word is indexed under, its term first; each finds it. Never empty. */
  readonly terms: readonly string[];
  /** Terms that only words with the same accents have; they earn a bonus and find nothing by themselves. */
  readonly exact: readonly string[];
}

/** So many stop words of a language show that a text is in it; one alone can be a thing's name in another. */
const MIN_STOP_WORDS = 2;

interface Collected {
  start: number;
  readonly end: number;
  readonly kind: TokenKind;
  readonly word: string;
  readonly stops: Set<Analyzer>;
  readonly terms: Set<string>;
  readonly exact: Set<string>;
}

/**
 * The tokens of a typed text in order.
 *
 * @param analyzers All different. The stop words of the first count where the text does not show its language.
 */
export function analyzeQuery(text: string, analyzers: Analyzers): QueryToken[] {
  // Ends tell tokens apart, and among those of one end their order: languages differ in what they cut off in front.
  const tokens = new Map<string, Collected>();
  const stopCounts = new Map<Analyzer, number>();
  for (const analyzer of analyzers) {
    const turns = new Map<number, number>();
    let token: Collected | undefined;
    visitTerms(
      text,
      (term, kind, stop, start, end, word) => {
        if (kind === "variant" || kind === "exact") {
          token?.[kind === "exact" ? "exact" : "terms"].add(term);
          return;
        }
        const turn = turns.get(end) ?? 0;
        turns.set(end, turn + 1);
        const key = `${end}/${turn}`;
        token = tokens.get(key) ?? { start, end, kind, word, stops: new Set(), terms: new Set(), exact: new Set() };
        tokens.set(key, token);
        token.start = Math.min(token.start, start);
        token.terms.add(term);
        if (stop) {
          token.terms.add(stopListOf(term));
          token.stops.add(analyzer);
          stopCounts.set(analyzer, (stopCounts.get(analyzer) ?? 0) + 1);
        }
      },
      analyzer,
    );
  }
  const speaking = chooseLanguage(analyzers, stopCounts);
  return [...tokens.values()]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, kind, word, stops, terms, exact }) => ({
      start,
      end,
      kind,
      word,
      stop: countsAsWord(kind) && stops.has(speaking),
      terms: [...terms],
      exact: [...exact],
    }));
}

function chooseLanguage(analyzers: Analyzers, stopCounts: ReadonlyMap<Analyzer, number>): Analyzer {
  const count = (analyzer: Analyzer): number => stopCounts.get(analyzer) ?? 0;
  const [most] = [...analyzers].sort((a, b) => count(b) - count(a));
  return most !== undefined && count(most) >= MIN_STOP_WORDS ? most : analyzers[0];
}
