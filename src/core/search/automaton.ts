/**
 * Matches a syntax tree in lines, in time linear in their length.
 *
 * The tree becomes a small program that reads a line from its end to its beginning. Read backwards, the last place where the
 * program accepts is where the leftmost match begins, so one program says both whether and where a line matches. Sets of
 * program steps are states of an automaton, made when they are first reached (as in Russ Cox, "Regular Expression Matching in
 * the Wild", https://swtch.com/~rsc/regexp/regexp3.html). Past a bound of memory no more states are kept.
 */
import { InputError } from "../errors.ts";
import { foldCase } from "../text/normalize.ts";
import type { CharacterSet, ClassName, GrepNode, Place } from "./grep-syntax.ts";

/** Steps of a program at most, with repetitions written out: more than the longest pattern has without any. */
const MAX_PROGRAM = 5_000;
/** Numbers that kept states hold at most: a few megabytes. */
const MAX_KEPT = 500_000;

/** Spaces as the C library counts them, without those that do not break a line. */
const WIDE_BLANKS = "\\u1680\\u2000-\\u2006\\u2008-\\u200a\\u205f\\u3000";
const NO_BREAK_SPACES = "\\xa0\\u2007\\u202f";
const VISIBLE = `\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}${NO_BREAK_SPACES}`;
const CLASSES: Readonly<Record<ClassName, string>> = {
  alnum: "\\p{Alphabetic}\\p{Nd}",
  alpha: "\\p{Alphabetic}",
  blank: `\\t ${WIDE_BLANKS}`,
  cntrl: "\\p{Cc}\\u2028\\u2029",
  digit: "0-9",
  graph: VISIBLE,
  lower: "\\p{Lowercase}",
  print: ` ${VISIBLE}${WIDE_BLANKS}`,
  punct: `\\p{P}\\p{S}\\p{Mn}\\p{Me}\\p{No}${NO_BREAK_SPACES}`,
  space: `\\t-\\r \\u2028\\u2029${WIDE_BLANKS}`,
  upper: "\\p{Uppercase}",
  word: "\\p{Alphabetic}\\p{Nd}_",
  xdigit: "0-9A-Fa-f",
};
/** Without regard to case a letter is a letter. */
const CLASSES_IN_ANY_CASE: typeof CLASSES = { ...CLASSES, lower: CLASSES.alpha, upper: CLASSES.alpha };
const WORD_CHARACTER = /[\p{Alphabetic}\p{Nd}_]/u;

/** Context on one side of a place. */
const EDGE = 0;
const WORD = 1;
const OTHER = 2;
type Context = typeof EDGE | typeof WORD | typeof OTHER;

const HOLDS: Readonly<Record<Place, (left: Context, right: Context) => boolean>> = {
  "line-start": (left) => left === EDGE,
  "line-end": (_, right) => right === EDGE,
  "word-start": (left, right) => left !== WORD && right === WORD,
  "word-end": (left, right) => left === WORD && right !== WORD,
  "word-border": (left, right) => (left === WORD) !== (right === WORD),
  "no-word-border": (left, right) => (left === WORD) === (right === WORD),
  "no-word-before": (left) => left !== WORD,
  "no-word-behind": (_, right) => right !== WORD,
};

/** `next` is what comes further left in the line. */
type Step =
  | { readonly kind: "match" }
  | { readonly kind: "character"; readonly set: number; readonly next: number }
  | { readonly kind: "place"; readonly place: Place; readonly next: number }
  | { readonly kind: "fork"; readonly next: number[] };

const MATCH = 0;

interface CharacterClass {
  /** For each set of the program, whether it holds these characters. */
  readonly sets: readonly boolean[];
  readonly context: Context;
}

/** Numbers of the class of characters that were not looked at yet, which no state has a next one for, and of the beginning of a line. */
const UNKNOWN = 0;
const LINE_START = 1;

interface State {
  /** Steps to go on from, besides the first one. */
  readonly steps: Uint16Array;
  readonly right: Context;
  /** True where a match begins. */
  readonly accepts: boolean;
  /** For each class of characters, once it was needed. */
  readonly next: (State | undefined)[];
}

/** Thrown where a line takes more work than is allowed. */
export class OutOfWorkError extends Error {}

/** Pattern, ready to match. */
export class Automaton {
  readonly #program: Step[] = [{ kind: "match" }];
  readonly #entry: number;
  readonly #caseSensitive: boolean;
  #hasWords = false;
  readonly #sets: ((character: string) => boolean)[] = [];
  readonly #setNumbers = new Map<string, number>();
  readonly #classes: CharacterClass[] = [];
  readonly #classNumbers = new Map<string, number>();
  /** Class of each UTF-16 unit, and of characters that take two; 0 = not looked at yet. */
  readonly #classOfUnit = new Uint16Array(0x10000);
  readonly #classOfPair = new Map<number, number>();
  readonly #states = new Map<string, State>();
  #kept = 0;
  readonly #start: State = { steps: new Uint16Array(), right: EDGE, accepts: false, next: [] };
  readonly #seen: Uint32Array;
  #round = 0;
  /** Program steps taken so far: for each character read, at most as many as the program has. */
  stepsTaken = 0;
  /** Matching ends with an `OutOfWorkError` past so many of them. */
  mostSteps = Number.POSITIVE_INFINITY;

  /** @throws {InputError} where the tree is too large. */
  constructor(tree: GrepNode, caseSensitive: boolean) {
    this.#caseSensitive = caseSensitive;
    this.#entry = this.#compile(tree, MATCH);
    this.#seen = new Uint32Array(this.#program.length);
    const noCharacter: CharacterClass = { sets: [], context: EDGE };
    this.#classes[UNKNOWN] = noCharacter;
    this.#classes[LINE_START] = noCharacter;
  }

  /** Steps of the program. */
  get size(): number {
    return this.#program.length;
  }

  /** Whether there is a match between two places of a text, which are taken for the ends of a line. */
  matches(text: string, begin = 0, end = text.length): boolean {
    return this.#find(text, begin, end, true) >= 0;
  }

  /** Where the leftmost match in a line begins, -1 without one. */
  start(line: string): number {
    return this.#find(line, 0, line.length, false);
  }

  #find(text: string, begin: number, end: number, anyIsEnough: boolean): number {
    const classOfUnit = this.#classOfUnit;
    let found = -1;
    let state = this.#start;
    let at = end;
    while (at > begin) {
      let next = state.next[classOfUnit[text.charCodeAt(at - 1)] as number];
      let width = 1;
      if (next === undefined) {
        const pair = at - 2 >= begin ? (text.codePointAt(at - 2) as number) : 0;
        if (pair > 0xffff) width = 2;
        next = this.#advance(state, this.#classOf(width === 2 ? pair : text.charCodeAt(at - 1)));
      }
      state = next;
      if (state.accepts) {
        found = at;
        if (anyIsEnough) return found;
      }
      at -= width;
    }
    return this.#advance(state, LINE_START).accepts ? begin : found;
  }

  #classOf(code: number): number {
    const kept = this.#classOfPair.get(code) ?? this.#classOfUnit[code];
    if (kept) return kept;
    const character = String.fromCodePoint(code);
    const sets = this.#sets.map((holds) => holds(character));
    const context = this.#hasWords && WORD_CHARACTER.test(character) ? WORD : OTHER;
    const key = `${context}${sets.map(Number).join("")}`;
    let number = this.#classNumbers.get(key);
    if (number === undefined) {
      number = this.#classes.push({ sets, context }) - 1;
      this.#classNumbers.set(key, number);
    }
    // The second half of a pair says nothing by itself.
    if (code > 0xffff || (code & 0xfc00) === 0xdc00) this.#classOfPair.set(code, number);
    else this.#classOfUnit[code] = number;
    return number;
  }

  /** The state after one more character to the left. */
  #advance(state: State, number: number): State {
    const before = state.next[number];
    if (before !== undefined) return before;
    const made = this.#take(state, this.#classes[number] as CharacterClass);
    if (this.stepsTaken > this.mostSteps) throw new OutOfWorkError();
    if (this.#kept > MAX_KEPT) return made;
    const key = String.fromCharCode(made.accepts ? 1 : 0, made.right, ...made.steps);
    const known = this.#states.get(key);
    const next = known ?? made;
    state.next[number] = next;
    this.#kept++;
    if (known === undefined) {
      this.#states.set(key, made);
      this.#kept += made.steps.length;
    }
    return next;
  }

  #take({ steps, right }: State, { sets, context }: CharacterClass): State {
    const program = this.#program;
    const seen = this.#seen;
    const round = ++this.#round;
    const open = [this.#entry, ...steps];
    const next: number[] = [];
    let accepts = false;
    while (open.length > 0) {
      const at = open.pop() as number;
      if (seen[at] === round) continue;
      seen[at] = round;
      this.stepsTaken++;
      const step = program[at] as Step;
      if (step.kind === "character") {
        if (sets[step.set] === true) next.push(step.next);
      } else if (step.kind === "fork") {
        open.push(...step.next);
      } else if (step.kind === "match") {
        accepts = true;
      } else if (HOLDS[step.place](context, right)) {
        open.push(step.next);
      }
    }
    return { steps: Uint16Array.from(next).sort(), right: context, accepts, next: [] };
  }

  /** Writes a part that comes right of `next`, and returns where it begins. */
  #compile(node: GrepNode, next: number): number {
    switch (node.kind) {
      case "text":
        return Array.from(node.text).reduce(
          (left, character) => this.#character(this.#setOfCharacter(character), left),
          next,
        );
      case "any":
        return this.#character(
          this.#number("any", () => true),
          next,
        );
      case "set":
        return this.#character(this.#setOf(node.set), next);
      case "place":
        this.#hasWords ||= node.place.includes("word");
        return this.#add({ kind: "place", place: node.place, next });
      case "sequence":
        return node.nodes.reduce((left, one) => this.#compile(one, left), next);
      case "choice":
        return this.#add({ kind: "fork", next: node.nodes.map((one) => this.#compile(one, next)) });
      case "repeat":
        return this.#compileRepeat(node.node, node.least, node.most, next);
    }
  }

  #compileRepeat(node: GrepNode, least: number, most: number, next: number): number {
    let left = next;
    if (most === Number.POSITIVE_INFINITY) {
      const exits = [next];
      left = this.#add({ kind: "fork", next: exits });
      exits.push(this.#compile(node, left));
    }
    for (let copy = least; copy < most && most !== Number.POSITIVE_INFINITY; copy++)
      left = this.#add({ kind: "fork", next: [next, this.#compile(node, left)] });
    for (let copy = 0; copy < least; copy++) {
      const size = this.#program.length;
      left = this.#compile(node, left);
      // Nothing repeated is nothing, however often.
      if (this.#program.length === size) break;
    }
    return left;
  }

  #character(set: number, next: number): number {
    return this.#add({ kind: "character", set, next });
  }

  #add(step: Step): number {
    if (this.#program.length >= MAX_PROGRAM) {
      throw new InputError(
        `pattern has more than ${MAX_PROGRAM.toLocaleString("en-US")} steps once its repetitions are written out. Use smaller counts, or * and +.`,
        ["*", "+"],
      );
    }
    return this.#program.push(step) - 1;
  }

  #setOfCharacter(character: string): number {
    const fold = this.#caseSensitive ? (text: string) => text : foldCase;
    const wanted = fold(character);
    return this.#number(`=${wanted}`, (other) => fold(other) === wanted);
  }

  #setOf({ negated, ranges, classes, others = [] }: CharacterSet): number {
    const written = this.#caseSensitive ? CLASSES : CLASSES_IN_ANY_CASE;
    const parts = [
      ...ranges.map((ends) => ends.map((code) => `\\u{${code.toString(16)}}`).join("-")),
      ...classes.map((name) => written[name]),
      ...others.map((name) => `[^${written[name]}]`),
    ];
    const source = `[${negated ? "^" : ""}${parts.join("")}]`;
    const expression = new RegExp(source, `${this.#caseSensitive ? "" : "i"}${others.length > 0 ? "v" : "u"}`);
    return this.#number(source, (character) => expression.test(character));
  }

  /** The number of a set, equal ones having one. */
  #number(key: string, holds: (character: string) => boolean): number {
    const known = this.#setNumbers.get(key);
    if (known !== undefined) return known;
    this.#setNumbers.set(key, this.#sets.length);
    return this.#sets.push(holds) - 1;
  }
}
