/**
 * What to grep for, ready to match lines: texts as they stand, or a regular expression.
 */
import { foldCase } from "../text/normalize.ts";
import { Automaton } from "./automaton.ts";
import type { GrepPattern } from "./grep.ts";
import { wantedOf } from "./grep-needs.ts";
import { type GrepNode, parsePattern, splitPattern } from "./grep-syntax.ts";

/** Texts to look for before an expression is tried: more, or shorter ones, are no faster than the expression. */
const MAX_TEXTS = 8;
const LEAST_LENGTH = 1;
/** Flags that change nothing within a line, and `i`. */
const FLAGS = /^\(\?[imsu]+\)/;

/**
 * The pattern of a regular expression, with `(?i)` in front as `rg` takes it.
 *
 * @param isWord Whether only whole words match: no letter, digit or `_` next to them.
 * @throws {InputError} where it is none, or one that is not taken.
 */
export function compileExpression(pattern: string, caseSensitive: boolean, isWord = false): GrepPattern {
  const flags = FLAGS.exec(pattern)?.[0] ?? "";
  return compileNode(parsePattern(pattern.slice(flags.length)), caseSensitive && !flags.includes("i"), isWord);
}

/** The pattern of a text as it stands, each line of it by itself. @throws {InputError} where it is empty. */
export function compileText(text: string, caseSensitive: boolean, isWord = false): GrepPattern {
  const nodes = splitPattern(text).map((line): GrepNode => ({ kind: "text", text: line }));
  return compileNode({ kind: "choice", nodes }, caseSensitive, isWord);
}

function compileNode(written: GrepNode, caseSensitive: boolean, isWord: boolean): GrepPattern {
  const node: GrepNode = isWord
    ? {
        kind: "sequence",
        nodes: [{ kind: "place", place: "no-word-before" }, written, { kind: "place", place: "no-word-behind" }],
      }
    : written;
  const automaton = new Automaton(node, caseSensitive);
  const texts = certainTexts(node);
  return {
    need: wantedOf(node),
    work: automaton,
    finder: lengthOf(texts) < LEAST_LENGTH ? () => (from) => from : finderOf(texts, caseSensitive),
    matches: (text, begin, end) => automaton.matches(text, begin, end),
    start: (line) => automaton.start(line),
  };
}

/** Finds the first of some texts from a place on, -1 where there is none of them. */
function finderOf(texts: readonly string[], caseSensitive: boolean): GrepPattern["finder"] {
  const fold = caseSensitive ? (text: string) => text : foldCase;
  const wanted = texts.map(fold);
  return (text) => {
    const folded = fold(text);
    const next = wanted.map(() => -1);
    return (from) => {
      for (const [at, one] of wanted.entries()) {
        if ((next[at] as number) >= from) continue;
        const found = folded.indexOf(one, from);
        next[at] = found < 0 ? Number.POSITIVE_INFINITY : found;
      }
      const first = Math.min(...next);
      return first === Number.POSITIVE_INFINITY ? -1 : first;
    };
  };
}

/** Texts of which each match holds one; none where that is not known. */
function certainTexts(node: GrepNode): readonly string[] {
  switch (node.kind) {
    case "text":
      return [node.text];
    case "repeat":
      return node.least > 0 ? certainTexts(node.node) : [];
    case "sequence":
      return node.nodes.map(certainTexts).reduce((best, one) => (lengthOf(one) > lengthOf(best) ? one : best), []);
    case "choice": {
      const branches = node.nodes.map(certainTexts);
      const texts = branches.flat();
      return branches.some((one) => one.length === 0) || texts.length > MAX_TEXTS ? [] : texts;
    }
    default:
      return [];
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.length === 0 ? 0 : Math.min(...texts.map(({ length }) => length));
}
