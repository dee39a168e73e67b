/**
 * Which of several forms of an answer a request asks for: by `?format=` in its address, else by its `Accept` header (RFC 9110,
 * section 12.5.1).
 *
 * Where two forms are wanted alike, the one that is named wins over one that only a wildcard covers, then the order in which the server offers them: `[json, markdown, html]`, since programs that send no wish get the first,
 * browsers name HTML alone, and agents that name HTML and Markdown read Markdown.
 *
 * Pure: a request in, one of the types out. Answers chosen so have `Vary: Accept`.
 */

/** Types that answers come in. */
export const JSON_TYPE = "application/json";
/** Markdown, RFC 7763. */
export const MARKDOWN_TYPE = "text/markdown";
/** Pages for browsers. */
export const HTML_TYPE = "text/html";

/** What `?format=` may say. An unknown name means the first type that is offered. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ["json", JSON_TYPE],
  ["markdown", MARKDOWN_TYPE],
  ["md", MARKDOWN_TYPE],
  ["html", HTML_TYPE],
]);

/** A media range of an `Accept` header. */
interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  /** 0 to 1; 0 for what must not be sent. */
  readonly weight: number;
  readonly hasParameters: boolean;
}

/** How well a type is wanted. */
interface Wish {
  readonly weight: number;
  /** Higher where the range says more: anything, a family of types, named; 0 where no range covers it. */
  readonly precision: number;
  /** Whether the range is about another form of the type, `text/html;level=1`: the plain one counts where both are there. */
  readonly isOther: boolean;
}

const UNWANTED: Wish = { weight: 0, precision: 0, isOther: false };
/** Elements of a list; commas between quotes separate none (section 5.6.1, 5.6.4). */
const ELEMENTS = /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g;
const PARTS = /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g;
const RANGE = /^([\w!#$%&'*+.^`|~-]+)\/([\w!#$%&'*+.^`|~-]+)$/;
const WEIGHT = /^q\s*=/i;
const NUMBER = /^(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * The type that a request prefers among those offered. Where it accepts none of them, the first: an answer in another form helps
 * more than 406.
 *
 * @param offered Without parameters, `text/html`; what is sent to those who do not mind first.
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
  const ranges = readRanges(accept ?? "");
  let [best] = offered;
  let found = UNWANTED;
  for (const type of offered) {
    const wish = wishFor(type, ranges);
    const isBetter =
      wish.weight > found.weight ||
      (wish.weight === found.weight && wish.weight > 0 && wish.precision > found.precision);
    if (isBetter) [best, found] = [type, wish];
  }
  return best;
}

/** Ranges of a header. One that cannot be read is passed over: it says nothing of the others. */
function readRanges(accept: string): readonly MediaRange[] {
  return (accept.match(ELEMENTS) ?? []).flatMap((element) => {
    const [name = "", ...parameters] = (element.match(PARTS) ?? []).map((part) => part.trim());
    // Old clients of Java write `*` for anything.
    const [, type, subtype] = RANGE.exec(name === "*" ? "*/*" : name) ?? [];
    const at = parameters.findIndex((parameter) => WEIGHT.test(parameter));
    const weight = at < 0 ? 1 : readWeight(parameters[at] ?? "");
    if (type === undefined || subtype === undefined || weight === undefined) return [];
    // What stands behind the weight extends the header, not the type.
    return [
      {
        type: type.toLowerCase(),
        subtype: subtype.toLowerCase(),
        weight,
        hasParameters: at > 0 || (at < 0 && parameters.length > 0),
      },
    ];
  });
}

function readWeight(parameter: string): number | undefined {
  const text = parameter.slice(parameter.indexOf("=") + 1).trim();
  return NUMBER.test(text) ? Math.min(1, Number(text)) : undefined;
}

/** What the most precise range that covers a type says of it. */
function wishFor(offered: string, ranges: readonly MediaRange[]): Wish {
  const [type = "", subtype = ""] = offered.split("/");
  let best = UNWANTED;
  for (const range of ranges) {
    const wish = { weight: range.weight, precision: precisionOf(range, type, subtype), isOther: range.hasParameters };
    if (wish.precision > 0 && isCloser(wish, best)) best = wish;
  }
  return best;
}

function isCloser(one: Wish, other: Wish): boolean {
  if (one.precision !== other.precision) return one.precision > other.precision;
  if (one.isOther !== other.isOther) return other.isOther;
  return one.weight > other.weight;
}

function precisionOf(range: MediaRange, type: string, subtype: string): number {
  if (range.type === "*") return range.subtype === "*" ? 1 : 0;
  if (range.type !== type) return 0;
  if (range.subtype === "*") return 2;
  return range.subtype === subtype ? 3 : 0;
}
