/**
 * Search results within a session, as text: excerpts of the best sections that are new, ids of the others.
 *
 * A document's title is given once, and facets of all results stand below the first search and below those that are
 * filtered: both help to find the way, which a reader does once.
 */

import { makeOrdinalId, splitNodeId } from "../core/docs/node-id.ts";
import { SHOWN, type ShownLevel } from "../core/docs/shown.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { SearchAnswer, SectionHit } from "../core/search/answer.ts";
import type { AnswerForm } from "../surface/render/answer.ts";
import { formatLeanHit, type LeanTextOptions } from "../surface/render/search-text.ts";
import { sectionsOfHit } from "./leave-out-shown.ts";
import type { SymbolsOf } from "./named-symbols.ts";
import { makeShownId } from "./shown-id.ts";

/** Excerpts of an answer where the call does not say how many. */
const LEAN_EXCERPTS = 3;

/** What the forms need beside the hits. */
export interface LeanSearch {
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
