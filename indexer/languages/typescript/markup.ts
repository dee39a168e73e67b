/**
 * Files of markup with scripts in them: the scripts stay where they are, everything else is blanked, and code that stands for the
 * markup is written behind. One parse of that text then sees tags and expressions as uses, each at its place in the file.
 *
 * Only what finding code takes is read of the markup: tags, attributes, comments, and where expressions end.
 */
import ts from "typescript";
import type { CodePosition } from "../../../src/core/format/code-model.ts";
import { SourceLines } from "../base/syntax-tree.ts";

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

/** Where a dialect has expressions: in two braces of text, in braces, in those inside of quotes, too. */
type BracesIn = "text" | "values" | "quotes";

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

/** A file taken apart. Code that stands for its markup is written already. */
export interface ComponentSource {
  readonly scripts: readonly ScriptBlock[];
  /** Paths, in quotes, of files that are scripts of the component. */
  readonly sources?: readonly Span[];
  /** Where the markup stands. */
  readonly start: number;
  readonly end: number;
  /** How the component gets its properties. */
  readonly props: "options" | "exports" | "interface";
}

const NAME = /[^\s/>={}"'`<]*/y;
const ATTRIBUTE_NAME = /=?(?:[^\s=>/]|\/(?!>))*/y;
const BARE_VALUE = /[^\s>"'{`][^\s>]*/y;
const SPACE = /\s*/y;
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
/** Elements whose content is no markup. */
const RAW = /^(?:script|style)$/;
/** Elements in one another whose ends are looked for. */
const MAX_OPEN = 1000;

/** The end of what a sticky pattern matches at a place; the place where it does not. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function readTag(text: string, at: number, limit: number, braces: BracesIn): Tag {
  const nameEnd = endOf(NAME, text, at + 1);
  const name = text.slice(at + 1, nameEnd);
  const attributes: Attribute[] = [];
  let next = endOf(SPACE, text, nameEnd);
  while (next < limit && text[next] !== ">" && !text.startsWith("/>", next)) {
    const attribute = readAttribute(text, next, limit, braces);
    attributes.push(attribute);
    next = endOf(SPACE, text, Math.max(attribute.after, next + 1));
  }
  const isClosed = text[next] !== ">" || VOID.test(name);
  return { name, at: at + 1, attributes, end: indexAfter(text, ">", next, limit), isClosed };
}

function readAttribute(text: string, at: number, limit: number, braces: BracesIn): Attribute {
  const hasName = text[at] !== "{" || braces === "text";
  const nameEnd = hasName ? endOf(ATTRIBUTE_NAME, text, at) : at;
  const name = text.slice(at, nameEnd);
  const equals = endOf(SPACE, text, nameEnd);
  if (hasName && text[equals] !== "=") return { name, at, start: nameEnd, end: nameEnd, after: nameEnd, form: "none" };
  const start = hasName ? endOf(SPACE, text, equals + 1) : at;
  const [quote = ""] = /^["'`]/.exec(text[start] ?? "") ?? [];
  const first = quote !== "" && braces === "quotes" ? start + 1 : start;
  if (text[first] === "{" && braces !== "text") {
    const end = skipExpression(text, first, limit, braces);
    // `"{a}"` is `{a}`, `"{a} b"` is a text.
    if (first === start || text[end + 1] === quote) {
      return { name, at, start: first + 1, end, after: end + 1 + first - start, form: "code" };
    }
  }
  if (quote === "") {
    const end = endOf(BARE_VALUE, text, start);
    return { name, at, start, end, after: end, form: "text" };
  }
  let end = start + 1;
  while (end < limit && text[end] !== quote) {
    end = text[end] === "{" && braces === "quotes" ? skipCode(text, end + 1, limit) + 1 : end + 1;
  }
  return { name, at, start: start + 1, end, after: end + 1, form: "text" };
}

/** Text of an attribute; undefined without one. */
export function attributeText(text: string, { attributes }: Tag, wanted: string): string | undefined {
  const found = attributes.find(({ name }) => name === wanted);
  return found && text.slice(found.start, found.end);
}

/** Place behind a text, from a place on. */
function indexAfter(text: string, sought: string, from: number, limit: number): number {
  const found = text.indexOf(sought, from);
  return found < 0 ? limit : Math.min(limit, found + sought.length);
}

const { SyntaxKind } = ts;

/** Whether a value may begin behind a token: there, `/` begins a regular expression and `<` a tag. */
function isBeforeValue(token: ts.SyntaxKind): boolean {
  const isSign = token >= SyntaxKind.TemplateHead && token <= SyntaxKind.LastPunctuation;
  if (!isSign) return token === SyntaxKind.Unknown || token === SyntaxKind.ReturnKeyword;
  return !/[)\]]/.test(ts.tokenToString(token) ?? "") && token !== SyntaxKind.TemplateTail;
}

/** What is done with the parts of code. */
interface CodeParts {
  /** Goes through markup inside the code and gives the place behind it. Without it, `<` is an operator. */
  readonly onMarkup?: ((at: number) => number) | undefined;
  /** Takes a word or sign outside of brackets. */
  readonly onToken?: (token: string, start: number, end: number) => void;
}

/** The place of the bracket that ends code, or the limit. */
export function skipCode(text: string, from: number, limit: number, { onMarkup, onToken }: CodeParts = {}): number {
  const scanner = ts.createScanner(ts.ScriptTarget.ESNext, true);
  scanner.setText(text, from, limit - from);
  const open: ts.SyntaxKind[] = [];
  let before = SyntaxKind.Unknown;
  for (let token = scanner.scan(); token !== SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const at = scanner.getTokenStart();
    if (open.length === 0)
      onToken?.(before === SyntaxKind.DotToken ? "" : scanner.getTokenText(), at, scanner.getTokenEnd());
    if (isBeforeValue(before)) {
      if (token === SyntaxKind.SlashToken || token === SyntaxKind.SlashEqualsToken) token = scanner.reScanSlashToken();
      if (token === SyntaxKind.LessThanToken && onMarkup !== undefined && /[A-Za-z>]/.test(text[at + 1] ?? "")) {
        const end = onMarkup(at);
        scanner.setText(text, end, Math.max(0, limit - end));
        token = SyntaxKind.Identifier;
      }
    }
    const sign = ts.tokenToString(token) ?? "";
    if (/^[([{]$/.test(sign) || token === SyntaxKind.TemplateHead) open.push(token);
    else if (/^[)\]}]$/.test(sign)) {
      if (open.length === 0) return at;
      if (open.at(-1) === SyntaxKind.TemplateHead) token = scanner.reScanTemplateToken(false);
      if (token !== SyntaxKind.TemplateMiddle) open.pop();
    }
    before = token;
  }
  return limit;
}

/** The brace that ends an expression, which may hold markup where only values are expressions. */
export function skipExpression(text: string, opening: number, limit: number, braces: BracesIn): number {
  if (braces === "text") {
    const end = text.indexOf("}}", opening);
    return end < 0 || end >= limit ? opening : end + 1;
  }
  const code = new CodeWriter(text);
  const onMarkup = (at: number): number => walkMarkup(code, at, limit, braces, { isOne: true });
  return skipCode(text, opening + 1, limit, braces === "values" ? { onMarkup } : {});
}

/** Pieces of code between words or signs outside of brackets. */
export function splitCode(text: string, [start, end]: Span, stops: readonly string[]): Span[] {
  const pieces: Span[] = [];
  let from = start;
  skipCode(text, start, end, {
    onToken: (token, at, next) => {
      if (!stops.includes(token)) return;
      pieces.push([from, at]);
      from = next;
    },
  });
  pieces.push([from, end]);
  return pieces;
}

/** What is done with the parts of markup. */
export interface MarkupParts {
  /** Whether it ends behind the first element. */
  readonly isOne?: boolean;
  /** Goes through an expression and gives the place of its closing brace. */
  readonly onCode?: (opening: number) => number;
  /** Takes a start tag and gives code for the end of the element. Undefined leaves out what is in the element. */
  readonly onOpen?: (tag: Tag, depth: number) => string | undefined;
  /** Takes an element when it is over, with the place of its end tag. */
  readonly onClose?: (tag: Tag, end: number, depth: number) => void;
}

/** Goes through markup and gives the place behind it. */
export function walkMarkup(
  code: CodeWriter,
  from: number,
  limit: number,
  braces: BracesIn,
  { isOne = false, onCode, onOpen, onClose }: MarkupParts,
): number {
  const { source } = code;
  const open: { readonly tag: Tag; readonly closing: string | undefined }[] = [];
  /** Elements around the one that is left out. */
  let entered = Number.POSITIVE_INFINITY;
  const close = (down: number, end: number): void => {
    while (open.length > down) {
      const { tag, closing = "" } = open.pop() as (typeof open)[number];
      if (open.length <= entered) entered = Number.POSITIVE_INFINITY;
      if (open.length > entered) continue;
      code.add(closing);
      onClose?.(tag, end, open.length);
    }
  };
  let at = from;
  while (at < limit) {
    const isLeftOut = open.length > entered;
    const dialect = isLeftOut ? "text" : braces;
    at = nextSign(source, at, limit, dialect);
    if (at >= limit) break;
    if (source[at] === "{") {
      at = (isLeftOut || onCode === undefined ? skipExpression(source, at, limit, dialect) : onCode(at)) + 1;
    } else if (source.startsWith("<!--", at)) {
      at = indexAfter(source, "-->", at, limit);
    } else if (/[!?]/.test(source[at + 1] as string)) {
      at = indexAfter(source, ">", at, limit);
    } else if (source[at + 1] === "/") {
      const end = indexAfter(source, ">", at, limit);
      const name = source.slice(at + 2, end - 1).trim();
      const down = open.findLastIndex(({ tag }) => tag.name === name);
      if (down >= 0) close(down, at);
      at = end;
    } else {
      const tag = readTag(source, at, limit, dialect);
      const closing = isLeftOut || onOpen === undefined ? "" : onOpen(tag, open.length);
      at = tag.end;
      if (closing === undefined) entered = Math.min(entered, open.length);
      open.push({ tag, closing });
      if (!tag.isClosed && RAW.test(tag.name)) {
        const end = source.indexOf(`</${tag.name}`, at);
        close(open.length - 1, end < 0 || end > limit ? limit : end);
        at = end < 0 ? limit : indexAfter(source, ">", end, limit);
      } else if (tag.isClosed || open.length > MAX_OPEN) close(open.length - 1, at);
    }
    if (isOne && open.length === 0) return at;
  }
  close(0, limit);
  return at;
}

/** Place of the next tag, comment or expression. */
function nextSign(text: string, from: number, limit: number, braces: BracesIn): number {
  for (let at = from; at < limit; at++) {
    if (text[at] === "{" && (braces !== "text" || text[at + 1] === "{")) return at;
    if (text[at] === "<" && /[A-Za-z/!?>]/.test(text[at + 1] ?? "")) return at;
  }
  return limit;
}

/** Code behind the text of a file. Parts of it are copied from there, and keep their places. */
export class CodeWriter {
  readonly source: string;
  #code = "";
  /** Place in the file of each character of the code, -1 for none, and of the next one. */
  readonly #places: number[] = [];
  #next = -1;

  constructor(source: string) {
    this.source = source;
  }

  /** Code that stands nowhere in the file. */
  add(code: string): void {
    this.addAt(this.#next, code);
  }

  /** A part of the file. */
  copy(start: number, end: number): void {
    if (end > start) this.addAt(start, this.source.slice(start, end), end - start);
  }

  /** A part of the file, or what is written for it, between code that stands nowhere. */
  wrap(before: string, part: Span | (() => void), after: string): void {
    this.add(before);
    if (typeof part === "function") part();
    else this.copy(...part);
    this.add(after);
  }

  /** An expression of its own. In brackets it may be empty, an object, several, or what others are spread from. */
  value(part: GivenValue["value"]): void {
    if (typeof part === "function") this.wrap("", part, ";");
    else if (part !== undefined) this.wrap("[", part, "\n];");
  }

  /** Code for what begins at a place of the file and is written in another way there. */
  addAt(at: number, code: string, length = 0): void {
    for (let index = 0; index < code.length; index++) this.#places.push(index <= length ? at + index : -1);
    this.#next = code.length <= length ? at + length : -1;
    this.#code += code;
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
    return new ComponentLines(`${text}\n${this.#code}`, source.length, this.#places);
  }
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

/** Lines of a file with code behind it. */
export class ComponentLines extends SourceLines {
  /** Characters of the file. */
  readonly own: number;
  readonly #places: readonly number[];

  constructor(text: string, own: number, places: readonly number[]) {
    super(text);
    this.own = own;
    this.#places = places;
  }

  /** @returns 0 for code that stands nowhere in the file. */
  override lineAt(offset: number): number {
    const place = this.#placeOf(offset);
    return place < 0 ? 0 : super.lineAt(place);
  }

  override positionAt(offset: number): CodePosition {
    const place = this.#placeOf(offset);
    return place < 0 ? { line: 0, column: 0 } : super.positionAt(place);
  }

  #placeOf(offset: number): number {
    return offset <= this.own ? offset : (this.#places[offset - this.own - 1] ?? -1);
  }
}

/** What an attribute gives. */
export interface GivenValue {
  /** The property, as the component calls it; `""` for a value that is none's. */
  readonly name: string;
  readonly at: number;
  /** Its value as code; without one it is a text. */
  readonly value?: Span | (() => void) | undefined;
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Writes what a tag uses: values, and a component with the properties that it is given. */
export function writeTag(
  code: CodeWriter,
  component: string | undefined,
  at: number,
  given: readonly GivenValue[],
): void {
  const isProperty = ({ name }: GivenValue): boolean => component !== undefined && IDENTIFIER.test(name);
  for (const one of given) if (!isProperty(one)) code.value(one.value);
  if (component === undefined) return;
  code.addAt(at, component, code.source.startsWith(component, at) ? component.length : 0);
  code.add("({");
  for (const { name, at: place, value } of given.filter(isProperty)) {
    // One name may stand for the property and for its value.
    const isShort = Array.isArray(value) && value[0] === place && code.source.slice(...value) === name;
    if (isShort) code.copy(place, place + name.length);
    else code.addAt(place, name);
    if (isShort) code.add(",");
    else if (typeof value === "function") code.wrap(":", value, ",");
    else if (value === undefined || code.source.slice(...value).trim() === "") code.add(":0,");
    else code.wrap(":(", value, "\n),");
  }
  code.add(`}as ${component});`);
}

/** An attribute that is a name or other code in braces alone: that name is the property, too. */
export function readShort(source: string, { start, end }: Attribute): GivenValue {
  const text = source.slice(start, end);
  const word = text.trim();
  const place = start + text.indexOf(word);
  return IDENTIFIER.test(word)
    ? { name: word, at: place, value: [place, place + word.length] }
    : { name: "", at: place, value: [start, end] };
}

/** Opens a loop over a list; names behind the first are places in it. */
export function openLoop(code: CodeWriter, list: Span, [element, ...others]: readonly Span[]): void {
  if (element === undefined) code.add("for(const _ of ");
  else code.wrap("for(const ", element, " of ");
  code.wrap("(", list, "\n)){");
  for (const name of others) code.wrap("let ", name, "=0;");
}
