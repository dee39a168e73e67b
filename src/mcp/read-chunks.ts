/**
 * Texts of sections that are known by their document and ordinal: where they lie, and what was read there.
 *
 * The locator and the titles have to be in memory: they tell a document's number and which of its units a section begins
 * with, so that the text is one read away. What is read says the section's id.
 */

import { joinSlugs, makeDocumentId, makeNodeId, splitDocumentId } from "../core/docs/node-id.ts";
import { collectionOf, hasDocument, isContinuation, unitsOf } from "../core/format/locator.ts";
import type { TextBlock } from "../core/format/text-block.ts";
import type { BlockRead, IndexReader } from "../core/index/index-reader.ts";
import { blockReads, residentTable } from "../core/index/resident.ts";

const FRONTMATTER = /^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;

/** A section by its place. */
export interface SectionPlace {
  readonly documentId: string;
  readonly section: number;
}

/** A section with the beginning of its text. */
export interface SectionBeginning {
  readonly nodeId: string;
  /** Without frontmatter. */
  readonly text: string;
}

/** What to read for sections; undefined for one that is not there. */
export function sectionReads(reader: IndexReader, places: readonly SectionPlace[]): (BlockRead | undefined)[] {
  const numbers = numbersOf(reader, new Set(places.map(({ documentId }) => documentId)));
  return places.map(({ documentId, section }) => {
    const place = numbers.get(documentId);
    if (place === undefined) return undefined;
    const locator = residentTable(reader, place.shard, "locator");
    const starts = unitsOf(locator, place.number).filter((unit) => !isContinuation(locator, place.number, unit));
    const unit = starts[section];
    return unit === undefined ? undefined : blockReads(reader, place.shard, place.number, [unit])[0];
  });
}

/** The section that a block begins. */
export function toBeginning(documentId: string, { path, ancestors, section, text }: TextBlock): SectionBeginning {
  const isRoot = section.level === 0;
  const slugPath = isRoot ? "" : joinSlugs(path, [...ancestors.map(({ slug }) => slug), section.slug]);
  return { nodeId: makeNodeId(documentId, slugPath), text: isRoot ? text.replace(FRONTMATTER, "") : text };
}

/** Shards and numbers of documents. */
function numbersOf(
  reader: IndexReader,
  ids: ReadonlySet<string>,
): ReadonlyMap<string, { readonly shard: number; readonly number: number }> {
  const paths = new Set([...ids].map((id) => splitDocumentId(id).path));
  const found = new Map<string, { readonly shard: number; readonly number: number }>();
  for (const { index: shard } of reader.shards) {
    const locator = residentTable(reader, shard, "locator");
    for (const [number, { path }] of residentTable(reader, shard, "titles").entries()) {
      if (!paths.has(path) || !hasDocument(locator, number)) continue;
      const id = makeDocumentId(reader.collectionAt(collectionOf(locator, number)).name, path);
      if (ids.has(id)) found.set(id, { shard, number });
    }
  }
  return found;
}
