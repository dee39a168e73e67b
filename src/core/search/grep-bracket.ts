/**
 * Bracket expressions of a pattern: `[abc]`, `[^a-z]`, `[[:alpha:]_]`, as POSIX defines them. Pure.
 *
 * A single backslash is refused: to POSIX it is a character like any other, to whoever writes `[\w.]` it is not.
 */
import { InputError } from "../errors.ts";

/** Names of sets of characters, those of POSIX and `word` for `\w`. */
export type ClassName =
  | "alnum"
  | "alpha"
  | "blank"
  | "cntrl"
  | "digit"
  | "graph"
  | "lower"
  | "print"
  | "punct"
  | "space"
  | "upper"
  | "word"
  | "xdigit";

/** Characters that one place may hold. */
export interface CharacterSet {
  readonly negated: boolean;
  /** Code points, first and last. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  readonly classes: readonly ClassName[];
}

const CLASS_NAMES: readonly ClassName[] = [
  "alnum",
  "alpha",
  "blank",
  "cntrl",
  "digit",
  "graph",
  "lower",
  "print",
  "punct",
  "space",
  "upper",
  "xdigit",
];
const BACKSLASH_INSTEAD: Readonly<Record<string, string>> = {
  d: "[:digit:]",
  s: "[:space:]",
  w: "[:alnum:]_",
  "]": "[]…]",
};

/** The set of a bracket expression that begins at `start`, and where it ends. @throws {InputError}. */
export function readBracket(pattern: string, start: number): { readonly set: CharacterSet; readonly end: number } {
  const ranges: [number, number][] = [];
  const classes: ClassName[] = [];
  let at = start + 1;
  const negated = pattern[at] === "^";
  if (negated) at++;
  for (let isFirst = true; isFirst || pattern[at] !== "]"; isFirst = false) {
    if (at >= pattern.length) throw unclosed();
    if (pattern.startsWith("[:", at)) {
      const end = pattern.indexOf(":]", at + 2);
      if (end < 0) throw unclosed();
      classes.push(readClassName(pattern.slice(at + 2, end)));
      at = end + 2;
      continue;
    }
    const first = readMember(pattern, at);
    at = first.end;
    // A hyphen in front of the closing bracket is a character.
    if (pattern[at] === "-" && at + 1 < pattern.length && pattern[at + 1] !== "]") {
      const last = readMember(pattern, at + 1);
      at = last.end;
      if (last.code < first.code) {
        const [low, high] = [String.fromCodePoint(last.code), String.fromCodePoint(first.code)];
        throw new InputError(`The range ${high}-${low} in pattern ends before it begins.`, [`${low}-${high}`]);
      }
      ranges.push([first.code, last.code]);
    } else {
      ranges.push([first.code, first.code]);
    }
  }
  const end = at + 1;
  const inner = pattern.slice(start + 1, end - 1);
  if (/^:.*:$/.test(inner)) {
    throw new InputError(`${pattern.slice(start, end)} in pattern is a class only inside brackets.`, [
      `[${pattern.slice(start, end)}]`,
    ]);
  }
  return { set: { negated, ranges, classes }, end };
}

function readMember(pattern: string, start: number): { readonly code: number; readonly end: number } {
  const code = pattern.codePointAt(start);
  if (code === undefined) throw unclosed();
  const character = String.fromCodePoint(code);
  const end = start + character.length;
  if (character === "\\") {
    const next = pattern[end] ?? "";
    if (next === "\\") return { code, end: end + 1 };
    const instead = Object.hasOwn(BACKSLASH_INSTEAD, next) ? [BACKSLASH_INSTEAD[next] as string] : [next, "\\\\"];
    throw new InputError(
      "Inside brackets a backslash escapes nothing: characters stand there as they are, ] first and - last, and classes are written [:alpha:]. For a backslash write two.",
      instead.filter((one) => one !== ""),
    );
  }
  if (character === "[" && (pattern[end] === "." || pattern[end] === "=")) {
    throw new InputError(
      `${pattern.slice(start, end + 1)} in pattern begins a collating element; write its character itself.`,
    );
  }
  return { code, end };
}

function readClassName(name: string): ClassName {
  const known = CLASS_NAMES.find((one) => one === name);
  if (known !== undefined) return known;
  throw new InputError(
    `There is no class [:${name.slice(0, 20)}:]; there are ${CLASS_NAMES.join(", ")}.`,
    name === "word" ? ["\\w"] : [],
  );
}

function unclosed(): InputError {
  return new InputError('pattern has a "[" without its "]"; write \\[ for the character.', ["\\["]);
}
