/**
 * What a query asks for, as terms. Any text is a query; nothing is a syntax error. Pure.
 */
import { visitTerms } from "../text/analyze.ts";

/** Words beyond this many are not looked up: a pasted page is not a question, and every word costs a read. */
export const MAX_QUERY_TERMS = 64;

/** One term of a query. */
export interface QueryTerm {
  readonly term: string;
  /** As the person wrote it, first time. */
  readonly written: string;
  /** How often the query holds it. */
  readonly count: number;
}

/** An understood query. */
export interface ParsedQuery {
  /** Terms that score, in order of first use: content words, or the stop words when there is nothing else. */
  readonly terms: readonly QueryTerm[];
  readonly stopWordsUsed: boolean;
  /** True when the query had more terms than are looked up. */
  readonly cut: boolean;
}

/** Understand a query. */
export function parseQuery(text: string): ParsedQuery {
  const content = new Map<string, { term: string; written: string; count: number }>();
  const stops = new Map<string, { term: string; written: string; count: number }>();
  visitTerms(text, (term, _kind, stop, start, end) => {
    const group = stop ? stops : content;
    const known = group.get(term);
    if (known !== undefined) known.count++;
    else group.set(term, { term, written: text.slice(start, end), count: 1 });
  });
  const stopWordsUsed = content.size === 0 && stops.size > 0;
  const terms = [...(stopWordsUsed ? stops : content).values()];
  return { terms: terms.slice(0, MAX_QUERY_TERMS), stopWordsUsed, cut: terms.length > MAX_QUERY_TERMS };
}
