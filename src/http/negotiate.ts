/**
 * Form of an answer: by `?format=` in the address, else by the `Accept` header (RFC 9110, section 12.5.1).
 *
 * Of two forms that are named alike, the first in the order in which the server offers them counts: `[json, markdown, html]`. Programs that
 * send no wish or a wildcard get the first, browsers name HTML alone, and agents that name HTML and Markdown read Markdown. Answers chosen so
 * have `Vary: Accept`.
 */
import { parseAccept } from "hono/utils/accept";

/** JSON, the first form of most answers. */
export const JSON_TYPE = "application/json";
/** Markdown, RFC 7763. */
export const MARKDOWN_TYPE = "text/markdown";
/** Pages for browsers. */
const HTML_TYPE = "text/html";

/** Values of `?format=`. An unknown one means the first type that is offered. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ["json", JSON_TYPE],
  ["markdown", MARKDOWN_TYPE],
  ["md", MARKDOWN_TYPE],
  ["html", HTML_TYPE],
]);

/**
 * The type that a request prefers among those offered. Where it accepts none of them, the first: an answer in another form helps
 * more than 406.
 *
 * @param offered Without parameters, `text/html`; the default first.
 */
export function prefers<T extends string>(request: Request, offered: readonly [T, ...T[]]): T {
  const format = new URL(request.url).searchParams.get("format");
  if (format !== null) {
    const named = FORMATS.get(format.toLowerCase());
    return offered.find((type) => type === named) ?? offered[0];
  }
  return preferredType(request.headers.get("Accept"), offered);
}

/** Whether a request wants a page for a browser rather than what programs and agents read at the same address. */
export function wantsHtml(request: Request): boolean {
  return prefers(request, [JSON_TYPE, MARKDOWN_TYPE, HTML_TYPE]) === HTML_TYPE;
}

/**
 * The type that an `Accept` header prefers of those that it names; the first one offered where it names none, or only by a wildcard.
 */
export function preferredType<T extends string>(accept: string | null, offered: readonly [T, ...T[]]): T {
  const ranges = parseAccept(accept ?? "");
  const weightOf = (type: T): number =>
    Math.max(0, ...ranges.filter((range) => range.type.toLowerCase() === type).map(({ q }) => q));
  const [best] = offered.filter((type) => weightOf(type) > 0).sort((one, other) => weightOf(other) - weightOf(one));
  return best ?? offered[0];
}
