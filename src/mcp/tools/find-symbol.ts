/**
 * Tool `find_symbol`: symbols of source code by their names, parts of names or patterns.
 */
import { type FindRequest, type FindResult, findSymbols } from "../../core/code/find-symbols.ts";
import type { LoadedSymbol, Page } from "../../core/code/model.ts";
import { resolveSymbol, symbolsInFiles } from "../../core/code/resolve-symbol.ts";
import { splitDocumentId } from "../../core/docs/node-id.ts";
import { InputError } from "../../core/errors.ts";
import { isExported } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { CODE_LANGUAGES, codeLanguageOf, factsOf } from "../../core/text/code-languages.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import { compilePathGlob } from "../../surface/path-glob.ts";
import { describeFound } from "../../surface/render/symbols.ts";
import { expectCode, readKinds } from "../find-named.ts";
import { defineTool } from "../tool.ts";

export const findSymbolTool = defineTool({
  name: "find_symbol",
  description:
    "Symbols of source code by name, words of a name (create store), Container.member or pattern (*Node*): file, position, kind, signature. Use first for code; next read, inspect or references.",
  parameters: {
    query: { kind: "text", required: true, aliases: ["name", "symbol", "pattern"] },
    kind: {
      kind: "texts",
      aliases: ["kinds", "symbol_kind", "symbol_kinds", "type"],
      description: "class, function, method …",
    },
    language: { kind: "texts", aliases: ["languages"] },
    path: { kind: "text", aliases: ["path_glob", "file", "doc_id", "source"], description: "folder or glob" },
    exported: { kind: "boolean" },
    limit: { kind: "integer", default: 15, maximum: 100 },
  },
  pages: true,
  example: { query: "createServer", kind: ["function"] },
  isKept: true,
  async run({ query, kind, language, path, exported, limit }, { reader, offset, inScope }) {
    expectCode(reader);
    const kinds = readKinds(kind);
    const languages = readLanguages(language);
    const isOfAll = [kinds, languages, exported, path].every((one) => one === undefined);
    const filters = {
      ...(kinds !== undefined && { kinds }),
      ...(languages !== undefined && { languages }),
      ...(exported !== undefined && { exported }),
      // A path is the call's own choice, wherever it lies.
      ...(inScope !== undefined && { isWanted: inScope }),
      ...(path !== undefined && { isWanted: acceptPath(path) }),
    };
    const found =
      (await findById(reader, query, filters, { offset, limit })) ??
      (await findSymbols(reader, { query, offset, limit, ...filters }));
    return {
      ...describeFound(query, found.symbols, {
        withSignature: true,
        offset,
        total: found.total,
      }),
      notes: [
        ...(found.isComplete
          ? []
          : ["There may be more: the names were not all looked through. Give a longer part of the name."]),
        ...(found.total === 0
          ? [
              ...(await findMeant(reader, query)),
              "grep_documents finds any text of the source, search_documents words of comments.",
            ]
          : []),
      ],
      ...(found.total === 0 && found.isComplete && isOfAll && { unanswered: { query, kind: "no-symbol" } }),
    };
  },
});

/** The symbols that an id names, `code:src/a.ts#Store.open`; undefined where the text names no file. */
async function findById(
  reader: IndexReader,
  query: string,
  { kinds, exported, languages, isWanted }: Omit<FindRequest, "query" | keyof Page>,
  { offset, limit }: Page,
): Promise<(Pick<FindResult, "total" | "isComplete"> & { readonly symbols: readonly LoadedSymbol[] }) | undefined> {
  const inFiles = await symbolsInFiles(reader, query);
  const symbols = inFiles?.symbols.filter(
    ({ record, inFile }) =>
      (kinds?.includes(record.kind) ?? true) &&
      (exported === undefined || isExported(inFile.language, inFile.symbols, record) === exported) &&
      (languages?.includes(inFile.language) ?? true) &&
      (isWanted?.(inFile.id) ?? true),
  );
  return symbols && { total: symbols.length, isComplete: true, symbols: symbols.slice(offset, offset + limit) };
}

/** Where nothing was found: the member of a base that is meant, or names that are like it. */
async function findMeant(reader: IndexReader, query: string): Promise<string[]> {
  const found = await resolveSymbol(reader, query);
  if (found.kind === "none") return found.nearest.length === 0 ? [] : [`Did you mean: ${found.nearest.join(", ")}?`];
  if (found.kind === "several" || found.heir === undefined) return [];
  return [`${found.heir.record.name} inherits it: ${found.symbol.id}.`];
}

/** Whether a document's path lies in a folder or fits a glob. */
function acceptPath(path: string): (documentId: string) => boolean {
  const folder = path.replace(/^(?:\.?\/)+|\/+$/g, "");
  const fits = compilePathGlob(path);
  return (documentId) => {
    const { path: own } = splitDocumentId(documentId);
    return documentId === path || own === folder || own.startsWith(`${folder}/`) || fits(own);
  };
}

/** Languages by their names or the endings of their files. @throws {InputError} for one that is none. */
function readLanguages(names: readonly string[] | undefined): readonly string[] | undefined {
  return names?.map((name) => {
    const folded = name.toLowerCase().replace(/^\./, "");
    const language =
      CODE_LANGUAGES.find((one) => one === folded || factsOf(one).otherNames?.includes(folded)) ??
      codeLanguageOf(`.${folded}`);
    if (language !== undefined) return language;
    const nearest = nearestNames(folded, CODE_LANGUAGES);
    throw new InputError(
      `${quoteName(name)} is no language of source code here. The languages are ${CODE_LANGUAGES.join(", ")}.`,
      nearest,
    );
  });
}
