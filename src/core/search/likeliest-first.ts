/**
 * The order in which documents are read for a phrase: those first whose text is likeliest to hold it for what reading it
 * costs. Documents whose texts lie beside one another come in one read, so they are taken together.
 *
 * Where texts lie is reckoned as if all documents had been written at once, in their order: an index that was built on
 * another one gives the same answer. Pure.
 */
import { countUnits, findBlock, hasDocument, type Locator } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { IndexReader, VisibleShard } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";
import { documentOrder } from "../index/shards.ts";
import { type ByteRange, coalesceRanges, MAX_GAP_BYTES } from "../index/waves.ts";
import type { PhraseJudge } from "./phrases.ts";
import { listOpen, listReads } from "./phrases.ts";
import type { Requirement } from "./query.ts";
import type { ScoredDocument } from "./score.ts";

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
  /** Place in the order that was asked for. */
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
  const startOf = layOut(reader);
  const runs = joinRuns(others.map((document) => toRun(reader, document, asked, judge, startOf)));
  runs.sort((a, b) => rateOf(b) - rateOf(a) || firstOf(a) - firstOf(b));
  return [...sure, ...runs.flatMap(({ documents }) => documents.map(({ scored }) => scored))];
}

/** Where the text of a document of a visible shard begins. */
type StartOf = (shard: number, document: number) => number;

/** The texts of all documents one behind the other, in their order. */
function layOut(reader: IndexReader): StartOf {
  const { shards } = reader;
  const starts = shards.map(({ root }) => new Float64Array(root.slots));
  const locators = shards.map(({ index }) => residentTable(reader, index, "locator"));
  const all = locators.flatMap((locator, shard) =>
    Array.from({ length: locator.slots }, (_, document) => document)
      .filter((document) => hasDocument(locator, document))
      .map((document) => ({ shard, document })),
  );
  const compare = documentOrder(shards);
  all.sort((a, b) => compare(a.shard, a.document, b.shard, b.document));
  let end = 0;
  for (const { shard, document } of all) {
    const locator = locators[shard] as Locator;
    (starts[shard] as Float64Array)[document] = end;
    const first = findBlock(locator, document, FIRST_TEXT_UNIT);
    const last = findBlock(locator, document, FIRST_TEXT_UNIT + countUnits(locator, document) - 1);
    end += last.offset + last.length - first.offset;
  }
  return (shard, document) => starts[shard]?.[document] ?? 0;
}

function toRun(
  reader: IndexReader,
  document: OpenDocument,
  asked: readonly Requirement[],
  judge: PhraseJudge,
  startOf: StartOf,
): Run {
  const { scored, chance } = document;
  const { index, root } = reader.shards[scored.shard] as VisibleShard;
  const first = findBlock(residentTable(reader, index, "locator"), scored.document, FIRST_TEXT_UNIT);
  const start = startOf(scored.shard, scored.document) - first.offset;
  const reads = listReads(reader, scored, listOpen(scored, asked, judge));
  const ranges = coalesceRanges(
    reads.map(
      ({ read: { place } }): ByteRange => ({ file: root.group, offset: start + place.offset, length: place.length }),
    ),
  );
  const bytes = ranges.reduce((sum, { length }) => sum + length, 0);
  const from = ranges[0]?.offset ?? 0;
  const last = ranges.at(-1);
  const range = { file: root.group, offset: from, length: last === undefined ? 0 : last.offset + last.length - from };
  return { documents: [document], range, cost: bytes + Math.max(1, ranges.length) * MAX_GAP_BYTES, chance };
}

/** Runs of neighbours, as far as one read for all is a better buy than one for the best of them. */
function joinRuns(single: readonly Run[]): Run[] {
  const inOrder = [...single].sort(
    (a, b) =>
      (a.range.file === b.range.file ? a.range.offset - b.range.offset : a.range.file < b.range.file ? -1 : 1) ||
      firstOf(a) - firstOf(b),
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

/** Place of the best document. */
function firstOf({ documents }: Run): number {
  return Math.min(...documents.map(({ at }) => at));
}
