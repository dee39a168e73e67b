/**
 * Addresses of pages that were found: where the site stands, what to mark on the page, and nothing that a browser would run.
 *
 * Pure.
 */
import { isWebAddress } from "../../core/text/addresses.ts";

const ABSOLUTE = /^(?:https?:)?\/\//i;
/** Stands for the page's own origin while a path is taken apart. */
const SOME_ORIGIN = "https://origin.invalid";

/** The folder of the site that an index lies in: what stands before `pagefind/`, else the root of the index's host. */
export function siteOfIndex(folder: string): string {
  const site = /^(.*\/)_?pagefind(?:\/|$)/.exec(folder) ?? /^((?:https?:)?\/\/[^/]+\/)/i.exec(folder);
  return site?.[1] ?? "/";
}

/** An address below `baseUrl`; one that names its host stays, and one that is none of the web is the site's own. */
export function placeAddress(address: string, baseUrl: string): string {
  if (ABSOLUTE.test(address)) return address;
  if (!isWebAddress(address)) return baseUrl;
  const base = /^(?:\/|https?:\/\/)/i.test(baseUrl) ? baseUrl : `/${baseUrl}`;
  return `${base.replace(/\/+$/, "")}/${address.replace(/^\/+/, "")}`;
}

/** An address with the words of a query as parameters of a name, and an anchor; either may be missing. */
export function markAddress(
  address: string,
  {
    parameter,
    words = [],
    anchor = "",
  }: { readonly parameter?: string | undefined; readonly words?: readonly string[]; readonly anchor?: string },
): string {
  if ((parameter === undefined || words.length === 0) && anchor === "") return address;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const marked = url ?? new URL(address, SOME_ORIGIN);
  if (parameter !== undefined) for (const word of words) marked.searchParams.append(parameter, word);
  if (anchor !== "") marked.hash = anchor;
  const host = ABSOLUTE.test(address) ? marked.href.replace(/^https?:/, "") : marked.href.slice(SOME_ORIGIN.length);
  return url === undefined ? host : marked.href;
}

/** Words of a query as they stand in an address. */
export function wordsToMark(query: string): string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((word) => word !== "");
}
