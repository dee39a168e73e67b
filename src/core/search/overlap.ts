/**
 * How much two texts say the same in the same words.
 *
 * What is compared are runs of adjacent words (shingles: Broder, "On the resemblance and containment of documents",
 * 1997), stemmed, markup left out. Similarity is the larger of two shares: of the draft's runs of two that the section
 * has, and of the section's runs of three that the draft has. The second finds a section inside a longer draft; its
 * runs are longer because a long draft has most pairs of a short section by chance. A copy is 1, a copy with every
 * tenth word changed .7 or more, the same subject in other words mostly below .3: `bench/quality/similarity.ts`.
 *
 * The measure depends on the two texts alone, not on what else is indexed. Pure.
 */
import { type Analyzer, countsAsWord, ENGLISH, type TermVisitor, visitTerms } from "../text/analyze.ts";
import { stripMarkup } from "../text/markup.ts";

const PAIR = 2;
const TRIPLE = 3;
/** A section of fewer runs is measured as if it had so many: a heading and a link are soon part of any draft. */
const LEAST_SECTION_RUNS = 30;

/** A text made ready for comparing. */
export interface ComparedText {
  /** What a reader sees of it. */
  readonly text: string;
  /** Its words as terms, stop words too, with their places in `text`. */
  readonly words: readonly ComparedWord[];
  readonly pairs: ReadonlySet<string>;
  readonly triples: ReadonlySet<string>;
}

/** One word of a compared text. */
interface ComparedWord {
  readonly term: string;
  readonly stop: boolean;
  readonly start: number;
  readonly end: number;
}

/** How a draft and a section overlap. */
interface Overlap {
  /** 0 to 1. */
  readonly similarity: number;
  /** Share of all pairs of either that both have: 1 only for texts of the same words. Orders what is equally similar. */
  readonly resemblance: number;
}

/** Make a Markdown source ready for comparing. @param isStart Whether it may begin with frontmatter. */
export function prepareText(source: string, isStart: boolean, analyzer: Analyzer = ENGLISH): ComparedText {
  const text = stripMarkup(source, isStart);
  const words: ComparedWord[] = [];
  const visit: TermVisitor = (term, kind, stop, start, end) => {
    if (countsAsWord(kind)) words.push({ term, stop, start, end });
  };
  visitTerms(text, visit, analyzer);
  return { text, words, pairs: runsOf(words, PAIR), triples: runsOf(words, TRIPLE) };
}

/** Compare. @param isWhole False where `section` is a part of a section: then it is not looked for inside the draft. */
export function measureOverlap(draft: ComparedText, section: ComparedText, isWhole: boolean): Overlap {
  const shared = countShared(draft.pairs, section.pairs);
  const inSection = shared / Math.max(1, draft.pairs.size);
  const inDraft = isWhole
    ? countShared(section.triples, draft.triples) / Math.max(LEAST_SECTION_RUNS, section.triples.size)
    : 0;
  const all = draft.pairs.size + section.pairs.size - shared;
  return { similarity: Math.max(inSection, inDraft), resemblance: shared / Math.max(1, all) };
}

/** The longest stretch of the section's text that stands in the draft word for word, `""` where no two words do. */
export function findSharedText(draft: ComparedText, { text, words }: ComparedText): string {
  let best = { from: 0, to: 0 };
  let from = 0;
  for (let at = 1; at < words.length; at++) {
    if (!draft.pairs.has(runAt(words, at - 1, PAIR))) from = at;
    else if (at - from > best.to - best.from) best = { from, to: at };
  }
  return best.to === best.from ? "" : text.slice(words[best.from]?.start, words[best.to]?.end);
}

function runsOf(words: readonly ComparedWord[], length: number): Set<string> {
  const runs = new Set<string>();
  for (let at = 0; at + length <= words.length; at++) runs.add(runAt(words, at, length));
  return runs;
}

function runAt(words: readonly ComparedWord[], at: number, length: number): string {
  let run = words[at]?.term ?? "";
  for (let next = at + 1; next < at + length; next++) run += ` ${words[next]?.term}`;
  return run;
}

function countShared(some: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const run of some) if (others.has(run)) shared++;
  return shared;
}
