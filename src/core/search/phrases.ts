/**
 * Phrases: which documents hold words side by side.
 *
 * Postings say which documents and sections hold all words of a phrase. Where a phrase has two words whose pair is in
 * the index, that decides. Else the text does: of the best documents, in rounds of at most six reads, until a page is
 * full. Terms are compared, so endings do not count; stop words do.
 */
import { indexOfNumber } from "../bytes/sorted-numbers.ts";
import { findBlock, type LocatedDocument, sectionsOfUnits } from "../format/locator.ts";
import type { PairList } from "../format/pairs.ts";
import { FIRST_TEXT_UNIT, type PostingList, visitUnits } from "../format/postings.ts";
import type { BlockRead, IndexReader } from "../index/index-reader.ts";
import { residentTable } from "../index/resident.ts";
import { MAX_CONCURRENT_READS } from "../index/waves.ts";
import { visitTerms } from "../text/analyze.ts";
import { flattenMarkup, stripMarkup } from "../text/markup.ts";
import type { Phrase, Requirement } from "./query.ts";
import type { ScoredDocument } from "./scoring.ts";

/** Rounds of reads that checking one page may take. */
const MAX_ROUNDS = 4;
/** Blocks of one document that are checked: a page that repeats the words everywhere is long before it is right. */
const MAX_BLOCKS = 8;

/** What deciding phrases needs to know of the words in the index. */
export interface PhraseIndex {
  /** Postings of a term in a visible shard, or undefined. */
  readonly listOf: (term: string, shard: number) => PostingList | undefined;
  /** Documents of a pair; undefined where the index has no such pair or it was not read. */
  readonly pairOf: (first: string, second: string, shard: number) => PairList | undefined;
}

/** What the index alone says: the words stand side by side, they do not, or the text must be read. */
type Verdict = "yes" | "no" | "open";

/** A page of documents that fulfil all requirements. */
export interface CheckedPage {
  readonly documents: readonly CheckedDocument[];
  /** Documents that turned out not to fulfil them. */
  readonly rejected: number;
  /** Documents behind the page that were not checked. */
  readonly unchecked: number;
}

/** A document with its place in the list that was checked. */
export interface CheckedDocument {
  readonly scored: ScoredDocument;
  /** Index in the list. */
  readonly position: number;
  /** Sections that hold a phrase that is asked for, by ordinal; empty where none is or the index alone knew. */
  readonly sections: readonly number[];
}

/** Whether a document can fulfil a requirement by its postings. Requirements that exclude phrases leave all open. */
export function mayFulfil(requirement: Requirement, index: PhraseIndex, shard: number, document: number): boolean {
  const verdicts = requirement.anyOf.map((phrase) => judge(phrase, index, shard, document));
  if (requirement.negated) return verdicts.every((verdict) => verdict !== "yes");
  return verdicts.some((verdict) => verdict !== "no");
}

/** Take documents from `offset` on until `limit` of them fulfil all requirements, reading text where that decides. */
export async function checkPage(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  requirements: readonly Requirement[],
  index: PhraseIndex,
  page: { readonly offset: number; readonly limit: number },
): Promise<CheckedPage> {
  const found: CheckedDocument[] = [];
  let rejected = 0;
  let position = page.offset;
  for (let round = 0; round < MAX_ROUNDS && position < ranked.length && found.length < page.limit; round++) {
    const batch = chooseBatch(reader, ranked, requirements, index, position, page.limit - found.length);
    const reads = batch.flatMap(({ reads: own }) => own.map(({ read }) => read));
    const { blocks } = reads.length === 0 ? { blocks: [] } : await reader.read([], reads);
    let at = 0;
    for (const { scored, reads: own, open } of batch) {
      const texts = joinSections(own.map((read) => ({ ...read, block: blocks[at++] })));
      const sections = checkTexts(open, texts);
      if (sections === undefined) rejected++;
      else if (found.length < page.limit) found.push({ scored, position, sections });
      position++;
    }
  }
  const unchecked = ranked
    .slice(position)
    .filter(({ shard, document }) => listOpen(requirements, index, shard, document).length > 0).length;
  return { documents: found, rejected, unchecked };
}

interface SectionRead {
  readonly read: BlockRead;
  /** Ordinals of the sections of each unit of the block. */
  readonly ordinals: readonly number[];
}

interface Candidate {
  readonly scored: ScoredDocument;
  readonly open: readonly Requirement[];
  readonly reads: readonly SectionRead[];
}

/** The next documents whose texts go out in one round. */
function chooseBatch(
  reader: IndexReader,
  ranked: readonly ScoredDocument[],
  requirements: readonly Requirement[],
  index: PhraseIndex,
  from: number,
  count: number,
): Candidate[] {
  const batch: Candidate[] = [];
  let documentsRead = 0;
  for (const scored of ranked.slice(from)) {
    const open = listOpen(requirements, index, scored.shard, scored.document);
    if (open.length > 0 && documentsRead === MAX_CONCURRENT_READS) break;
    if (batch.filter((candidate) => candidate.open.length === 0).length === count) break;
    if (open.length > 0) documentsRead++;
    batch.push({ scored, open, reads: open.length === 0 ? [] : listReads(reader, scored, open, index) });
    if (batch.length >= count + MAX_CONCURRENT_READS) break;
  }
  return batch;
}

/** Requirements that only the document's text can decide. */
function listOpen(
  requirements: readonly Requirement[],
  index: PhraseIndex,
  shard: number,
  document: number,
): Requirement[] {
  return requirements.filter(({ anyOf }) => {
    const verdicts = anyOf.map((phrase) => judge(phrase, index, shard, document));
    return !verdicts.includes("yes") && verdicts.includes("open");
  });
}

function judge({ terms, content }: Phrase, index: PhraseIndex, shard: number, document: number): Verdict {
  const wanted = content.length > 0 ? content : terms;
  for (const term of wanted) {
    const list = index.listOf(term, shard);
    if (list === undefined || indexOfNumber(list.documents, document) < 0) return "no";
  }
  if (terms.length === 1) return "yes";
  for (let at = 0; at + 1 < terms.length; at++) {
    const pair = index.pairOf(terms[at] as string, terms[at + 1] as string, shard);
    if (pair === undefined) continue;
    if (indexOfNumber(pair.documents, document) < 0) return "no";
    if (terms.length === 2) return "yes";
  }
  return sectionsWithAll(wanted, index, shard, document)?.size === 0 ? "no" : "open";
}

/** Units that hold the terms, as far as postings keep units; undefined where none of them does. */
function sectionsWithAll(
  terms: readonly string[],
  index: PhraseIndex,
  shard: number,
  document: number,
): ReadonlySet<number> | undefined {
  let common: Set<number> | undefined;
  for (const term of terms) {
    const list = index.listOf(term, shard) as PostingList;
    const at = indexOfNumber(list.documents, document);
    if (at < 0 || (list.unitsAt[at] as number) < 0) continue;
    // A phrase may reach into the next piece of its section: a unit counts with its neighbours.
    const units = new Set<number>();
    visitUnits(list, at, (unit) => {
      for (const near of [unit - 1, unit, unit + 1]) if (near >= FIRST_TEXT_UNIT) units.add(near);
    });
    const before: Set<number> | undefined = common;
    common = before === undefined ? units : new Set([...units].filter((unit) => before.has(unit)));
  }
  return common;
}

function listReads(
  reader: IndexReader,
  { shard: visible, document }: ScoredDocument,
  open: readonly Requirement[],
  index: PhraseIndex,
): SectionRead[] {
  const shard = reader.shards[visible]?.index ?? 0;
  const located = residentTable(reader, shard, "locator")[document] as LocatedDocument;
  const ordinals = sectionsOfUnits(located);
  const all = Array.from(ordinals, (_, at) => at + FIRST_TEXT_UNIT);
  const units = new Set(
    open.flatMap(({ anyOf }) =>
      anyOf.flatMap((phrase) => {
        if (judge(phrase, index, visible, document) !== "open") return [];
        const wanted = phrase.content.length > 0 ? phrase.content : phrase.terms;
        return [...(sectionsWithAll(wanted, index, visible, document) ?? all)];
      }),
    ),
  );
  const firsts = new Map<number, SectionRead>();
  for (const unit of [...units].sort((a, b) => a - b)) {
    if (unit - FIRST_TEXT_UNIT >= ordinals.length) continue;
    const { block, firstUnit } = findBlock(located, unit);
    if (firsts.has(firstUnit) || firsts.size >= MAX_BLOCKS) continue;
    const start = firstUnit - FIRST_TEXT_UNIT;
    firsts.set(firstUnit, {
      read: { shard, document, firstUnit, block },
      ordinals: [...ordinals.slice(start, start + block.units)],
    });
  }
  return [...firsts.values()];
}

interface ReadSection extends SectionRead {
  readonly block: { readonly units: readonly { readonly text: string }[] } | undefined;
}

/** Text of each section as far as it was read, its pieces joined. */
function joinSections(reads: readonly ReadSection[]): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  for (const { ordinals, block } of reads) {
    for (const [at, ordinal] of ordinals.entries()) {
      texts.set(ordinal, `${texts.get(ordinal) ?? ""}${block?.units[at]?.text ?? ""}`);
    }
  }
  return texts;
}

/** Sections with a phrase that is asked for, or undefined where a requirement is not fulfilled. */
function checkTexts(open: readonly Requirement[], texts: ReadonlyMap<number, string>): number[] | undefined {
  const sections = new Set<number>();
  for (const { anyOf, negated } of open) {
    const holding = [...texts].filter(([ordinal, text]) =>
      anyOf.some(({ terms }) => holdsPhrase(text, terms, ordinal === 0)),
    );
    if (negated ? holding.length > 0 : holding.length === 0) return undefined;
    if (!negated) for (const [ordinal] of holding) sections.add(ordinal);
  }
  return [...sections].sort((a, b) => a - b);
}

/** Whether a section's source holds the terms side by side, in what is shown of it or in its markup. */
function holdsPhrase(source: string, terms: readonly string[], isStart: boolean): boolean {
  if (holdsTerms(stripMarkup(source, isStart), terms)) return true;
  return flattenMarkup(source, false).some((text) => holdsTerms(text, terms));
}

function holdsTerms(text: string, terms: readonly string[]): boolean {
  // How many terms each match that is under way has; a match begins at every first term.
  let open: number[] = [];
  let found = false;
  visitTerms(text, (term, kind) => {
    if (found || kind === "whole") return;
    const next = open.filter((matched) => terms[matched] === term).map((matched) => matched + 1);
    if (term === terms[0]) next.push(1);
    if (next.includes(terms.length)) found = true;
    open = next;
  });
  return found;
}
