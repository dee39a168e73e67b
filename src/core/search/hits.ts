/**
 * Hits: from scored documents to what an answer shows of them, reading text for the first sections only.
 *
 * Sections beyond those are named by their ordinal. A document whose text was read is named by it; the others by the
 * titles, which are read whole where they are small, and else looked up. One wave of reads for up to six of them.
 */
import { utf8Length } from "../bytes/encodings.ts";
import { joinSlugs, makeDocumentId, makeNodeId, makeOrdinalId, makeUrl, type SiteAddress } from "../docs/node-id.ts";
import { collectionOf, isContinuation, type Locator } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { TextBlock } from "../format/text-block.ts";
import { type DocumentName, findName, nameRead } from "../index/decode-tables.ts";
import { type BlockRead, checkPath, type IndexReader, type TableRead } from "../index/index-reader.ts";
import {
  blockReads,
  isAtHand,
  knownName,
  type ResidentTable,
  readWithResident,
  residentTable,
} from "../index/resident.ts";
import { codeLanguageOf } from "../text/code-languages.ts";
import type { DocumentHit, ExcerptPart, SearchRequest, SectionHit } from "./answer.ts";
import { makeExcerpt, type UnitBegins } from "./excerpt.ts";
import type { LoadRefined } from "./refined.ts";
import type { ScoredDocument, ScoredSection } from "./score.ts";
import { analyzerOfDocument } from "./search-languages.ts";

/** A section whose text is read. */
interface WantedSection {
  /** Index of the document on the page. */
  readonly document: number;
  readonly section: ScoredSection;
  readonly read: BlockRead;
}

/** A document of the page with what was read of it. */
interface ReadDocument {
  readonly name: DocumentName;
  readonly blocks: ReadonlyMap<ScoredSection, TextBlock>;
}

/** Hits for one page of scored documents. `weights` are those of the query's terms, for choosing excerpts. */
export async function loadHits(
  reader: IndexReader,
  page: readonly ScoredDocument[],
  request: SearchRequest,
  weights: ReadonlyMap<string, number>,
  load: LoadRefined,
): Promise<DocumentHit[]> {
  if (page.length === 0 && request.withFacetCounts === false) return [];
  const withFacets = request.withFacetCounts === true || isAtHand(reader, "facets");
  const documents = await readDocuments(reader, page, request, withFacets);
  const facetsOf = withFacets ? (await load()).facetsOf : undefined;
  return page.map((scored, at) => {
    const shard = shardOf(reader, scored);
    const { name, blocks } = documents[at] as ReadDocument;
    const [block] = blocks.values();
    const locator = residentTable(reader, shard, "locator");
    const collection = reader.collectionAt(collectionOf(locator, scored.document));
    const id = makeDocumentId(collection.name, name.path);
    const isCode = codeLanguageOf(name.path) !== undefined;
    const analyzer = analyzerOfDocument(reader, shard, scored.document);
    return {
      id,
      collection: collection.name,
      path: name.path,
      title: name.title,
      description: block?.description ?? "",
      url: makeUrl(collection, name.path, ""),
      score: scored.score,
      contentHash: block?.contentHash ?? "",
      facets: facetsOf?.(reader, shard, scored.document) ?? {},
      meta: block?.meta ?? {},
      isFallback: scored.isFallback,
      sections: scored.sections.map((section) => {
        const own = blocks.get(section);
        if (own === undefined) return nameByOrdinal(id, section);
        reader.countScanned(utf8Length(own.text));
        const begins = isCode ? "code" : whatBegins(locator, scored.document, section.unit);
        const excerpt = makeExcerpt(own.text, own.section.title || own.title, weights, begins, analyzer);
        return describeSection(id, collection, section, own, excerpt);
      }),
    };
  });
}

function whatBegins(locator: Locator, document: number, unit: number): UnitBegins {
  if (unit === FIRST_TEXT_UNIT) return "file";
  return isContinuation(locator, document, unit) ? "nothing" : "section";
}

/** The documents of a page with their names and the text of the first sections. */
async function readDocuments(
  reader: IndexReader,
  page: readonly ScoredDocument[],
  request: SearchRequest,
  withFacets: boolean,
): Promise<ReadDocument[]> {
  const wanted = chooseExcerpts(reader, page, request);
  const withText = new Set(wanted.map(({ document }) => document));
  const unnamed = page.filter(
    (scored, at) => !withText.has(at) && knownName(reader, shardOf(reader, scored), scored.document) === undefined,
  );
  const isWhole = isAtHand(reader, "titles");
  const resident: ResidentTable[] = withFacets ? ["facets"] : [];
  if (isWhole && unnamed.length > 0) resident.push("titles");
  const names = isWhole ? [] : unnamed.map((scored): TableRead => nameRead(shardOf(reader, scored), scored.document));
  const reads = wanted.map(({ read }) => read);
  const wave = await readWithResident(reader, resident, names, reads);
  const found = new Map(
    isWhole ? [] : unnamed.map((scored, at) => [scored, findName(wave.tables[at] ?? [], scored.document)]),
  );
  return page.map((scored, at) => {
    const known = knownName(reader, shardOf(reader, scored), scored.document) ?? found.get(scored);
    const blocks = new Map<ScoredSection, TextBlock>();
    for (const [index, { document, section }] of wanted.entries()) {
      if (document !== at) continue;
      const block = wave.blocks[index] as TextBlock;
      // The titles may have come with this very wave.
      checkPath(known?.path, block);
      blocks.set(section, block);
    }
    const [block] = blocks.values();
    return { name: known ?? { path: block?.path ?? "", title: block?.title ?? "" }, blocks };
  });
}

/**
 * The sections whose text is read: the first ones in the order of the answer. Where texts name the documents, too, and where it
 * is asked for, the best section of each comes first, then the further ones of the first documents.
 */
function chooseExcerpts(
  reader: IndexReader,
  page: readonly ScoredDocument[],
  { excerpts, isSpread }: SearchRequest,
): WantedSection[] {
  const order = page.flatMap(({ sections }, document) =>
    sections.map((section, rank) => ({ document, section, rank })),
  );
  const isNamed = reader.residency === "shown" && excerpts > 0;
  if (isSpread || isNamed) order.sort((a, b) => Math.min(a.rank, 1) - Math.min(b.rank, 1));
  const count = isNamed ? Math.max(excerpts, page.length) : excerpts;
  return order.slice(0, count).map(({ document, section }) => {
    const scored = page[document] as ScoredDocument;
    const [read] = blockReads(reader, shardOf(reader, scored), scored.document, [section.unit]);
    return { document, section, read: read as BlockRead };
  });
}

/** Index in the root of a document's shard. */
function shardOf(reader: IndexReader, { shard }: ScoredDocument): number {
  return reader.shards[shard]?.index ?? 0;
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
  collection: SiteAddress,
  { ordinal, score }: ScoredSection,
  { path, title, ancestors, section: own }: TextBlock,
  excerpt: readonly ExcerptPart[],
): SectionHit {
  const chain = own.level === 0 ? [] : [...ancestors, own];
  return {
    nodeId: makeNodeId(
      documentId,
      joinSlugs(
        path,
        chain.map(({ slug }) => slug),
      ),
    ),
    ordinal,
    score,
    heading: own.level === 0 ? title : own.title,
    headingPath: [title, ...chain.map((section) => section.title)],
    url: makeUrl(collection, path, own.anchor),
    startLine: own.startLine,
    endLine: own.endLine,
    excerpt,
  };
}
