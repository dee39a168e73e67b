/**
 * The text of a paragraph of Markdown as HTML: code, emphasis, links. What it does not know stays as it was written.
 *
 * It is for reading what is indexed, not for showing a site: no HTML of the text is taken over, and pictures are links.
 * Each sign is looked at once for each level that it stands in, and may look ahead for where what it begins ends. A text has so many such
 * steps for each of its signs; when they are spent, the rest of it is plain text, so that no text takes more than its length says.
 *
 * Pure: text in, HTML out.
 */
import { type Html, html, type Shown } from "./html.ts";

/** What a link in the text leads to, or undefined where it leads nowhere that is safe or known. */
export type ResolveLink = (href: string) => string | undefined;

/** Signs that what begins somewhere may go on. */
const MAX_AHEAD = 1000;
/** Steps of looking ahead for each sign of a text, and for a short text beside: prose takes one or two. */
const STEPS_A_SIGN = 20;
const LEAST_STEPS = 2 * MAX_AHEAD;
/** How deep emphasis and links stand in each other. */
const MAX_DEPTH = 4;
const SPECIAL = /[\\`*_~[!<]|https?:/g;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,1000})>/y;
const BARE_ADDRESS = /https?:\/\/[^\s<>"'`]{1,1000}/y;
/** What ends a sentence ends no address. */
const TRAILING = ".,;:!?)*_]";
const DESTINATION =
  /\(\s{0,20}(?:<([^<>\n]{0,1000})>|([^\s()<>]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,500})?))(?:\s{1,20}["'(][^"')\n]{0,500}["')])?\s{0,20}\)/y;
const MARKS = ["**", "__", "~~", "*", "_"] as const;
const WORD = /[\p{L}\p{N}_]/u;

/** Steps that may still be taken to look ahead. */
interface Steps {
  left: number;
}

/** Steps of looking ahead that a text of some length may take. */
export function stepsOf(length: number): number {
  return LEAST_STEPS + length * STEPS_A_SIGN;
}

/**
 * A paragraph's text as HTML.
 *
 * @param steps What is left of these is not spent; of its length's share when absent.
 */
export function writeInline(text: string, resolve: ResolveLink, steps: Steps = { left: stepsOf(text.length) }): Html {
  return writeSpans(text, resolve, steps, 0);
}

function writeSpans(text: string, resolve: ResolveLink, steps: Steps, depth: number): Html {
  const parts: Shown[] = [];
  let plain = 0;
  for (let at = nextSpecial(text, 0); at >= 0 && steps.left > 0; ) {
    const found = readSpan(text, at, resolve, steps, depth);
    if (found === undefined) {
      at = nextSpecial(text, at + 1);
      continue;
    }
    parts.push(text.slice(plain, at), found.shown);
    plain = found.end;
    at = nextSpecial(text, plain);
  }
  parts.push(text.slice(plain));
  return html`${parts}`;
}

interface Span {
  readonly shown: Shown;
  readonly end: number;
}

function nextSpecial(text: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(text)?.index ?? -1;
}

function readSpan(text: string, at: number, resolve: ResolveLink, steps: Steps, depth: number): Span | undefined {
  switch (text[at]) {
    case "\\":
      return ESCAPABLE.test(text[at + 1] ?? "") ? { shown: text[at + 1] ?? "", end: at + 2 } : undefined;
    case "`":
      return readCode(text, at, steps);
    case "<":
      return readAddress(text, at, AUTOLINK, resolve, steps);
    case "h":
      return WORD.test(text[at - 1] ?? " ") ? undefined : readAddress(text, at, BARE_ADDRESS, resolve, steps);
    case "!":
      return text[at + 1] === "[" ? readLink(text, at + 1, resolve, steps, depth, true) : undefined;
    case "[":
      return readLink(text, at, resolve, steps, depth, false);
    default:
      return readEmphasis(text, at, resolve, steps, depth);
  }
}

function readCode(text: string, at: number, steps: Steps): Span | undefined {
  let open = at;
  while (text[open] === "`") open++;
  const mark = text.slice(at, open);
  const ahead = text.slice(open, open + MAX_AHEAD);
  for (let end = ahead.indexOf(mark); end >= 0; ) {
    let close = end;
    while (text[open + close] === "`") close++;
    if (close - end === mark.length) {
      steps.left -= close;
      return { shown: html`<code>${withoutPadding(ahead.slice(0, end))}</code>`, end: open + close };
    }
    end = ahead.indexOf(mark, close);
  }
  steps.left -= ahead.length;
  return { shown: mark, end: open };
}

/** One blank at each end lets code begin with a backtick. */
function withoutPadding(code: string): string {
  return code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "" ? code.slice(1, -1) : code;
}

function readAddress(text: string, at: number, pattern: RegExp, resolve: ResolveLink, steps: Steps): Span | undefined {
  pattern.lastIndex = at;
  const [whole = "", inner] = pattern.exec(text) ?? [];
  // What begins like an address in sharp brackets and does not end as one was looked at in vain.
  steps.left -= whole === "" && text.startsWith("<http", at) ? MAX_AHEAD : whole.length;
  const address = inner ?? withoutTrailing(whole);
  if (address === "") return undefined;
  const link = resolve(address);
  return {
    shown: link === undefined ? address : html`<a href="${link}">${address}</a>`,
    end: at + (inner ? whole : address).length,
  };
}

function withoutTrailing(address: string): string {
  let end = address.length;
  while (end > 0 && TRAILING.includes(address[end - 1] as string)) end--;
  return address.slice(0, end);
}

function readLink(
  text: string,
  at: number,
  resolve: ResolveLink,
  steps: Steps,
  depth: number,
  isPicture: boolean,
): Span | undefined {
  const end = findBracket(text, at, steps);
  if (end === undefined || depth >= MAX_DEPTH || text[end + 1] !== "(") return undefined;
  DESTINATION.lastIndex = end + 1;
  const [whole, pointed, bare = ""] = DESTINATION.exec(text) ?? [];
  steps.left -= whole?.length ?? MAX_AHEAD;
  if (whole === undefined) return undefined;
  const inner = text.slice(at + 1, end);
  const link = resolve(pointed ?? bare);
  const name = isPicture
    ? html`Picture: ${inner === "" ? (pointed ?? bare) : inner}`
    : writeSpans(inner, noLinks, steps, depth + 1);
  return { shown: link === undefined ? name : html`<a href="${link}">${name}</a>`, end: end + 1 + whole.length };
}

/** Links do not stand in links. */
function noLinks(): undefined {
  return undefined;
}

/** The bracket that closes the one at a place. */
function findBracket(text: string, at: number, steps: Steps): number | undefined {
  let open = 0;
  for (let end = at; end < text.length && end - at <= MAX_AHEAD; end++) {
    steps.left--;
    if (text[end] === "\\") end++;
    else if (text[end] === "[") open++;
    else if (text[end] === "]" && --open === 0) return end;
  }
  return undefined;
}

function readEmphasis(text: string, at: number, resolve: ResolveLink, steps: Steps, depth: number): Span | undefined {
  const mark = MARKS.find((one) => text.startsWith(one, at));
  if (mark === undefined || depth >= MAX_DEPTH || /\s|^$/.test(text[at + mark.length] ?? "")) return undefined;
  // Names hold such signs: `max_length`.
  if (mark.startsWith("_") && WORD.test(text[at - 1] ?? " ")) return undefined;
  const end = findClosing(text, at + mark.length, mark, steps);
  if (end === undefined) return undefined;
  const inner = writeSpans(text.slice(at + mark.length, end), resolve, steps, depth + 1);
  const shown =
    mark === "~~"
      ? html`<s>${inner}</s>`
      : mark.length === 2
        ? html`<strong>${inner}</strong>`
        : html`<em>${inner}</em>`;
  return { shown, end: end + mark.length };
}

function findClosing(text: string, from: number, mark: string, steps: Steps): number | undefined {
  const sign = mark[0] as string;
  const ahead = text.slice(from, from + MAX_AHEAD);
  for (let at = ahead.indexOf(sign); at >= 0; ) {
    let end = at;
    while (text[from + end] === sign) end++;
    const isWhole = end - at === mark.length || end - at === 3;
    const isInWord = sign === "_" && WORD.test(text[from + end] ?? " ");
    if (isWhole && at > 0 && !/\s/.test(ahead[at - 1] ?? " ") && !isInWord) {
      steps.left -= end;
      return from + end - mark.length;
    }
    at = ahead.indexOf(sign, end);
  }
  steps.left -= ahead.length;
  return undefined;
}
