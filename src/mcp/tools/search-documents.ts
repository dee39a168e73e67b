/**
 * Tool `search_documents`: the documents and sections that answer a question best, with excerpts.
 *
 * Within a session sections whose words were shown before are left out and named in one line. Their documents keep their
 * places, so pages stay the same.
 */
import { mentionsInPages } from "../../core/code/edges.ts";
import { checkCollection } from "../../core/docs/catalogue.ts";
import { loadOutlines, readPassages, resolveDocumentId } from "../../core/docs/documents.ts";
import { countFacets } from "../../core/docs/facets.ts";
import { NO_FILTER } from "../../core/docs/model.ts";
import { makeOrdinalId } from "../../core/docs/node-id.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { readWithResident } from "../../core/index/resident.ts";
import type { DocumentHit, SearchAnswer, SearchRequest, SectionHit } from "../../core/search/answer.ts";
import {
  DEFAULT_EXCERPTS,
  DEFAULT_LIMIT,
  MAX_EXCERPTS,
  MAX_LIMIT,
  makeSearchRequest,
  SORTS,
} from "../../core/search/answer.ts";
import { search } from "../../core/search/search.ts";
import { type AnswerForm, findUnanswered, type JsonObject, listForms } from "../../surface/render/answer.ts";
import { formatFacetCounts } from "../../surface/render/facets.ts";
import { cutToLines } from "../../surface/render/passages.ts";
import {
  describeSearch,
  formatHit,
  toQueryJson,
  toResultJson,
  toSearchJson,
} from "../../surface/render/search-text.ts";
import { estimateTokens, foldLine, formatCount, roundScore } from "../../surface/render/text.ts";
import { makeShownId, unknownDocument } from "../find-named.ts";
import { defineTool } from "../tool.ts";

const NAME = "search_documents";
const MAX_QUOTED_QUERY = 80;
const FACET_LIMITS = { keys: 3, values: 4 };
/** Symbols that JSON lists of those that a section names. */
const MAX_SYMBOLS = 10;
/** Sections whose text is read with `include_content`. */
const MAX_CONTENTS = 10;
/** Least tokens of a section's text that are worth showing. */
const LEAST_CONTENT_TOKENS = 40;
/** Compressed bytes read of one section for each token of the budget: more than ever fits. */
const BYTES_PER_TOKEN = 8;

/** Sections that are named of those that were shown before. */
const MAX_NAMED = 5;

const NO_OWN_URL = { ownUrl: () => "" };

type TextOptions = Parameters<typeof formatHit>[1];

export const searchDocumentsTool = defineTool({
  name: NAME,
  description: "Ranked documents with best sections and excerpts. Start here; next get_tree or get_node_content.",
  parameters: {
    query: { kind: "text", required: true },
    collection: { kind: "text" },
    doc_id: { kind: "text" },
    filters: { kind: "filter" },
    sort: { kind: "choice", values: SORTS },
    limit: { kind: "integer", default: DEFAULT_LIMIT, maximum: MAX_LIMIT },
    include_content: { kind: "boolean", default: false },
    excerpts: { kind: "integer", default: DEFAULT_EXCERPTS, minimum: 0, maximum: MAX_EXCERPTS },
    ranking: { kind: "ranking" },
    explain: { kind: "boolean", default: false },
  },
  pages: true,
  sessionParts: ["shown"],
  readsBodies: ({ include_content }) => include_content === true,
  example: { query: "install on linux", filters: { type: "guide" } },
  quotes: true,
  async run(args, { reader, offset, maxTokens, shownBefore }) {
    const { query, collection, doc_id, filters, sort, limit, excerpts, include_content, ranking, explain } = args;
    if (collection !== undefined) checkCollection(reader, collection);
    const request = makeSearchRequest(query, {
      offset,
      limit,
      excerpts,
      collections: collection === undefined ? [] : [collection],
      documentId: doc_id === undefined ? undefined : await findDocumentId(reader, doc_id, query),
      filter: filters ?? NO_FILTER,
      sort: sort ?? "relevance",
      withFacetCounts: "at-hand",
      withDetails: true,
      ranking: ranking ?? {},
      explain,
    });
    const found = await search(reader, request);
    const total = found.totalDocuments + found.uncheckedDocuments;
    // Texts that a call asks for are given whatever was shown before.
    const { answer, leftOut } = include_content ? { answer: found, leftOut: [] } : leaveOutShown(found, shownBefore);
    const contents = include_content ? await readContents(reader, answer.hits, maxTokens) : undefined;
    const symbolsOf = await readNamedSymbols(reader, answer.hits);
    const unanswered = findUnanswered(request, found);
    const options: HitOptions = { shownId: makeShownId(reader), symbolsOf, limit };
    const forms = hitForms(answer, options);
    return {
      summary: summarize(query, found, offset),
      forms: contents === undefined ? forms : [withContents(answer, contents, options), ...forms],
      notes: [
        ...(total === 0 ? await suggest(reader, request, answer) : []),
        ...(leftOut.length > 0 ? [describeLeftOut(leftOut.map(options.shownId))] : []),
      ],
      page: { offset, total, items: "documents", positions: found.positions },
      ...(unanswered !== undefined && { unanswered }),
    };
  },
});

async function findDocumentId(reader: IndexReader, text: string, query: string): Promise<string> {
  const id = await resolveDocumentId(reader, text);
  if (id !== undefined) return id;
  const example = (nearest: string): JsonObject => ({ query: foldLine(query, MAX_QUOTED_QUERY), doc_id: nearest });
  throw await unknownDocument(reader, text, { tool: NAME, example });
}

function summarize(query: string, answer: SearchAnswer, offset: number): string {
  const { totalDocuments, uncheckedDocuments, hits } = answer;
  const quoted = JSON.stringify(foldLine(query, MAX_QUOTED_QUERY));
  const found =
    totalDocuments === 0 && uncheckedDocuments > 0
      ? `Nothing found so far for ${quoted}`
      : `Found ${formatCount(totalDocuments, "document")} for ${quoted}`;
  const shown =
    hits.length === totalDocuments ? "" : `, showing ${offset === 0 ? "" : `${offset + 1}–`}${offset + hits.length}`;
  return [`${found}${shown}.`, ...describeSearch(answer)].join(" ");
}

/** What to try where nothing was found. */
async function suggest(reader: IndexReader, request: SearchRequest, answer: SearchAnswer): Promise<string[]> {
  const tips: string[] = [];
  const wider: SearchRequest = { ...request, collections: [], documentId: undefined, filter: NO_FILTER, excerpts: 0 };
  const elsewhere = (await search(reader, { ...wider, offset: 0, limit: 1, withFacetCounts: false })).totalDocuments;
  if (elsewhere > 0) {
    tips.push(`Found without collection, doc_id and filters: ${formatCount(elsewhere, "document")}.`);
  } else if (answer.scoredTerms.length > 0) {
    tips.push("Try other or fewer words: names as they stand in the documents, or words of a heading.");
  }
  await readWithResident(reader, ["facets"]);
  const all = countFacets(reader);
  const facets = formatFacetCounts(all, reader.generation.documents, FACET_LIMITS);
  tips.push(`list_documents shows what there is${facets === "" ? "" : ` (${facets})`}.`);
  return tips;
}

interface HitOptions {
  /** The document's id as shown: a path where there is one collection only. */
  readonly shownId: (documentId: string) => string;
  readonly symbolsOf: SymbolsOf;
  /** Hits of a page. */
  readonly limit: number;
}

/** What text shows of a hit beside its excerpts. */
function textOptions({ shownId, symbolsOf }: HitOptions): Pick<TextOptions, "shownId" | "symbolsOf"> {
  return { shownId, symbolsOf: (section) => symbolsOf(section).map(shownId) };
}

function symbolsJson(symbolsOf: SymbolsOf, section: SectionHit): JsonObject {
  const symbols = symbolsOf(section).slice(0, MAX_SYMBOLS);
  return symbols.length === 0 ? {} : { symbols };
}

const MORE = "Fewer documents: limit. Sections: get_node_content.";
const LEVELS = [
  ["excerpts and facets", "full"],
  ["results without frontmatter and facets", "lean"],
  ["excerpts without facets", "plain", 3],
  ["titles and ids", "bare", 1],
] as const;

/** From everything to titles and ids; one form where nothing was found. */
function hitForms(answer: SearchAnswer, options: HitOptions): AnswerForm[] {
  const { hits, facetCounts, totalDocuments: total } = answer;
  const resultOptions = { ...NO_OWN_URL, extra: (section: SectionHit) => symbolsJson(options.symbolsOf, section) };
  const facets = total > options.limit ? formatFacetCounts(facetCounts, total, FACET_LIMITS) : "";
  const forms = listForms<DocumentHit, (typeof LEVELS)[number][1]>(hits, total === 0 ? LEVELS.slice(0, 1) : LEVELS, {
    text: (hit, level) =>
      formatHit(level === "plain" ? { ...hit, description: "" } : hit, {
        ...textOptions(options),
        withExcerpts: level !== "bare",
      }),
    toJson: (shown, level) => {
      if (level === "full") return toSearchJson({ ...answer, hits: shown }, resultOptions);
      if (level === "lean") {
        return { total, results: shown.map((hit) => toLeanResult(hit, resultOptions)), ...toQueryJson(answer) };
      }
      return { total, results: shown.map(level === "plain" ? toPlainResult : toBareResult) };
    },
    toSections: (shown, level) => (level === "bare" ? [] : shown.flatMap(listRead)),
    more: MORE,
  });
  return forms.map((form, at) =>
    facets !== "" && at < 2 ? { ...form, tail: `Facets of all ${total}: ${facets}` } : form,
  );
}

/** A result without what can be looked up by id: frontmatter, facets, hash. */
function toLeanResult(hit: DocumentHit, options: Parameters<typeof toResultJson>[1]): JsonObject {
  const { meta: _meta, facets: _facets, contentHash: _hash, ...result } = toResultJson(hit, options);
  return result;
}

function toPlainResult(hit: DocumentHit): JsonObject {
  const { id, title, score, sections } = hit;
  return {
    id,
    title,
    score: roundScore(score),
    sections: sections.map(({ nodeId, heading, startLine, endLine, excerpt }) => ({
      nodeId,
      heading,
      startLine,
      endLine,
      plainExcerpt: excerpt.map(({ text }) => text).join(""),
    })),
  };
}

function toBareResult({ id, title, score, sections }: DocumentHit): JsonObject {
  return { id, title, score: roundScore(score), sections: sections.map(({ nodeId }) => ({ nodeId })) };
}

/** Texts of the best sections by node id, best first. */
type Contents = ReadonlyMap<string, string>;
type SectionContent = { readonly text: string; readonly linesLeft: number };
type FilledContents = ReadonlyMap<string, SectionContent>;

/** The sections whose text is read, the best of each document first. */
function chooseContents(hits: readonly DocumentHit[]): { readonly id: string; readonly section: SectionHit }[] {
  const byRank = [0, 1, 2].flatMap((rank) =>
    hits.flatMap(({ id, sections }) => {
      const section = sections[rank];
      return section === undefined || section.heading === "" ? [] : [{ id, section }];
    }),
  );
  return byRank.slice(0, MAX_CONTENTS);
}

async function readContents(reader: IndexReader, hits: readonly DocumentHit[], maxTokens: number): Promise<Contents> {
  const wanted = chooseContents(hits);
  const outlines = await loadOutlines(
    reader,
    wanted.map(({ id }) => id),
  );
  const requests = wanted.flatMap(({ section: { nodeId, ordinal } }, index) => {
    const outline = outlines[index];
    const place = outline?.sections[ordinal];
    if (outline === undefined || place === undefined) return [];
    return [{ nodeId, outline, startLine: place.startLine, endLine: place.endLine, withFrontmatter: false }];
  });
  const passages = await readPassages(reader, requests, maxTokens * BYTES_PER_TOKEN);
  return new Map(requests.map(({ nodeId }, index) => [nodeId, passages[index]?.text ?? ""]));
}

/** Hits with the texts of their best sections, of as many as fit. */
function withContents(answer: SearchAnswer, contents: Contents, options: HitOptions): AnswerForm {
  const { hits } = answer;
  const form = (filled: FilledContents): AnswerForm => {
    const contentOf = ({ nodeId }: SectionHit): SectionContent | undefined => filled.get(nodeId);
    const extra = (section: SectionHit): JsonObject => {
      const { text, linesLeft = 0 } = contentOf(section) ?? {};
      const symbols = symbolsJson(options.symbolsOf, section);
      return text === undefined ? symbols : { ...symbols, text, ...(linesLeft > 0 && { linesLeft }) };
    };
    return {
      detail: `texts of ${formatCount(filled.size, "section")}`,
      blocks: () => hits.map((hit) => formatHit(hit, { ...textOptions(options), contentOf, withExcerpts: true })),
      json: (shown) => ({
        total: answer.totalDocuments,
        results: hits.slice(0, shown).map((hit) => toResultJson(hit, { ...NO_OWN_URL, extra })),
      }),
      sections: (shown) => hits.slice(0, shown).flatMap(listRead),
      more: "Whole sections: get_node_content.",
    };
  };
  return {
    ...form(new Map([...contents].map(([nodeId, text]) => [nodeId, { text, linesLeft: 0 }]))),
    shorten: (maxTokens) => {
      const blocks = hits.map((hit) => formatHit(hit, { ...textOptions(options), withExcerpts: true }));
      const room = maxTokens - blocks.reduce((sum, block) => sum + estimateTokens(block), 0);
      const cut = fillContents(contents, room);
      return cut.size === 0 ? undefined : form(cut);
    },
  };
}

/** As many of the best sections' texts as fit; the last one cut at the end of a line. */
function fillContents(contents: Contents, maxTokens: number): FilledContents {
  const filled = new Map<string, SectionContent>();
  let left = maxTokens;
  for (const [nodeId, text] of contents) {
    if (left < LEAST_CONTENT_TOKENS) break;
    const cut = cutToLines(text, left);
    filled.set(nodeId, { text: cut.text, linesLeft: cutToLines(text, Number.POSITIVE_INFINITY).lines - cut.lines });
    left -= estimateTokens(cut.text);
  }
  return filled;
}

/** Ids by number of the sections of a hit whose words are shown: of others the id alone is. */
function listRead({ id, sections }: DocumentHit): string[] {
  return sections.flatMap(({ ordinal, excerpt }) => (excerpt.length > 0 ? [makeOrdinalId(id, ordinal)] : []));
}

/** The hits without sections that were shown before, and the ids of these. */
function leaveOutShown(answer: SearchAnswer, shownBefore: ReadonlySet<string>) {
  const leftOut: string[] = [];
  const hits = answer.hits.map((hit) => {
    const isNew = ({ ordinal }: SectionHit): boolean => !shownBefore.has(makeOrdinalId(hit.id, ordinal));
    leftOut.push(...hit.sections.flatMap((section) => (isNew(section) ? [] : [section.nodeId])));
    return { ...hit, sections: hit.sections.filter(isNew) };
  });
  return { answer: { ...answer, hits }, leftOut };
}

/** `Shown before: 6 sections (guide/install.md#linux, faq.md#n3, … and 4 more).` */
function describeLeftOut(ids: readonly string[]): string {
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : "";
  return `Shown before: ${formatCount(ids.length, "section")} (${ids.slice(0, MAX_NAMED).join(", ")}${more}).`;
}

/** Ids of the symbols that a section names, by their lines, each once. */
type SymbolsOf = (section: SectionHit) => readonly string[];

/** What the sections name that are shown with an excerpt: a wave for all of them, none where no page names anything. */
async function readNamedSymbols(reader: IndexReader, hits: readonly DocumentHit[]): Promise<SymbolsOf> {
  const pages = hits.filter(({ sections }) => sections.some(({ heading }) => heading !== ""));
  const ofPages = await mentionsInPages(
    reader,
    pages.map(({ id }) => id),
  );
  const mentions = ofPages.flat();
  const ofSection = ({ nodeId }: SectionHit) => mentions.filter((mention) => mention.nodeId === nodeId);
  return (section) => {
    const own = ofSection(section);
    // A text that names a member leads to its containers, too, behind it: the member says it all.
    const exact = own.filter(
      ({ text, line }, at) => at === 0 || own[at - 1]?.text !== text || own[at - 1]?.line !== line,
    );
    return [...new Set(exact.map(({ symbolId }) => symbolId))];
  };
}
