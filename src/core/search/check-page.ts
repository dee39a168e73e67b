/**
 * Fill a page with documents that hold the phrases of a query, reading text where the index leaves that open.
 *
 * At most two rounds of six reads a page, and a few more for documents whose words stand in many places: what could not
 * be checked stays behind the page, and the answer says so.
 */
import { utf8Length } from "../bytes/utf8-length.ts";
import { sectionsOfUnits } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { TextBlock } from "../format/text-block.ts";
import type { BlockRead, IndexReader } from "../index/index-reader.ts";
import { blockReads, residentTable } from "../index/resident.ts";
import { MAX_CONCURRENT_READS } from "../index/waves.ts";
import type { Analyzer } from "../text/analyze.ts";
import { holdsPhrase } from "./phrase-in-text.ts";
import type { PhraseJudge, Verdict } from "./phrases.ts";
import type { Requirement } from "./query.ts";
import type { ScoredDocument } from "./scoring.ts";
import { analyzerOfDocument } from "./search-languages.ts";

/** Rounds of reads that one page may take. */
const MAX_ROUNDS = 2;
/** Blocks of one document that are read with those of others. */
const MAX_BLOCKS = 4;
/** Further blocks of one document that are read together: they lie close to one another, so that few reads get them. */
const ROUND_BLOCKS = 12;
/** Rounds for the further blocks of long documents: the page ends before the one that needs more, unless it is the first. */
const MAX_FURTHER_ROUNDS = 2;
/** Blocks of one document beyond which it stays unchecked: a request to the free plan of Workers reads 50 times. */
const MAX_DOCUMENT_BLOCKS = 72;
/** Bytes that one round reads, beyond those of its first document. */
const MAX_ROUND_BYTES = 12_000;

/** A page of documents that fulfil all requirements. */
export interface CheckedPage {
  readonly documents: readonly CheckedDocument[];
  /** Documents that turned out not to fulfil them. */
  readonly rejected: ReadonlySet<ScoredDocument>;
  /** Documents that may fulfil them and were not checked. */
  readonly unchecked: number;
  /** Documents that were not checked and do not fulfil them: where one at most holds a phrase, the others do not. */
  readonly absent: number;
  /** Where the next page begins in the list. */
  readonly next: number;
}

/** A document with its place in the list that was checked. */
export interface CheckedDocument {
  readonly scored: ScoredDocument;
  /** Index in the list. */
  readonly position: number;
  /**
   * Sections that hold a phrase that is asked for, by ordinal; where the index alone knew, those that hold all its words.
   * Empty where no section is known.
   */
  readonly sections: readonly number[];
  /** Requirements that its text proved to be fulfilled. */
  readonly proven: readonly Requirement[];
}

/**
 * The documents in the order in which they are checked and shown: those that the index is sure of as they stand, then
 * those that are likeliest to hold the phrases. Without phrases nothing moves.
 */
export function likeliestFirst(
  ranked: readonly ScoredDocument[],
  requirements: readonly Requirement[],
  judge: PhraseJudge,
): readonly ScoredDocument[] {
  const asked = requirements.filter(({ negated }) => !negated);
  if (asked.length === 0) return ranked;
  const rated = ranked.map((scored, at) => {
    const open = listOpen(scored, asked, judge);
    const expected = open.map(({ verdicts }) => Math.max(...verdicts.map((verdict) => verdict.expected ?? 0)));
    return { scored, at, expected: open.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...expected) };
  });
  // Infinity less itself is no number, so equal ones are told apart first.
  rated.sort((a, b) => (a.expected === b.expected ? a.at - b.at : b.expected - a.expected));
  return rated.map(({ scored }) => scored);
}

/** Take documents from `offset` on until `limit` of them fulfil all requirements. */
export async function checkPage(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  requirements: readonly Requirement[],
  judge: PhraseJudge,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<CheckedPage> {
  const documents: CheckedDocument[] = [];
  const rejected = new Set<ScoredDocument>();
  let skipped = 0;
  let next = offset;
  const further = { rounds: 0 };
  let isFull = false;
  for (let round = 0; round < MAX_ROUNDS && next < ranked.length && documents.length < limit && !isFull; round++) {
    const batch = chooseBatch(reader, ranked.slice(next), requirements, judge, limit - documents.length);
    const reads = batch.flatMap((candidate) => candidate.reads.map(({ read }) => read));
    const { blocks } = reads.length === 0 ? { blocks: [] } : await reader.read([], reads);
    let at = 0;
    for (const candidate of batch) {
      const { scored, open } = candidate;
      const own = candidate.reads.map((section): ReadSection => ({ ...section, block: blocks[at++] }));
      const checked = await readOn(reader, candidate, own, further, next === offset);
      if (checked === "later") {
        isFull = true;
        break;
      }
      const { sections, isSure } = checked;
      if (!isSure) skipped++;
      else if (sections === undefined) rejected.add(scored);
      else {
        const known = requirements.filter(
          (one) => !one.negated && !open.some(({ requirement }) => requirement === one),
        );
        const likely = known.flatMap((one) => likelySections(reader, scored, one, judge));
        const proven = open.map(({ requirement }) => requirement);
        documents.push({ scored, position: next, sections: [...new Set([...sections, ...likely])], proven });
      }
      next++;
    }
  }
  // Without requirements, as nearly always, there is nothing to count among thousands of documents.
  const behind = requirements.length === 0 ? [] : ranked.slice(next);
  const { unchecked, absent } = countBehind(behind, documents, requirements, judge);
  return { documents, rejected, unchecked: unchecked + skipped, absent, next };
}

/** How many documents behind a page may fulfil the requirements, and how many cannot after what was found. */
function countBehind(
  behind: readonly ScoredDocument[],
  found: readonly CheckedDocument[],
  requirements: readonly Requirement[],
  judge: PhraseJudge,
): Pick<CheckedPage, "unchecked" | "absent"> {
  const nameOf = (shard: number, requirement: Requirement): string => `${shard} ${requirements.indexOf(requirement)}`;
  /** Phrases that stand in one document at most of a shard, and whether that was found or has been counted. */
  const placed = new Set(found.flatMap(({ scored, proven }) => proven.map((one) => nameOf(scored.shard, one))));
  let unchecked = 0;
  let absent = 0;
  for (const scored of behind) {
    const open = listOpen(scored, requirements, judge);
    const rare = open.find(
      ({ requirement, verdicts }) => !requirement.negated && verdicts.every(({ isRare }) => isRare === true),
    );
    const isRareExclusion = open.every(
      ({ requirement, verdicts }) => requirement.negated && verdicts.every(({ isRare }) => isRare === true),
    );
    if (rare === undefined) {
      if (!isRareExclusion) unchecked++;
    } else if (placed.has(nameOf(scored.shard, rare.requirement))) absent++;
    else {
      placed.add(nameOf(scored.shard, rare.requirement));
      unchecked++;
    }
  }
  return { unchecked, absent };
}

/** What reading a document's text showed. */
interface CheckedText {
  /** Sections with a phrase that is asked for; undefined where a requirement is not fulfilled. */
  readonly sections: number[] | undefined;
  /** False for a document that is too long to be read to the end. */
  readonly isSure: boolean;
}

/**
 * Read a document on until its requirements are decided; `later` where that takes more rounds than the page has left.
 *
 * @param used Rounds that further blocks took so far; counted on.
 * @param isFirst The first document of a page is read to its end, or no page would come behind it.
 */
async function readOn(
  reader: IndexReader,
  candidate: Candidate,
  own: readonly ReadSection[],
  used: { rounds: number },
  isFirst: boolean,
): Promise<CheckedText | "later"> {
  const isLong = candidate.reads.length + candidate.further.length > MAX_DOCUMENT_BLOCKS;
  let read = [...own];
  let sections = checkBlocks(reader, candidate, read);
  // Text that was not read can hold what is asked for, and what is excluded.
  const isUnsure = (): boolean =>
    candidate.open.some(({ requirement: { negated } }) => negated !== (sections === undefined));
  for (const some of isLong ? [] : inRounds(candidate.further)) {
    if (!isUnsure()) break;
    if (used.rounds++ >= MAX_FURTHER_ROUNDS && !isFirst) return "later";
    const more = await reader.read(
      [],
      some.map((section) => section.read),
      MAX_CONCURRENT_READS,
    );
    read = [...read, ...some.map((section, index) => ({ ...section, block: more.blocks[index] }))];
    sections = checkBlocks(reader, candidate, read);
  }
  return { sections, isSure: !(isLong && isUnsure()) };
}

/** A requirement that only the text can decide, with what the index says of its phrases. */
interface OpenRequirement {
  readonly requirement: Requirement;
  readonly verdicts: readonly Verdict[];
}

interface SectionRead {
  readonly read: BlockRead;
  /** Ordinal of the unit's section. */
  readonly ordinal: number;
}

interface Candidate {
  readonly scored: ScoredDocument;
  readonly open: readonly OpenRequirement[];
  /** The likeliest blocks. */
  readonly reads: readonly SectionRead[];
  /** The blocks that have to be read as well to be sure. */
  readonly further: readonly SectionRead[];
}

/** The next documents whose texts go out in one round, as many as the page needs. */
function chooseBatch(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  requirements: readonly Requirement[],
  judge: PhraseJudge,
  count: number,
): Candidate[] {
  const batch: Candidate[] = [];
  let toRead = 0;
  let bytes = 0;
  for (const scored of ranked) {
    const open = listOpen(scored, requirements, judge);
    if (batch.length >= count || (open.length > 0 && toRead === MAX_CONCURRENT_READS)) break;
    const candidate = { scored, open, ...listReads(reader, scored, open) };
    bytes += candidate.reads.reduce((sum, { read }) => sum + read.place.length, 0);
    if (open.length > 0 && toRead > 0 && bytes > MAX_ROUND_BYTES) break;
    if (open.length > 0) toRead++;
    batch.push(candidate);
  }
  return batch;
}

function listOpen(
  { shard, document }: ScoredDocument,
  requirements: readonly Requirement[],
  judge: PhraseJudge,
): OpenRequirement[] {
  return requirements.flatMap((requirement) => {
    const verdicts = requirement.anyOf.map((phrase) => judge.judge(phrase, shard, document));
    if (verdicts.some(({ is }) => is === "yes")) return [];
    const open = verdicts.filter(({ is }) => is === "open");
    return open.length === 0 ? [] : [{ requirement, verdicts: open }];
  });
}

function listReads(
  reader: IndexReader,
  { shard: visible, document }: ScoredDocument,
  open: readonly OpenRequirement[],
): Pick<Candidate, "reads" | "further"> {
  if (open.length === 0) return { reads: [], further: [] };
  const shard = reader.shards[visible]?.index ?? 0;
  const ordinals = sectionsOfUnits(residentTable(reader, shard, "locator"), document);
  const everyUnit = Array.from(ordinals, (_, at) => at + FIRST_TEXT_UNIT);
  const units = new Set(open.flatMap(({ verdicts }) => verdicts.flatMap((verdict) => verdict.units ?? everyUnit)));
  const all = blockReads(reader, shard, document, [...units]).map(
    (read): SectionRead => ({ read, ordinal: ordinals[read.unit - FIRST_TEXT_UNIT] as number }),
  );
  return { reads: all.slice(0, MAX_BLOCKS), further: all.slice(MAX_BLOCKS) };
}

/** Sections that hold all words of a phrase that the index knows to be in the document. */
function likelySections(
  reader: IndexReader,
  { shard: visible, document }: ScoredDocument,
  { anyOf }: Requirement,
  judge: PhraseJudge,
): number[] {
  const shard = reader.shards[visible]?.index ?? 0;
  const ordinals = sectionsOfUnits(residentTable(reader, shard, "locator"), document);
  return anyOf
    .filter((phrase) => judge.judge(phrase, visible, document).is === "yes")
    .flatMap((phrase) => judge.likelyUnits(phrase, visible, document))
    .map((unit) => ordinals[unit - FIRST_TEXT_UNIT] ?? 0);
}

function inRounds(reads: readonly SectionRead[]): SectionRead[][] {
  const rounds: SectionRead[][] = [];
  for (let from = 0; from < reads.length; from += ROUND_BLOCKS) rounds.push(reads.slice(from, from + ROUND_BLOCKS));
  return rounds;
}

interface ReadSection extends SectionRead {
  readonly block: Pick<TextBlock, "title" | "text"> | undefined;
}

/** Sources of a section as far as they were read: pieces that follow one another joined, others apart. */
type SectionTexts = ReadonlyMap<number, readonly string[]>;

function joinSections(reads: readonly ReadSection[]): SectionTexts {
  const texts = new Map<number, string[]>();
  const inOrder = [...reads].sort((a, b) => a.read.unit - b.read.unit);
  let next = -1;
  for (const { ordinal, block, read } of inOrder) {
    const text = block?.text ?? "";
    const known = texts.get(ordinal);
    if (known === undefined) texts.set(ordinal, [text]);
    else if (read.unit !== next) known.push(text);
    else known.push(`${known.pop() ?? ""}${text}`);
    next = read.unit + 1;
  }
  return texts;
}

/** What the blocks of a document that were read say, as `checkTexts` does. */
function checkBlocks(
  reader: IndexReader,
  { scored, open }: Candidate,
  blocks: readonly ReadSection[],
): number[] | undefined {
  const texts = joinSections(blocks);
  for (const sources of texts.values()) for (const source of sources) reader.countScanned(utf8Length(source));
  return checkTexts(open, texts, {
    title: blocks[0]?.block?.title ?? "",
    analyzer: analyzerOfDocument(reader, reader.shards[scored.shard]?.index ?? 0, scored.document),
  });
}

/** Sections with a phrase that is asked for, or undefined where a requirement is not fulfilled. */
function checkTexts(
  open: readonly OpenRequirement[],
  texts: SectionTexts,
  { title, analyzer }: { readonly title: string; readonly analyzer: Analyzer },
): number[] | undefined {
  const sections = new Set<number>();
  for (const { requirement } of open) {
    const { anyOf, negated } = requirement;
    const holding = [...texts].filter(([ordinal, sources]) =>
      anyOf.some(({ terms }) =>
        sources.some((source) => holdsPhrase(source, terms, analyzer, ordinal === 0 ? title : undefined)),
      ),
    );
    if (negated ? holding.length > 0 : holding.length === 0) return undefined;
    if (!negated) for (const [ordinal] of holding) sections.add(ordinal);
  }
  return [...sections].sort((a, b) => a - b);
}
