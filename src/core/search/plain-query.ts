/**
 * Queries of plain words, which most are: what they ask for, without the code that reads operators. Pure.
 */
import type { Analyzers } from "../text/analyze.ts";
import type { ParsedQuery } from "./query.ts";
import { WordCollector } from "./query-words.ts";

/** Anything that could be an operator, or a member behind a bracket, of those that `query-clauses.ts` knows. */
const MAYBE_OPERATOR = /["“”„«*:|&]|\)\.|(?:^|[\s()])(?:-|(?:OR|AND|NOT)(?!\S))/u;
/** More words than this are left to those who count clauses. */
const MAX_PLAIN_WORDS = 60;

/** What a query asks for, as `parseQuery` says it; undefined where it may hold operators. */
export function parsePlainQuery(text: string, asYouType: boolean, analyzers: Analyzers): ParsedQuery | undefined {
  const words = text.split(/[\s()]+/u).filter((word) => word !== "");
  if (MAYBE_OPERATOR.test(text) || words.length > MAX_PLAIN_WORDS) return undefined;
  const collector = new WordCollector(analyzers);
  for (const word of words) collector.add(word, { isQuoted: false });
  const isOpenEnd = asYouType && words.length > 0 && !/\s$/.test(text);
  return {
    ...collector.finish(isOpenEnd, 0),
    requirements: [],
    fields: [],
    hasOperators: false,
    operatorsAsText: false,
  };
}
