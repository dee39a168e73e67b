/**
 * The syntax of a regular expression as a tree: what `grep -E` understands, and beside that what callers write for `rg`.
 *
 * What cannot be matched in linear time, or would mean something else here than where the caller learnt it, is refused in words with
 * what to write instead. A pattern of several lines is several patterns, as it is to `grep`. Pure.
 */
import { InputError } from "../errors.ts";

export type Place =
  | "line-start"
  | "line-end"
  | "word-start"
  | "word-end"
  | "word-border"
  | "no-word-border"
  | "no-word-before"
  | "no-word-behind";

export type GrepNode =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "any" }
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "sequence"; readonly nodes: readonly GrepNode[] }
  | { readonly kind: "choice"; readonly nodes: readonly GrepNode[] }
  | { readonly kind: "repeat"; readonly node: GrepNode; readonly least: number; readonly most: number };

const MAX_DEPTH = 50;

const PLACES: Readonly<Record<string, Place>> = {
  b: "word-border",
  B: "no-word-border",
  "<": "word-start",
  ">": "word-end",
  A: "line-start",
  z: "line-end",
};
const SETS: Readonly<Record<string, CharacterSet>> = {
  w: { negated: false, ranges: [], classes: ["word"] },
  W: { negated: true, ranges: [], classes: ["word"] },
  s: { negated: false, ranges: [], classes: ["space"] },
  S: { negated: true, ranges: [], classes: ["space"] },
  d: { negated: false, ranges: [], classes: ["digit"] },
  D: { negated: true, ranges: [], classes: ["digit"] },
};
const CONTROLS: Readonly<Record<string, string>> = { t: "\t", r: "\r", f: "\f", v: "\v" };
/** What other engines write, and what does the same here. */
const INSTEAD: Readonly<Record<string, string>> = { Z: "$", h: "[[:blank:]]", p: "[[:alpha:]]" };
const LONE_SURROGATE = /\p{Cs}/u;
const CODE_POINT = /x([0-9a-f]{2})|u([0-9a-f]{4})|[xu]\{([0-9a-f]{1,6})\}/iy;
const GROUP_NAME = /P?<[A-Za-z_]\w*>/y;
const INTERVAL = /\{(?:(\d+)|(\d*),(\d*))\}/y;

/** The lines of a pattern that are looked for, each by itself. @throws {InputError} where there is none. */
export function splitPattern(pattern: string): string[] {
  if (LONE_SURROGATE.test(pattern)) throw new InputError("pattern holds half a character, which no text does.");
  const lines = pattern.split("\n").filter((line) => line !== "");
  if (lines.length === 0) throw new InputError("pattern is empty; give the text or expression to look for.");
  return lines;
}

/** The tree of a regular expression. @throws {InputError} where it is none, or one that takes more than linear time. */
export function parsePattern(pattern: string): GrepNode {
  return choiceOf(splitPattern(pattern).map((line) => new Parser(line).parse()));
}

class Parser {
  readonly #pattern: string;
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  parse(): GrepNode {
    return this.#readChoice();
  }

  #readChoice(): GrepNode {
    const branches = [this.#readSequence()];
    while (this.#take("|")) branches.push(this.#readSequence());
    return choiceOf(branches);
  }

  #readSequence(): GrepNode {
    const nodes: GrepNode[] = [];
    while (this.#at < this.#pattern.length && this.#pattern[this.#at] !== "|") {
      if (this.#depth > 0 && this.#pattern[this.#at] === ")") break;
      const node = this.#readRepeats(this.#readAtom());
      const last = nodes.at(-1);
      if (node.kind === "text" && last?.kind === "text")
        nodes[nodes.length - 1] = { kind: "text", text: last.text + node.text };
      else nodes.push(node);
    }
    return nodes.length === 1 ? (nodes[0] as GrepNode) : { kind: "sequence", nodes };
  }

  #readAtom(): GrepNode {
    const start = this.#at;
    const character = this.#next();
    switch (character) {
      case ".":
        return { kind: "any" };
      case "^":
        return { kind: "place", place: "line-start" };
      case "$":
        return { kind: "place", place: "line-end" };
      case "(":
        return this.#readGroup();
      case "[": {
        const { set, end } = readBracket(this.#pattern, start);
        this.#at = end;
        return { kind: "set", set };
      }
      case "\\":
        return this.#readEscape();
      case "*":
      case "+":
      case "?":
        throw this.#repeatsNothing(character);
      case "{":
        if (this.#readInterval(start) !== undefined) throw this.#repeatsNothing(this.#pattern.slice(start, this.#at));
        return { kind: "text", text: character };
      default:
        return { kind: "text", text: character };
    }
  }

  #readGroup(): GrepNode {
    if (this.#take("?") && !this.#take(":") && !this.#takeName())
      throw refusedGroup(this.#pattern.slice(this.#at - 1, this.#at + 2));
    if (++this.#depth > MAX_DEPTH) throw new InputError(`pattern nests more than ${MAX_DEPTH} groups; use fewer.`);
    const node = this.#readChoice();
    if (!this.#take(")"))
      throw new InputError('pattern has a "(" without its ")"; write \\( for the character.', ["\\("]);
    this.#depth--;
    return node;
  }

  #readEscape(): GrepNode {
    if (this.#at >= this.#pattern.length) {
      throw new InputError("pattern ends in a single backslash; write \\\\ for the character.", ["\\\\"]);
    }
    const code = readCodePoint(this.#pattern, this.#at);
    if (code !== undefined) {
      this.#at = code.end;
      return { kind: "text", text: String.fromCodePoint(code.code) };
    }
    const character = this.#next();
    const place = Object.hasOwn(PLACES, character) ? PLACES[character] : undefined;
    if (place !== undefined) return { kind: "place", place };
    const set = Object.hasOwn(SETS, character) ? SETS[character] : undefined;
    if (set !== undefined) return { kind: "set", set };
    const control = Object.hasOwn(CONTROLS, character) ? CONTROLS[character] : undefined;
    if (control !== undefined) return { kind: "text", text: control };
    if (/[1-9]/.test(character)) {
      throw new InputError(
        `Back-references such as \\${character} are not taken, because they cannot be matched in linear time. Write the text out, or use .* in its place.`,
        [".*"],
      );
    }
    if (character === "n") {
      throw new InputError(
        "A match lies within one line, so \\n matches nothing. Look for one of the lines; context shows those around it.",
      );
    }
    if (/[a-zA-Z0]/.test(character)) {
      const instead = Object.hasOwn(INSTEAD, character) ? [INSTEAD[character] as string] : [];
      throw new InputError(
        `\\${character} is not understood; there are \\w \\W \\s \\S \\d \\D \\b \\B \\< \\> \\t and classes such as [[:alpha:]].`,
        instead,
      );
    }
    return { kind: "text", text: character };
  }

  /** The atom with the repetitions behind it. */
  #readRepeats(atom: GrepNode): GrepNode {
    let node = atom;
    for (let stacked = 0; ; stacked++) {
      const start = this.#at;
      const bounds = this.#readRepeat();
      if (bounds === undefined) return node;
      if (atom.kind === "place") throw this.#repeatsNothing(this.#pattern.slice(start, this.#at));
      if (stacked >= MAX_DEPTH)
        throw new InputError("pattern has too many repetitions in a row; one is enough.", ["*"]);
      node = { kind: "repeat", node, ...bounds };
    }
  }

  #readRepeat(): { least: number; most: number } | undefined {
    if (this.#take("*")) return { least: 0, most: Number.POSITIVE_INFINITY };
    if (this.#take("+")) return { least: 1, most: Number.POSITIVE_INFINITY };
    if (this.#take("?")) return { least: 0, most: 1 };
    return this.#readInterval(this.#at);
  }

  /** `{3}`, `{3,}`, `{,5}`, `{3,5}`; anything else that begins with a brace is text, as it is to `grep`. */
  #readInterval(start: number): { least: number; most: number } | undefined {
    INTERVAL.lastIndex = start;
    const found = INTERVAL.exec(this.#pattern);
    if (found === null) return undefined;
    this.#at = INTERVAL.lastIndex;
    const [written, exactly, from, to] = found;
    const least = Number(exactly ?? (from || "0"));
    const most = exactly === undefined ? (to === "" ? Number.POSITIVE_INFINITY : Number(to)) : least;
    if (least > most)
      throw new InputError(`${written} in pattern asks for more than it allows.`, [`{${most},${least}}`]);
    return { least, most };
  }

  #repeatsNothing(written: string): InputError {
    return new InputError(
      `${written} in pattern has nothing before it to repeat; write \\${written} for the character.`,
      [`\\${written}`],
    );
  }

  #takeName(): boolean {
    GROUP_NAME.lastIndex = this.#at;
    if (!GROUP_NAME.test(this.#pattern)) return false;
    this.#at = GROUP_NAME.lastIndex;
    return true;
  }

  #next(): string {
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) as number);
    this.#at += character.length;
    return character;
  }

  #take(character: string): boolean {
    if (this.#pattern[this.#at] !== character) return false;
    this.#at++;
    return true;
  }
}

function choiceOf(nodes: readonly GrepNode[]): GrepNode {
  return nodes.length === 1 ? (nodes[0] as GrepNode) : { kind: "choice", nodes };
}

function refusedGroup(written: string): InputError {
  if (/^\?(?:[=!]|<[=!])/.test(written)) {
    return new InputError(
      "Look-around is not taken, because it cannot be matched in linear time. Match what stands around the text as well, or use \\b, ^ or $.",
      ["\\b", "^", "$"],
    );
  }
  return new InputError(
    "Groups are written (…), (?:…) or (?<name>…), without flags; for case there is case_sensitive.",
    ["(", "(?:"],
  );
}

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

export interface CharacterSet {
  readonly negated: boolean;
  /** Code points, first and last. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  readonly classes: readonly ClassName[];
  /** Classes of which it holds what is not in them. */
  readonly others?: readonly ClassName[];
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
/** The set of a bracket expression that begins at `start`, and where it ends. @throws {InputError}. */
function readBracket(pattern: string, start: number): { readonly set: CharacterSet; readonly end: number } {
  const ranges: [number, number][] = [];
  const classes: ClassName[] = [];
  const others: ClassName[] = [];
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
    const escaped = pattern[at] === "\\" ? SETS[pattern[at + 1] ?? ""] : undefined;
    if (escaped !== undefined) {
      (escaped.negated ? others : classes).push(...escaped.classes);
      at += 2;
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
  return { set: { negated, ranges, classes, ...(others.length > 0 && { others }) }, end };
}

/** The character of `x41`, `x{1f600}` or `u0041` behind a backslash. */
function readCodePoint(pattern: string, start: number) {
  CODE_POINT.lastIndex = start;
  const found = CODE_POINT.exec(pattern);
  const code = found === null ? Number.NaN : Number.parseInt(found[1] ?? found[2] ?? found[3] ?? "", 16);
  return code <= 0x10ffff ? { code, end: CODE_POINT.lastIndex } : undefined;
}

function readMember(pattern: string, start: number): { readonly code: number; readonly end: number } {
  const code = pattern.codePointAt(start);
  if (code === undefined) throw unclosed();
  const character = String.fromCodePoint(code);
  const end = start + character.length;
  if (character === "\\") {
    const known = readCodePoint(pattern, end);
    if (known !== undefined) return known;
    const next = pattern[end] ?? "";
    const control = next === "n" ? "\n" : Object.hasOwn(CONTROLS, next) ? CONTROLS[next] : undefined;
    if (control !== undefined || /[^a-zA-Z0-9]/.test(next))
      return { code: (control ?? next).codePointAt(0) as number, end: end + 1 };
    throw new InputError(
      "Inside brackets a backslash stands before a sign or one of w W s S d D t; classes are written [:alpha:]. For a backslash write two.",
      ["\\\\"],
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
