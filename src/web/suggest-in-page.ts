/**
 * Suggestions in a page. A module of its own, because not every search box asks for them.
 */
import type { IndexReader } from "../core/index/index-reader.ts";
import { type SuggestAnswer, type SuggestRequest, suggest } from "../core/search/suggest.ts";
import { orderSuggestions } from "../surface/order-suggestions.ts";

/** Suggestions, put in the order that the Worker gives them. */
export function suggestInPage(reader: IndexReader, request: SuggestRequest): Promise<SuggestAnswer> {
  return suggest(reader, request, orderSuggestions);
}
