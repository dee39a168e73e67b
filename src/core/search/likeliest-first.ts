/**
 * The order in which documents are read for a phrase: those first whose text is likeliest to hold it for what reading it
 * costs. Documents whose texts lie beside one another come in one read, so they are taken together. Pure.
 */
import type { IndexReader } from "../index/index-reader.ts";
import { type ByteRange, coalesceRanges, MAX_GAP_BYTES } from "../index/waves.ts";
import { listOpen, listReads } from "./open-requirements.ts";
import type { PhraseJudge } from "./phrases.ts";
import type { Requirement } from "./query.ts";
import type { ScoredDocument } from "./scoring.ts";

/** Bytes that neighbours are taken together for at most: a round reads several places. */
const MAX_RUN_BYTES = 8192;

/** Documents that one read gets. */
interface Run {
  readonly documents: readonly OpenDocument[];
  readonly range: ByteRange;
  /** Reads and bytes as bytes: a read is worth as many as are read through to save one. */
  readonly cost: number;
  /** Documents of it that are likely to hold the phrase. */
  readonly chance: number;
}

interface OpenDocument {
  readonly scored: ScoredDocument;
  readonly chance: number;
  /** Place in the order of scores. */
  readonly at: number;
}

/**
 * The documents in the order in which they are checked and shown: those that the index is sure of as they stand, then
 * those that are the best buys. Without phrases nothing moves.
 *
 * @param end Documents that are asked for, from the first one on: where the index is sure of so many the others stay.
 */
export function likeliestFirst(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  requirements: readonly Requirement[],
  judge: PhraseJudge,
  end: number,
): readonly ScoredDocument[] {
  const asked = requirements.filter(({ negated }) => !negated);
  if (asked.length === 0) return ranked;
  const sure: ScoredDocument[] = [];
  const others: OpenDocument[] = [];
  for (const [at, scored] of ranked.entries()) {
    const open = listOpen(scored, asked, judge);
    if (open.length === 0) sure.push(scored);
    else {
      const chances = open.map(({ verdicts }) => Math.max(...verdicts.map(({ chance = 0 }) => chance)));
      others.push({ scored, at, chance: chances.reduce((product, chance) => product * chance, 1) });
    }
  }
  if (sure.length >= end) return [...sure, ...others.map(({ scored }) => scored)];
  const runs = joinRuns(others.map((document) => toRun(reader, document, asked, judge)));
  runs.sort((a, b) => rateOf(b) - rateOf(a) || firstOf(a) - firstOf(b));
  return [...sure, ...runs.flatMap(({ documents }) => documents.map(({ scored }) => scored))];
}

function toRun(
  reader: IndexReader,
  document: OpenDocument,
  asked: readonly Requirement[],
  judge: PhraseJudge,
): Run {
  const { scored, chance } = document;
  const reads = listReads(reader, scored, listOpen(scored, asked, judge));
  const ranges = coalesceRanges(reads.map(({ read }) => reader.rangeOf(read.place)));
  const bytes = ranges.reduce((sum, { length }) => sum + length, 0);
  const [first] = ranges;
  const last = ranges.at(-1);
  const range =
    first === undefined || last === undefined
      ? { file: "", offset: 0, length: 0 }
      : { ...first, length: last.offset + last.length - first.offset };
  return { documents: [document], range, cost: bytes + Math.max(1, ranges.length) * MAX_GAP_BYTES, chance };
}

/** Runs of neighbours, as far as one read for all is a better buy than one for the best of them. */
function joinRuns(single: readonly Run[]): Run[] {
  const inOrder = [...single].sort(
    (a, b) => (a.range.file === b.range.file ? a.range.offset - b.range.offset : a.range.file < b.range.file ? -1 : 1) || firstOf(a) - firstOf(b),
  );
  const joined: Run[] = [];
  for (const run of inOrder) {
    let last = run;
    for (let before = joined.at(-1); before !== undefined; before = joined.at(-1)) {
      const both = join(before, last);
      if (both === undefined || rateOf(both) < Math.max(rateOf(before), rateOf(last))) break;
      joined.pop();
      last = both;
    }
    joined.push(last);
  }
  return joined;
}

/** Two runs as one read; undefined where they are not neighbours. */
function join(a: Run, b: Run): Run | undefined {
  const gap = b.range.offset - a.range.offset - a.range.length;
  const length = b.range.offset + b.range.length - a.range.offset;
  if (a.range.file !== b.range.file || gap < 0 || gap > MAX_GAP_BYTES || length > MAX_RUN_BYTES) return undefined;
  return {
    documents: [...a.documents, ...b.documents],
    range: { ...a.range, length },
    cost: a.cost + gap + b.cost - MAX_GAP_BYTES,
    chance: a.chance + b.chance,
  };
}

function rateOf({ chance, cost }: Run): number {
  return chance / cost;
}

/** Place of the best document in the order of scores. */
function firstOf({ documents }: Run): number {
  return Math.min(...documents.map(({ at }) => at));
}
