/**
 * Search results within a session: excerpts of the best sections that are new, ids of the others. Sections that the session
 * showed before as fully are left out and named in one line; their positions are not filled, so pages stay the same.
 *
 * A document's title is given once, and facets of all results follow the first search and those that are filtered.
 */

import { mentionsInPages } from "../core/code/edges.ts";
import { makeOrdinalId, splitNodeId } from "../core/docs/node-id.ts";
import { SHOWN, type ShownLevel, type ShownSection } from "../core/docs/shown.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { DocumentHit, SearchAnswer, SectionHit } from "../core/search/answer.ts";
import type { AnswerForm, AnswerPage } from "../surface/render/answer.ts";
import { formatLeanHit, type LeanTextOptions } from "../surface/render/search-text.ts";
import { estimateTokens } from "../surface/render/tokens.ts";
import { makeShownId } from "./find-documents.ts";

/** Excerpts of an answer where the call does not say how many. */
const LEAN_EXCERPTS = 3;
/** How the line begins that names what was left out. */
export const LEFT_OUT = "Shown before:";
/** Share of a budget that the ids of what was left out may have in JSON. */
export const SHARE_OF_LEFT_OUT = 0.25;
/** Tokens that they may have in text, where the first document's always stand. */
const MAX_TEXT_TOKENS = 40;

/** What the forms need beside the hits. */
interface LeanSearch {
  readonly shownBefore: ReadonlyMap<string, ShownLevel>;
  /** Names of the arguments that the call gives. */
  readonly given: ReadonlySet<string>;
  readonly symbolsOf: SymbolsOf;
}

/** Whether a search with these arguments is answered so: texts and explanations that it asks for are for whole answers. */
export function isLeanSearch(
  lean: ReadonlySet<string> | undefined,
  { include_content, explain }: { readonly include_content: boolean; readonly explain: boolean },
): lean is ReadonlySet<string> {
  return lean !== undefined && !include_content && !explain;
}

/** The text of each form, over the JSON of the forms that an answer without a session has. */
export function leanForms(
  reader: IndexReader,
  answer: SearchAnswer,
  base: readonly [AnswerForm, ...AnswerForm[]],
  { shownBefore, given, symbolsOf }: LeanSearch,
): [AnswerForm, ...AnswerForm[]] {
  const { hits } = answer;
  const shownId = makeShownId(reader);
  const introduced = introducedBy(shownBefore);
  const text: Omit<LeanTextOptions, "withExcerpts"> = {
    shownId,
    symbolsOf: (section) => symbolsOf(section).map(shownId),
    isKnown: (documentId) => introduced.has(documentId),
  };
  const [full, ...others] = base;
  const { tail: facets, ...whole } = full;
  const withFacets = facets !== undefined && (introduced.size === 0 || given.has("filters"));
  const form = (withExcerpts: boolean): Pick<AnswerForm, "blocks" | "sections"> => ({
    blocks: () => hits.map((hit) => formatLeanHit(hit, { ...text, withExcerpts })),
    sections: (shown) =>
      hits.slice(0, shown).flatMap((hit) => sectionsOfHit(hit, withExcerpts ? levelOfLeanHit : () => SHOWN.line)),
  });
  const counts = others.at(-1);
  return [
    { ...whole, ...form(true), ...(withFacets && { tail: facets }) },
    ...(withFacets ? [{ ...whole, detail: "excerpts without facets", ...form(true) }] : []),
    { ...whole, detail: "ids", ...form(false), keepAtLeast: 1 },
    ...(counts === undefined ? [] : [counts]),
  ];
}

/** Of a section without a word of its text the id is all that is shown. */
export function levelOfLeanHit({ excerpt }: SectionHit): ShownLevel {
  return excerpt.length > 0 ? SHOWN.excerpt : SHOWN.line;
}

/** Documents of which more than a line was shown, with their titles then. */
function introducedBy(shownBefore: ReadonlyMap<string, ShownLevel>): ReadonlySet<string> {
  return new Set(
    [...shownBefore].flatMap(([nodeId, level]) => (level > SHOWN.line ? [splitNodeId(nodeId).documentId] : [])),
  );
}

/**
 * The answer with excerpts of the sections that match best among those whose text is new; the others keep their headings.
 */
export function keepNewExcerpts(
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
export interface LeftOut {
  readonly documentId: string;
  /** Id as the search names it. */
  readonly nodeId: string;
  readonly ordinal: number;
}

/** Search results without what was shown before. */
export interface UnseenHits {
  readonly answer: SearchAnswer;
  readonly leftOut: readonly LeftOut[];
  readonly page: AnswerPage | undefined;
}

/** Sections of a hit as a session remembers them; a document that was found by its title counts as its beginning. */
export function sectionsOfHit(hit: DocumentHit, levelOf: (section: SectionHit) => ShownLevel): ShownSection[] {
  if (hit.sections.length === 0) return [{ nodeId: makeOrdinalId(hit.id, 0), level: SHOWN.line }];
  return hit.sections.map((section) => ({ nodeId: makeOrdinalId(hit.id, section.ordinal), level: levelOf(section) }));
}

/** How fully a search shows a section: with an excerpt, or with its id alone. */
export function levelOfHit({ heading }: SectionHit): ShownLevel {
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
export function describeLeftOut(leftOut: readonly LeftOut[], shownId: (documentId: string) => string): string {
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
export type SymbolsOf = (section: SectionHit) => readonly string[];

/** What the sections name that are shown with an excerpt: a wave for all of them, none where no page names anything. */
export async function readNamedSymbols(reader: IndexReader, hits: readonly DocumentHit[]): Promise<SymbolsOf> {
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
