/**
 * Form of an answer: by `?format=` in the address, else by the `Accept` header (RFC 9110, section 12.5.1).
 *
 * Where two forms are wanted alike, the one that is named wins over one that only a wildcard covers, then the order in which the server
 * offers them: `[json, markdown, html]`. Programs that send no wish get the first, browsers name HTML alone, and agents that name HTML and
 * Markdown read Markdown. Answers chosen so have `Vary: Accept`.
 */
import { type Accept, parseAccept } from "hono/utils/accept";

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

/** The type that an `Accept` header prefers; the first one offered where there is no header, or none that can be read. */
export function preferredType<T extends string>(accept: string | null, offered: readonly [T, ...T[]]): T {
  const ranges = parseAccept(accept ?? "");
  const wishes = offered.map((type) => ({ type, ...wishFor(type, ranges) }));
  const [best] = wishes.filter(({ q }) => q > 0).sort((one, other) => other.q - one.q || one.distance - other.distance);
  return best?.type ?? offered[0];
}

/** Weight of a type, from the most precise range that covers it, and how far that range is from naming it. */
function wishFor(type: string, ranges: readonly Accept[]): { readonly q: number; readonly distance: number } {
  // Old clients of Java write `*` for anything.
  const patterns = [[type], [type.replace(/\/.*/, "/*")], ["*/*", "*"]];
  for (const [distance, names] of patterns.entries()) {
    const covering = ranges.filter((range) => names.includes(range.type.toLowerCase()));
    // `text/html;level=1` is about another form of the type: the plain one counts where both are there.
    const plain = covering.filter(({ params }) => Object.keys(params).every((name) => name.toLowerCase() === "q"));
    const counted = plain.length > 0 ? plain : covering;
    if (counted.length > 0) return { q: Math.max(...counted.map(({ q }) => q)), distance };
  }
  return { q: 0, distance: patterns.length };
}
