/**
 * What a text must hold for a pattern to match in it: a formula of grams, from a literal or a regular expression.
 *
 * After Russ Cox, "Regular Expression Matching with a Trigram Index" (2012), https://swtch.com/~rsc/regexp/regexp4.html:
 * for each part of a pattern the strings that it matches, where they are few, else how those strings begin and end and
 * what they hold for certain. Parts put together give longer strings and so more grams. A formula may ask for too
 * little, never for too much. Pure.
 */
import { foldCase } from "../text/normalize.ts";
import { gramsOf } from "../text/word-keys.ts";
import type { CharacterSet, GrepNode } from "./grep-syntax.ts";

/** What a text must hold: nothing in particular, a gram, all of some things or one of them. */
export type Need =
  | { readonly kind: "nothing" }
  | { readonly kind: "gram"; readonly gram: string }
  | { readonly kind: "all"; readonly needs: readonly Need[] }
  | { readonly kind: "one"; readonly needs: readonly Need[] };

/** More strings than this are known by their ends only. */
const MAX_EXACT = 24;
/** More ends than this are cut shorter. */
const MAX_ENDS = 24;
/** Ends of so many characters make every gram across a border. */
const MAX_END_LENGTH = 3;
/** A set of more characters is any character. */
const MAX_SET = 12;
/** A counted repetition is written out up to so often. */
const MAX_COPIES = 6;

const HUMP = /[a-z0-9][A-Z]/g;

const NOTHING: Need = { kind: "nothing" };

interface Facts {
  /** All strings that the part matches, case folded; undefined where there are too many. */
  readonly exact: readonly string[] | undefined;
  /** With `exact` the same; else what each match begins and ends with. */
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  readonly need: Need;
}

const EMPTY: Facts = exactly([""]);
const UNKNOWN: Facts = { exact: undefined, starts: [""], ends: [""], need: NOTHING };

/** What a text must hold for one of these texts to be in it, whatever the case. */
export function needsOfTexts(texts: readonly string[]): Need {
  return oneOf(texts.map((text) => allOf(gramsOf(text).map((gram): Need => ({ kind: "gram", gram })))));
}

/** What a text must hold for a pattern to match in it. */
export function needsOfPattern(node: GrepNode): Need {
  return settle(factsOf(node)).need;
}

/**
 * Grams across the humps of `camelCase` names in these texts, which are rare wherever they come from: few words
 * hold the end of one word and the beginning of the other.
 */
export function humpsOf(texts: readonly string[]): ReadonlySet<string> {
  const humps = new Set<string>();
  for (const text of texts) {
    for (const { index } of text.matchAll(HUMP)) {
      for (const gram of gramsOf(text.slice(Math.max(0, index - 1), index + 3))) humps.add(gram);
    }
  }
  return humps;
}

/** The texts that a pattern holds. */
export function textsIn(node: GrepNode): string[] {
  if (node.kind === "text") return [node.text];
  if (node.kind === "repeat") return textsIn(node.node);
  return node.kind === "sequence" || node.kind === "choice" ? node.nodes.flatMap(textsIn) : [];
}

function factsOf(node: GrepNode): Facts {
  switch (node.kind) {
    case "text":
      return exactly([foldCase(node.text)]);
    case "set":
      return factsOfSet(node.set);
    case "any":
      return UNKNOWN;
    case "place":
      return EMPTY;
    case "sequence":
      return node.nodes.map(factsOf).reduce(join, EMPTY);
    case "choice":
      return node.nodes.map(factsOf).reduce(either);
    case "repeat":
      return factsOfRepeat(factsOf(node.node), node.least, node.most);
  }
}

function factsOfSet({ negated, ranges, classes }: CharacterSet): Facts {
  if (negated || classes.length > 0) return UNKNOWN;
  const size = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (size > MAX_SET) return UNKNOWN;
  const characters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => foldCase(String.fromCodePoint(first + at))),
  );
  return exactly(unique(characters));
}

function factsOfRepeat(facts: Facts, least: number, most: number): Facts {
  if (least === 0) return most === 1 ? either(facts, EMPTY) : UNKNOWN;
  if (least === most && least <= MAX_COPIES) return Array.from({ length: least }, () => facts).reduce(join);
  // Once at the start, once at the end, and anything between.
  const { starts, ends, need } = settle(facts);
  return { exact: undefined, starts, ends, need };
}

/** One part behind the other. */
function join(before: Facts, behind: Facts): Facts {
  if (before.exact !== undefined && behind.exact !== undefined) {
    const strings = cross(before.exact, behind.exact);
    return strings.length <= MAX_EXACT ? exactly(strings) : settle(exactly(strings));
  }
  const starts = before.exact === undefined ? before.starts : cross(before.exact, behind.starts);
  const ends = behind.exact === undefined ? behind.ends : cross(before.ends, behind.exact);
  const border = needsOfTexts(cross(before.exact ?? before.ends, behind.exact ?? behind.starts));
  const need = allOf([before.need, behind.need, border]);
  return { exact: undefined, starts: shorten(starts, takeStart), ends: shorten(ends, takeEnd), need };
}

/** One part or the other. */
function either(one: Facts, other: Facts): Facts {
  if (one.exact !== undefined && other.exact !== undefined) {
    const strings = unique([...one.exact, ...other.exact]);
    return strings.length <= MAX_EXACT ? exactly(strings) : settle(exactly(strings));
  }
  const [a, b] = [settle(one), settle(other)];
  return {
    exact: undefined,
    starts: shorten(unique([...a.starts, ...b.starts]), takeStart),
    ends: shorten(unique([...a.ends, ...b.ends]), takeEnd),
    need: oneOf([a.need, b.need]),
  };
}

/** The facts with what is known of exact strings moved to the need, and their ends alone kept. */
function settle(facts: Facts): Facts {
  if (facts.exact === undefined) return facts;
  return {
    exact: undefined,
    starts: shorten(facts.exact, takeStart),
    ends: shorten(facts.exact, takeEnd),
    need: allOf([facts.need, needsOfTexts(facts.exact)]),
  };
}

function exactly(strings: readonly string[]): Facts {
  return { exact: strings, starts: strings, ends: strings, need: NOTHING };
}

function cross(before: readonly string[], behind: readonly string[]): string[] {
  return unique(before.flatMap((one) => behind.map((other) => one + other)));
}

/** Ends of at most `MAX_END_LENGTH` characters, shorter where there are too many. */
function shorten(strings: readonly string[], take: (text: string, length: number) => string): readonly string[] {
  for (let length = MAX_END_LENGTH; length > 0; length--) {
    const cut = unique(strings.map((text) => take(text, length)));
    if (cut.length <= MAX_ENDS) return cut;
  }
  return [""];
}

function takeStart(text: string, length: number): string {
  return Array.from(text.slice(0, 2 * length))
    .slice(0, length)
    .join("");
}

function takeEnd(text: string, length: number): string {
  return Array.from(text).slice(-length).join("");
}

function unique(strings: readonly string[]): string[] {
  return [...new Set(strings)];
}

function allOf(needs: readonly Need[]): Need {
  const flat = needs.flatMap((need) => (need.kind === "all" ? need.needs : need.kind === "nothing" ? [] : [need]));
  const seen = new Set<string>();
  const once = flat.filter((need) => need.kind !== "gram" || (!seen.has(need.gram) && seen.add(need.gram)));
  if (once.length === 0) return NOTHING;
  return once.length === 1 ? (once[0] as Need) : { kind: "all", needs: once };
}

function oneOf(needs: readonly Need[]): Need {
  if (needs.some(({ kind }) => kind === "nothing")) return NOTHING;
  const flat = needs.flatMap((need) => (need.kind === "one" ? need.needs : [need]));
  return flat.length === 1 ? (flat[0] as Need) : { kind: "one", needs: flat };
}
