/**
 * The order of results as an address asks for it: a name, or a key of a built site with its direction.
 *
 * Pure: text in, values out.
 */
import { InputError } from "../core/errors.ts";
import type { SearchSort } from "../core/search/answer.ts";
import { SORTS } from "../core/search/request.ts";
import { nearestNames } from "../core/text/nearest.ts";
import { quoteValue } from "../core/text/quote-value.ts";

const MAX_NEAREST = 3;
const KEY_ORDER = /^(.+):(asc|desc)$/is;

/**
 * The order that a text names, `relevance` for none: `title`, `date:desc`.
 *
 * @param example What stands in the error as an example.
 * @throws {InputError} for a text that is none.
 */
export function readSort(text: string | null, example: string): SearchSort {
  if (text === null || text === "") return "relevance";
  const sort = SORTS.find((known) => known === text.toLowerCase());
  if (sort !== undefined) return sort;
  const [, key, order] = KEY_ORDER.exec(text) ?? [];
  if (key !== undefined) return { key, isDescending: order?.toLowerCase() === "desc" };
  const nearest = nearestNames(text, SORTS, MAX_NEAREST);
  const message = `sort must be one of ${SORTS.join(", ")}, or a key of the site such as date:desc; got ${quoteValue(text)}.`;
  throw new InputError(message, nearest, example);
}
