/**
 * How a query was understood, for the answer to say. Pure.
 */
import type { Interpretation } from "./answer.ts";
import type { QueryFields } from "./filter.ts";
import { listWritten, type ParsedQuery } from "./query.ts";
import { canBegin } from "./read-words.ts";

/** The parts of a query, as they were typed. */
export function interpret({ words, requirements }: ParsedQuery, fields: QueryFields): Interpretation {
  const { include, exclude } = fields.facets;
  const facets = (filter: typeof include, negated: boolean): Interpretation["fields"] =>
    Object.entries(filter).map(([field, values]) => ({ field, values, negated }));
  return {
    words: words.map(({ written }) => written),
    required: requirements.filter(({ negated }) => !negated).map(listWritten),
    excluded: requirements.filter(({ negated }) => negated).flatMap(listWritten),
    fields: [...facets(include, false), ...facets(exclude, true), ...fields.titles, ...fields.paths],
    beginnings: words.filter(({ isPrefix, word }) => isPrefix && canBegin(word)).map(({ written }) => written),
  };
}
