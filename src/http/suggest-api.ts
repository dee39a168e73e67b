/**
 * Route `/suggest`: titles and headings for what somebody types into a search box.
 */

import { checkCollection } from "../core/docs/catalogue.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { type Suggestion, suggest } from "../core/search/suggest.ts";
import { orderSuggestions } from "../surface/order-suggestions.ts";
import type { AddressParameters } from "../surface/parameters.ts";
import type { JsonObject } from "../surface/render/answer.ts";
import { ownPage } from "./addresses.ts";
import { readParameters } from "./read-parameters.ts";
import { answerFromIndex, type HttpServices, respondJson } from "./respond.ts";

const EXAMPLE = "/suggest?q=getting+st&limit=5";

/** Parameters of `/suggest`. */
export const SUGGEST_PARAMETERS = {
  q: { kind: "text", required: true, description: "what was typed so far", aliases: ["query"], example: "getting st" },
  limit: { kind: "integer", default: 8, minimum: 1, maximum: 20, description: "suggestions at most" },
  collection: { kind: "texts", default: [], description: "only from these collections", example: "docs" },
} as const satisfies AddressParameters;

/** The answer to `GET /suggest`. */
export function answerSuggest(request: Request, services: HttpServices): Promise<Response> {
  const { searchParams: parameters } = new URL(request.url);
  const run = async (reader: IndexReader): Promise<Response> => {
    const notes: string[] = [];
    const { q: query, limit, collection } = readParameters(parameters, SUGGEST_PARAMETERS, notes, EXAMPLE);
    for (const name of collection) checkCollection(reader, name);
    const { suggestions, cost } = await suggest(reader, { query, limit, collections: collection }, orderSuggestions);
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
