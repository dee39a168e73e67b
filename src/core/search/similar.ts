/**
 * Similar sections: a draft in, the sections out that say the same in the same words.
 *
 * Wave one: the draft is cut into stretches, the posting lists of each stretch's most telling terms are read (at most `MAX_TERMS`
 * chunks a shard), and the units that hold them best, by BM25, name the candidates. Wave two: the text of the candidates, at most
 * `MAX_BLOCKS` blocks, compared word for word (`measureOverlap`). Wave three: the outlines of what is shown.
 */
import { utf8Length } from "../bytes/encodings.ts";
import { indexOfNumber } from "../bytes/numbers.ts";
import { loadOutlines } from "../docs/documents.ts";
import type { DocumentOutline, OutlineSection } from "../docs/model.ts";
import { makeDocumentId } from "../docs/node-id.ts";
import { InputError } from "../errors.ts";
import { collectionOf, countUnits, hasDocument, type Locator, sectionsOfUnits, unitLength } from "../format/locator.ts";
import { FIRST_TEXT_UNIT, type PostingList, visitUnits } from "../format/postings.ts";
import type { TextBlock } from "../format/text-block.ts";
import type { Cost } from "../index/cost.ts";
import type { BlockRead, IndexReader } from "../index/index-reader.ts";
import { blockReads, residentTable } from "../index/resident.ts";
import { type Analyzer, countsAsWord, ENGLISH, type TermVisitor, visitTerms } from "../text/analyze.ts";
import { stripMarkup } from "../text/markup.ts";
import { compareNames } from "../text/names.ts";
import { DEFAULT_RANKING, inverseDocumentFrequency, saturate, sumStatistics } from "./ranking.ts";
import { readPostings } from "./read-words.ts";
import { compareDocuments } from "./score.ts";
import { analyzerOfDocument, listAnalyzers } from "./search-languages.ts";

/** Blocks of text that are read. */
const MAX_BLOCKS = 48;
/** Sections that are compared, unless more are asked for. */
const LEAST_CANDIDATES = 16;
/** A draft needs so many different words that carry meaning: fewer are in any text by chance. */
const LEAST_WORDS = 4;
/** Characters of a unit of a long section, at least about so many: sections are cut into pieces of about 220 words. */
const BLOCK_CHARACTERS = 1100;
/** Blocks of a long section that are read at most to look on both sides of its best unit. */
const BOTH_SIDES_BLOCKS = 8;

interface SimilarRequest {
  readonly content: string;
  /** Sections to return. */
  readonly limit: number;
  /** Least similarity, 0 to 1. */
  readonly threshold: number;
  /** Only this collection; undefined = all that the caller may see. */
  readonly collection: string | undefined;
}

export interface SimilarSection {
  readonly outline: DocumentOutline;
  readonly section: OutlineSection;
  /** 0 to 1; 1 where one of the two texts holds the other. */
  readonly similarity: number;
  /** Longest stretch of the section that the draft has word for word. */
  readonly shared: string;
}

interface SimilarAnswer {
  /** Best first, at most `limit`, all at or above the threshold. */
  readonly sections: readonly SimilarSection[];
  /** The best one where all are below the threshold. */
  readonly nearest: SimilarSection | undefined;
  /** Sections that were compared word for word. */
  readonly compared: number;
  readonly cost: Cost;
}

/** A part of a section's blocks that is read. */
interface Window {
  readonly candidate: Candidate;
  readonly reads: readonly BlockRead[];
  readonly isWhole: boolean;
}

interface Measured {
  readonly id: string;
  readonly ordinal: number;
  readonly similarity: number;
  readonly resemblance: number;
  readonly text: ComparedText;
  readonly draft: ComparedText;
}

/**
 * Sections that overlap with a draft.
 *
 * @throws {InputError} for a draft of too few words.
 */
export async function findSimilar(reader: IndexReader, request: SimilarRequest): Promise<SimilarAnswer> {
  const { content, collection } = request;
  const count = Math.max(LEAST_CANDIDATES, request.limit);
  // The draft is read in each language that is searched, and compared with documents of that language.
  const drafts = new Map(
    listAnalyzers(reader, collection === undefined ? [] : [collection]).map((analyzer) => [
      analyzer,
      prepareText(content, true, analyzer),
    ]),
  );
  checkWords([...drafts.values()]);
  const candidates: Candidate[] = [];
  for (const [analyzer, draft] of drafts) {
    const accepts: DocumentTest = (shard, document) =>
      (collection === undefined || collectionNameOf(reader, shard, document) === collection) &&
      analyzerOfDocument(reader, shard, document) === analyzer;
    candidates.push(...(await findCandidates(reader, draft, accepts, count)));
  }
  const windows = chooseWindows(reader, candidates, request.content.length);
  const { blocks } = await reader.read(
    [],
    windows.flatMap(({ reads }) => reads),
  );
  const measured = measure(reader, drafts, windows, blocks);
  reader.countScored(measured.length);
  const passing = measured.filter(({ similarity }) => similarity >= request.threshold);
  const shown = passing.length > 0 ? passing.slice(0, request.limit) : measured.slice(0, 1);
  const sections = await describe(reader, shown);
  return {
    sections: passing.length > 0 ? sections : [],
    nearest: passing.length > 0 ? undefined : sections[0],
    compared: windows.length,
    cost: reader.cost,
  };
}

/** @throws {InputError} for a draft that is too short. */
function checkWords(drafts: readonly ComparedText[]): void {
  const count = ({ words }: ComparedText): number =>
    new Set(words.filter(({ stop }) => !stop).map(({ term }) => term)).size;
  const different = Math.max(...drafts.map(count));
  if (different >= LEAST_WORDS) return;
  throw new InputError(
    `content has ${different} different ${different === 1 ? "word" : "words"} beside the most common ones; at least ${LEAST_WORDS} are needed. Give the paragraph or section as it would be written, or ask search_documents.`,
  );
}

/** What is read of each candidate: all its blocks, or of a long section as much as the draft could be a part of. */
function chooseWindows(reader: IndexReader, candidates: readonly Candidate[], draftCharacters: number): Window[] {
  const blocks = Math.ceil(draftCharacters / BLOCK_CHARACTERS);
  // The draft may begin or end at the best unit: a short one is looked for on both sides of it.
  const most = Math.max(blocks + 1, Math.min(2 * blocks + 1, BOTH_SIDES_BLOCKS));
  const windows: Window[] = [];
  let left = MAX_BLOCKS;
  for (const candidate of candidates) {
    const { shard, document, from, to, bestUnit } = candidate;
    const own = Array.from({ length: to - from }, (_, at) => from + at);
    const start = Math.max(0, Math.min(bestUnit - from - Math.floor(most / 2), own.length - most));
    const chosen = own.slice(start, start + most);
    if (chosen.length > left) continue;
    left -= chosen.length;
    const reads = blockReads(reader, reader.shards[shard]?.index ?? 0, document, chosen);
    windows.push({ candidate, reads, isWhole: chosen.length === own.length });
  }
  return windows;
}

/** Compared, best first; of equally similar ones the one that is most like the draft. */
function measure(
  reader: IndexReader,
  drafts: ReadonlyMap<Analyzer, ComparedText>,
  windows: readonly Window[],
  blocks: readonly TextBlock[],
): Measured[] {
  let next = 0;
  const measured = windows.map(({ candidate, reads, isWhole }): Measured => {
    const { ordinal, document } = candidate;
    const shard = reader.shards[candidate.shard]?.index ?? 0;
    const analyzer = analyzerOfDocument(reader, shard, document);
    const draft = drafts.get(analyzer) as ComparedText;
    let source = "";
    let path = "";
    for (const block of blocks.slice(next, next + reads.length)) {
      path = block.path;
      source += block.text;
    }
    next += reads.length;
    reader.countScanned(utf8Length(source));
    const text = prepareText(source, ordinal === 0, analyzer);
    const id = makeDocumentId(collectionNameOf(reader, shard, document), path);
    return { id, ordinal, text, draft, ...measureOverlap(draft, text, isWhole) };
  });
  return measured.sort(
    (a, b) =>
      b.similarity - a.similarity || b.resemblance - a.resemblance || compareNames(a.id, b.id) || a.ordinal - b.ordinal,
  );
}

/** Name of a document's collection. `shard` is its index in the root. */
function collectionNameOf(reader: IndexReader, shard: number, document: number): string {
  return reader.collectionAt(collectionOf(residentTable(reader, shard, "locator"), document)).name;
}

async function describe(reader: IndexReader, shown: readonly Measured[]): Promise<SimilarSection[]> {
  const ids = [...new Set(shown.map(({ id }) => id))];
  const outlines = await loadOutlines(reader, ids);
  return shown.flatMap(({ id, ordinal, similarity, text, draft }) => {
    const outline = outlines[ids.indexOf(id)];
    const section = outline?.sections[ordinal];
    if (outline === undefined || section === undefined) return [];
    return [{ outline, section, similarity, shared: findSharedText(draft, text) }];
  });
}

/** Terms of the draft that are looked up. */
const MAX_TERMS = 24;
/** Parts of a draft that are looked for each on its own, so that a copy of one of its paragraphs is found too. */
const MAX_STRETCHES = 8;
/** Words of a stretch: about those of a unit of text. */
const STRETCH_WORDS = 200;
/** Longer terms are not rarer. */
const LONGEST_COUNTED = 12;
/** Documents whose units are scored for a stretch, those with most of its terms. */
const MAX_DOCUMENTS = 50;
/** Units that a stretch offers at most. */
const MAX_UNITS = 50;

/** Whether a document may be a candidate. `shard` is its index in the root. */
type DocumentTest = (shard: number, document: number) => boolean;

interface Candidate {
  /** Index of the visible shard. */
  readonly shard: number;
  readonly document: number;
  readonly ordinal: number;
  /** Its text units, first and behind the last. */
  readonly from: number;
  readonly to: number;
  /** The unit that made it one. */
  readonly bestUnit: number;
}

/** A unit that holds terms of a stretch of the draft. */
interface FoundUnit {
  readonly shard: number;
  readonly document: number;
  readonly unit: number;
  readonly score: number;
}

/** Terms of one stretch of the draft, with their postings. */
interface Stretch {
  readonly lists: readonly (readonly (PostingList | undefined)[])[];
  /** Inverse document frequency of each. */
  readonly weights: readonly number[];
}

/**
 * The terms that tell most, without knowing yet how common they are: long ones and frequent ones, for each stretch of
 * the draft its own.
 */
function chooseTerms({ words }: ComparedText): string[][] {
  const counts = new Map<string, number>();
  for (const { term, stop } of words) if (!stop) counts.set(term, (counts.get(term) ?? 0) + 1);
  const value = (term: string): number =>
    Math.min(term.length, LONGEST_COUNTED) * Math.log2(1 + (counts.get(term) as number));
  const count = Math.min(MAX_STRETCHES, Math.ceil(words.length / STRETCH_WORDS));
  const size = Math.ceil(words.length / count);
  const chosen = new Set<string>();
  return Array.from({ length: count }, (_, at) => {
    const own = words.slice(at * size, (at + 1) * size).filter(({ stop }) => !stop);
    const fresh = [...new Set(own.map(({ term }) => term))].filter((term) => !chosen.has(term));
    const best = fresh
      .sort((a, b) => value(b) - value(a) || compareNames(a, b))
      .slice(0, Math.floor(MAX_TERMS / count));
    for (const term of best) chosen.add(term);
    return best;
  });
}

/** The lists of all stretches, read together. */
async function readStretches(reader: IndexReader, terms: readonly (readonly string[])[]): Promise<Stretch[]> {
  const lists = await readPostings(reader, terms.flat(), ["locator"]);
  const documents = reader.shards.reduce((sum, { root }) => sum + root.documents, 0);
  let next = 0;
  return terms.map((own) => {
    const ownLists = lists.slice(next, next + own.length);
    next += own.length;
    const weights = ownLists.map((shards) =>
      inverseDocumentFrequency(
        documents,
        shards.reduce((sum, list) => sum + (list?.frequencies.documents ?? 0), 0),
      ),
    );
    return { lists: ownLists, weights };
  });
}

/**
 * Sections that may overlap with a draft: the best for all of it and for each of its stretches in turn, then the second best, and
 * so on. One wave.
 */
async function findCandidates(
  reader: IndexReader,
  draft: ComparedText,
  accepts: DocumentTest,
  count: number,
): Promise<Candidate[]> {
  const stretches = await readStretches(reader, chooseTerms(draft));
  const whole: Stretch = {
    lists: stretches.flatMap(({ lists }) => lists),
    weights: stretches.flatMap(({ weights }) => weights),
  };
  const ranked = (stretches.length > 1 ? [whole, ...stretches] : stretches).map((stretch) =>
    rankUnits(reader, stretch, accepts),
  );
  const longest = Math.max(...ranked.map((units) => units.length));
  const candidates = new Map<string, Candidate>();
  for (let rank = 0; rank < longest && candidates.size < count; rank++) {
    for (const units of ranked) {
      const found = units[rank];
      if (found === undefined || candidates.size >= count) continue;
      const candidate = toCandidate(reader, found);
      const key = `${candidate.shard} ${candidate.document} ${candidate.ordinal}`;
      if (!candidates.has(key)) candidates.set(key, candidate);
    }
  }
  return [...candidates.values()];
}

/** Units by BM25 of the stretch's terms, best first: those of the documents that hold most of them. */
function rankUnits(reader: IndexReader, stretch: Stretch, accepts: DocumentTest): FoundUnit[] {
  const averageLength = sumStatistics(reader.shards.map(({ root }) => root)).averages.unit;
  const found = reader.shards.flatMap(({ index }, shard) => {
    const locator = residentTable(reader, index, "locator");
    const lists = stretch.lists.map((shards) => shards[shard]);
    const documents = bestDocuments(
      lists,
      stretch.weights,
      locator.slots,
      (document) => hasDocument(locator, document) && accepts(index, document),
    );
    return documents.flatMap((document) =>
      scoreUnits(lists, stretch.weights, document, locator, averageLength).map((one) => ({ shard, document, ...one })),
    );
  });
  found.sort((a, b) => b.score - a.score || compareDocuments(a, b) || a.unit - b.unit);
  return found.slice(0, MAX_UNITS);
}

/** Documents of a shard by the weight of the terms that they hold. */
function bestDocuments(
  lists: readonly (PostingList | undefined)[],
  weights: readonly number[],
  slots: number,
  isWanted: (document: number) => boolean,
): number[] {
  const scores = new Float64Array(slots);
  const found: number[] = [];
  for (const [at, list] of lists.entries()) {
    for (const [index, document] of list?.documents.entries() ?? []) {
      if (list?.body[index] === 0 || document >= slots) continue;
      if (scores[document] === 0) found.push(document);
      scores[document] = (scores[document] as number) + (weights[at] as number);
    }
  }
  return found
    .filter(isWanted)
    .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b)
    .slice(0, MAX_DOCUMENTS);
}

function scoreUnits(
  lists: readonly (PostingList | undefined)[],
  weights: readonly number[],
  document: number,
  locator: Locator,
  averageLength: number,
): { readonly unit: number; readonly score: number }[] {
  const { k1, b } = DEFAULT_RANKING;
  const scores = new Map<number, number>();
  const end = FIRST_TEXT_UNIT + countUnits(locator, document);
  for (const [at, list] of lists.entries()) {
    const index = list === undefined ? -1 : indexOfNumber(list.documents, document);
    if (list === undefined || index < 0) continue;
    visitUnits(list, index, (unit, frequency) => {
      if (unit < FIRST_TEXT_UNIT || unit >= end) return;
      const length = unitLength(locator, document, unit) / averageLength;
      const score = (weights[at] as number) * saturate(frequency, length, k1, b);
      scores.set(unit, (scores.get(unit) ?? 0) + score);
    });
  }
  return [...scores].map(([unit, score]) => ({ unit, score }));
}

function toCandidate(reader: IndexReader, { shard, document, unit }: FoundUnit): Candidate {
  const ordinals = sectionsOfUnits(residentTable(reader, reader.shards[shard]?.index ?? 0, "locator"), document);
  const ordinal = ordinals[unit - FIRST_TEXT_UNIT] as number;
  const from = ordinals.indexOf(ordinal) + FIRST_TEXT_UNIT;
  const to = ordinals.lastIndexOf(ordinal) + 1 + FIRST_TEXT_UNIT;
  return { shard, document, ordinal, from, to, bestUnit: unit };
}

/*
 * How much two texts say the same in the same words. What is compared are runs of adjacent words (shingles: Broder, "On the resemblance
 * and containment of documents", 1997), stemmed, markup left out. Similarity is the larger of two shares: of the draft's runs of two that
 * the section has, and of the section's runs of three that the draft has. The second finds a section inside a longer draft; its
 * runs are longer because a long draft has most pairs of a short section by chance. A copy is 1, a copy with every
 * tenth word changed .7 or more, the same subject in other words mostly below .3: `bench/quality/similarity.ts`.
 */
const PAIR = 2;
const TRIPLE = 3;
/** A section of fewer runs is measured as if it had so many: a heading and a link are soon part of any draft. */
const LEAST_SECTION_RUNS = 30;

interface ComparedText {
  /** What a reader sees of it. */
  readonly text: string;
  /** Its words as terms, stop words too, with their places in `text`. */
  readonly words: readonly ComparedWord[];
  readonly pairs: ReadonlySet<string>;
  readonly triples: ReadonlySet<string>;
}

interface ComparedWord {
  readonly term: string;
  readonly stop: boolean;
  readonly start: number;
  readonly end: number;
}

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
