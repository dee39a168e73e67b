/**
 * Fill a page with documents that hold the phrases of a query, reading text where the index leaves that open.
 *
 * At most three rounds of six reads a page, but for its first document: what could not be checked stays behind the page,
 * and the answer says so.
 */

import { utf8Length } from "../bytes/encodings.ts";
import { sectionsOfUnits } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { TextBlock } from "../format/text-block.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";
import { MAX_CONCURRENT_READS, measureReads } from "../index/waves.ts";
import { type Analyzer, countsAsWord, visitTerms } from "../text/analyze.ts";
import { flattenMarkup, stripMarkup } from "../text/markup.ts";
import type { PhraseJudge } from "./phrases.ts";
import { listOpen, listReads, type OpenRequirement, type SectionRead } from "./phrases.ts";
import type { Phrase, Requirement } from "./query.ts";
import type { ScoredDocument } from "./score.ts";
import { analyzerOfDocument } from "./search-languages.ts";

/** What no word reaches over: those between two of them are the same whatever stands around. */
const BORDERS = /[ \t\r\n]+/;

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

/** A block that was read. */
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

/** Sections with a phrase that is asked for, or undefined where what was read of a document does not fulfil a requirement. */
function checkBlocks(
  reader: IndexReader,
  { scored, open }: { readonly scored: ScoredDocument; readonly open: readonly OpenRequirement[] },
  blocks: readonly ReadSection[],
  tests: PhraseTests,
): number[] | undefined {
  const texts = joinSections(blocks);
  for (const sources of texts.values()) for (const source of sources) reader.countScanned(utf8Length(source));
  const analyzer = analyzerOfDocument(reader, reader.shards[scored.shard]?.index ?? 0, scored.document);
  const title = blocks[0]?.block?.title ?? "";
  return checkTexts(open, texts, title, (phrase) => tests.of(phrase, analyzer));
}

/** Tests of the phrases of a search. A class, because they remember what they met. */
class PhraseTests {
  readonly #tests = new Map<Phrase, Map<Analyzer, PhraseTest>>();

  of(phrase: Phrase, analyzer: Analyzer): PhraseTest {
    const own = this.#tests.get(phrase) ?? new Map<Analyzer, PhraseTest>();
    this.#tests.set(phrase, own);
    const test = own.get(analyzer) ?? makePhraseTest(phrase.terms, analyzer);
    own.set(analyzer, test);
    return test;
  }
}

function checkTexts(
  open: readonly OpenRequirement[],
  texts: SectionTexts,
  title: string,
  testOf: (phrase: Phrase) => PhraseTest,
): number[] | undefined {
  const sections = new Set<number>();
  for (const { requirement } of open) {
    const { anyOf, negated } = requirement;
    const holding = [...texts].filter(([ordinal, sources]) =>
      anyOf.some((phrase) => sources.some((source) => testOf(phrase)(source, ordinal === 0 ? title : undefined))),
    );
    if (negated ? holding.length > 0 : holding.length === 0) return undefined;
    if (!negated) for (const [ordinal] of holding) sections.add(ordinal);
  }
  return [...sections].sort((a, b) => a - b);
}

/*
 * Phrases in a text: whether terms stand side by side in the source of a section.
 */

/**
 * Whether a section's source holds the phrase, in what is shown of it or in its markup.
 *
 * @param title Title of the page where the section is its root: frontmatter may hold it, which is not shown.
 */
type PhraseTest = (source: string, title: string | undefined) => boolean;

/** A test for at most 32 terms side by side. It remembers the words that it met, so it is to be kept for one search. */
export function makePhraseTest(terms: readonly string[], analyzer: Analyzer): PhraseTest {
  const holds = makeTermsTest(terms, analyzer);
  return (source, title) => {
    const isStart = title !== undefined;
    const shown = stripMarkup(source, isStart);
    if (holds(shown)) return true;
    if (isStart && !`${shown}\n`.startsWith(`${title}\n`) && holds(`${title}\n${shown}`)) return true;
    const [written, unescaped] = flattenMarkup(source, isStart);
    return holds(written) || (unescaped !== written && holds(unescaped));
  };
}

/**
 * Shift-And (Baeza-Yates and Gonnet, "A new approach to text searching", 1992) over terms: bit n of the state is set
 * where the last n + 1 words are the first n + 1 terms. A number has 32 bits, so a phrase has at most as many terms.
 */
function makeTermsTest(terms: readonly string[], analyzer: Analyzer): (text: string) => boolean {
  const places = new Map<string, number>();
  for (const [at, term] of terms.entries()) places.set(term, (places.get(term) ?? 0) | (1 << at));
  const whole = 1 << (terms.length - 1);
  /** Per piece of text between borders, the places of its words in the phrase. Most pieces come again and again. */
  const known = new Map<string, readonly number[]>();
  const readPiece = (piece: string): readonly number[] => {
    const own: number[] = [];
    visitTerms(
      piece,
      (term, kind) => {
        if (countsAsWord(kind)) own.push(places.get(term) ?? 0);
      },
      analyzer,
    );
    known.set(piece, own);
    return own;
  };
  return (text) => {
    let state = 0;
    for (const piece of text.split(BORDERS)) {
      for (const place of known.get(piece) ?? readPiece(piece)) {
        state = ((state << 1) | 1) & place;
        if ((state & whole) !== 0) return true;
      }
    }
    return false;
  };
}
