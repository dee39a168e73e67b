/**
 * Leaves out of search results what the session showed before as fully or more fully, and names it in one line.
 *
 * Places of what is left out are not filled: what is further down was further down before, and pages stay the same.
 */

import { makeOrdinalId } from "../core/docs/node-id.ts";
import { SHOWN, type ShownLevel, type ShownSection } from "../core/docs/shown.ts";
import type { DocumentHit, SearchAnswer, SectionHit } from "../core/search/answer.ts";
import type { AnswerPage } from "../surface/render/answer.ts";
import { estimateTokens } from "../surface/render/tokens.ts";

/** How the line begins that names what was left out. */
export const LEFT_OUT = "Shown before:";
/** Share of a budget that the ids of what was left out may have in JSON. */
export const SHARE_OF_LEFT_OUT = 0.25;
/** Tokens that they may have in text, where the first document's always stand. */
const MAX_TEXT_TOKENS = 40;

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
