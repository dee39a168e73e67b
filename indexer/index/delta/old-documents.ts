/**
 * Documents of a base as they were: from the parse cache, or parsed again from the text that the base holds. Of a page of a built
 * site a base holds the text that was made of it, which says nothing of weights, hidden attributes and ids: without a cache there is
 * no way back.
 */
import { loadOutline, readPassages } from "../../../src/core/tree/documents.ts";
import type { CollectionConfig } from "../../config/config.ts";
import { loadParsers } from "../../parse/code/load-parsers.ts";
import { cacheKey, type DocumentCache } from "../cache/document-cache.ts";
import { digestCollection } from "../load-documents.ts";
import { isSitePage, type PreparedDocument, prepareDocument } from "../prepare-document.ts";
import type { BaseDocument, BaseIndex } from "./open-base.ts";

/** The documents, in order; undefined where one of them is known no more. @throws {FormatError} when the base is damaged. */
export async function loadOldDocuments(
  base: BaseIndex,
  documents: readonly BaseDocument[],
  collections: readonly CollectionConfig[],
  cache: DocumentCache,
): Promise<PreparedDocument[] | undefined> {
  const found: PreparedDocument[] = [];
  for (const document of documents) {
    const collection = collections.findIndex(({ name }) => name === document.collection);
    const config = collections[collection] as CollectionConfig;
    const { hash, path, number } = document;
    const cached = cache.document(cacheKey({ hash, path, settings: digestCollection(config) }));
    if (cached === undefined && isSitePage(config, path)) return undefined;
    const old = cached ?? (await parseAgain(base, document, collection, config));
    found.push({ ...old, number, collection });
  }
  return found;
}

async function parseAgain(
  base: BaseIndex,
  { id, path, number, hash }: BaseDocument,
  collection: number,
  config: CollectionConfig,
): Promise<PreparedDocument> {
  const outline = await loadOutline(base.reader, id);
  if (outline === undefined) throw new Error(`the base lists ${id} and does not hold it`);
  const request = { outline, startLine: 1, endLine: outline.document.lines, withFrontmatter: true };
  const [passage] = await readPassages(base.reader, [request]);
  const text = passage?.text ?? "";
  const source = { ok: true as const, text, bytes: text.length, contentHash: hash, diagnostics: [] };
  const prepared = prepareDocument({ number, collection, path }, config, source, await loadParsers([path]));
  if (!prepared.ok) throw new Error(`${id} cannot be read from the base`);
  return prepared.document;
}
