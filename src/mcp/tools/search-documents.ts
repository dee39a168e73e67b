/**
 * Tool `search_documents`: the documents and sections that answer a question best, with excerpts.
 *
 * Within a session: excerpts of the best sections that are new, ids of the others. Sections that the session showed before as
 * fully are left out and named in one line; their positions are not filled, so pages stay the same. A document's title is given
 * once, and facets of all results follow the first search and those that are filtered.
 */
import { mentionsInPages } from "../../core/code/edges.ts";
import { checkCollection } from "../../core/docs/catalogue.ts";
import { loadOutlines, readPassages, resolveDocumentId } from "../../core/docs/documents.ts";
import { countFacets } from "../../core/docs/facets.ts";
import { NO_FILTER } from "../../core/docs/model.ts";
import { makeOrdinalId, splitNodeId } from "../../core/docs/node-id.ts";
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
import {
  type Answer,
  type AnswerForm,
  countsForm,
  findUnanswered,
  type JsonObject,
  listForms,
} from "../../surface/render/answer.ts";
import { formatFacetCounts } from "../../surface/render/facets.ts";
import { formatCount, roundScore } from "../../surface/render/numbers.ts";
import { cutToLines } from "../../surface/render/passages.ts";
import {
  describeSearch,
  formatHit,
  formatLeanHit,
  toQueryJson,
  toResultJson,
  toSearchJson,
} from "../../surface/render/search-text.ts";
import { foldLine } from "../../surface/render/text.ts";
import { estimateTokens } from "../../surface/render/tokens.ts";
import { makeShownId, unknownDocument } from "../find-documents.ts";
import { LEFT_OUT } from "../session-call.ts";
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

/** Excerpts of an answer where the call does not say how many. */
const LEAN_EXCERPTS = 3;
/** Share of a budget that the ids of what was left out may have in JSON. */
const SHARE_OF_LEFT_OUT = 0.25;
/** Tokens that they may have in text, where the first document's always stand. */
const MAX_TEXT_TOKENS = 40;

const NO_OWN_URL = { ownUrl: () => "" };

type TextOptions = Parameters<typeof formatHit>[1];
type AnswerPage = NonNullable<Answer["page"]>;

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
    // Texts and explanations that a call asks for are for whole answers.
    const isLean = total > 0 && lean !== undefined && !include_content && !explain;
    const { answer, leftOut, page } = isLean
      ? leaveOutShown(keepNewExcerpts(found, shownBefore, lean), whole, shownBefore, levelOfLeanHit)
      : findUnseen(found, whole, shownBefore, include_content);
    const contents = include_content ? await readContents(reader, answer.hits, maxTokens) : undefined;
    const symbolsOf = await readNamedSymbols(reader, answer.hits);
    const unanswered = findUnanswered(request, found);
    const options: HitOptions = { shownId: makeShownId(reader), symbolsOf, limit };
    const base = hitForms(answer, options);
    const forms = isLean
      ? leanForms(answer, base, shownBefore, lean, options)
      : contents === undefined
        ? base
        : [withContents(answer, contents, options), ...base];
    return {
      isLean,
      summary: isLean
        ? [`${formatCount(found.totalDocuments, "document")}.`, ...describeSearch(found)].join(" ")
        : summarize(query, found, offset),
      forms: leftOut.length === 0 ? forms : namingLeftOut(forms, leftOut, maxTokens),
      notes: [
        ...(total === 0 ? await suggest(reader, request, answer) : []),
        ...(leftOut.length > 0 && format === "text" ? [describeLeftOut(leftOut, options.shownId)] : []),
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
function namingLeftOut(forms: readonly AnswerForm[], leftOut: readonly LeftOut[], maxTokens: number): AnswerForm[] {
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
  return forms.map(naming);
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

/** What hits are written with. */
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

/** From everything to counts; one form where nothing was found. */
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
    toSections: (shown, level) =>
      shown.flatMap((hit) => sectionsOfHit(hit, level === "bare" ? () => SHOWN.line : levelOfHit)),
    more: MORE,
  });
  const withFacets = forms.map((form, at) =>
    facets !== "" && at < 2 ? { ...form, tail: `Facets of all ${total}: ${facets}` } : form,
  );
  return total === 0 ? withFacets : [...withFacets, countsForm(() => ({ total, results: [] }), { more: MORE })];
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
      sections: (shown) =>
        hits
          .slice(0, shown)
          .flatMap((hit) =>
            sectionsOfHit(hit, (section) => (contentOf(section)?.linesLeft === 0 ? SHOWN.text : levelOfHit(section))),
          ),
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

/** The text of each form, over the JSON of the forms that an answer without a session has. */
function leanForms(
  { hits }: SearchAnswer,
  base: readonly AnswerForm[],
  shownBefore: ReadonlyMap<string, ShownLevel>,
  given: ReadonlySet<string>,
  options: HitOptions,
): AnswerForm[] {
  // Documents of which more than a line was shown have had their titles.
  const introduced = new Set(
    [...shownBefore].flatMap(([nodeId, level]) => (level > SHOWN.line ? [splitNodeId(nodeId).documentId] : [])),
  );
  const isKnown = (documentId: string): boolean => introduced.has(documentId);
  const { tail: facets, ...whole } = base[0] as AnswerForm;
  const withFacets = facets !== undefined && (introduced.size === 0 || given.has("filters"));
  const form = (withExcerpts: boolean): Pick<AnswerForm, "blocks" | "sections"> => ({
    blocks: () => hits.map((hit) => formatLeanHit(hit, { ...textOptions(options), isKnown, withExcerpts })),
    sections: (shown) =>
      hits.slice(0, shown).flatMap((hit) => sectionsOfHit(hit, withExcerpts ? levelOfLeanHit : () => SHOWN.line)),
  });
  return [
    { ...whole, ...form(true), ...(withFacets && { tail: facets }) },
    ...(withFacets ? [{ ...whole, detail: "excerpts without facets", ...form(true) }] : []),
    { ...whole, detail: "ids", ...form(false), keepAtLeast: 1 },
    ...base.slice(1).slice(-1),
  ];
}

/** Of a section without a word of its text the id is all that is shown. */
function levelOfLeanHit({ excerpt }: SectionHit): ShownLevel {
  return excerpt.length > 0 ? SHOWN.excerpt : SHOWN.line;
}

/**
 * The answer with excerpts of the sections that match best among those whose text is new; the others keep their headings.
 */
function keepNewExcerpts(
  answer: SearchAnswer,
  shownBefore: ReadonlyMap<string, ShownLevel>,
  given: ReadonlySet<string>,
): SearchAnswer {
  if (given.has("excerpts")) return answer;
  const { hits } = answer;
  const read = hits.flatMap(({ id, sections }) =>
    sections.filter(
      ({ ordinal, excerpt }) =>
        excerpt.length > 0 && (shownBefore.get(makeOrdinalId(id, ordinal)) ?? 0) < SHOWN.excerpt,
    ),
  );
  const kept = new Set(read.sort((a, b) => b.score - a.score).slice(0, LEAN_EXCERPTS));
  const withoutText = (section: SectionHit): SectionHit => (kept.has(section) ? section : { ...section, excerpt: [] });
  return { ...answer, hits: hits.map((hit) => ({ ...hit, sections: hit.sections.map(withoutText) })) };
}

/** A section that was left out; its document's beginning where nothing but the document was found. */
interface LeftOut {
  readonly documentId: string;
  /** Id as the search names it. */
  readonly nodeId: string;
  readonly ordinal: number;
}

/** Search results without what was shown before. */
interface UnseenHits {
  readonly answer: SearchAnswer;
  readonly leftOut: readonly LeftOut[];
  readonly page: AnswerPage | undefined;
}

/** Sections of a hit as a session remembers them; a document that was found by its title counts as its beginning. */
function sectionsOfHit(hit: DocumentHit, levelOf: (section: SectionHit) => ShownLevel): ShownSection[] {
  if (hit.sections.length === 0) return [{ nodeId: makeOrdinalId(hit.id, 0), level: SHOWN.line }];
  return hit.sections.map((section) => ({ nodeId: makeOrdinalId(hit.id, section.ordinal), level: levelOf(section) }));
}

/** How fully a search shows a section: with an excerpt, or with its id alone. */
function levelOfHit({ heading }: SectionHit): ShownLevel {
  return heading === "" ? SHOWN.line : SHOWN.excerpt;
}

/**
 * The hits that are new.
 *
 * @param levelOf How fully the answer would show a section.
 */
export function leaveOutShown(
  answer: SearchAnswer,
  page: AnswerPage,
  shownBefore: ReadonlyMap<string, ShownLevel>,
  levelOf: (section: SectionHit) => ShownLevel,
): UnseenHits {
  const leftOut: LeftOut[] = [];
  const kept: { readonly hit: DocumentHit; readonly at: number }[] = [];
  for (const [at, hit] of answer.hits.entries()) {
    const wasShown = sectionsOfHit(hit, levelOf).map(({ nodeId, level }) => (shownBefore.get(nodeId) ?? 0) >= level);
    const sections = hit.sections.filter((_, index) => wasShown[index] === false);
    if (wasShown.includes(false)) kept.push({ hit: { ...hit, sections }, at });
    const found = hit.sections.length === 0 ? [{ nodeId: hit.id, ordinal: 0 }] : hit.sections;
    for (const [index, { nodeId, ordinal }] of found.entries())
      if (wasShown[index] === true) leftOut.push({ documentId: hit.id, nodeId, ordinal });
  }
  if (leftOut.length === 0) return { answer, leftOut, page };
  const count = answer.hits.length;
  const isLastPage = page.offset + count >= page.total;
  const positions = page.positions ?? answer.hits.map((_, at) => page.offset + at);
  const next = positions[count] ?? page.offset + count;
  const hits = kept.map(({ hit }) => hit);
  return {
    answer: { ...answer, hits },
    leftOut,
    page:
      hits.length === 0 && isLastPage
        ? undefined
        : {
            ...page,
            positions: [...kept.map(({ at }) => positions[at] as number), next],
            // Each counts for those before it that are left out; the last one for those behind it, too.
            sizes: kept.map(
              ({ at }, index) => (index === kept.length - 1 ? count : at + 1) - ((kept[index - 1]?.at ?? -1) + 1),
            ),
            empty: `All ${page.items} ${page.offset + 1}–${page.offset + count} were shown before.`,
          },
  };
}

/** `Shown before: guide/install.md #n4 #n7; faq.md #n3; +2.`, the best first. */
function describeLeftOut(leftOut: readonly LeftOut[], shownId: (documentId: string) => string): string {
  const parts: string[] = [];
  let named = 0;
  for (const [documentId, sections] of Map.groupBy(leftOut, (one) => one.documentId)) {
    const part = [shownId(documentId), ...sections.map(({ ordinal }) => `#n${ordinal}`)].join(" ");
    if (parts.length > 0 && estimateTokens([...parts, part].join("; ")) > MAX_TEXT_TOKENS) break;
    parts.push(part);
    named += sections.length;
  }
  const more = leftOut.length - named;
  return `${LEFT_OUT} ${[...parts, ...(more > 0 ? [`+${more}`] : [])].join("; ")}.`;
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
