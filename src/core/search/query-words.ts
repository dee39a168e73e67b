/**
 * The words of a query that score, collected text by text: terms, pairs, runs that may have synonyms. Pure.
 */
import type { Analyzers } from "../text/analyze.ts";
import { analyzeQuery, readSynonymPhrase } from "../text/analyze-query.ts";

/** Words beyond this many are not looked up: a pasted page is not a question, and every word costs a read. */
const MAX_QUERY_WORDS = 128;
/** Identifiers that one word is remembered as a part of. */
const MAX_WHOLES = MAX_QUERY_WORDS;

/** One word of a query: what counts once, whichever of its terms a document holds. */
export interface QueryWord {
  /** As the person wrote it, first time. */
  readonly written: string;
  /** Folded, not stemmed. */
  readonly word: string;
  /** Terms that it stands for: those of the languages that are searched, and of the sides of an `OR`. */
  readonly terms: readonly string[];
  /** Terms that words with the same accents have: a bonus, which finds nothing by itself. */
  readonly exact: readonly string[];
  /** How often the query holds it. */
  readonly count: number;
  /** Wholes of identifiers that it is a part of; empty when the query has it as a word of its own too. */
  readonly partOf: readonly string[];
  /** Written in quotes: never corrected. */
  readonly isQuoted: boolean;
  /** Longer words that begin with it count as well. */
  readonly isPrefix: boolean;
  /** Its terms are longer words that begin with it, because nothing holds the word itself. */
  readonly isBeginning?: boolean;
}

/** Terms side by side in the query, as synonyms are looked up, with the indexes of the words that they are. */
export interface SynonymPhrase {
  readonly terms: readonly string[];
  readonly words: readonly number[];
}

/** The words of a query, and what depends on how they stand in it. */
export interface QueryWords {
  /** Words that score, in order of first use: content words, or the stop words when there is nothing else. */
  readonly words: readonly QueryWord[];
  /** Indexes of words that stand side by side in the query. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Runs of words that may have synonyms. */
  readonly synonymPhrases: readonly SynonymPhrase[];
  readonly stopWordsUsed: boolean;
  /** Words of the query as titles count theirs: stop words too, parts of identifiers for the identifier. */
  readonly length: number;
  /** Words beyond those that are looked up. */
  readonly unused: number;
}

/** The same, to be filled. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** How words stand in a query. */
interface AddOptions {
  readonly isQuoted: boolean;
  /** It is another form of the word before. */
  readonly joins?: boolean;
  readonly isPrefix?: boolean;
}

/** Collects words that score. A class, because each word changes what the next one means. */
export class WordCollector {
  readonly #content = new Map<string, Mutable<QueryWord>>();
  readonly #stops = new Map<string, Mutable<QueryWord>>();
  readonly #pairs: [string, string][] = [];
  readonly #synonymPhrases: (readonly string[])[] = [];
  readonly #analyzers: Analyzers;
  #before: string | undefined;
  #length = 0;
  #lastWord: Mutable<QueryWord> | undefined;
  /** The word that the text ends in, where longer words can stand for it. */
  #openWord: Mutable<QueryWord> | undefined;

  constructor(analyzers: Analyzers) {
    this.#analyzers = analyzers;
  }

  add(text: string, { isQuoted, joins = false, isPrefix = false }: AddOptions): void {
    let whole = "";
    let wholeEnd = 0;
    let isFirst = true;
    const joined = joins ? this.#lastWord : undefined;
    // Synonyms are looked up for words beside one another in the text, across clauses too.
    if (!isQuoted) {
      this.#synonymPhrases.push(readSynonymPhrase(text, this.#analyzers[0]).map(({ term }) => term));
    }
    for (const { start, end, kind, stop, word, terms, exact } of analyzeQuery(text, this.#analyzers)) {
      const term = terms[0] as string;
      if (kind === "whole") {
        whole = term;
        wholeEnd = end;
      }
      if (isFirst && joined !== undefined && !stop) {
        joined.terms = [...new Set([...joined.terms, ...terms])];
        joined.written = `${joined.written} or ${text.slice(start, end)}`;
        this.#before = undefined;
        this.#openWord = undefined;
        isFirst = false;
        continue;
      }
      isFirst = false;
      // An identifier that is too long to be a term has parts and no whole.
      const isPart = kind === "part" && start < wholeEnd;
      // `useRou*` begins `useRouter`; words that begin with `rou` are not meant.
      if (isPart && isPrefix) {
        this.#length++;
        continue;
      }
      const group = stop ? this.#stops : this.#content;
      const known = group.get(term);
      const partOf = isPart ? [whole] : [];
      if (known === undefined) {
        const added = { written: text.slice(start, end), word, terms, exact, count: 1, partOf, isQuoted, isPrefix };
        group.set(term, added);
        this.#note(stop, added);
      } else {
        known.count++;
        const isOnlyPart = isPart && known.partOf.length > 0;
        known.partOf = isOnlyPart ? addOnce(known.partOf, whole) : [];
        known.isQuoted ||= isQuoted;
        known.isPrefix ||= isPrefix;
        known.terms = [...new Set([...known.terms, ...terms])];
        this.#note(stop, known);
      }
      if (kind === "whole") continue;
      this.#length++;
      if (this.#before !== undefined && !stop) this.#pairs.push([this.#before, term]);
      this.#before = stop ? undefined : term;
    }
  }

  /** Runs of words that score, the shortest first: one word has synonyms more often than eight. */
  #listSynonymPhrases(indexes: ReadonlyMap<string, number>): SynonymPhrase[] {
    const terms = this.#synonymPhrases.flat();
    const phrases: SynonymPhrase[] = [];
    for (let length = 1; length <= MAX_SYNONYM_TERMS; length++) {
      for (let from = 0; from + length <= terms.length && phrases.length < MAX_SYNONYM_PHRASES; from++) {
        const run = terms.slice(from, from + length);
        const words = run.map((term) => indexes.get(term));
        if (words.every((index) => index !== undefined)) phrases.push({ terms: run, words });
      }
    }
    return phrases;
  }

  /** A stop word that the text ends in is no beginning: it stands for itself. */
  #note(isStop: boolean, word: Mutable<QueryWord>): void {
    if (!isStop) this.#lastWord = word;
    this.#openWord = isStop ? undefined : word;
  }

  /** @param leftOut What else of the query is not looked up. */
  finish(isOpenEnd: boolean, leftOut: number): QueryWords {
    if (isOpenEnd && this.#openWord !== undefined) this.#openWord.isPrefix = true;
    const stopWordsUsed = this.#content.size === 0 && this.#stops.size > 0;
    const all = [...(stopWordsUsed ? this.#stops : this.#content).values()];
    const words = all.slice(0, MAX_QUERY_WORDS);
    const indexes = new Map(words.map(({ terms }, index) => [terms[0] as string, index]));
    const pairs = new Map<string, readonly [number, number]>();
    for (const [first, second] of stopWordsUsed ? [] : this.#pairs) {
      const a = indexes.get(first);
      const b = indexes.get(second);
      if (a !== undefined && b !== undefined) pairs.set(`${a} ${b}`, [a, b]);
    }
    return {
      words,
      pairs: [...pairs.values()],
      synonymPhrases: stopWordsUsed ? [] : this.#listSynonymPhrases(indexes),
      stopWordsUsed,
      length: this.#length,
      unused: all.length - words.length + leftOut,
    };
  }
}

/** Terms of the longest run of words that synonyms are looked up for. */
const MAX_SYNONYM_TERMS = 8;
/** Runs that are looked up: each costs a key beside its first word. */
const MAX_SYNONYM_PHRASES = 64;

/** The list with one more name, as long as it is short: more says no more. */
function addOnce(names: readonly string[], name: string): readonly string[] {
  return names.length >= MAX_WHOLES || names.includes(name) ? names : [...names, name];
}
