/**
 * Route `/pagefind/pages`: what the module with Pagefind's interface asks, which the Worker hands out beside it.
 *
 * One parameter, `ask`, is the question as JSON: `{"find": …}`, `{"count": …}` or `{"read": …}`. It is the module's own
 * business and may change with it; programs ask `/search`.
 */

import * as z from "zod";
import { InputError } from "../core/errors.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { parseJson } from "../core/parse-text.ts";
import { MAX_QUERY_LENGTH } from "../core/search/answer.ts";
import { countPages, findPages } from "../core/search/find-pages.ts";
import { RANKING_BOUNDS, RANKING_NAMES } from "../core/search/ranking-settings.ts";
import { readPages } from "../core/search/read-pages.ts";
import { shortenText } from "../core/text/short-text.ts";
import { type AddressParameters, MAX_ADDRESS_LENGTH, readParameters } from "../surface/parameters.ts";
import { cleanJson, cleanText } from "../surface/render/text.ts";
import { answerFromIndex, type HttpServices, respondJson } from "./respond.ts";

/** Path of the route below the address of a corpus. */
export const PAGEFIND_PATH = "/pagefind/pages";

/** Results of one answer at most: nobody turns so many pages. */
const MAX_RESULTS = 10_000;
/** Compressed text of one page that is read: it is taken apart word by word, in the time of a search. */
const MAX_PAGE_BYTES = 48 * 1024;
/** What is well compressed is far longer, and an answer has up to 20 pages. */
const MAX_PAGE_CHARACTERS = 150_000;

/** Pages of one question, facets that are added to all, and values of each of those. */
const MAX_LIST = 20;
/** Terms that a query stands for, longer words among them. */
const MAX_TERMS = 500;
const MAX_NAME = 200;
/** Characters of a refusal: names in a question may be long. */
const MAX_PROBLEM = 300;
/** A question that works: how many pages have each value. */
const EXAMPLE = '{"count":{"added":{},"language":""}}';

const name = z.string().max(MAX_NAME);
const count = z.strictObject({
  added: z
    .record(name, z.array(name).max(MAX_LIST))
    .refine((added) => Object.keys(added).length <= MAX_LIST, `must have at most ${MAX_LIST} facets`),
  language: name,
});
const ranking = RANKING_NAMES.map((setting) => {
  const { minimum, maximum } = RANKING_BOUNDS[setting];
  return [setting, z.number().min(minimum).max(maximum).optional()];
});
const find = count.extend({
  query: z.string().max(MAX_QUERY_LENGTH).optional(),
  // Its levels are counted where it is applied, and what is no condition is passed over there.
  filter: z.unknown(),
  sort: z.strictObject({ key: name, descending: z.boolean() }).optional(),
  withCounts: z.boolean(),
  ranking: z.strictObject(Object.fromEntries(ranking)),
  typing: z.boolean(),
});
const read = z.strictObject({
  generation: name,
  keys: z.array(name).min(1).max(MAX_LIST),
  terms: z.array(z.tuple([name, z.number()])).max(MAX_TERMS),
});
/** How many pages have each value, which pages there are for some words, or what stands in pages. */
const question = z
  .strictObject({ count, find, read })
  .partial()
  .refine((asked) => Object.keys(asked).length === 1, "must have one member: count, find or read");

const PAGEFIND_PARAMETERS = {
  ask: {
    kind: "text",
    default: "",
    maxLength: MAX_ADDRESS_LENGTH,
    description: "the question as JSON with one member, count, find or read",
    example: EXAMPLE,
  },
} as const satisfies AddressParameters;

export function answerPagefind(request: Request, services: HttpServices): Promise<Response> {
  const run = async (reader: IndexReader): Promise<Response> => {
    const { searchParams } = new URL(request.url);
    const asked = readQuestion(readParameters(searchParams, PAGEFIND_PARAMETERS, [], PAGEFIND_PATH).ask);
    if (asked.count !== undefined) return respondJson(await countPages(reader, asked.count));
    if (asked.find !== undefined) {
      const { query, sort, ...others } = asked.find;
      const found = await findPages(reader, { query, sort, ...others });
      return respondJson({ ...found, pages: found.pages.slice(0, MAX_RESULTS) });
    }
    const clean = (text: string): string => cleanText(text).text;
    const bounds = { maxBytes: MAX_PAGE_BYTES, maxCharacters: MAX_PAGE_CHARACTERS };
    const pages = await readPages(reader, { ...(asked.read as z.infer<typeof read>), ...bounds, clean });
    return respondJson({ pages: pages.map((page) => ({ ...page, meta: cleanJson(page.meta).value })) });
  };
  return answerFromIndex(request, services, { where: PAGEFIND_PATH, run });
}

/** The question that a text of JSON is. @throws {InputError} which says which member is not what it must be. */
function readQuestion(json: string): z.infer<typeof question> {
  const { data, error } = question.safeParse(parse(json));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw refuse(shortenText(`${["ask", ...(issue?.path ?? [])].join(".")}: ${issue?.message}`, MAX_PROBLEM));
}

function parse(json: string): unknown {
  if (json === "") throw refuse("ask is missing: a question as JSON");
  const value = parseJson(json);
  if (value === undefined) throw refuse("ask must be JSON");
  return value;
}

function refuse(problem: string): InputError {
  return new InputError(`${problem}.`, [], `${PAGEFIND_PATH}?ask=${EXAMPLE}`);
}
