/**
 * Tool `search_documents`: the documents and sections that answer a question best, with excerpts.
 */
import { checkCollection } from "../../core/docs/catalogue.ts";
import { loadOutlines, readPassages, resolveDocumentId } from "../../core/docs/documents.ts";
import { countFacets } from "../../core/docs/facets.ts";
import { NO_FILTER } from "../../core/docs/model.ts";
import { SHOWN, type ShownLevel, type ShownSection } from "../../core/docs/shown.ts";
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
import { type AnswerForm, type AnswerPage, findUnanswered, type JsonObject } from "../../surface/render/answer.ts";
import { formatFacetCounts } from "../../surface/render/facets.ts";
import { formatCount, roundScore } from "../../surface/render/numbers.ts";
import { cutToLines } from "../../surface/render/passages.ts";
import {
  describeSearch,
  formatHit,
  type HitTextOptions,
  type ResultOptions,
  type SectionContent,
  toLeanSearchJson,
  toResultJson,
  toSearchJson,
} from "../../surface/render/search-text.ts";
import { foldLine } from "../../surface/render/text.ts";
import { estimateTokens } from "../../surface/render/tokens.ts";
import { makeShownId, unknownDocument } from "../find-documents.ts";
import {
  describeLeftOut,
  isLeanSearch,
  keepNewExcerpts,
  type LeftOut,
  leanForms,
  leaveOutShown,
  levelOfHit,
  levelOfLeanHit,
  readNamedSymbols,
  SHARE_OF_LEFT_OUT,
  type SymbolsOf,
  sectionsOfHit,
  type UnseenHits,
} from "../lean-search.ts";
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

const NO_OWN_URL: ResultOptions = { ownUrl: () => "" };

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
  async run(args, { reader, offset, maxTokens, format, shownBefore, lean }) {
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
      ranking: ranking ?? {},
      explain,
    });
    const found = await search(reader, request);
    const total = found.totalDocuments + found.uncheckedDocuments;
    const whole: AnswerPage = { offset, total, items: "documents", positions: found.positions };
    const isLean = total > 0 && isLeanSearch(lean, args);
    const { answer, leftOut, page } = isLean
      ? leaveOutShown(keepNewExcerpts(found, shownBefore, lean), whole, shownBefore, levelOfLeanHit)
      : findUnseen(found, whole, shownBefore, include_content);
    const contents = include_content ? await readContents(reader, answer.hits, maxTokens) : undefined;
    const symbolsOf = await readNamedSymbols(reader, answer.hits);
    const base = hitForms(reader, answer, symbolsOf, limit);
    const unanswered = findUnanswered(request, found);
    const forms: [AnswerForm, ...AnswerForm[]] = isLean
      ? leanForms(reader, answer, base, { shownBefore, given: lean, symbolsOf })
      : contents === undefined
        ? base
        : [withContents(reader, answer, symbolsOf, contents), ...base];
    return {
      isLean,
      summary: isLean
        ? [`${formatCount(found.totalDocuments, "document")}.`, ...describeSearch(found)].join(" ")
        : summarize(query, found, offset),
      forms: leftOut.length === 0 ? forms : namingLeftOut(forms, leftOut, maxTokens),
      notes: [
        ...(total === 0 ? await suggest(reader, request, answer) : []),
        ...(leftOut.length > 0 && format === "text" ? [describeLeftOut(leftOut, makeShownId(reader))] : []),
      ],
      ...(page !== undefined && { page }),
      ...(unanswered !== undefined && { unanswered }),
    };
  },
});

/** What of the hits is new to the session. */
function findUnseen(
  found: SearchAnswer,
  page: AnswerPage,
  shownBefore: ReadonlyMap<string, ShownLevel>,
  withContent: boolean,
): UnseenHits {
  if (shownBefore.size === 0) return { answer: found, leftOut: [], page };
  if (!withContent) return leaveOutShown(found, page, shownBefore, levelOfHit);
  // Whose text was shown takes none of the places for texts.
  const read = leaveOutShown(found, page, shownBefore, () => SHOWN.text).answer.hits;
  const texts = new Set(chooseContents(read).map(({ section }) => section.nodeId));
  return leaveOutShown(found, page, shownBefore, (section) =>
    texts.has(section.nodeId) ? SHOWN.text : levelOfHit(section),
  );
}

/** The same forms, in JSON with the ids of what was left out, as many as leave room for results. */
function namingLeftOut(
  forms: readonly [AnswerForm, ...AnswerForm[]],
  leftOut: readonly LeftOut[],
  maxTokens: number,
): [AnswerForm, ...AnswerForm[]] {
  const room = maxTokens * SHARE_OF_LEFT_OUT;
  const ids = leftOut.map(({ nodeId }) => nodeId);
  const named = ids.filter((_, at) => estimateTokens(JSON.stringify(ids.slice(0, at + 1))) <= room);
  const naming = (form: AnswerForm): AnswerForm => ({
    ...form,
    json: (shown) => ({ ...form.json(shown), shownBefore: named }),
    ...(form.shorten !== undefined && {
      shorten: (tokens: number) => {
        const shortened = form.shorten?.(tokens);
        return shortened && naming(shortened);
      },
    }),
  });
  const [first, ...others] = forms;
  return [naming(first), ...others.map(naming)];
}

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
  const all = countFacets(reader, () => true);
  const facets = formatFacetCounts(all, reader.generation.documents, FACET_LIMITS);
  tips.push(`list_documents shows what there is${facets === "" ? "" : ` (${facets})`}.`);
  return tips;
}

function symbolsJson(symbolsOf: SymbolsOf, section: SectionHit): JsonObject {
  const symbols = symbolsOf(section).slice(0, MAX_SYMBOLS);
  return symbols.length === 0 ? {} : { symbols };
}

function hitForms(
  reader: IndexReader,
  answer: SearchAnswer,
  symbolsOf: SymbolsOf,
  limit: number,
): [AnswerForm, ...AnswerForm[]] {
  const { hits, facetCounts, totalDocuments: total } = answer;
  const text = textOptions(reader, symbolsOf);
  const options: ResultOptions = { ...NO_OWN_URL, extra: (section) => symbolsJson(symbolsOf, section) };
  const facets = total > limit ? formatFacetCounts(facetCounts, total, FACET_LIMITS) : "";
  const more = "Fewer documents: limit. Sections: get_node_content.";
  const full: AnswerForm = {
    detail: "excerpts and facets",
    blocks: () => hits.map((hit) => formatHit(hit, { ...text, withExcerpts: true })),
    json: (shown) => toSearchJson({ ...answer, hits: hits.slice(0, shown) }, options),
    ...(facets !== "" && { tail: `Facets of all ${total}: ${facets}` }),
    sections: (shown) => shownSections(hits, shown, levelOfHit),
    more,
  };
  if (total === 0) return [full];
  return [
    full,
    {
      ...full,
      detail: "results without frontmatter and facets",
      json: (shown) => toLeanSearchJson({ ...answer, hits: hits.slice(0, shown) }, options),
    },
    {
      detail: "excerpts without facets",
      blocks: () => hits.map((hit) => formatHit({ ...hit, description: "" }, { ...text, withExcerpts: true })),
      json: (shown) => ({ total, results: hits.slice(0, shown).map(toPlainResult) }),
      sections: (shown) => shownSections(hits, shown, levelOfHit),
      keepAtLeast: 3,
      more,
    },
    {
      detail: "titles and ids",
      blocks: () => hits.map((hit) => formatHit(hit, { ...text, withExcerpts: false })),
      json: (shown) => ({ total, results: hits.slice(0, shown).map(toBareResult) }),
      sections: (shown) => shownSections(hits, shown, () => SHOWN.line),
      keepAtLeast: 1,
      more,
    },
    { detail: "counts", blocks: () => [], json: () => ({ total, results: [] }), perItem: false, more },
  ];
}

/** Sections that the first hits show. */
function shownSections(
  hits: readonly DocumentHit[],
  shown: number,
  levelOf: (section: SectionHit) => ShownLevel,
): ShownSection[] {
  return hits.slice(0, shown).flatMap((hit) => sectionsOfHit(hit, levelOf));
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

function textOptions(reader: IndexReader, symbolsOf: SymbolsOf): Pick<HitTextOptions, "shownId" | "symbolsOf"> {
  const shownId = makeShownId(reader);
  return { shownId, symbolsOf: (section) => symbolsOf(section).map(shownId) };
}

/** Texts of the best sections by node id, best first. */
type Contents = ReadonlyMap<string, string>;
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
  const requests = wanted.flatMap(({ section }, index) => {
    const outline = outlines[index];
    const place = outline?.sections[section.ordinal];
    if (outline === undefined || place === undefined) return [];
    const { startLine, endLine } = place;
    return [{ nodeId: section.nodeId, request: { outline, startLine, endLine, withFrontmatter: false } }];
  });
  const passages = await readPassages(
    reader,
    requests.map(({ request }) => request),
    maxTokens * BYTES_PER_TOKEN,
  );
  return new Map(requests.map(({ nodeId }, index) => [nodeId, passages[index]?.text ?? ""]));
}

function withContents(reader: IndexReader, answer: SearchAnswer, symbolsOf: SymbolsOf, contents: Contents): AnswerForm {
  const whole = new Map([...contents].map(([nodeId, text]) => [nodeId, { text, linesLeft: 0 }]));
  const base = hitForms(reader, answer, symbolsOf, answer.hits.length)[0];
  const baseTokens = (): number => base.blocks().reduce((sum, block) => sum + estimateTokens(block), 0);
  return {
    ...contentForm(reader, answer, symbolsOf, whole),
    shorten: (maxTokens) => {
      const cut = fillContents(contents, maxTokens - baseTokens());
      return cut.size === 0 ? undefined : contentForm(reader, answer, symbolsOf, cut);
    },
  };
}

function contentForm(
  reader: IndexReader,
  answer: SearchAnswer,
  symbolsOf: SymbolsOf,
  contents: FilledContents,
): AnswerForm {
  const { hits } = answer;
  const contentOf = ({ nodeId }: SectionHit): SectionContent | undefined => contents.get(nodeId);
  const extra = (section: SectionHit): JsonObject => {
    const content = contentOf(section);
    const symbols = symbolsJson(symbolsOf, section);
    if (content === undefined) return symbols;
    return { ...symbols, text: content.text, ...(content.linesLeft > 0 && { linesLeft: content.linesLeft }) };
  };
  const text: HitTextOptions = { ...textOptions(reader, symbolsOf), contentOf, withExcerpts: true };
  return {
    detail: `texts of ${formatCount(contents.size, "section")}`,
    blocks: () => hits.map((hit) => formatHit(hit, text)),
    json: (shown) => ({
      total: answer.totalDocuments,
      results: hits.slice(0, shown).map((hit) => toResultJson(hit, { ...NO_OWN_URL, extra })),
    }),
    sections: (shown) =>
      shownSections(hits, shown, (section) => (contentOf(section)?.linesLeft === 0 ? SHOWN.text : levelOfHit(section))),
    more: "Whole sections: get_node_content.",
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
