/**
 * Files of markup with scripts in them: the scripts stay where they are, everything else is blanked, and code that stands for the
 * markup is written behind. One parse of that text then sees tags and expressions as uses, each at its place in the file.
 *
 * Only what finding code takes is read of the markup: tags, attributes, comments, and where expressions end.
 */
import type { CodePosition } from "../../../src/core/format/code-model.ts";
import { SourceLines } from "./syntax-tree.ts";

/** One attribute of a tag. */
export interface Attribute {
  /** `""` for an expression in braces alone: `{title}`, `{...rest}`. */
  readonly name: string;
  readonly at: number;
  /** Its value without quotes or braces; both are the end of the name where it has none. */
  readonly start: number;
  readonly end: number;
  /** Place behind the attribute. */
  readonly after: number;
  readonly form: "none" | "text" | "code";
}

/** A start tag. */
export interface Tag {
  readonly name: string;
  /** Place of the name. */
  readonly at: number;
  readonly attributes: readonly Attribute[];
  /** Place behind `>`. */
  readonly end: number;
  /** Whether no end tag belongs to it. */
  readonly isClosed: boolean;
}

/** What a dialect allows in attributes: nothing but text, expressions in braces, those inside of quotes, too. */
export type BracesIn = "nothing" | "values" | "quotes";

/** A script of a file. */
export interface ScriptBlock {
  readonly start: number;
  readonly end: number;
  /** Whether it runs for each component made, not once for the module. */
  readonly isInstance: boolean;
  /** Whether it has names of its own, which neither the markup nor other scripts see. */
  readonly isApart?: true;
  readonly language: string;
}

/** A part of a file. */
export type Span = readonly [start: number, end: number];

/** A file taken apart. */
export interface ComponentSource {
  readonly scripts: readonly ScriptBlock[];
  /** Paths, in quotes, of files that are scripts of the component. */
  readonly sources?: readonly Span[];
  /** Where the markup stands. */
  readonly start: number;
  readonly end: number;
  /** Writes code that stands for the markup. */
  readonly write: (code: CodeWriter) => void;
  /** How the component gets its properties. */
  readonly props: "options" | "exports" | "interface";
}

const NAME = /[^\s/>={}"'`<]*/y;
const ATTRIBUTE_NAME = /(?:[^\s=>/]|\/(?!>))+/y;
const BARE_VALUE = /[^\s>"'{`][^\s>]*/y;
const SPACE = /\s*/y;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
/** Elements whose content is no markup. */
const RAW = /^(?:script|style)$/;
/** Elements in one another whose ends are looked for. */
const MAX_OPEN = 1000;
/** Signs after which `/` begins a regular expression and `<` a tag. */
const BEFORE_VALUE = /[(,=:[!&|?{};>+*%~^-]/;

/** The end of what a sticky pattern matches at a place; the place where it does not. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The start tag at a `<`. */
export function readTag(text: string, at: number, limit: number, braces: BracesIn): Tag {
  const nameEnd = endOf(NAME, text, at + 1);
  const attributes: Attribute[] = [];
  const name = text.slice(at + 1, nameEnd);
  const done = (end: number, isClosed: boolean): Tag => ({
    name,
    at: at + 1,
    attributes,
    end,
    isClosed: isClosed || VOID.test(name),
  });
  for (let next = nameEnd; next < limit; ) {
    next = endOf(SPACE, text, next);
    if (text[next] === ">") return done(next + 1, false);
    if (text.startsWith("/>", next)) return done(next + 2, true);
    if (text.startsWith("/*", next)) {
      next = indexAfter(text, "*/", next, limit);
    } else if (text[next] === "{" && braces !== "nothing") {
      const end = skipValue(text, next + 1, limit, braces);
      attributes.push({ name: "", at: next, start: next + 1, end, after: end + 1, form: "code" });
      next = end + 1;
    } else {
      const attribute = readAttribute(text, next, limit, braces);
      if (attribute !== undefined) attributes.push(attribute);
      next = attribute?.after ?? next + 1;
    }
  }
  return done(limit, true);
}

function readAttribute(text: string, at: number, limit: number, braces: BracesIn): Attribute | undefined {
  const nameEnd = endOf(ATTRIBUTE_NAME, text, at);
  if (nameEnd === at) return undefined;
  const name = text.slice(at, nameEnd);
  const equals = endOf(SPACE, text, nameEnd);
  if (text[equals] !== "=") return { name, at, start: nameEnd, end: nameEnd, after: nameEnd, form: "none" };
  const start = endOf(SPACE, text, equals + 1);
  const opening = text[start];
  const isQuoted = opening === '"' || opening === "'";
  const first = isQuoted && braces === "quotes" ? start + 1 : start;
  if (text[first] === "{" && braces !== "nothing") {
    const end = skipValue(text, first + 1, limit, braces);
    // `"{a}"` is `{a}`, `"{a} b"` is a text.
    if (!isQuoted || text[end + 1] === opening) {
      return { name, at, start: first + 1, end, after: end + (isQuoted ? 2 : 1), form: "code" };
    }
  }
  if (isQuoted) {
    const end = braces === "quotes" ? skipQuoted(text, start + 1, limit, opening) : text.indexOf(opening, start + 1);
    const last = end < 0 ? limit : end;
    return { name, at, start: start + 1, end: last, after: last + 1, form: "text" };
  }
  if (opening === "`" && braces === "values") {
    const end = skipTemplate(text, start, limit) + 1;
    return { name, at, start, end, after: end, form: "code" };
  }
  const end = endOf(BARE_VALUE, text, start);
  return { name, at, start, end, after: Math.max(end, start), form: "text" };
}

/** The quote that ends a value with expressions in it. */
function skipQuoted(text: string, from: number, limit: number, quote: string): number {
  let at = from;
  while (at < limit && text[at] !== quote) at = text[at] === "{" ? skipCode(text, at + 1, limit) + 1 : at + 1;
  return Math.min(at, limit);
}

/** Expressions in braces between two places. */
export function* expressionsIn(text: string, start: number, end: number): Generator<Span> {
  for (let at = text.indexOf("{", start); at >= 0 && at < end; ) {
    const close = skipCode(text, at + 1, end);
    yield [at + 1, close];
    at = text.indexOf("{", close);
  }
}

/** Place behind a text, from a place on. */
export function indexAfter(text: string, sought: string, from: number, limit: number): number {
  const found = text.indexOf(sought, from);
  return found < 0 ? limit : Math.min(limit, found + sought.length);
}

/** Where code ends, and what may stand in it. */
interface CodeLimits {
  /** Goes through markup inside the code and gives the place behind it. Without it, `<` is an operator. */
  readonly onMarkup?: ((at: number) => number) | undefined;
  /** A sign that ends the code outside of brackets. */
  readonly stop?: string;
}

/** The place of the bracket that ends code, or the limit. */
export function skipCode(text: string, from: number, limit: number, { onMarkup, stop }: CodeLimits = {}): number {
  let depth = 0;
  let last = "(";
  for (let at = from; at < limit; at++) {
    const sign = text[at] as string;
    if (sign === stop && depth === 0) return at;
    if (sign === "'" || sign === '"') {
      at = skipString(text, at, limit);
    } else if (sign === "`") {
      at = skipTemplate(text, at, limit);
    } else if (text.startsWith("//", at)) {
      at = indexAfter(text, "\n", at, limit) - 1;
      continue;
    } else if (text.startsWith("/*", at)) {
      at = indexAfter(text, "*/", at, limit) - 1;
      continue;
    } else if (sign === "/" && BEFORE_VALUE.test(last)) {
      at = skipRegex(text, at, limit);
    } else if (
      sign === "<" &&
      onMarkup !== undefined &&
      /[A-Za-z>]/.test(text[at + 1] ?? "") &&
      mayBeTag(text, at, last)
    ) {
      at = onMarkup(at) - 1;
      last = ")";
      continue;
    } else if (sign === "{" || sign === "(" || sign === "[") {
      depth++;
    } else if (sign === "}" || sign === ")" || sign === "]") {
      if (depth === 0) return at;
      depth--;
    }
    if (!/\s/.test(sign)) last = sign;
  }
  return limit;
}

function mayBeTag(text: string, at: number, last: string): boolean {
  return BEFORE_VALUE.test(last) || /\breturn\s*$/.test(text.slice(Math.max(0, at - 20), at));
}

function skipString(text: string, from: number, limit: number): number {
  const quote = text[from];
  let at = from + 1;
  while (at < limit && text[at] !== quote && text[at] !== "\n") at += text[at] === "\\" ? 2 : 1;
  return Math.min(at, limit - 1);
}

function skipTemplate(text: string, from: number, limit: number): number {
  for (let at = from + 1; at < limit; at++) {
    if (text[at] === "`") return at;
    if (text[at] === "\\") at++;
    else if (text.startsWith("${", at)) at = skipCode(text, at + 2, limit);
  }
  return limit - 1;
}

function skipRegex(text: string, from: number, limit: number): number {
  let isInClass = false;
  for (let at = from + 1; at < limit && text[at] !== "\n"; at++) {
    const sign = text[at];
    if (sign === "\\") at++;
    else if (sign === "[") isInClass = true;
    else if (sign === "]") isInClass = false;
    else if (sign === "/" && !isInClass) return at;
  }
  return from;
}

/** The brace that ends an expression, which may hold markup where only values are expressions. */
function skipValue(text: string, from: number, limit: number, braces: BracesIn): number {
  const onMarkup = (at: number): number => walkMarkup(text, at, limit, braces, { isOne: true });
  return skipCode(text, from, limit, braces === "values" ? { onMarkup } : {});
}

/** Places of a sign outside of brackets, and at the end of the code. */
export function splitCode(text: string, start: number, end: number, stop: string): number[] {
  const places: number[] = [];
  for (let at = start - 1; at < end; places.push(at)) at = skipCode(text, at + 1, end, { stop });
  return places;
}

/** What is done with the parts of markup. */
interface MarkupParts {
  /** Whether it ends behind the first element. */
  readonly isOne?: boolean;
  /** Goes through an expression and gives the place of its closing brace. */
  readonly onCode?: (start: number) => number;
  /** Takes a start tag. False leaves out what is in the element. */
  readonly onOpen?: (tag: Tag) => boolean;
  /** The end of an element, whether it has a tag or not. */
  readonly onClose?: (tag: Tag) => void;
  readonly onText?: (start: number, end: number) => void;
}

/** Goes through markup and gives the place behind it. */
export function walkMarkup(text: string, from: number, limit: number, braces: BracesIn, parts: MarkupParts): number {
  const { isOne = false, onCode, onOpen, onClose, onText } = parts;
  const open: Tag[] = [];
  const close = (down: number): void => {
    for (const tag of open.splice(down).reverse()) onClose?.(tag);
  };
  let at = from;
  while (at < limit) {
    const next = nextSign(text, at, limit, braces);
    if (next > at) onText?.(at, next);
    at = next;
    if (at >= limit) break;
    if (text[at] === "{") {
      at = (onCode?.(at + 1) ?? skipValue(text, at + 1, limit, braces)) + 1;
    } else if (text.startsWith("<!--", at)) {
      at = indexAfter(text, "-->", at, limit);
    } else if (text[at + 1] === "!" || text[at + 1] === "?") {
      at = indexAfter(text, ">", at, limit);
    } else if (text[at + 1] === "/") {
      const end = indexAfter(text, ">", at, limit);
      const name = text.slice(at + 2, end - 1).trim();
      const down = open.findLastIndex((tag) => tag.name === name);
      at = end;
      if (down >= 0) close(down);
    } else {
      const tag = readTag(text, at, limit, braces);
      const isEntered = onOpen?.(tag) ?? true;
      at = tag.end;
      if (!tag.isClosed && (!isEntered || RAW.test(tag.name))) at = endOfElement(text, tag, limit);
      if (tag.isClosed || at !== tag.end || open.length >= MAX_OPEN) onClose?.(tag);
      else open.push(tag);
    }
    if (isOne && open.length === 0) return at;
  }
  close(0);
  return at;
}

/** Place of the next tag, comment or expression. */
function nextSign(text: string, from: number, limit: number, braces: BracesIn): number {
  for (let at = from; at < limit; at++) {
    if (text[at] === "{" && braces !== "nothing") return at;
    if (text[at] === "<" && /[A-Za-z/!?>]/.test(text[at + 1] ?? "")) return at;
  }
  return limit;
}

/** Place behind the end tag of an element whose content is no markup, those of its own name aside. */
export function endOfElement(text: string, { name, end }: Tag, limit: number): number {
  const tags = new RegExp(`<(/?)${name.replace(/[^\w-]/g, "\\$&")}(?=[\\s/>])`, "g");
  tags.lastIndex = end;
  let depth = 1;
  for (let found = tags.exec(text); found !== null && found.index < limit; found = tags.exec(text)) {
    const isEnd = found[1] === "/";
    if (isEnd && --depth === 0) return indexAfter(text, ">", found.index, limit);
    if (isEnd || RAW.test(name)) continue;
    const inner = readTag(text, found.index, limit, "nothing");
    if (!inner.isClosed) depth++;
    tags.lastIndex = inner.end;
  }
  return limit;
}

/** Code behind the text of a file. Parts of it are copied from there, and keep their places. */
export class CodeWriter {
  readonly source: string;
  readonly #parts: string[] = [];
  #length = 0;
  /** Place in the code, place in the file, and length of each copied part. */
  readonly #copied: (readonly [at: number, from: number, length: number])[] = [];

  constructor(source: string) {
    this.source = source;
  }

  /** Code that stands nowhere in the file. */
  add(code: string): void {
    this.#parts.push(code);
    this.#length += code.length;
  }

  /** A part of the file. */
  copy(start: number, end: number): void {
    if (end > start) this.addAt(start, this.source.slice(start, end), end - start);
  }

  /** Code for what begins at a place of the file and is written in another way there. */
  addAt(at: number, code: string, length = 0): void {
    this.#copied.push([this.#length, at, length]);
    this.add(code);
  }

  /** The file with its scripts alone, and the code behind it. */
  finish(scripts: readonly ScriptBlock[]): ComponentLines {
    const { source } = this;
    let text = "";
    for (const { start, end } of scripts) {
      // Two scripts may stand on one line.
      const ending = end < source.length ? ";" : "";
      text += `${blank(source.slice(text.length, start))}${source.slice(start, end)}${ending}`;
    }
    text += blank(source.slice(text.length));
    return new ComponentLines(`${text}\n${this.#parts.join("")}`, source.length, this.#copied);
  }
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

/** Lines of a file with code behind it. */
export class ComponentLines extends SourceLines {
  /** Characters of the file. */
  readonly own: number;
  readonly #copied: readonly (readonly [at: number, from: number, length: number])[];

  constructor(text: string, own: number, copied: readonly (readonly [at: number, from: number, length: number])[]) {
    super(text);
    this.own = own;
    this.#copied = copied;
  }

  /** @returns 0 for code that stands nowhere in the file. */
  override lineAt(offset: number): number {
    const place = this.placeOf(offset);
    return place < 0 ? 0 : super.lineAt(place);
  }

  override positionAt(offset: number): CodePosition {
    const place = this.placeOf(offset);
    return place < 0 ? { line: 0, column: 0 } : super.positionAt(place);
  }

  /** Offset in the file; -1 for code that stands nowhere in it. */
  placeOf(offset: number): number {
    if (offset <= this.own) return offset;
    const at = offset - this.own - 1;
    let low = 0;
    let high = this.#copied.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#copied[middle]?.[0] as number) <= at) low = middle;
      else high = middle;
    }
    const [start, from, length] = this.#copied[low] ?? [Number.POSITIVE_INFINITY, 0, 0];
    return at < start || at > start + length ? -1 : from + at - start;
  }
}

/** An attribute that gives a component a property. */
export interface GivenProperty {
  /** As the component calls it. */
  readonly name: string;
  readonly at: number;
  /** Its value as code; without one it is a text. */
  readonly value?: Span | (() => void);
}

/** Writes that markup uses a component, and the properties that it gives it. */
export function writeComponent(code: CodeWriter, name: string, at: number, given: readonly GivenProperty[]): void {
  const isWritten = code.source.startsWith(name, at);
  code.addAt(at, name, isWritten ? name.length : 0);
  code.add("({");
  for (const { name: property, at: place, value } of given) {
    if (!IDENTIFIER.test(property)) continue;
    if (isShort(code, property, place, value)) {
      code.copy(place, place + property.length);
      code.add(",");
      continue;
    }
    code.addAt(place, property);
    code.add(":");
    if (typeof value === "function") value();
    else if (value !== undefined) writeGiven(code, ...value);
    else code.add("0");
    code.add(",");
  }
  code.add(`}as ${name})`);
}

/** Whether one name stands for the property and for its value. */
function isShort({ source }: CodeWriter, name: string, at: number, value: GivenProperty["value"]): boolean {
  return Array.isArray(value) && value[0] === at && value[1] === at + name.length && source.startsWith(name, at);
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Writes what a property is given: its type is that of the property. */
function writeGiven(code: CodeWriter, start: number, end: number): void {
  if (code.source.slice(start, end).trim() === "") {
    code.add("0");
    return;
  }
  code.add("(");
  code.copy(start, end);
  code.add("\n)");
}

/** Writes an expression. In brackets it may be empty, an object, several, or what others are spread from. */
export function writeValue(code: CodeWriter, start: number, end: number): void {
  code.add("[");
  code.copy(start, end);
  code.add("\n]");
}
