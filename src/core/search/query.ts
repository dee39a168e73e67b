/**
 * What a query asks for: words that score, phrases, what must not occur, fields. Any text is a query. Pure.
 */
import { type Analyzer, type Analyzers, countsAsWord, ENGLISH, stopListOf, visitTerms } from "../text/analyze.ts";
import { analyzeQuery, readSynonymPhrase } from "../text/analyze-query.ts";
import { type NameForm, namesOfQuery } from "../text/name-forms.ts";
import { foldName } from "../text/nearest.ts";

/** Words of one phrase; what stands behind them is left out of it. */
const MAX_PHRASE_WORDS = 32;
/** Terms of all requirements: each phrase is judged in each document that holds its words. */
const MAX_REQUIRED_TERMS = 48;
/** Fields that every document has, beside its facets. */
const NAME_FIELDS = ["title", "path"] as const;

/** Words that must stand side by side; one word when there is one. */
export interface Phrase {
  readonly written: string;
  /** Terms in order, stop words among them. */
  readonly terms: readonly string[];
  /**
   * Names of lists that decide: of terms that no stop word has; where there is none, of those that are no stop words here, else the
   * lists of the stop words.
   */
  readonly deciding: readonly string[];
}

/** Documents must hold one of these, or none of them. */
export interface Requirement {
  readonly anyOf: readonly Phrase[];
  readonly negated: boolean;
}

/** A field and the values that it may, or must not, have. */
export interface FieldClause {
  /** `title`, `path`, or a facet key. */
  readonly field: string;
  readonly values: readonly string[];
  readonly negated: boolean;
}

export interface ParsedQuery extends QueryWords {
  /** Names that the query may be; none where it has operators. */
  readonly names: readonly NameForm[];
  readonly requirements: readonly Requirement[];
  readonly fields: readonly FieldClause[];
  /** True when the query is more than plain words. */
  readonly hasOperators: boolean;
  /** True when quotes, dashes, `OR` or `NOT` were taken as text: in a sentence, and where nothing else is asked for. */
  readonly operatorsAsText: boolean;
}

interface QueryOptions {
  /** Facet keys that can stand before a colon. */
  readonly facetKeys: readonly string[];
  /** The last word is still being typed: longer words count too. */
  readonly asYouType: boolean;
  readonly analyzers: Analyzers;
}

export function parseQuery(text: string, options: Partial<QueryOptions> = {}): ParsedQuery {
  const { facetKeys = [], asYouType = false, analyzers = [ENGLISH] } = options;
  const clauses = splitClauses(text, makeFieldNames(facetKeys));
  const isOpen = asYouType && !/\s$/.test(text);
  const hadOperators = clauses.some(
    ({ kind, negated, alternative }) => kind !== "field" && (kind === "phrase" || negated || alternative),
  );
  const asText = isSentence(clauses, analyzers);
  const query = understand(asText ? clauses.map(toText) : clauses, isOpen, analyzers);
  // What is only excluded leaves nothing to look for: then it was no operator.
  if (query.words.length > 0 || query.fields.length > 0) {
    const names = query.hasOperators ? [] : namesOfQuery(text, analyzers);
    return { ...query, names, operatorsAsText: asText && hadOperators };
  }
  return { ...understand(clauses.map(toText), isOpen, analyzers), names: [], operatorsAsText: hadOperators };
}

/** Whether a field is a facet: all are but the names, which every document has. */
export function isOfFacet({ field }: FieldClause): boolean {
  return field !== "title" && field !== "path";
}

/** The phrases of a requirement as they were typed: several languages read one phrase. */
export function listWritten({ anyOf }: Requirement): string[] {
  return [...new Set(anyOf.map(({ written }) => written))];
}

/** @param isOpen Whether the last word may go on. */
function understand(
  clauses: readonly Clause[],
  isOpen: boolean,
  analyzers: Analyzers,
): Omit<ParsedQuery, "operatorsAsText" | "names"> {
  const collector = new WordCollector(analyzers);
  const requirements: Mutable<Requirement>[] = [];
  const fields: FieldClause[] = [];
  // What `OR` joined so far, and the requirement that it makes once a phrase is among it.
  let chain: Phrase[] = [];
  let open: Mutable<Requirement> | undefined;
  for (const clause of clauses) {
    const isAlternative = clause.alternative && chain.length > 0;
    if (!isAlternative) {
      chain = [];
      open = undefined;
    }
    if (clause.kind === "field") {
      addField(fields, clause);
      if (!clause.negated && clause.field === "title") collector.add(clause.text, { isQuoted: false });
      continue;
    }
    const phrases = toPhrases(clause, analyzers);
    if (phrases.length === 0) continue;
    if (clause.negated) {
      requirements.push({ anyOf: phrases, negated: true });
      continue;
    }
    const isRequired = clause.kind === "phrase";
    chain.push(...phrases);
    if (open !== undefined) {
      open.anyOf = [...open.anyOf, ...phrases];
    } else if (isRequired) {
      open = { anyOf: [...chain], negated: false };
      requirements.push(open);
    }
    collector.add(clause.text, {
      isQuoted: isRequired,
      // A beginning stands for too many words to be another form of one.
      joins: isAlternative && !isRequired && open === undefined && clause.kind !== "prefix",
      isPrefix: clause.kind === "prefix",
    });
  }
  const last = clauses.at(-1);
  const lookedUp = cutRequirements(requirements);
  const isOpenEnd = isOpen && last?.kind === "text" && !last.negated;
  return {
    ...collector.finish(isOpenEnd, requirements.length - lookedUp.length),
    requirements: lookedUp,
    fields,
    hasOperators: clauses.some(({ kind, negated, alternative }) => kind !== "text" || negated || alternative),
  };
}

/** A query with a stop word and two others outside quotes reads as a sentence. */
const SENTENCE = { stopWords: 1, words: 2 };

/**
 * True for a question in whole sentences. Quotes and dashes in those quote and name (`a file called "x"`, `find -name`):
 * taken as operators they would hide nearly every answer.
 */
function isSentence(clauses: readonly Clause[], analyzers: Analyzers): boolean {
  let stopWords = 0;
  let words = 0;
  for (const { kind, negated, text } of clauses) {
    if (kind !== "text" || negated) continue;
    for (const token of analyzeQuery(text, analyzers)) {
      if (token.kind === "part") continue;
      if (token.stop) stopWords++;
      else words++;
    }
  }
  return stopWords >= SENTENCE.stopWords && words >= SENTENCE.words;
}

/** A clause without what made it more than its text. Fields and beginnings stay: nobody writes those by chance. */
function toText(clause: Clause): Clause {
  if (clause.kind === "field") return clause;
  return { ...clause, kind: clause.kind === "phrase" ? "text" : clause.kind, negated: false, alternative: false };
}

/** Facet keys and the two names in any spelling: `codeLanguage` is `code_language`. */
function makeFieldNames(facetKeys: readonly string[]): (typed: string) => string | undefined {
  const names = new Map([...facetKeys, ...NAME_FIELDS].map((name) => [foldName(name), name]));
  return (typed) => (facetKeys.includes(typed) ? typed : names.get(foldName(typed)));
}

function addField(fields: FieldClause[], { field, text, negated }: Clause): void {
  const split = NAME_FIELDS.some((name) => name === field) ? [text] : text.split(",");
  // A title is compared by its words, so a value without any says nothing.
  const saysNothing = (value: string): boolean => value === "" || (field === "title" && !/[\p{L}\p{N}]/u.test(value));
  const values = split.map((value) => value.trim()).filter((value) => !saysNothing(value));
  const at = fields.findIndex((clause) => clause.field === field && clause.negated === negated);
  const known = fields[at];
  const isFacet = !NAME_FIELDS.some((name) => name === field);
  if (values.length === 0) return;
  // `type:guide type:faq` means either, as for a filter with two values.
  if (known !== undefined && isFacet) fields[at] = { ...known, values: [...new Set([...known.values, ...values])] };
  else fields.push({ field, values, negated });
}

/** The words of a clause as each language reads them, different readings only. */
function toPhrases(clause: Clause, analyzers: Analyzers): Phrase[] {
  const phrases = analyzers.map((analyzer) => toPhrase(clause, analyzer)).filter((phrase) => phrase !== undefined);
  return [...new Map(phrases.map((phrase) => [phrase.terms.join(" "), phrase])).values()];
}

/** The words of a clause in order. An identifier stands for its parts; where it is excluded, for itself alone. */
function toPhrase({ text, kind: clauseKind, negated }: Clause, analyzer: Analyzer): Phrase | undefined {
  const terms: string[] = [];
  const content: string[] = [];
  const stops: string[] = [];
  const telling: string[] = [];
  let whole = "";
  visitTerms(
    text,
    (term, kind, stop, start, end) => {
      if (kind === "whole" && start === 0 && end === text.length) whole = term;
      if (!countsAsWord(kind) || terms.length >= MAX_PHRASE_WORDS) return;
      terms.push(term);
      if (stop) stops.push(stopListOf(term));
      else content.push(term);
      // A term that stop words have too tells not all documents of the phrase.
      if (!stop && !analyzer.isStopTerm(term)) telling.push(term);
    },
    analyzer,
  );
  const written = text.trim();
  if (negated && clauseKind === "text" && whole !== "") return { written, terms: [whole], deciding: [whole] };
  const deciding = [telling, content, stops].find((names) => names.length > 0);
  return deciding === undefined ? undefined : { written, terms, deciding };
}

/** Those that can be looked up together. A phrase that is asked for again is judged again, so it counts again. */
function cutRequirements(requirements: readonly Requirement[]): readonly Requirement[] {
  let terms = 0;
  return requirements.filter(({ anyOf }) => {
    terms += anyOf.flatMap((phrase) => phrase.terms).length;
    return terms <= MAX_REQUIRED_TERMS;
  });
}

interface Clause {
  readonly kind: "text" | "phrase" | "field" | "prefix";
  /** Text of the clause, without its operators. */
  readonly text: string;
  /** Name of the field, as known; `""` for the other kinds. */
  readonly field: string;
  readonly negated: boolean;
  /** True when `OR` joins it to the clause before. */
  readonly alternative: boolean;
}

/** Clauses beyond this many are taken as plain text. */
const MAX_CLAUSES = 64;

const OPENING_QUOTES = '"“”„«';
const CLOSING_QUOTES = '"“”»';
const FIELD = /^([\p{L}_][\p{L}\p{N}_.-]*):(?![\s:]|\/\/|$)/u;
/** Before a dash that excludes stands nothing or a space, behind it a quote or a word of two letters at least. */
const EXCLUDED = /^-(?=[\p{L}@_"“”„«][\p{L}\p{N}_"“”„«@])/u;

/** Split a query. `knownField` gives a field's name for what was typed before a colon, or undefined. */
function splitClauses(text: string, knownField: (typed: string) => string | undefined): Clause[] {
  const clauses: Clause[] = [];
  let alternative = false;
  let negateNext = false;
  let at = 0;
  while (at < text.length) {
    // A bracket right before `.name` stays: behind one it is a member, not the name of a hidden file.
    const space = /^(?:[\s(]|\)(?![.-]))+/u.exec(text.slice(at, at + 256));
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    if (clauses.length >= MAX_CLAUSES) {
      clauses.push({ kind: "text", text: text.slice(at), field: "", negated: false, alternative: false });
      break;
    }
    const operator = /^(?:OR|AND|NOT|\|\|?|&&)(?=\s|$)/u.exec(text.slice(at, at + 8))?.[0];
    if (
      operator !== undefined &&
      (operator === "NOT" || clauses.length > 0) &&
      /\S/u.test(text.slice(at + operator.length))
    ) {
      if (operator === "OR" || operator.startsWith("|")) alternative = true;
      if (operator === "NOT") negateNext = true;
      at += operator.length;
      continue;
    }
    const { clause, end } = readClause(text, at, knownField);
    const negated = clause.negated || negateNext;
    clauses.push({ ...clause, negated, alternative: alternative && !negated });
    alternative = false;
    negateNext = false;
    at = end;
  }
  return clauses;
}

function readClause(
  text: string,
  start: number,
  knownField: (typed: string) => string | undefined,
): { clause: Clause; end: number } {
  const negated = text[start] === "-" && EXCLUDED.test(text.slice(start, start + 8));
  let at = negated ? start + 1 : start;
  const next = text.slice(at, at + 128);
  const typed = next.includes(":") ? FIELD.exec(next)?.[1] : undefined;
  const field = typed === undefined ? undefined : knownField(typed);
  if (typed !== undefined && field !== undefined) {
    at += typed.length + 1;
    const quoted = readQuoted(text, at);
    const { text: value, end } = quoted ?? readPlain(text, at);
    return { clause: { kind: "field", text: value, field, negated, alternative: false }, end };
  }
  const quoted = readQuoted(text, at);
  if (quoted !== undefined) {
    return { clause: { kind: "phrase", text: quoted.text, field: "", negated, alternative: false }, end: quoted.end };
  }
  const plain = readPlain(text, at);
  const isPrefix = plain.text.endsWith("*") && /[\p{L}\p{N}]\*+$/u.test(plain.text);
  const value = isPrefix ? plain.text.replace(/\*+$/, "") : plain.text;
  return {
    clause: { kind: isPrefix ? "prefix" : "text", text: value, field: "", negated, alternative: false },
    end: plain.end,
  };
}

/** What stands in quotes at `at`, or undefined where none open there or nothing closes them. */
function readQuoted(text: string, at: number): { text: string; end: number } | undefined {
  const opening = text[at];
  if (opening === undefined || !OPENING_QUOTES.includes(opening)) return undefined;
  for (let end = at + 1; end < text.length; end++) {
    if (CLOSING_QUOTES.includes(text[end] as string)) return { text: text.slice(at + 1, end), end: end + 1 };
  }
  return undefined;
}

/** Up to the next space: a quote in the middle of `href="/about"` begins no phrase. */
function readPlain(text: string, at: number): { text: string; end: number } {
  let end = at + 1;
  while (end < text.length && !/[\s()]/u.test(text[end] as string)) end++;
  return { text: text.slice(at, end), end };
}

/** Words, and pairs of them, beyond this many are not looked up: a pasted page is not a question, and every word costs a read. */
const MAX_QUERY_WORDS = 128;

/** One word of a query: what counts once, whichever of its terms a document holds. */
export interface QueryWord {
  /** As the person wrote it, first time. */
  readonly written: string;
  /** Folded, not stemmed. */
  readonly word: string;
  /** What it is indexed under: terms of the languages that are searched and of the sides of an `OR`, lists of stop words. */
  readonly terms: readonly string[];
  /** Terms that words with the same accents have: a bonus, which finds nothing by itself. */
  readonly exact: readonly string[];
  /** How often the query holds it. */
  readonly count: number;
  /** Whether the query holds it in identifiers only, as a part. */
  readonly isPart: boolean;
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

/** Two terms side by side in a query. */
export interface QueryPair {
  readonly terms: readonly [string, string];
  /** Whether the first is a stop word. */
  readonly beginsWithStop: boolean;
}

/** The words of a query, and what depends on how they stand in it. */
interface QueryWords {
  /** Words that score, in order of first use: content words, or the stop words when there is nothing else. */
  readonly words: readonly QueryWord[];
  /** Words side by side in the query of which one scores at least. */
  readonly pairs: readonly QueryPair[];
  /** Runs of words that may have synonyms. */
  readonly synonymPhrases: readonly SynonymPhrase[];
  readonly stopWordsUsed: boolean;
  /** Words of the query as titles count theirs: stop words too, parts of identifiers for the identifier. */
  readonly length: number;
  /** Words beyond those that are looked up. */
  readonly unused: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface AddOptions {
  readonly isQuoted: boolean;
  /** It is another form of the word before. */
  readonly joins?: boolean;
  readonly isPrefix?: boolean;
}

/** Collects words that score. A class, because each word changes what the next one means. */
class WordCollector {
  readonly #content = new Map<string, Mutable<QueryWord>>();
  readonly #stops = new Map<string, Mutable<QueryWord>>();
  readonly #pairs = new Map<string, QueryPair>();
  readonly #synonymPhrases: (readonly string[])[] = [];
  readonly #analyzers: Analyzers;
  #before: { readonly term: string; readonly stop: boolean } | undefined;
  #length = 0;
  #lastWord: Mutable<QueryWord> | undefined;
  /** The word that the text ends in, where longer words can stand for it. */
  #openWord: Mutable<QueryWord> | undefined;

  constructor(analyzers: Analyzers) {
    this.#analyzers = analyzers;
  }

  add(text: string, { isQuoted, joins = false, isPrefix = false }: AddOptions): void {
    let wholeEnd = 0;
    let isFirst = true;
    const joined = joins ? this.#lastWord : undefined;
    // Synonyms are looked up for words beside one another in the text, across clauses too.
    if (!isQuoted) {
      this.#synonymPhrases.push(readSynonymPhrase(text, this.#analyzers[0]).map(({ term }) => term));
    }
    for (const { start, end, kind, stop, word, terms, exact } of analyzeQuery(text, this.#analyzers)) {
      const term = terms[0] as string;
      if (kind === "whole") wholeEnd = end;
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
      // `useRou*` begins `useRouter`; words that begin with `rou` are not meant. The `e` and `g` of `e.g.` say nothing.
      if (isPart && (isPrefix || (word.length === 1 && /[a-z]/.test(word)))) {
        this.#length++;
        continue;
      }
      const group = stop ? this.#stops : this.#content;
      const known = group.get(term);
      if (known === undefined) {
        const added = { written: text.slice(start, end), word, terms, exact, count: 1, isPart, isQuoted, isPrefix };
        group.set(term, added);
        this.#note(stop, added);
      } else {
        known.count++;
        known.isPart &&= isPart;
        known.isQuoted ||= isQuoted;
        known.isPrefix ||= isPrefix;
        known.terms = [...new Set([...known.terms, ...terms])];
        this.#note(stop, known);
      }
      if (kind === "whole") continue;
      this.#length++;
      const before = this.#before;
      if (before !== undefined && !(stop && before.stop)) {
        this.#pairs.set(`${before.term} ${term}`, { terms: [before.term, term], beginsWithStop: before.stop });
      }
      this.#before = { term, stop };
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
    return {
      words,
      pairs: stopWordsUsed ? [] : [...this.#pairs.values()].slice(0, MAX_QUERY_WORDS),
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
