/**
 * Tags: HTML and JSX elements as they stand in Markdown.
 *
 * One scanner for both, because a page mixes them: JSX adds attribute values and spreads in
 * braces, names with dots, and fragments. Only attributes with a string value are reported.
 */
/** More unclosed constructs than this in one file, and the rest of them stay text. */
const MAX_FAILED_SCANS = 64;

export interface ScanBudget {
  failuresLeft: number;
}

export function openScanBudget(): ScanBudget {
  return { failuresLeft: MAX_FAILED_SCANS };
}

/** Offset of `needle` between `from` and `limit`, or -1. A failure costs one from the budget. */
export function findWithin(text: string, needle: string, from: number, limit: number, budget: ScanBudget): number {
  if (budget.failuresLeft <= 0) return -1;
  const at = text.indexOf(needle, from);
  if (at >= 0 && at + needle.length <= limit) return at;
  budget.failuresLeft--;
  return -1;
}

export interface Tag {
  /** `empty` = written with `/>`, or an HTML element without content such as `<br>`. */
  readonly kind: "open" | "close" | "empty";
  /** As written; `""` for a fragment. */
  readonly name: string;
  /** Attributes with a string value, names in lower case, values as written (entities not decoded). */
  readonly attributes: ReadonlyMap<string, string>;
  /** Whether an attribute is written in braces: then the tag is JSX, whatever its name. */
  readonly hasBraces: boolean;
  /** Offset after the tag. */
  readonly end: number;
}

interface TagAttributes {
  readonly values: ReadonlyMap<string, string>;
  readonly hasBraces: boolean;
  readonly end: number;
}

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

const VOID_ELEMENTS = new Set(
  "area base basefont br col embed frame hr img input link meta param source track wbr".split(" "),
);

/** Capitals alone are old HTML. */
const COMPONENT = /^[A-Z].*[a-z]/;

const NAME = /[A-Za-z][A-Za-z0-9_.:-]*/y;
const ATTRIBUTE_NAME = /[A-Za-z_:@$][A-Za-z0-9_.:@$-]*/y;
const UNQUOTED_VALUE = /[^\s"'=<>`{}]+/y;

/** The tag that starts at `start`, where the text has `<`, or undefined when none does before `limit`. */
export function scanTag(text: string, start: number, limit: number, budget: ScanBudget): Tag | undefined {
  const isClosing = text.charCodeAt(start + 1) === 0x2f;
  const nameStart = isClosing ? start + 2 : start + 1;
  const name = matchAt(NAME, text, nameStart);
  const nameEnd = nameStart + name.length;
  if (isClosing || name === "") {
    const at = isClosing ? skipSpace(text, nameEnd, limit) : nameEnd;
    if (at >= limit || text.charCodeAt(at) !== 0x3e) return undefined;
    return { kind: isClosing ? "close" : "open", name, attributes: NO_ATTRIBUTES, hasBraces: false, end: at + 1 };
  }
  const attributes = scanAttributes(text, nameEnd, limit, budget);
  if (attributes === undefined) return undefined;
  const isSlashed = text.charCodeAt(attributes.end) === 0x2f;
  const at = isSlashed ? attributes.end + 1 : attributes.end;
  if (at >= limit || text.charCodeAt(at) !== 0x3e) return undefined;
  const isVoid = VOID_ELEMENTS.has(name.toLowerCase()) && !isComponentName(name);
  return {
    kind: isSlashed || isVoid ? "empty" : "open",
    name,
    attributes: attributes.values,
    hasBraces: attributes.hasBraces,
    end: at + 1,
  };
}

/** Offset after the comment, processing instruction, declaration or CDATA section at `start`, or -1 when there is none. */
export function findMarkupEnd(text: string, start: number, limit: number, budget: ScanBudget): number {
  if (text.startsWith("<!-->", start)) return start + 5;
  if (text.startsWith("<!--->", start)) return start + 6;
  const end = markupTerminator(text, start);
  if (end === undefined) return -1;
  const at = findWithin(text, end, start + 2, limit, budget);
  return at < 0 ? -1 : at + end.length;
}

/** Whether a tag's name is that of a component (`Note`, `Tabs.Item`, a fragment) and not of an HTML element. */
export function isComponentName(name: string): boolean {
  return name === "" || COMPONENT.test(name);
}

function markupTerminator(text: string, start: number): string | undefined {
  if (text.startsWith("<!--", start)) return "-->";
  if (text.startsWith("<?", start)) return "?>";
  if (text.startsWith("<![CDATA[", start)) return "]]>";
  return /^<![A-Za-z]/.test(text.slice(start, start + 3)) ? ">" : undefined;
}

/** Reads attributes up to the `/` or `>` that ends the tag, at which `end` points. */
function scanAttributes(text: string, start: number, limit: number, budget: ScanBudget): TagAttributes | undefined {
  let values: Map<string, string> | undefined;
  let hasBraces = false;
  let at = start;
  while (at < limit) {
    const next = skipSpace(text, at, limit);
    const code = text.charCodeAt(next);
    if (code === 0x2f || code === 0x3e) return { values: values ?? NO_ATTRIBUTES, hasBraces, end: next };
    if (next === at) return undefined;
    if (code === 0x7b) {
      hasBraces = true;
      at = findExpressionEnd(text, next, limit, budget);
      if (at < 0) return undefined;
      continue;
    }
    const name = matchAt(ATTRIBUTE_NAME, text, next);
    if (name === "") return undefined;
    at = next + name.length;
    const equals = skipSpace(text, at, limit);
    if (text.charCodeAt(equals) !== 0x3d) continue;
    const valueStart = skipSpace(text, equals + 1, limit);
    at = findValueEnd(text, valueStart, limit, budget);
    if (at < 0) return undefined;
    hasBraces ||= text.charCodeAt(valueStart) === 0x7b;
    values ??= new Map();
    values.set(name.toLowerCase(), readValue(text, valueStart, at));
  }
  return undefined;
}

function findValueEnd(text: string, start: number, limit: number, budget: ScanBudget): number {
  const code = text.charCodeAt(start);
  if (code === 0x22 || code === 0x27) {
    const end = findWithin(text, code === 0x22 ? '"' : "'", start + 1, limit, budget);
    return end < 0 ? -1 : end + 1;
  }
  if (code === 0x7b) return findExpressionEnd(text, start, limit, budget);
  const value = matchAt(UNQUOTED_VALUE, text, start);
  return value === "" || start + value.length > limit ? -1 : start + value.length;
}

function readValue(text: string, start: number, end: number): string {
  const code = text.charCodeAt(start);
  if (code === 0x7b) return readShownStrings(text.slice(start + 1, end - 1));
  return code === 0x22 || code === 0x27 ? text.slice(start + 1, end - 1) : text.slice(start, end);
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

function skipSpace(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x09 && code !== 0x0c) break;
    at++;
  }
  return at;
}

/** A longer expression is taken for an unclosed brace. Inline data of a component stays below. */
const MAX_EXPRESSION_CHARS = 50_000;

/** Strings are read from short expressions only: a long one is data or layout, not a text to show. */
const MAX_SHOWN_EXPRESSION_CHARS = 2_000;

/** Expressions that compute what they show: their strings are mostly keys, classes and styles. */
const COMPUTES = /=>|\bfunction\b|<\/?[A-Za-z]|\(/;

const STRING_LITERAL = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\[\s\S])*)`/g;
const COMMENT = /\/\*[\s\S]*?\*\//g;

/** Offset after the brace that closes the one at `start`, or -1. A failure costs one from the budget. */
export function findExpressionEnd(text: string, start: number, limit: number, budget: ScanBudget): number {
  if (budget.failuresLeft <= 0) return -1;
  const end = Math.min(limit, start + MAX_EXPRESSION_CHARS);
  let depth = 0;
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === 0x7b) depth++;
    else if (code === 0x7d && --depth === 0) return at + 1;
    at = skipLiteral(text, at, end);
  }
  budget.failuresLeft--;
  return -1;
}

/**
 * Offset of the newline that ends an import or export statement: the first one before a blank
 * line (or the end) at which all brackets are closed. -1 when they never close.
 */
export function findStatementEnd(text: string, start: number, budget: ScanBudget): number {
  const limit = Math.min(text.length, start + MAX_EXPRESSION_CHARS);
  let depth = 0;
  let at = start;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x29 || code === 0x5d || code === 0x7d) depth--;
    else if (code === 0x0a && depth <= 0 && isBlankLineAt(text, at + 1)) return at;
    at = skipLiteral(text, at, limit);
  }
  if (limit === text.length && depth <= 0) return limit;
  budget.failuresLeft--;
  return -1;
}

/** The text an expression shows when it is made of string literals: `{'a'}`, `{ok ? "yes" : "no"}`. Else `""`. */
export function readShownStrings(expression: string): string {
  if (expression.length > MAX_SHOWN_EXPRESSION_CHARS) return "";
  const code = expression.replace(COMMENT, " ");
  const shown: string[] = [];
  const rest = code.replace(STRING_LITERAL, (_all, double?: string, single?: string, template?: string) => {
    const literal = double ?? single ?? template ?? "";
    // `${…}` in a template is a value that is not known here.
    shown.push(unescapeString(literal.replace(/\$\{[^}]*\}/g, " ")));
    return "";
  });
  return COMPUTES.test(rest) ? "" : shown.join(" ");
}

/** A string on one line, a template, a comment; what is not closed goes on to the end. `//` after a colon belongs to a URL in JSX text. */
const LITERAL =
  /"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`?|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|(?<!:)\/\/[^\n]*/y;

/** Offset after the string, template or comment that starts at `at`, or `at + 1` when none does. */
function skipLiteral(text: string, at: number, limit: number): number {
  const sign = text[at] as string;
  if (!`"'\`/`.includes(sign)) return at + 1;
  LITERAL.lastIndex = at;
  const end = LITERAL.test(text) ? LITERAL.lastIndex : at + 1;
  if (end <= limit) return end;
  return sign === '"' || sign === "'" ? at + 1 : limit;
}

function isBlankLineAt(text: string, start: number): boolean {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a) return true;
    if (code !== 0x20 && code !== 0x09) return false;
  }
  return true;
}

function unescapeString(literal: string): string {
  return literal.replace(/\\([\s\S])/g, (_all, char: string) => (char === "n" || char === "t" ? " " : char));
}

/** Offset after the comment in braces at `start` (in MDX: after any expression there), or -1. */
export function findBracesEnd(
  text: string,
  start: number,
  limit: number,
  { isMdx, budget }: { readonly isMdx: boolean; readonly budget: ScanBudget },
): number {
  if (text.startsWith("{/*", start)) {
    const end = findWithin(text, "*/", start + 3, limit, budget);
    if (end < 0) return -1;
    const brace = skipSpace(text, end + 2, limit);
    if (text.charCodeAt(brace) === 0x7d && brace < limit) return brace + 1;
  }
  return isMdx ? findExpressionEnd(text, start, limit, budget) : -1;
}
