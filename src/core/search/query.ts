/**
 * What a query asks for, as terms. Any text is a query; nothing is a syntax error. Pure.
 */
import { visitTerms } from "../text/analyze.ts";

/** Words beyond this many are not looked up: a pasted page is not a question, and every word costs a read. */
const MAX_QUERY_TERMS = 128;

/** One term of a query. */
export interface QueryTerm {
  readonly term: string;
  /** As the person wrote it, first time. */
  readonly written: string;
  /** How often the query holds it. */
  readonly count: number;
  /** Wholes of identifiers that it is a part of; empty when the query has it as a word of its own too. */
  readonly partOf: readonly string[];
}

/** An understood query. */
export interface ParsedQuery {
  /** Terms that score, in order of first use: content words, or the stop words when there is nothing else. */
  readonly terms: readonly QueryTerm[];
  readonly stopWordsUsed: boolean;
  /** Terms beyond those that are looked up. */
  readonly unused: number;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Understand a query. */
export function parseQuery(text: string): ParsedQuery {
  const content = new Map<string, Mutable<QueryTerm>>();
  const stops = new Map<string, Mutable<QueryTerm>>();
  let whole = "";
  let wholeEnd = 0;
  visitTerms(text, (term, kind, stop, start, end) => {
    if (kind === "whole") {
      whole = term;
      wholeEnd = end;
    }
    const group = stop ? stops : content;
    const known = group.get(term);
    // An identifier that is too long to be a term has parts and no whole.
    const isPart = kind === "part" && start < wholeEnd;
    const partOf = isPart ? [whole] : [];
    if (known === undefined) {
      group.set(term, { term, written: text.slice(start, end), count: 1, partOf });
    } else {
      known.count++;
      known.partOf = isPart && known.partOf.length > 0 ? [...known.partOf, whole] : [];
    }
  });
  const stopWordsUsed = content.size === 0 && stops.size > 0;
  const terms = [...(stopWordsUsed ? stops : content).values()];
  const used = terms.slice(0, MAX_QUERY_TERMS);
  return { terms: used, stopWordsUsed, unused: terms.length - used.length };
}
