/** Files that sources import and that are no source code: the index has no record of them, so the text of the sources tells. */
import type { IndexReader } from "../core/index/index-reader.ts";
import { grep } from "../core/search/grep.ts";
import { makeLiteralPattern } from "../core/search/grep-literal.ts";
import { isAssetPath, pathOfSpecifier } from "../core/text/asset-names.ts";
import { codeLanguageOf } from "../core/text/code-languages.ts";
import { isScript } from "../core/text/identifiers.ts";
import { NO_FILTER } from "../core/tree/facet-filter.ts";
import { makeDocumentId, splitDocumentId } from "../core/tree/node-id.ts";

/** Lines that are looked into. */
const MAX_LINES = 200;
/** What an import names, where it stands on one line with its keyword. */
const IMPORT = /\b(?:import|from|require)\s*\(?\s*["'`]([^"'`]+)["'`]/g;

/** An imported file. */
export interface ImportedAsset {
  /** Id that it would have as a document. */
  readonly id: string;
  /** Ids of source files that import it, in order; of frequent names perhaps not all. */
  readonly importers: readonly string[];
}

/** The asset that a text names by its id or path, where a source imports it by a relative path. Two waves at most. */
export async function findImportedAsset(reader: IndexReader, text: string): Promise<ImportedAsset | undefined> {
  if (!isAssetPath(text)) return undefined;
  const ids = new Set([text, ...reader.collections.map(({ name }) => makeDocumentId(name, text))]);
  const base = text.slice(text.lastIndexOf("/") + 1);
  const { files } = await grep(reader, {
    pattern: makeLiteralPattern(`/${base}`, true),
    collection: "",
    acceptsPath: (path) => isScript(codeLanguageOf(path) ?? ""),
    filter: NO_FILTER,
    context: 0,
    offset: 0,
    limit: MAX_LINES,
  });
  const found = files.flatMap(({ id, matches }) =>
    matches.flatMap(({ text: line }) =>
      targetsOf(id, line).flatMap((target) => (ids.has(target) ? [{ id: target, from: id }] : [])),
    ),
  );
  const [first] = found;
  if (first === undefined) return undefined;
  return { id: first.id, importers: [...new Set(found.flatMap(({ id, from }) => (id === first.id ? [from] : [])))] };
}

/** Ids that the relative imports of a line lead to. */
function targetsOf(documentId: string, line: string): string[] {
  const { collection, path } = splitDocumentId(documentId);
  return [...line.matchAll(IMPORT)].flatMap(([, specifier = ""]) => {
    const name = pathOfSpecifier(specifier);
    const place = /^\.{1,2}\//.test(name) ? resolvePath(path, name) : undefined;
    return place === undefined ? [] : [makeDocumentId(collection, place)];
  });
}

/** A path relative to a file; undefined where it leads out of the collection. */
function resolvePath(file: string, relative: string): string | undefined {
  const parts = file.split("/").slice(0, -1);
  for (const part of relative.split("/")) {
    if (part === ".." && parts.pop() === undefined) return undefined;
    if (part !== ".." && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
