/**
 * Fill a page with documents that hold the phrases of a query, reading text where the index leaves that open.
 *
 * At most three rounds of six reads a page, but for its first document: what could not be checked stays behind the page,
 * and the answer says so.
 */
import { sectionsOfUnits } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";
import { MAX_CONCURRENT_READS, measureReads } from "../index/waves.ts";
import { checkBlocks, PhraseTests, type ReadSection } from "./check-text.ts";
import { listOpen, listReads, type OpenRequirement, type SectionRead } from "./open-requirements.ts";
import type { PhraseJudge } from "./phrases.ts";
import type { Requirement } from "./query.ts";
import type { ScoredDocument } from "./scoring.ts";

/** Rounds of reads that one page may take; its first document may need more. */
const MAX_ROUNDS = 3;
/**
 * Bytes that one round reads: few, for the likeliest documents come first and what is read is taken apart word by word,
 * which takes the time of a search.
 */
const MAX_ROUND_BYTES = 6000;
/** Blocks of a document that is too long for one round that are read first: the likeliest. */
const MAX_BLOCKS = 4;
/** Further blocks of it that are read together at most: they lie close to one another, so that few reads get them. */
const ROUND_BLOCKS = 12;
/** Blocks of one document beyond which it stays unchecked: a request to the free plan of Workers reads 50 times. */
const MAX_DOCUMENT_BLOCKS = 72;

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
  const tests = new PhraseTests();
  const placed = new Placed(requirements);
  const rounds = { used: 0 };
  let skipped = 0;
  let next = offset;
  let isOver = false;
  while (!isOver && next < ranked.length && documents.length < limit) {
    const batch = chooseBatch(reader, ranked, next, requirements, judge, placed, limit - documents.length);
    const reads = batch.flatMap((candidate) => candidate.reads.map(({ read }) => read));
    if (reads.length > 0 && rounds.used++ >= MAX_ROUNDS) break;
    const { blocks } = reads.length === 0 ? { blocks: [] } : await reader.read([], reads, MAX_CONCURRENT_READS);
    let at = 0;
    for (const candidate of batch) {
      const { scored, open, isAbsent } = candidate;
      const own = candidate.reads.map((section): ReadSection => ({ ...section, block: blocks[at++] }));
      if (documents.length === limit) break;
      if (isAbsent) {
        rejected.add(scored);
        next++;
        continue;
      }
      const checked = await readOn(reader, candidate, own, tests, rounds, next === offset);
      if (checked === "later") {
        isOver = true;
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
        placed.add(scored, proven);
        documents.push({ scored, position: next, sections: [...new Set([...sections, ...likely])], proven });
      }
      next++;
    }
  }
  // Without requirements, as nearly always, there is nothing to count among thousands of documents.
  const behind = requirements.length === 0 ? [] : ranked.slice(next);
  const { unchecked, absent } = countBehind(behind, placed, requirements, judge);
  return { documents, rejected, unchecked: unchecked + skipped, absent, next };
}

/** Which phrases that stand in one document at most of a shard were found in theirs. */
class Placed {
  readonly #requirements: readonly Requirement[];
  readonly #names = new Set<string>();

  constructor(requirements: readonly Requirement[]) {
    this.#requirements = requirements;
  }

  add(scored: ScoredDocument, proven: readonly Requirement[]): void {
    for (const one of proven) this.#names.add(this.#nameOf(scored, one));
  }

  has(scored: ScoredDocument, requirement: Requirement): boolean {
    return this.#names.has(this.#nameOf(scored, requirement));
  }

  #nameOf({ shard }: ScoredDocument, requirement: Requirement): string {
    return `${shard} ${this.#requirements.indexOf(requirement)}`;
  }
}

/** What is asked for and stands in one document of its access group at most, of what is open. Of two phrases each may stand in another. */
function findRare(open: readonly OpenRequirement[]): Requirement | undefined {
  return open.find(
    ({ requirement: { negated, anyOf }, verdicts }) => !negated && anyOf.length === 1 && verdicts[0]?.isRare === true,
  )?.requirement;
}

/** How many documents behind a page may fulfil the requirements, and how many cannot after what was found. */
function countBehind(
  behind: readonly ScoredDocument[],
  placed: Placed,
  requirements: readonly Requirement[],
  judge: PhraseJudge,
): Pick<CheckedPage, "unchecked" | "absent"> {
  let unchecked = 0;
  let absent = 0;
  for (const scored of behind) {
    const open = listOpen(scored, requirements, judge);
    const rare = findRare(open);
    const isRareExclusion = open.every(
      ({ requirement, verdicts }) => requirement.negated && verdicts.every(({ isRare }) => isRare === true),
    );
    if (rare === undefined) {
      if (!isRareExclusion) unchecked++;
    } else if (placed.has(scored, rare)) absent++;
    else {
      placed.add(scored, [rare]);
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
 * @param rounds Rounds that the page took so far; counted on.
 * @param isFirst The first document of a page is read to its end, or no page would come behind it.
 */
async function readOn(
  reader: IndexReader,
  candidate: Candidate,
  own: readonly ReadSection[],
  tests: PhraseTests,
  rounds: { used: number },
  isFirst: boolean,
): Promise<CheckedText | "later"> {
  const isTooLong = candidate.reads.length + candidate.further.length > MAX_DOCUMENT_BLOCKS;
  let read = [...own];
  let sections = checkBlocks(reader, candidate, read, tests);
  // Text that was not read can hold what is asked for, and what is excluded.
  const isUnsure = (): boolean =>
    candidate.open.some(({ requirement: { negated } }) => negated !== (sections === undefined));
  for (const some of isTooLong ? [] : inRounds(reader, candidate.further)) {
    if (!isUnsure()) break;
    if (rounds.used++ >= MAX_ROUNDS && !isFirst) return "later";
    const more = await reader.read(
      [],
      some.map((section) => section.read),
      MAX_CONCURRENT_READS,
    );
    read = [...read, ...some.map((section, index) => ({ ...section, block: more.blocks[index] }))];
    sections = checkBlocks(reader, candidate, read, tests);
  }
  return { sections, isSure: !(isTooLong && isUnsure()) };
}

interface Candidate {
  readonly scored: ScoredDocument;
  readonly open: readonly OpenRequirement[];
  /** The blocks that are read with those of others. */
  readonly reads: readonly SectionRead[];
  /** Of a document that is too long for one round, the blocks that have to be read as well to be sure. */
  readonly further: readonly SectionRead[];
  /** Something that is asked for stands in another document alone. */
  readonly isAbsent: boolean;
}

/** The next documents whose texts go out in one round: as many as it has room for, none behind those that fill the page. */
function chooseBatch(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  from: number,
  requirements: readonly Requirement[],
  judge: PhraseJudge,
  placed: Placed,
  count: number,
): Candidate[] {
  const batch: Candidate[] = [];
  let reads: readonly SectionRead[] = [];
  let sure = 0;
  for (let at = from; at < ranked.length && sure < count; at++) {
    const scored = ranked[at] as ScoredDocument;
    const open = listOpen(scored, requirements, judge);
    const rare = findRare(open);
    const isAbsent = rare !== undefined && placed.has(scored, rare);
    const own = isAbsent ? [] : listReads(reader, scored, open);
    const isLong = !fitsRound(reader, own);
    const first = isLong ? own.slice(0, MAX_BLOCKS) : own;
    if (reads.length > 0 && first.length > 0 && !fitsRound(reader, [...reads, ...first])) break;
    reads = [...reads, ...first];
    batch.push({ scored, open, isAbsent, reads: first, further: own.slice(first.length) });
    if (open.length === 0) sure++;
    // Reading it on would take what was read of those behind it for another page.
    if (isLong) break;
  }
  return batch;
}

function fitsRound(reader: IndexReader, reads: readonly SectionRead[]): boolean {
  const ranges = reads.map(({ read }) => reader.rangeOf(read.place));
  return (measureReads(ranges, MAX_CONCURRENT_READS) ?? Number.POSITIVE_INFINITY) <= MAX_ROUND_BYTES;
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

function inRounds(reader: IndexReader, reads: readonly SectionRead[]): SectionRead[][] {
  const rounds: SectionRead[][] = [];
  for (const read of reads) {
    const last = rounds.at(-1);
    if (last !== undefined && last.length < ROUND_BLOCKS && fitsRound(reader, [...last, read])) last.push(read);
    else rounds.push([read]);
  }
  return rounds;
}
