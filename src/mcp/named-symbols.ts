/**
 * Which symbols the sections of an answer name.
 */
import { mentionsInPages } from "../core/code/edges.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { DocumentHit, SectionHit } from "../core/search/answer.ts";

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
