/**
 * The template that pages are written with, and the text of a paragraph of Markdown. The template escapes every value and strips invisible
 * characters. Nothing here takes a text for HTML.
 *
 * A paragraph has a number of steps for each of its signs to look ahead. When they are spent, the rest is plain text.
 */
import { html as write } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { nameSign } from "../../core/text/markup.ts";
import { cleanLongText } from "../../surface/render/text.ts";

export type Html = HtmlEscapedString;

/** What can be put into a template: a text, a number, pieces of a page, nothing. */
type Shown = Html | string | number | false | undefined | readonly Shown[];

/** A piece of a page. Values are escaped and cleaned, lists of them put one behind another. */
export function html(strings: TemplateStringsArray, ...values: readonly Shown[]): Html {
  const written = write(strings, ...values.map(clean));
  // Only a value that is a promise could make it one, and no value is.
  if (written instanceof Promise) throw new TypeError("a template was given a promise");
  return written;
}

function clean(value: Shown): Shown {
  if (Array.isArray(value)) return value.map(clean);
  return typeof value === "string" ? cleanLongText(value).text : value;
}

export const INLINE_TAG =
  /^(?:a|abbr|b|bdi|br|cite|code|del|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|u|var)$/;
export const PICTURE = /^img$|Image$/;
const LABEL = /(?<![\w-])(?:alt|title|label|summary)\s{0,4}=\s{0,4}\{?(["'`])((?:(?!\1)[\s\S])*)\1/;
const ADDRESS = /(?<![\w-])(?:href|src|to)\s{0,4}=\s{0,4}\{?(["'])((?:(?!\1)[\s\S])*)\1/;
/** What a link in the text leads to, a name in code, or what is defined elsewhere; undefined where it is not safe or not known. */
export type ResolveLink = (target: string, kind?: "name" | "definition") => string | undefined;

const MAX_AHEAD = 1000;
/** Steps of looking ahead for each sign of a text, and for a short text beside: prose takes one or two. */
const STEPS_A_SIGN = 20;
const LEAST_STEPS = 2 * MAX_AHEAD;
const MAX_SPAN_DEPTH = 4;
const SPECIAL = /[\\`*_~[!<&]|\{\s{0,4}["'] ["']|https?:/g;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,1000})>/y;
const BARE_ADDRESS = /https?:\/\/[^\s<>"'`]{1,1000}/y;
/** What ends a sentence ends no address. */
const TRAILING = ".,;:!?)*_]";
const DESTINATION =
  /\(\s{0,20}(?:<([^<>\n]{0,1000})>|([^\s()<>]{0,1000}(?:\([^\s()]{0,200}\)[^\s()]{0,500})?))(?:\s{1,20}["'(][^"')\n]{0,500}["')])?\s{0,20}\)/y;
const ENTITY = /&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,6});/iy;
const BLANK = /\{\s{0,4}["'] ["']\s{0,4}\}/y;
const REFERENCE = /\[([^\]\n]{0,200})\]/y;
/** Signs around emphasis, with what they mean. */
const MARKS = { "**": "strong", __: "strong", "~~": "del", "*": "em", _: "em" } as const;
const WORD = /[\p{L}\p{N}_]/u;

/** What holds for a text. */
interface Scope {
  readonly resolve: ResolveLink;
  readonly steps: { left: number };
  /** Emphasis and links around it. */
  readonly depth: number;
}

/** A paragraph's text as HTML. @param steps What is left of them; as many as its length allows when absent. */
export function writeInline(
  text: string,
  resolve: ResolveLink,
  steps: Scope["steps"] = { left: LEAST_STEPS + text.length * STEPS_A_SIGN },
): Html {
  return writeSpans(text, { resolve, steps, depth: 0 });
}

function writeSpans(text: string, scope: Scope): Html {
  const parts: Shown[] = [];
  let plain = 0;
  for (let at = nextSpecial(text, 0); at >= 0 && scope.steps.left > 0; ) {
    const found = readSpan(text, at, scope);
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

/** The text of a link, or of emphasis. */
function writeInner(text: string, { resolve, steps, depth }: Scope, isLink = false): Html {
  return writeSpans(text, { resolve: isLink ? () => undefined : resolve, steps, depth: depth + 1 });
}

function linked(link: string | undefined, shown: Html | string): Html | string {
  return link === undefined ? shown : html`<a href="${link}">${shown}</a>`;
}

interface Span {
  readonly shown: Shown;
  readonly end: number;
}

function nextSpecial(text: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(text)?.index ?? -1;
}

function readSpan(text: string, at: number, scope: Scope): Span | undefined {
  switch (text[at]) {
    case "\\":
      return ESCAPABLE.test(text[at + 1] ?? "") ? { shown: text[at + 1] ?? "", end: at + 2 } : undefined;
    case "`":
      return readCode(text, at, scope);
    case "<":
      return readAddress(text, at, AUTOLINK, scope) ?? readInlineTag(text, at, scope);
    case "&":
      return readSign(text, at, ENTITY, (name, all) => nameSign(name, all));
    case "{":
      return readSign(text, at, BLANK, () => " ");
    case "h":
      return WORD.test(text[at - 1] ?? " ") ? undefined : readAddress(text, at, BARE_ADDRESS, scope);
    case "!":
      return text[at + 1] === "[" ? readLink(text, at + 1, scope, true) : undefined;
    case "[":
      return readLink(text, at, scope, false);
    default:
      return readEmphasis(text, at, scope);
  }
}

function readSign(
  text: string,
  at: number,
  pattern: RegExp,
  show: (inner: string, all: string) => string,
): Span | undefined {
  pattern.lastIndex = at;
  const [all, inner = ""] = pattern.exec(text) ?? [];
  return all === undefined ? undefined : { shown: show(inner, all), end: at + all.length };
}

/** Tags that say something of their text. The others are left out, and their text stays. */
function readInlineTag(text: string, at: number, scope: Scope): Span | undefined {
  const { resolve, steps, depth } = scope;
  const tag = findTag(text.slice(at, at + MAX_AHEAD), 0, resolve, steps);
  if (tag === undefined) return undefined;
  const { name } = tag;
  const end = at + tag.end;
  const close = depth < MAX_SPAN_DEPTH && !tag.isEnd ? text.slice(end, end + MAX_AHEAD).indexOf(`</${name}>`) : -1;
  if (name === "br") return { shown: html`<br>`, end };
  if (tag.said !== undefined) return { shown: tag.said, end };
  const apart = { shown: /^[a-z]/.test(name) && !INLINE_TAG.test(name) ? " " : "", end };
  if (close < 0 || !INLINE_TAG.test(name)) return apart;
  steps.left -= close;
  const inner = writeInner(text.slice(end, end + close), scope);
  const link = name === "a" ? resolve(ADDRESS.exec(tag.source)?.[2] ?? "") : undefined;
  const shown = Object.hasOwn(SPANS, name) ? SPANS[name]?.(inner) : linked(link, inner);
  return { shown, end: end + close + name.length + 3 };
}

const SPANS: Readonly<Record<string, (inner: Html) => Html>> = {
  b: (inner) => html`<strong>${inner}</strong>`,
  code: (inner) => html`<code>${inner}</code>`,
  del: (inner) => html`<s>${inner}</s>`,
  em: (inner) => html`<em>${inner}</em>`,
  i: (inner) => html`<em>${inner}</em>`,
  kbd: (inner) => html`<kbd>${inner}</kbd>`,
  strong: (inner) => html`<strong>${inner}</strong>`,
  sub: (inner) => html`<sub>${inner}</sub>`,
  sup: (inner) => html`<sup>${inner}</sup>`,
};

function readCode(text: string, at: number, { resolve, steps }: Scope): Span | undefined {
  let open = at;
  while (text[open] === "`") open++;
  const mark = text.slice(at, open);
  const ahead = text.slice(open, open + MAX_AHEAD);
  for (let end = ahead.indexOf(mark); end >= 0; ) {
    let close = end;
    while (text[open + close] === "`") close++;
    if (close - end === mark.length) {
      steps.left -= close;
      const code = withoutPadding(ahead.slice(0, end));
      const link = resolve(code.replace(/\(\)$/, ""), "name");
      return { shown: linked(link, html`<code>${code}</code>`), end: open + close };
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

function readAddress(text: string, at: number, pattern: RegExp, { resolve, steps }: Scope): Span | undefined {
  pattern.lastIndex = at;
  const [whole = "", inner] = pattern.exec(text) ?? [];
  // What begins like an address in sharp brackets and does not end as one was looked at in vain.
  steps.left -= whole === "" && text.startsWith("<http", at) ? MAX_AHEAD : whole.length;
  const address = inner ?? withoutTrailing(whole);
  if (address === "") return undefined;
  return { shown: linked(resolve(address), address), end: at + (inner ? whole : address).length };
}

function withoutTrailing(address: string): string {
  let end = address.length;
  while (end > 0 && TRAILING.includes(address[end - 1] as string)) end--;
  return address.slice(0, end);
}

function readLink(text: string, at: number, scope: Scope, isPicture: boolean): Span | undefined {
  const { resolve, steps, depth } = scope;
  const end = findBracket(text, at, steps);
  if (end === undefined || depth >= MAX_SPAN_DEPTH) return undefined;
  if (text[end + 1] !== "(") return isPicture ? undefined : readReference(text, at, end, scope);
  DESTINATION.lastIndex = end + 1;
  const [whole, pointed, bare = ""] = DESTINATION.exec(text) ?? [];
  steps.left -= whole?.length ?? MAX_AHEAD;
  if (whole === undefined) return undefined;
  const inner = text.slice(at + 1, end);
  const name = isPicture ? html`Picture: ${inner || (pointed ?? bare)}` : writeInner(inner, scope, true);
  return { shown: linked(resolve(pointed ?? bare), name), end: end + 1 + whole.length };
}

/** A footnote, or a link whose address is defined elsewhere. @param end Where its text ends. */
function readReference(text: string, at: number, end: number, scope: Scope): Span | undefined {
  const inner = text.slice(at + 1, end);
  REFERENCE.lastIndex = end + 1;
  const [whole = "", name = ""] = REFERENCE.exec(text) ?? [];
  const link = scope.resolve((name || inner).toLowerCase(), "definition");
  if (link === undefined) return undefined;
  const isNote = inner.startsWith("^");
  const shown = linked(link, isNote ? inner.slice(1) : writeInner(inner, scope, true));
  return { shown: isNote ? html`<sup>${shown}</sup>` : shown, end: end + 1 + whole.length };
}

function findBracket(text: string, at: number, steps: Scope["steps"]): number | undefined {
  let open = 0;
  for (let end = at; end < text.length && end - at <= MAX_AHEAD; end++) {
    steps.left--;
    if (text[end] === "\\") end++;
    else if (text[end] === "[") open++;
    else if (text[end] === "]" && --open === 0) return end;
  }
  return undefined;
}

function readEmphasis(text: string, at: number, scope: Scope): Span | undefined {
  const mark = (Object.keys(MARKS) as (keyof typeof MARKS)[]).find((one) => text.startsWith(one, at));
  if (mark === undefined || scope.depth >= MAX_SPAN_DEPTH || /\s|^$/.test(text[at + mark.length] ?? ""))
    return undefined;
  // Names hold such signs: `max_length`.
  if (mark.startsWith("_") && WORD.test(text[at - 1] ?? " ")) return undefined;
  const end = findClosing(text, at + mark.length, mark, scope.steps);
  if (end === undefined) return undefined;
  const inner = writeInner(text.slice(at + mark.length, end), scope);
  return { shown: SPANS[MARKS[mark]]?.(inner), end: end + mark.length };
}

function findClosing(text: string, from: number, mark: string, steps: Scope["steps"]): number | undefined {
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

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly source: string;
  readonly end: number;
  /** What it says without its content: a picture's text, the label of a tab or of a card, with what it leads to. */
  readonly said: Html | string | undefined;
}

const TAG_START = /<(\/?)([a-zA-Z][\w.:-]{0,60}|)(?=[\s/>])/y;
const MAX_TAG = 2000;

/** The tag that begins at a place; undefined where none does. Attributes may have expressions in braces. */
export function findTag(text: string, at: number, resolve: ResolveLink, steps: Scope["steps"]): Tag | undefined {
  TAG_START.lastIndex = at;
  const [start, slash, name = ""] = TAG_START.exec(text) ?? [];
  if (start === undefined) return undefined;
  let quote = "";
  let braces = 0;
  for (let end = at + start.length; end < text.length && end - at <= MAX_TAG; end++) {
    steps.left--;
    const sign = text[end] as string;
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === '"' || sign === "'" || sign === "`") quote = sign;
    else if (sign === "{") braces++;
    else if (sign === "}") braces--;
    else if (sign === "<" && braces <= 0) return undefined;
    else if (sign === ">" && braces <= 0) {
      const source = text.slice(at, end + 1);
      return { name, isEnd: slash === "/", source, end: end + 1, said: describeTag(name, source, resolve) };
    }
  }
  return undefined;
}

function describeTag(name: string, source: string, resolve: ResolveLink): Html | string | undefined {
  const [, , label = ""] = LABEL.exec(source) ?? [];
  const isPicture = PICTURE.test(name);
  if (label === "" || !(isPicture || /^[A-Z]/.test(name))) return undefined;
  return linked(resolve(ADDRESS.exec(source)?.[2] ?? ""), `${isPicture ? "Picture: " : ""}${label}`);
}
