/**
 * The plain way to find a phrase: read every section of every page as it is indexed, word by word.
 */
import { cutUnits } from "../../indexer/index/cut-units.ts";
import { parseMarkdown } from "../../indexer/parse/markdown/parse.ts";
import { analyzeText } from "../../src/core/text/analyze.ts";
import type { Pages } from "./build-index.ts";

/** Paths of the pages of which some section holds the terms side by side; a heading stands before its section's text. */
export function scanForPhrase(pages: Pages, terms: readonly string[]): string[] {
  return Object.keys(pages)
    .filter((path) => readSections(path, pages[path] ?? "").some((section) => holds(section, terms)))
    .sort();
}

/** The terms of each section in order, wholes of identifiers left out. */
function readSections(path: string, text: string): string[][] {
  const parsed = parseMarkdown({ path, text });
  const sections = parsed.sections.map(({ title }, at) => [at === 0 ? parsed.title : title]);
  for (const { section, texts } of cutUnits(parsed, text)) {
    for (const { text: visible } of texts) sections[section]?.push(visible);
  }
  return sections.map((texts) =>
    texts.flatMap((visible) =>
      analyzeText(visible)
        .filter(({ kind }) => kind !== "whole")
        .map(({ term }) => term),
    ),
  );
}

function holds(section: readonly string[], terms: readonly string[]): boolean {
  return section.some((_, at) => terms.every((term, next) => section[at + next] === term));
}
