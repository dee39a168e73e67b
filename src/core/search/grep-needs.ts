/**
 * What a text must hold for a pattern to match in it: a formula of grams, after Russ Cox, "Regular Expression Matching with a
 * Trigram Index" (2012), https://swtch.com/~rsc/regexp/regexp4.html. For each part of a pattern the strings that it matches, where
 * they are few, else what they hold for certain; strings of neighbouring parts are joined. A formula may ask for too little,
 * never for too much.
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

/** More strings than this are not told one by one. */
const MAX_EXACT = 24;
/** A set of more characters is any character. */
const MAX_SET = 12;
/** A counted repetition is written out up to so often. */
const MAX_COPIES = 6;

const NOTHING: Need = { kind: "nothing" };

/** All strings that a part matches, case folded, or what they hold where there are too many. */
type Facts = readonly string[] | Need;

/** What a text must hold for any of its lines to match. */
export function wantedOf(node: GrepNode): Need {
  return settle(factsOf(node));
}

function factsOf(node: GrepNode): Facts {
  switch (node.kind) {
    case "text":
      return [foldCase(node.text)];
    case "set":
      return factsOfSet(node.set);
    case "any":
      return NOTHING;
    case "place":
      return [""];
    case "sequence":
      return join(node.nodes.map(factsOf));
    case "choice":
      return either(node.nodes.map(factsOf));
    case "repeat": {
      const { least, most } = node;
      const facts = factsOf(node.node);
      if (least === 0) return most === 1 ? either([facts, [""]]) : NOTHING;
      return least === most && least <= MAX_COPIES ? join(Array<Facts>(least).fill(facts)) : settle(facts);
    }
  }
}

function factsOfSet({ negated, ranges, classes, others }: CharacterSet): Facts {
  const size = ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (negated || classes.length > 0 || others !== undefined || size > MAX_SET) return NOTHING;
  const characters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, at) => foldCase(String.fromCodePoint(first + at))),
  );
  return unique(characters);
}

function join(parts: readonly Facts[]): Facts {
  const needs: Need[] = [];
  /** Strings of the parts since the last one that has too many. */
  let run: readonly string[] = [""];
  for (const part of parts) {
    const joined = isExact(part) ? unique(run.flatMap((one) => part.map((other) => one + other))) : [];
    if (isExact(part) && joined.length <= MAX_EXACT) {
      run = joined;
      continue;
    }
    needs.push(settle(run), isExact(part) ? NOTHING : part);
    run = isExact(part) ? part : [""];
  }
  return needs.length === 0 ? run : allOf([...needs, settle(run)]);
}

function either(parts: readonly Facts[]): Facts {
  const strings = unique(parts.flatMap((part) => (isExact(part) ? part : [])));
  return parts.every(isExact) && strings.length <= MAX_EXACT ? strings : oneOf(parts.map(settle));
}

function isExact(facts: Facts): facts is readonly string[] {
  return Array.isArray(facts);
}

function settle(facts: Facts): Need {
  if (!isExact(facts)) return facts;
  return oneOf(facts.map((text) => allOf(gramsOf(text).map((gram): Need => ({ kind: "gram", gram })))));
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
