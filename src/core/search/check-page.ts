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
import type { BlockRead, IndexReader } from "../index/index-reader.ts";
import { blockReads, residentTable } from "../index/resident.ts";
import { MAX_CONCURRENT_READS, measureReads } from "../index/waves.ts";
import { type Analyzer, countsAsWord, visitTerms } from "../text/analyze.ts";
import { flattenMarkup, stripMarkup } from "../text/markup.ts";
import type { PhraseJudge, Verdict } from "./phrases.ts";
import type { Phrase, Requirement } from "./query.ts";
import type { ScoredDocument } from "./scoring.ts";
import { analyzerOfDocument } from "./search-languages.ts";

/** What no word reaches over: those between two of them are the same whatever stands around. */
const BORDERS = /[ \t\r\n]+/;

/** Rounds of reads that one page may take; its first document may need more. */
const MAX_ROUNDS = 3;
/** Bytes that one round reads: what is read is taken apart word by word, which takes the time of a search. */
const MAX_ROUND_BYTES = 20_000;
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
}

/** Takes documents from `offset` on, in their order, until `limit` of them fulfil all requirements. */
export function checkPage(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  requirements: readonly Requirement[],
  judge: PhraseJudge,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<CheckedPage> {
  return new PageCheck(reader, ranked, requirements, judge).take(offset, limit);
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

/** The requirements that only the text of a document can decide. */
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

/** The blocks that have to be read to decide them all. */
function listReads(
  reader: IndexReader,
  { shard: visible, document }: ScoredDocument,
  open: readonly OpenRequirement[],
): SectionRead[] {
  if (open.length === 0) return [];
  const shard = reader.shards[visible]?.index ?? 0;
  const ordinals = sectionsOfUnits(residentTable(reader, shard, "locator"), document);
  const everyUnit = Array.from(ordinals, (_, at) => at + FIRST_TEXT_UNIT);
  const units = new Set(open.flatMap(({ verdicts }) => verdicts.flatMap((verdict) => verdict.units ?? everyUnit)));
  return blockReads(reader, shard, document, [...units]).map(
    (read): SectionRead => ({ read, ordinal: ordinals[read.unit - FIRST_TEXT_UNIT] as number }),
  );
}

interface CheckedText {
  /** Sections with a phrase that is asked for; undefined where a requirement is not fulfilled. */
  readonly sections: number[] | undefined;
  /** False for a document that is too long to be read to the end. */
  readonly isSure: boolean;
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

interface ReadSection extends SectionRead {
  readonly block: Pick<TextBlock, "title" | "text"> | undefined;
}

class PageCheck {
  readonly #reader: IndexReader;
  readonly #ranked: readonly ScoredDocument[];
  readonly #requirements: readonly Requirement[];
  readonly #judge: PhraseJudge;
  /** Requirements, by shard, that stand in one document at most of it and were found in theirs. */
  readonly #placed = new Set<string>();
  /** Tests remember what they met. */
  readonly #tests = new Map<Phrase, Map<Analyzer, PhraseTest>>();
  /** Rounds of reads so far. */
  #rounds = 0;

  constructor(
    reader: IndexReader,
    ranked: readonly ScoredDocument[],
    requirements: readonly Requirement[],
    judge: PhraseJudge,
  ) {
    this.#reader = reader;
    this.#ranked = ranked;
    this.#requirements = requirements;
    this.#judge = judge;
  }

  async take(offset: number, limit: number): Promise<CheckedPage> {
    const documents: CheckedDocument[] = [];
    const rejected = new Set<ScoredDocument>();
    let skipped = 0;
    let next = offset;
    let isOver = false;
    while (!isOver && next < this.#ranked.length && documents.length < limit) {
      const batch = this.#chooseBatch(next, limit - documents.length);
      const reads = batch.flatMap((candidate) => candidate.reads);
      if (reads.length > 0 && this.#rounds++ >= MAX_ROUNDS) break;
      const blocks = await this.#read(reads);
      let at = 0;
      for (const candidate of batch) {
        const { scored, open, isAbsent } = candidate;
        const own = blocks.slice(at, at + candidate.reads.length);
        at += own.length;
        if (documents.length === limit) break;
        if (isAbsent) {
          rejected.add(scored);
          next++;
          continue;
        }
        const checked = await this.#readOn(candidate, own, next === offset);
        if (checked === "later") {
          isOver = true;
          break;
        }
        const { sections, isSure } = checked;
        if (!isSure) skipped++;
        else if (sections === undefined) rejected.add(scored);
        else {
          const proven = open.map(({ requirement }) => requirement);
          for (const one of proven) this.#placed.add(this.#nameOf(scored, one));
          const known = this.#requirements.filter((one) => !one.negated && !proven.includes(one));
          const likely = known.flatMap((one) => this.#likelySections(scored, one));
          documents.push({ scored, position: next, sections: [...new Set([...sections, ...likely])] });
        }
        next++;
      }
    }
    const { unchecked, absent } = this.#countBehind(next);
    return { documents, rejected, unchecked: unchecked + skipped, absent, next };
  }

  async #read(sections: readonly SectionRead[]): Promise<ReadSection[]> {
    if (sections.length === 0) return [];
    const reads = sections.map(({ read }) => read);
    const { blocks } = await this.#reader.read([], reads, MAX_CONCURRENT_READS);
    return sections.map((section, at) => ({ ...section, block: blocks[at] }));
  }

  #nameOf({ shard }: ScoredDocument, requirement: Requirement): string {
    return `${shard} ${this.#requirements.indexOf(requirement)}`;
  }

  /** How many documents behind a page may fulfil the requirements, and how many cannot after what was found. */
  #countBehind(next: number): Pick<CheckedPage, "unchecked" | "absent"> {
    let unchecked = 0;
    let absent = 0;
    // Without requirements, as nearly always, there is nothing to count among thousands of documents.
    for (const scored of this.#requirements.length === 0 ? [] : this.#ranked.slice(next)) {
      const open = listOpen(scored, this.#requirements, this.#judge);
      const rare = findRare(open);
      if (rare !== undefined) {
        const name = this.#nameOf(scored, rare);
        if (this.#placed.has(name)) absent++;
        else unchecked++;
        this.#placed.add(name);
        continue;
      }
      const isRareExclusion = open.every(
        ({ requirement, verdicts }) => requirement.negated && verdicts.every(({ isRare }) => isRare === true),
      );
      if (!isRareExclusion) unchecked++;
    }
    return { unchecked, absent };
  }

  /**
   * Read a document on until its requirements are decided; `later` where that takes more rounds than the page has left.
   *
   * @param isFirst The first document of a page is read to its end, or no page would come behind it.
   */
  async #readOn(candidate: Candidate, own: readonly ReadSection[], isFirst: boolean): Promise<CheckedText | "later"> {
    const { open, reads, further } = candidate;
    const isTooLong = reads.length + further.length > MAX_DOCUMENT_BLOCKS;
    let read = own;
    let sections = this.#checkBlocks(candidate, read);
    // Text that was not read can hold what is asked for, and what is excluded.
    const isUnsure = (): boolean => open.some(({ requirement: { negated } }) => negated !== (sections === undefined));
    for (const some of isTooLong ? [] : this.#inRounds(further)) {
      if (!isUnsure()) break;
      if (this.#rounds++ >= MAX_ROUNDS && !isFirst) return "later";
      read = [...read, ...(await this.#read(some))];
      sections = this.#checkBlocks(candidate, read);
    }
    return { sections, isSure: !(isTooLong && isUnsure()) };
  }

  /** The next documents whose texts go out in one round: as many as it has room for, none behind those that fill the page. */
  #chooseBatch(from: number, count: number): Candidate[] {
    const batch: Candidate[] = [];
    let reads: readonly SectionRead[] = [];
    let sure = 0;
    for (let at = from; at < this.#ranked.length && sure < count; at++) {
      const scored = this.#ranked[at] as ScoredDocument;
      const open = listOpen(scored, this.#requirements, this.#judge);
      const rare = findRare(open);
      const isAbsent = rare !== undefined && this.#placed.has(this.#nameOf(scored, rare));
      const own = isAbsent ? [] : listReads(this.#reader, scored, open);
      const isLong = !this.#fitsRound(own);
      const first = isLong ? own.slice(0, MAX_BLOCKS) : own;
      if (reads.length > 0 && first.length > 0 && !this.#fitsRound([...reads, ...first])) break;
      reads = [...reads, ...first];
      batch.push({ scored, open, isAbsent, reads: first, further: own.slice(first.length) });
      if (open.length === 0) sure++;
      // Reading it on would take what was read of those behind it for another page.
      if (isLong) break;
    }
    return batch;
  }

  #fitsRound(reads: readonly SectionRead[]): boolean {
    const ranges = reads.map(({ read }) => this.#reader.rangeOf(read.shard, read.place));
    return (measureReads(ranges, MAX_CONCURRENT_READS) ?? Number.POSITIVE_INFINITY) <= MAX_ROUND_BYTES;
  }

  #inRounds(reads: readonly SectionRead[]): SectionRead[][] {
    const rounds: SectionRead[][] = [];
    for (const read of reads) {
      const last = rounds.at(-1);
      if (last !== undefined && last.length < ROUND_BLOCKS && this.#fitsRound([...last, read])) last.push(read);
      else rounds.push([read]);
    }
    return rounds;
  }

  #shardOf({ shard }: ScoredDocument): number {
    return this.#reader.shards[shard]?.index ?? 0;
  }

  /** Sections that hold all words of a phrase that the index knows to be in the document. */
  #likelySections(scored: ScoredDocument, { anyOf }: Requirement): number[] {
    const { shard, document } = scored;
    const ordinals = sectionsOfUnits(residentTable(this.#reader, this.#shardOf(scored), "locator"), document);
    return anyOf
      .filter((phrase) => this.#judge.judge(phrase, shard, document).is === "yes")
      .flatMap((phrase) => this.#judge.likelyUnits(phrase, shard, document))
      .map((unit) => ordinals[unit - FIRST_TEXT_UNIT] ?? 0);
  }

  /** Sections with a phrase that is asked for, or undefined where what was read of a document does not fulfil a requirement. */
  #checkBlocks({ scored, open }: Candidate, blocks: readonly ReadSection[]): number[] | undefined {
    const texts = joinSections(blocks);
    for (const source of [...texts.values()].flat()) this.#reader.countScanned(utf8Length(source));
    const analyzer = analyzerOfDocument(this.#reader, this.#shardOf(scored), scored.document);
    const title = blocks[0]?.block?.title ?? "";
    const sections = new Set<number>();
    for (const { requirement } of open) {
      const tests = requirement.anyOf.map((phrase) => this.#testOf(phrase, analyzer));
      const holding = [...texts].filter(([ordinal, sources]) =>
        tests.some((test) => sources.some((source) => test(source, ordinal === 0 ? title : undefined))),
      );
      if (requirement.negated !== (holding.length === 0)) return undefined;
      for (const [ordinal] of holding) sections.add(ordinal);
    }
    return [...sections].sort((a, b) => a - b);
  }

  #testOf(phrase: Phrase, analyzer: Analyzer): PhraseTest {
    const own = this.#tests.get(phrase) ?? new Map<Analyzer, PhraseTest>();
    this.#tests.set(phrase, own);
    const test = own.get(analyzer) ?? makePhraseTest(phrase.terms, analyzer);
    own.set(analyzer, test);
    return test;
  }
}

/** What is asked for and stands in one document of its shard at most, of what is open. Of two phrases each may stand in another. */
function findRare(open: readonly OpenRequirement[]): Requirement | undefined {
  return open.find(
    ({ requirement: { negated, anyOf }, verdicts }) => !negated && anyOf.length === 1 && verdicts[0]?.isRare === true,
  )?.requirement;
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
