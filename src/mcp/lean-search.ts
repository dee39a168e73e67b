/**
 * Search results within a session, as text: excerpts of the best sections that are new, ids of the others.
 *
 * A document is introduced once, by title and description, and facets of all results stand below the first search and
 * below those that are filtered: both help to find the way, which a reader does once.
 */
import type { IndexReader } from "../core/index/index-reader.ts";
import type { DocumentHit, SearchAnswer, SectionHit } from "../core/search/answer.ts";
import { splitNodeId } from "../core/tree/node-id.ts";
import { SHOWN, type ShownLevel } from "../core/tree/shown.ts";
import type { AnswerForm } from "../render/answer.ts";
import { formatLeanHit, type LeanTextOptions } from "../render/lean-search-text.ts";
import { levelOfHit, sectionsOfHit } from "./leave-out-shown.ts";
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
  const hits = given.has("excerpts") ? answer.hits : keepBestExcerpts(answer.hits, LEAN_EXCERPTS);
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
      hits.slice(0, shown).flatMap((hit) => sectionsOfHit(hit, withExcerpts ? levelOfHit : () => SHOWN.line)),
  });
  const counts = others.at(-1);
  return [
    { ...whole, ...form(true), ...(withFacets && { tail: facets }) },
    ...(withFacets ? [{ ...whole, detail: "excerpts without facets", ...form(true) }] : []),
    { ...whole, detail: "ids", ...form(false), keepAtLeast: 1 },
    ...(counts === undefined ? [] : [counts]),
  ];
}

/** Documents of which a search showed more than a line, with title and description then. */
function introducedBy(shownBefore: ReadonlyMap<string, ShownLevel>): ReadonlySet<string> {
  return new Set(
    [...shownBefore].flatMap(([nodeId, level]) => (level > SHOWN.line ? [splitNodeId(nodeId).documentId] : [])),
  );
}

/** The hits with excerpts of so many sections: the best of each document, then the next ones. */
function keepBestExcerpts(hits: readonly DocumentHit[], count: number): DocumentHit[] {
  const ranked = hits.flatMap(({ sections }) =>
    sections.filter(({ heading }) => heading !== "").map((section, rank) => ({ section, rank })),
  );
  ranked.sort((a, b) => a.rank - b.rank);
  const kept = new Set(ranked.slice(0, count).map(({ section }) => section));
  const withoutText = (section: SectionHit): SectionHit =>
    kept.has(section) ? section : { ...section, heading: "", excerpt: [] };
  return hits.map((hit) => ({ ...hit, sections: hit.sections.map(withoutText) }));
}
