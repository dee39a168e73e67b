/**
 * Route `/pagefind/pages`: what the module with Pagefind's interface asks, which the Worker hands out beside it.
 *
 * One parameter, `ask`, is the question as JSON: `{"find": …}`, `{"count": …}` or `{"read": …}`. It is the module's own
 * business and may change with it; programs ask `/search`.
 */
import type { IndexReader } from "../core/index/index-reader.ts";
import { countPages, findPages } from "../core/search/find-pages.ts";
import { readPages } from "../core/search/read-pages.ts";
import type { AddressParameters } from "../surface/parameters.ts";
import { cleanJson, cleanText } from "../surface/render/text.ts";
import { readPagefindQuestion } from "./read-pagefind.ts";
import { MAX_ADDRESS_LENGTH, readParameters } from "./read-parameters.ts";
import { answerFromIndex, type HttpServices, respondJson } from "./respond.ts";

/** Path of the route below the address of a corpus. */
export const PAGEFIND_PATH = "/pagefind/pages";

/** Results of one answer at most: nobody turns so many pages. */
const MAX_RESULTS = 10_000;
/** Compressed text of one page that is read: it is taken apart word by word, in the time of a search. */
const MAX_PAGE_BYTES = 48 * 1024;
/** What is well compressed is far longer, and an answer has up to 20 pages. */
const MAX_PAGE_CHARACTERS = 150_000;

/** Parameters of the route. */
export const PAGEFIND_PARAMETERS = {
  ask: {
    kind: "text",
    default: "",
    maxLength: MAX_ADDRESS_LENGTH,
    description: "the question as JSON with one member, count, find or read",
    example: '{"count":{"added":{},"language":""}}',
  },
} as const satisfies AddressParameters;

/** The answer to a GET. */
export function answerPagefind(request: Request, services: HttpServices): Promise<Response> {
  const run = async (reader: IndexReader): Promise<Response> => {
    const { searchParams } = new URL(request.url);
    const question = readPagefindQuestion(readParameters(searchParams, PAGEFIND_PARAMETERS, [], PAGEFIND_PATH).ask);
    if ("count" in question) return respondJson(await countPages(reader, question.count));
    if ("find" in question) {
      const found = await findPages(reader, question.find);
      return respondJson({ ...found, pages: found.pages.slice(0, MAX_RESULTS) });
    }
    const clean = (text: string): string => cleanText(text).text;
    const bounds = { maxBytes: MAX_PAGE_BYTES, maxCharacters: MAX_PAGE_CHARACTERS };
    const pages = await readPages(reader, { ...question.read, ...bounds, clean });
    return respondJson({ pages: pages.map((page) => ({ ...page, meta: cleanJson(page.meta).value })) });
  };
  return answerFromIndex(request, services, { where: PAGEFIND_PATH, run });
}
