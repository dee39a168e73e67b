/**
 * The sections that answer a need best, across documents, with their texts: what an agent reads, where `run-search` gives
 * documents to choose from.
 *
 * A need is one question in one wording or several, whose lists are joined by reciprocal rank (Cormack, Clarke and Büttcher,
 * "Reciprocal Rank Fusion", SIGIR 2009). All needs of a call share their waves: words, then texts.
 */
import { makeDocumentId } from "../docs/node-id.ts";
import { roleOf } from "../docs/roles.ts";
import { collectionOf, sectionsOfUnits } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { TextBlock } from "../format/text-block.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { blockReads, readWithResident, residentTable } from "../index/resident.ts";
import type { Analyzer } from "../text/analyze.ts";
import { codeLanguageOf } from "../text/code-languages.ts";
import { makeSearchRequest } from "./answer.ts";
import type { Correction } from "./correct.ts";
import { parseQuery } from "./query.ts";
import { lookUp, rankFound, takePage, weighTerms } from "./rank.ts";
import { loadRefined } from "./refined.ts";
import { gradeNames } from "./score.ts";
import type { ScoredSection } from "./scoring.ts";
import { analyzerOfDocument, listAnalyzers } from "./search-languages.ts";

/** Documents of a wording whose sections are compared, and those where phrases must be read to be checked. */
const MAX_DOCUMENTS = 60;
const MAX_CHECKED = 20;
/** The constant of reciprocal rank fusion. With the 60 of its paper, a place in the middle of all lists beats the first of two. */
const FUSION = 5;
/** What the score of the rest of its document adds to a section's own; that of one whose name is asked for leads whole. */
const DOCUMENT_SHARE = 0.25;
/** Units of a section in front of the one that matches that are read: lines are counted from its beginning. */
const MAX_UNITS = 12;

interface NeedRequest {
  /** For each need its wordings. */
  readonly needs: readonly (readonly string[])[];
  /** Which documents are wanted, by path, whether it is source code, and id. */
  readonly accepts: (path: string, isCode: boolean, documentId: string) => boolean;
  /** Sections of each need whose texts are read. */
  readonly texts: number;
}

export interface FoundSection {
  readonly documentId: string;
  readonly path: string;
  readonly title: string;
  readonly isCode: boolean;
  /** Headings from below the page's title down to its own, names of a symbol's containers and its own. */
  readonly headings: readonly string[];
  readonly startLine: number;
  readonly endLine: number;
  /** The section's own text, from its first line to behind the part that matches best. */
  readonly text: string;
  readonly analyzer: Analyzer;
  readonly score: number;
}

export interface FoundNeed {
  readonly sections: readonly FoundSection[];
  /** Weight of each term, for choosing what to show. */
  readonly weights: ReadonlyMap<string, number>;
  /** Documents that hold any of the words. */
  readonly documents: number;
  /** Documents beside the product that were left out, by role. */
  readonly aside: number;
  readonly corrections: readonly Correction[];
  readonly missing: readonly string[];
}

interface Candidate {
  readonly shard: number;
  readonly document: number;
  readonly section: Pick<ScoredSection, "ordinal" | "unit">;
  readonly path: string;
  readonly documentId: string;
  readonly score: number;
}

interface Wording extends Omit<FoundNeed, "sections"> {
  readonly candidates: readonly Candidate[];
}

export async function findSections(reader: IndexReader, request: NeedRequest): Promise<FoundNeed[]> {
  await readWithResident(reader, ["locator", "titles"]);
  const wordings = await Promise.all(
    request.needs.map((need) => Promise.all(need.map((text) => rankSections(reader, text, request)))),
  );
  const chosen = wordings.map((own) => fuse(own.map(({ candidates }) => candidates)).slice(0, request.texts));
  const texts = await readTexts(reader, chosen.flat());
  let next = 0;
  return wordings.map((own, at): FoundNeed => {
    const sections = (chosen[at] ?? []).map((candidate) => toFound(reader, candidate, texts[next++] ?? []));
    return {
      sections,
      weights: new Map(own.flatMap(({ weights }) => [...weights])),
      documents: Math.max(...own.map(({ documents }) => documents)),
      aside: Math.max(...own.map(({ aside }) => aside)),
      corrections: own.flatMap(({ corrections }) => corrections),
      missing: own.flatMap(({ missing }) => missing),
    };
  });
}

async function rankSections(reader: IndexReader, text: string, { accepts }: NeedRequest): Promise<Wording> {
  const analyzers = listAnalyzers(reader, []);
  const query = parseQuery(text, { facetKeys: reader.facetKeys, asYouType: false, analyzers });
  const request = makeSearchRequest(text, { limit: MAX_CHECKED });
  const found = await lookUp(reader, request, query, analyzers, loadRefined);
  const wanted = { count: MAX_CHECKED, withOthers: true };
  const { scoring, inOrder } = await rankFound(reader, request, found, loadRefined, wanted);
  const checked =
    found.judge === undefined
      ? inOrder
      : (await takePage(reader, request, found, inOrder, loadRefined)).documents.map(({ scored }) => scored);
  const candidates: Candidate[] = [];
  const grades = reader.shards.map((_, visible) => gradeNames(scoring, visible));
  let aside = 0;
  let documents = 0;
  for (const { shard: visible, document, score, sections } of checked) {
    const shard = reader.shards[visible]?.index ?? 0;
    const path = residentTable(reader, shard, "titles").at(document)?.path ?? "";
    const collection = reader.collectionAt(collectionOf(residentTable(reader, shard, "locator"), document)).name;
    const documentId = makeDocumentId(collection, path);
    if (!accepts(path, codeLanguageOf(path) !== undefined, documentId)) continue;
    if (roleOf(reader, documentId) !== "production") {
      aside++;
      continue;
    }
    if (documents++ >= MAX_DOCUMENTS) continue;
    const grade = grades[visible]?.get(document) ?? 0;
    const isOfName = sections.length === 0 && grade > 0;
    for (const section of isOfName ? [{ ordinal: 0, unit: FIRST_TEXT_UNIT, score: 0 }] : sections) {
      const own = section.score + Math.max(grade, DOCUMENT_SHARE) * score;
      candidates.push({ shard, document, section, path, documentId, score: own });
    }
  }
  candidates.sort((a, b) => b.score - a.score);
  const { corrections, missing } = found;
  return { candidates, weights: weighTerms(scoring), documents, aside, corrections, missing };
}

/** One list of several, each section once. */
function fuse(lists: readonly (readonly Candidate[])[]): Candidate[] {
  if (lists.length === 1) return [...(lists[0] ?? [])];
  const sums = new Map<string, { readonly candidate: Candidate; readonly score: number }>();
  for (const list of lists) {
    for (const [rank, candidate] of list.entries()) {
      const name = `${candidate.shard}/${candidate.document}/${candidate.section.ordinal}`;
      const before = sums.get(name);
      const score = (before?.score ?? 0) + 1 / (FUSION + rank + 1);
      sums.set(name, { candidate: before?.candidate ?? candidate, score });
    }
  }
  // Scores of different wordings cannot be compared; places can.
  return [...sums.values()].sort((a, b) => b.score - a.score).map(({ candidate, score }) => ({ ...candidate, score }));
}

/** Blocks of each candidate's section, from its first one to behind the one that matches. One wave. */
async function readTexts(reader: IndexReader, candidates: readonly Candidate[]): Promise<(readonly TextBlock[])[]> {
  const reads = candidates.map(({ shard, document, section }) => {
    const ordinals = sectionsOfUnits(residentTable(reader, shard, "locator"), document);
    const at = section.unit - FIRST_TEXT_UNIT;
    let first = at;
    while (first > 0 && at - first < MAX_UNITS && ordinals[first - 1] === ordinals[at]) first--;
    const last = ordinals[at + 1] === ordinals[at] ? at + 1 : at;
    const units = Array.from({ length: last - first + 1 }, (_, index) => FIRST_TEXT_UNIT + first + index);
    return blockReads(reader, shard, document, units);
  });
  const { blocks } = await reader.read([], reads.flat());
  let end = 0;
  return reads.map(({ length }) => {
    end += length;
    return blocks.slice(end - length, end);
  });
}

function toFound(reader: IndexReader, candidate: Candidate, blocks: readonly TextBlock[]): FoundSection {
  const { shard, document, path, documentId, score } = candidate;
  const [first] = blocks;
  const own = first?.section;
  const chain = own?.level ? [...(first?.ancestors ?? []), own] : [];
  const text = blocks.map((block) => block.text).join("");
  reader.countScanned(text.length);
  return {
    documentId,
    path,
    title: first?.title ?? "",
    isCode: codeLanguageOf(path) !== undefined,
    headings: chain.map(({ title }) => title),
    startLine: own?.startLine ?? 1,
    endLine: own?.endLine ?? 1,
    text,
    analyzer: analyzerOfDocument(reader, shard, document),
    score,
  };
}
