/**
 * Hits: from scored documents to what an answer shows of them, reading text for the first sections only.
 *
 * Sections beyond those are named by what is at hand: whole where a block that was read holds them, else by their
 * ordinal. One wave of reads.
 */
import { findBlock, type LocatedDocument } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { BlockSection, TextBlock } from "../format/text-block.ts";
import type { BlockRead, IndexReader } from "../index/index-reader.ts";
import { readWithResident, residentTable } from "../index/resident.ts";
import { makeDocumentId, makeNodeId, makeOrdinalId, makeUrl } from "../tree/node-id.ts";
import type { DocumentHit, ExcerptPart, SearchRequest, SectionHit } from "./answer.ts";
import { makeExcerpt } from "./excerpt.ts";
import type { ScoredDocument, ScoredSection } from "./scoring.ts";
import { analyzerOfDocument } from "./search-languages.ts";

/** A block that is read. */
interface WantedBlock {
  /** Index of the document on the page. */
  readonly document: number;
  readonly read: BlockRead;
}

/** A section whose text is read. */
interface WantedSection extends WantedBlock {
  readonly section: ScoredSection;
}

/** A block that was read. */
interface ReadBlock {
  readonly firstUnit: number;
  readonly block: TextBlock;
}

/** Hits for one page of scored documents. `weights` are those of the query's terms, for choosing excerpts. */
export async function loadHits(
  reader: IndexReader,
  page: readonly ScoredDocument[],
  request: SearchRequest,
  weights: ReadonlyMap<string, number>,
): Promise<DocumentHit[]> {
  const wanted = chooseExcerpts(reader, page, request.excerpts);
  if (page.length === 0 && !request.withFacetCounts) return [];
  const isWhole = reader.residency === "whole";
  const wantedBlocks: readonly WantedBlock[] = isWhole ? wanted : [...wanted, ...chooseNames(reader, page, wanted)];
  const reads = wantedBlocks.map(({ read }) => read);
  const withFacets = isWhole || request.withFacetCounts;
  const resident = [...(isWhole ? (["titles"] as const) : []), ...(withFacets ? (["facets"] as const) : [])];
  const wave = await readWithResident(reader, resident, [], reads);
  const blocksOf = page.map((_, document) =>
    wantedBlocks.flatMap((wantedBlock, at): ReadBlock[] =>
      wantedBlock.document === document
        ? [{ firstUnit: wantedBlock.read.firstUnit, block: wave.blocks[at] as TextBlock }]
        : [],
    ),
  );
  const facetsOf = withFacets ? (await import("../tree/facets.ts")).facetsOf : undefined;
  const withExcerpt = new Set(wanted.map(({ section }) => section));
  return page.map((scored, document) => {
    const shard = reader.shards[scored.shard]?.index ?? 0;
    const located = locate(reader, scored);
    const blocks = blocksOf[document] ?? [];
    const titles = isWhole ? residentTable(reader, shard, "titles") : [];
    const name = titles[scored.document] ?? blocks[0]?.block ?? { path: "", title: "" };
    const collection = reader.collectionAt(located.collection);
    const id = makeDocumentId(collection.name, name.path);
    const analyzer = analyzerOfDocument(reader, shard, scored.document);
    return {
      id,
      collection: collection.name,
      path: name.path,
      title: name.title,
      description: blocks[0]?.block.description ?? "",
      url: makeUrl(collection.baseUrl, name.path, ""),
      score: scored.score,
      contentHash: blocks[0]?.block.contentHash ?? "",
      facets: facetsOf?.(reader, shard, scored.document) ?? {},
      meta: blocks[0]?.block.meta ?? {},
      isFallback: scored.isFallback,
      sections: scored.sections.map((section) => {
        const own = blocks.find(
          ({ firstUnit, block }) => section.unit >= firstUnit && section.unit < firstUnit + block.units.length,
        );
        if (own === undefined) return nameByOrdinal(id, section);
        const source = own.block.units[section.unit - own.firstUnit]?.text ?? "";
        const excerpt = withExcerpt.has(section)
          ? makeExcerpt(source, weights, section.unit === FIRST_TEXT_UNIT, analyzer)
          : [];
        return describeSection(id, collection.baseUrl, section, own.block, excerpt);
      }),
    };
  });
}

/**
 * The sections whose text is read: the first ones in the order of the answer. Where texts name the documents, too, the
 * best section of each comes first, for its block is read anyway.
 */
function chooseExcerpts(reader: IndexReader, page: readonly ScoredDocument[], excerpts: number): WantedSection[] {
  const order = page.flatMap(({ sections }, document) =>
    sections.map((section, rank) => ({ document, section, rank })),
  );
  const isNaming = reader.residency === "shown" && excerpts > 0;
  if (isNaming) order.sort((a, b) => a.rank - b.rank);
  const count = isNaming ? Math.max(excerpts, page.length) : excerpts;
  return order.slice(0, count).map(({ document, section }) => ({
    document,
    section,
    read: readBlock(reader, page[document] as ScoredDocument, section.unit),
  }));
}

/** A block of each document that no excerpt is taken from: it names the document, and its best section. */
function chooseNames(
  reader: IndexReader,
  page: readonly ScoredDocument[],
  wanted: readonly WantedBlock[],
): WantedBlock[] {
  const named = new Set(wanted.map(({ document }) => document));
  return page.flatMap((scored, document) =>
    named.has(document)
      ? []
      : [{ document, read: readBlock(reader, scored, scored.sections[0]?.unit ?? FIRST_TEXT_UNIT) }],
  );
}

function readBlock(reader: IndexReader, scored: ScoredDocument, unit: number): BlockRead {
  const { block, firstUnit } = findBlock(locate(reader, scored), unit);
  const shard = reader.shards[scored.shard]?.index ?? 0;
  return { shard, document: scored.document, firstUnit, block };
}

function locate(reader: IndexReader, scored: ScoredDocument): LocatedDocument {
  const shard = reader.shards[scored.shard]?.index ?? 0;
  return residentTable(reader, shard, "locator")[scored.document] as LocatedDocument;
}

function nameByOrdinal(documentId: string, { ordinal, score }: ScoredSection): SectionHit {
  return {
    nodeId: makeOrdinalId(documentId, ordinal),
    ordinal,
    score,
    heading: "",
    headingPath: [],
    url: "",
    startLine: 0,
    endLine: 0,
    excerpt: [],
  };
}

function describeSection(
  documentId: string,
  baseUrl: string,
  { ordinal, score }: ScoredSection,
  block: TextBlock,
  excerpt: readonly ExcerptPart[],
): SectionHit {
  const chain = sectionChain(block, ordinal);
  const own = chain.at(-1);
  const isRoot = ordinal === 0 || own === undefined;
  const root = [...block.ancestors, ...block.units.map(({ section }) => section)].find(
    (section) => section?.level === 0,
  );
  return {
    nodeId: makeNodeId(documentId, isRoot ? "" : chain.map(({ slug }) => slug).join("/")),
    ordinal,
    score,
    heading: isRoot ? block.title : own.title,
    headingPath: isRoot ? [block.title] : [block.title, ...chain.map(({ title }) => title)],
    url: makeUrl(baseUrl, block.path, isRoot ? "" : own.anchor),
    startLine: isRoot ? (root?.startLine ?? 1) : own.startLine,
    endLine: isRoot ? (root?.endLine ?? 0) : own.endLine,
    excerpt,
  };
}

/** Sections from below the root down to the one with this ordinal, as the block's headings nest. */
function sectionChain(block: TextBlock, ordinal: number): BlockSection[] {
  let chain = block.ancestors.filter(({ level }) => level > 0);
  if (chain.at(-1)?.ordinal === ordinal) return chain;
  for (const { section } of block.units) {
    if (section === undefined || section.level === 0) continue;
    chain = [...chain.filter(({ level }) => level < section.level), section];
    if (section.ordinal === ordinal) return chain;
  }
  return chain;
}
