/**
 * How a score came about, as text lines and as JSON.
 *
 * Pure: an explanation of the search in, lines and values out.
 */
import type { Explanation } from "../../core/search/answer.ts";
import type { JsonObject } from "./answer.ts";
import { roundScore, roundTo } from "./numbers.ts";

/** Terms shown of a word that stands for several. */
const MAX_TERMS = 5;
const SHOWN_DIGITS = 2;

/** Lines below a hit: the sum, then what each word gives, then what each section is worth. */
export function formatExplanation({
  words,
  wholeTitle,
  pairs,
  sections,
  sectionsTotal,
  collectionWeight,
}: Explanation): string[] {
  const fields = (["body", "title", "path", "description"] as const).map((field): [string, number] => [
    field,
    words.reduce((sum, word) => sum + word[field], 0),
  ]);
  const parts = [
    ...fields,
    ["whole title", wholeTitle] as const,
    ["pairs", pairs] as const,
    ["sections", sectionsTotal] as const,
  ];
  const weight = collectionWeight === 1 ? "" : `, × ${shown(collectionWeight)} for the collection`;
  return [
    `score = ${sum(parts)}${weight}`,
    ...words.map(({ word, terms, body, title, path, description }) => {
      const others = terms.filter((term) => term !== word).slice(0, MAX_TERMS);
      const name = others.length > 0 ? `${word} (${others.join(", ")})` : word;
      return `${name}: ${sum([
        ["body", body],
        ["title", title],
        ["path", path],
        ["description", description],
      ])}`;
    }),
    ...sections.map(
      ({ ordinal, share, text, heading, title, coverage }) =>
        `#n${ordinal} × ${shown(share)}: ${sum([
          ["text", text],
          ["heading", heading],
          ["title", title],
          ["coverage", coverage],
        ])}`,
    ),
  ];
}

/** The same as JSON, numbers rounded. */
export function toExplanationJson(explanation: Explanation): JsonObject {
  return roundNumbers(explanation) as JsonObject;
}

function roundNumbers(value: unknown): unknown {
  if (typeof value === "number") return roundScore(value);
  if (Array.isArray(value)) return value.map(roundNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, roundNumbers(member)]));
}

function sum(parts: readonly (readonly [string, number])[]): string {
  const there = parts.filter(([, value]) => value !== 0);
  return there.length === 0 ? "0" : there.map(([name, value]) => `${name} ${shown(value)}`).join(" + ");
}

function shown(value: number): string {
  return String(roundTo(value, SHOWN_DIGITS));
}
