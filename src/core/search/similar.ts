/**
 * Similar sections: a draft in, the sections out that say the same in the same words.
 *
 * Wave one: the posting lists of the draft's most telling terms, at most `MAX_TERMS` chunks a shard
 * (`similar-candidates.ts`). Wave two: the text of the candidates, at most `MAX_BLOCKS` blocks, compared word for word
 * (`overlap.ts`). Wave three: the outlines of what is shown.
 */
import { utf8Length } from "../bytes/utf8-length.ts";
import { loadOutlines } from "../docs/documents.ts";
import type { DocumentOutline, OutlineSection } from "../docs/model.ts";
import { makeDocumentId } from "../docs/node-id.ts";
import { InputError } from "../errors.ts";
import { collectionOf } from "../format/locator.ts";
import type { TextBlock } from "../format/text-block.ts";
import type { Cost } from "../index/cost.ts";
import type { BlockRead, IndexReader } from "../index/index-reader.ts";
import { blockReads, residentTable } from "../index/resident.ts";
import type { Analyzer } from "../text/analyze.ts";
import { compareNames } from "../text/compare-names.ts";
import { type ComparedText, findSharedText, measureOverlap, prepareText } from "./overlap.ts";
import { analyzerOfDocument, listAnalyzers } from "./search-languages.ts";
import { type Candidate, type DocumentTest, findCandidates } from "./similar-candidates.ts";

/** Blocks of text that are read. */
export const MAX_BLOCKS = 48;
/** Sections that are compared, unless more are asked for. */
const LEAST_CANDIDATES = 16;
/** A draft needs so many different words that carry meaning: fewer are in any text by chance. */
const LEAST_WORDS = 4;
/** Characters of a unit of a long section, at least about so many: sections are cut into pieces of about 220 words. */
const BLOCK_CHARACTERS = 1100;
/** Blocks of a long section that are read at most to look on both sides of its best unit. */
const BOTH_SIDES_BLOCKS = 8;

/** What to look for. */
export interface SimilarRequest {
  readonly content: string;
  /** Sections to return. */
  readonly limit: number;
  /** Least similarity, 0 to 1. */
  readonly threshold: number;
  /** Only this collection; undefined = all that the caller may see. */
  readonly collection: string | undefined;
}

/** A section that overlaps with the draft. */
export interface SimilarSection {
  readonly outline: DocumentOutline;
  readonly section: OutlineSection;
  /** 0 to 1; 1 where one of the two texts holds the other. */
  readonly similarity: number;
  /** Longest stretch of the section that the draft has word for word. */
  readonly shared: string;
}

/** What was found. */
export interface SimilarAnswer {
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
  /** The draft as it was compared. */
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
