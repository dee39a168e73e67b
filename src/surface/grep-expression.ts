/**
 * A regular expression as callers write it, ready to match lines: parsed by the core, matched by RE2 in linear time.
 *
 * RE2's `\b` knows words of ASCII alone and it has no `\<`, so a line where that matters is matched in another form: with
 * a marker between any two characters that says whether a word begins or ends there, which the expression then looks
 * back at.
 *
 * Pure: a pattern in, a matcher out.
 */
import { RE2JS } from "re2js";
import type { GrepPattern } from "../core/search/grep.ts";
import { humpsOf, needsOfPattern, textsIn } from "../core/search/grep-needs.ts";
import type { CharacterSet, ClassName } from "../core/search/grep-syntax.ts";
import { countSteps, type GrepNode, type Place, parsePattern } from "../core/search/grep-syntax.ts";

/** Spaces as the C library counts them: those that do not break a line are none. */
const WIDE_BLANKS = "\\x{1680}\\x{2000}-\\x{2006}\\x{2008}-\\x{200a}\\x{205f}\\x{3000}";
const NO_BREAK_SPACES = "\\x{a0}\\x{2007}\\x{202f}";
const VISIBLE = `\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}${NO_BREAK_SPACES}`;
/** Classes of characters as RE2 writes them inside brackets. */
const CLASSES: Readonly<Record<ClassName, string>> = {
  alnum: "\\p{Alphabetic}\\p{Nd}",
  alpha: "\\p{Alphabetic}",
  blank: `\\t ${WIDE_BLANKS}`,
  cntrl: "\\p{Cc}\\x{2028}\\x{2029}",
  digit: "0-9",
  graph: VISIBLE,
  lower: "\\p{Lowercase}",
  print: ` ${VISIBLE}${WIDE_BLANKS}`,
  punct: `\\p{P}\\p{S}\\p{Mn}\\p{Me}\\p{No}${NO_BREAK_SPACES}`,
  space: `\\t-\\r \\x{2028}\\x{2029}${WIDE_BLANKS}`,
  upper: "\\p{Uppercase}",
  word: "\\p{Alphabetic}\\p{Nd}_",
  xdigit: "0-9A-Fa-f",
};
/** Without regard to case a letter is a letter. */
const CLASSES_IN_ANY_CASE: typeof CLASSES = { ...CLASSES, lower: CLASSES.alpha, upper: CLASSES.alpha };
const WORD_CLASSES: readonly ClassName[] = ["alnum", "alpha", "digit", "lower", "upper", "word", "xdigit"];
const WORD_RANGES = ["09", "AZ", "__", "az"].map((ends) => [ends.charCodeAt(0), ends.charCodeAt(1)] as const);
const WORD_CHARACTER = /[\p{Alphabetic}\p{Nd}_]/u;
const WORDS_BEYOND_ASCII = /[^\0-\x7f]/;

/** Markers are characters that Unicode keeps out of texts: the first of them, and what is added to it. */
const FIRST_MARKER = 0xfdd0;
const WORD_BEFORE = 1;
const WORD_BEHIND = 2;
const LINE_START = 4;
const MARKERS = 8;
const MARKER = `[\\x{${FIRST_MARKER.toString(16)}}-\\x{${(FIRST_MARKER + MARKERS - 1).toString(16)}}]`;
const REPLACEMENT = "\ufffd";

/** Which markers stand at a place. The end of a line needs none. */
const MARKED_PLACES: Readonly<Record<Exclude<Place, "line-end">, (marker: number) => boolean>> = {
  "line-start": (marker) => (marker & LINE_START) !== 0,
  "word-start": (marker) => (marker & (WORD_BEFORE | WORD_BEHIND)) === WORD_BEHIND,
  "word-end": (marker) => (marker & (WORD_BEFORE | WORD_BEHIND)) === WORD_BEFORE,
  "word-border": (marker) => ((marker & WORD_BEFORE) !== 0) !== ((marker & WORD_BEHIND) !== 0),
  "no-word-border": (marker) => ((marker & WORD_BEFORE) !== 0) === ((marker & WORD_BEHIND) !== 0),
};
const PLAIN_PLACES: Readonly<Partial<Record<Place, string>>> = {
  "line-start": "^",
  "line-end": "$",
  "word-border": "\\b",
  "no-word-border": "\\B",
};

/** The matcher of a regular expression. @throws {InputError} where it is none, or one that is not taken. */
export function compileExpression(pattern: string, caseSensitive: boolean): GrepPattern {
  const node = simplifyPlaces(parsePattern(pattern));
  const flags = caseSensitive ? 0 : RE2JS.CASE_INSENSITIVE;
  const classes = caseSensitive ? CLASSES : CLASSES_IN_ANY_CASE;
  const places = placesIn(node);
  const hasWords = [...places].some((place) => place.includes("word"));
  const needsMarkers = places.has("word-start") || places.has("word-end");
  const plain = needsMarkers ? undefined : RE2JS.compile(writePlain(node, classes), flags);
  const marked = hasWords ? RE2JS.compile(MARKER + writeMarked(node, classes), flags | RE2JS.LOOKBEHINDS) : undefined;
  const isPlain = (line: string): boolean => marked === undefined || (!needsMarkers && !WORDS_BEYOND_ASCII.test(line));
  return {
    need: needsOfPattern(node),
    humps: humpsOf(textsIn(node)),
    steps: Math.max(1, countSteps(node)) * (needsMarkers ? 2 : 1),
    matches: (line) => (isPlain(line) ? plain?.test(line) : marked?.test(markLine(line))) === true,
    start: (line) => {
      if (isPlain(line)) return findStart(plain, line);
      const found = markLine(line).slice(0, findStart(marked, markLine(line)));
      // Every other character is a marker.
      return found.length - Array.from(found).length / 2;
    },
  };
}

function findStart(expression: RE2JS | undefined, text: string): number {
  const matcher = expression?.matcher(text);
  return matcher?.find() === true ? matcher.start() : 0;
}

/** The line with a marker before each of its characters and one at its end. */
function markLine(line: string): string {
  let marked = "";
  let before = LINE_START;
  for (const character of line) {
    const isWord = WORD_CHARACTER.test(character);
    const code = character.charCodeAt(0);
    const isMarker = code >= FIRST_MARKER && code < FIRST_MARKER + MARKERS;
    marked +=
      String.fromCharCode(FIRST_MARKER + (before | (isWord ? WORD_BEHIND : 0))) + (isMarker ? REPLACEMENT : character);
    before = isWord ? WORD_BEFORE : 0;
  }
  return marked + String.fromCharCode(FIRST_MARKER + before);
}

function placesIn(node: GrepNode): ReadonlySet<Place> {
  if (node.kind === "place") return new Set([node.place]);
  if (node.kind === "repeat") return placesIn(node.node);
  if (node.kind !== "sequence" && node.kind !== "choice") return new Set();
  return new Set(node.nodes.flatMap((one) => [...placesIn(one)]));
}

/** The pattern with `\<` and `\>` written as `\b` where what stands beside them is surely of a word: RE2 has that. */
function simplifyPlaces(node: GrepNode): GrepNode {
  if (node.kind === "repeat") return { ...node, node: simplifyPlaces(node.node) };
  if (node.kind === "choice") return { ...node, nodes: node.nodes.map(simplifyPlaces) };
  if (node.kind !== "sequence") return node;
  const nodes = node.nodes.map((one, at): GrepNode => {
    const [before, behind] = [node.nodes[at - 1], node.nodes[at + 1]];
    const isBorder =
      one.kind === "place" &&
      ((one.place === "word-start" && behind !== undefined && isOfWord(behind, "first")) ||
        (one.place === "word-end" && before !== undefined && isOfWord(before, "last")));
    return isBorder ? { kind: "place", place: "word-border" } : simplifyPlaces(one);
  });
  return { kind: "sequence", nodes };
}

/** Whether each match of a part begins, or ends, with a character of a word. */
function isOfWord(node: GrepNode, end: "first" | "last"): boolean {
  switch (node.kind) {
    case "text":
      return WORD_CHARACTER.test(Array.from(node.text).at(end === "first" ? 0 : -1) ?? "");
    case "set": {
      const { negated, ranges, classes } = node.set;
      const ofWord = ranges.every(([first, last]) => WORD_RANGES.some(([from, to]) => first >= from && last <= to));
      return !negated && ofWord && classes.every((name) => WORD_CLASSES.includes(name));
    }
    case "repeat":
      return node.least > 0 && isOfWord(node.node, end);
    case "sequence": {
      const one = node.nodes.at(end === "first" ? 0 : -1);
      return one !== undefined && isOfWord(one, end);
    }
    case "choice":
      return node.nodes.every((one) => isOfWord(one, end));
    case "any":
    case "place":
      return false;
  }
}

/** What stands for the pieces of a pattern in RE2's syntax. */
interface Writing {
  /** Stands for one character, which `one` matches. */
  readonly character: (one: string) => string;
  readonly place: (one: Place) => string;
  readonly classes: Readonly<Record<ClassName, string>>;
}

function writePlain(node: GrepNode, classes: Writing["classes"]): string {
  return write(node, { character: (one) => one, place: (one) => PLAIN_PLACES[one] ?? "", classes });
}

function writeMarked(node: GrepNode, classes: Writing["classes"]): string {
  const place = (one: Place): string => {
    if (one === "line-end") return "$";
    const markers = Array.from({ length: MARKERS }, (_, marker) => marker).filter(MARKED_PLACES[one]);
    return `(?<=[${markers.map((marker) => hex(FIRST_MARKER + marker)).join("")}])`;
  };
  return write(node, { character: (one) => one + MARKER, place, classes });
}

function write(node: GrepNode, writing: Writing): string {
  switch (node.kind) {
    case "text":
      return Array.from(node.text, (letter) => writing.character(hex(letter.codePointAt(0) as number))).join("");
    case "any":
      return writing.character(".");
    case "set":
      return writing.character(writeSet(node.set, writing.classes));
    case "place":
      return writing.place(node.place);
    case "sequence":
      return node.nodes.map((one) => write(one, writing)).join("");
    case "choice":
      return `(?:${node.nodes.map((one) => write(one, writing)).join("|")})`;
    case "repeat":
      return `(?:${write(node.node, writing)})${writeBounds(node.least, node.most)}`;
  }
}

function writeSet({ negated, ranges, classes }: CharacterSet, written: Writing["classes"]): string {
  const parts = [
    ...ranges.map(([first, last]) => `${hex(first)}-${hex(last)}`),
    ...classes.map((name) => written[name]),
  ];
  return `[${negated ? "^" : ""}${parts.join("")}]`;
}

function hex(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

function writeBounds(least: number, most: number): string {
  if (most === Number.POSITIVE_INFINITY) return least === 0 ? "*" : least === 1 ? "+" : `{${least},}`;
  return least === 0 && most === 1 ? "?" : `{${least},${most}}`;
}
