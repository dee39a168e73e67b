/**
 * The clauses of a query as typed: quoted phrases, `-word`, `a OR b`, `field:value`, `word*`, and plain words.
 *
 * Nothing is a syntax error. What looks like an operator and cannot be one is text: an unclosed quote, a lone dash,
 * the flag `-g`, `http://…`, `std::vector`, a field that does not exist. Pure.
 */

/** One clause. */
export interface Clause {
  readonly kind: "text" | "phrase" | "field" | "prefix";
  /** Text of the clause, without its operators. */
  readonly text: string;
  /** Name of the field, as known; `""` for the other kinds. */
  readonly field: string;
  readonly negated: boolean;
  /** True when `OR` joins it to the clause before. */
  readonly alternative: boolean;
}

/** Clauses beyond this many are taken as plain text. */
const MAX_CLAUSES = 64;

const OPENING_QUOTES = '"“”„«';
const CLOSING_QUOTES = '"“”»';
const FIELD = /^([\p{L}_][\p{L}\p{N}_.-]*):(?![\s:]|\/\/|$)/u;
/** Before a dash that excludes stands nothing or a space, behind it a quote or a word of two letters at least. */
const EXCLUDED = /^-(?=[\p{L}@_"“”„«][\p{L}\p{N}_"“”„«@])/u;

/** Split a query. `knownField` gives a field's name for what was typed before a colon, or undefined. */
export function splitClauses(text: string, knownField: (typed: string) => string | undefined): Clause[] {
  const clauses: Clause[] = [];
  let alternative = false;
  let negateNext = false;
  let at = 0;
  while (at < text.length) {
    // A bracket right before `.name` stays: behind one it is a member, not the name of a hidden file.
    const space = /^(?:[\s(]|\)(?![.-]))+/u.exec(text.slice(at, at + 256));
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    if (clauses.length >= MAX_CLAUSES) {
      clauses.push({ kind: "text", text: text.slice(at), field: "", negated: false, alternative: false });
      break;
    }
    const operator = /^(?:OR|AND|NOT|\|\|?|&&)(?=\s|$)/u.exec(text.slice(at, at + 8))?.[0];
    if (
      operator !== undefined &&
      (operator === "NOT" || clauses.length > 0) &&
      /\S/u.test(text.slice(at + operator.length))
    ) {
      if (operator === "OR" || operator.startsWith("|")) alternative = true;
      if (operator === "NOT") negateNext = true;
      at += operator.length;
      continue;
    }
    const { clause, end } = readClause(text, at, knownField);
    const negated = clause.negated || negateNext;
    clauses.push({ ...clause, negated, alternative: alternative && !negated });
    alternative = false;
    negateNext = false;
    at = end;
  }
  return clauses;
}

function readClause(
  text: string,
  start: number,
  knownField: (typed: string) => string | undefined,
): { clause: Clause; end: number } {
  const negated = EXCLUDED.test(text.slice(start, start + 8));
  let at = negated ? start + 1 : start;
  const typed = FIELD.exec(text.slice(at, at + 128))?.[1];
  const field = typed === undefined ? undefined : knownField(typed);
  if (typed !== undefined && field !== undefined) {
    at += typed.length + 1;
    const quoted = readQuoted(text, at);
    const { text: value, end } = quoted ?? readPlain(text, at);
    return { clause: { kind: "field", text: value, field, negated, alternative: false }, end };
  }
  const quoted = readQuoted(text, at);
  if (quoted !== undefined) {
    return { clause: { kind: "phrase", text: quoted.text, field: "", negated, alternative: false }, end: quoted.end };
  }
  const plain = readPlain(text, at);
  const isPrefix = /[\p{L}\p{N}]\*+$/u.test(plain.text);
  const value = isPrefix ? plain.text.replace(/\*+$/, "") : plain.text;
  return {
    clause: { kind: isPrefix ? "prefix" : "text", text: value, field: "", negated, alternative: false },
    end: plain.end,
  };
}

/** What stands in quotes at `at`, or undefined where none open there or nothing closes them. */
function readQuoted(text: string, at: number): { text: string; end: number } | undefined {
  const opening = text[at];
  if (opening === undefined || !OPENING_QUOTES.includes(opening)) return undefined;
  for (let end = at + 1; end < text.length; end++) {
    if (CLOSING_QUOTES.includes(text[end] as string)) return { text: text.slice(at + 1, end), end: end + 1 };
  }
  return undefined;
}

/** Up to the next space: a quote in the middle of `href="/about"` begins no phrase. */
function readPlain(text: string, at: number): { text: string; end: number } {
  let end = at + 1;
  while (end < text.length && !/[\s()]/u.test(text[end] as string)) end++;
  return { text: text.slice(at, end), end };
}
