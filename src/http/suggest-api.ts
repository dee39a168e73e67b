/**
 * Route `/suggest`: titles and headings for what somebody types into a search box.
 */
import type { IndexReader } from "../core/index/index-reader.ts";
import { type Suggestion, suggest } from "../core/search/suggest.ts";
import { checkCollection } from "../core/tree/catalogue.ts";
import { orderSuggestions } from "../element/order-suggestions.ts";
import type { JsonObject } from "../render/answer.ts";
import { ownPage } from "./addresses.ts";
import { readNumber, readQuery } from "./read-parameters.ts";
import { answerFromIndex, type HttpServices, respondJson } from "./respond.ts";

const LIMIT = { name: "limit", default: 8, minimum: 1, maximum: 20 } as const;
const EXAMPLE = "/suggest?q=getting+st&limit=5";

/** The answer to `GET /suggest`. */
export function answerSuggest(request: Request, services: HttpServices): Promise<Response> {
  const { searchParams: parameters } = new URL(request.url);
  const run = async (reader: IndexReader): Promise<Response> => {
    const notes: string[] = [];
    const query = readQuery(parameters, "what was typed so far", EXAMPLE);
    const limit = readNumber(parameters, LIMIT, notes, EXAMPLE);
    const collections = parameters.getAll("collection").filter((name) => name !== "");
    for (const name of collections) checkCollection(reader, name);
    const { suggestions, cost } = await suggest(reader, { query, limit, collections }, orderSuggestions);
    return respondJson({
      query,
      suggestions: suggestions.map((suggestion) => toJson(suggestion, services.base)),
      cost,
      ...(notes.length > 0 && { notes }),
    });
  };
  return answerFromIndex(request, services, { where: "/suggest", run });
}

function toJson(suggestion: Suggestion, base: string): JsonObject {
  const { url, documentId, nodeId } = suggestion;
  return { ...suggestion, url: url === "" ? ownPage(base, documentId, nodeId) : url };
}
