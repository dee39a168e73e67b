/**
 * Tool `find_symbol`: symbols of source code by their names, parts of names or patterns.
 */
import { compilePathGlob } from "../../access/path-glob.ts";
import { findSymbols } from "../../core/graph/find-symbols.ts";
import { splitDocumentId } from "../../core/tree/node-id.ts";
import { foundForms, foundPage, summarizeFound } from "../../render/found-symbols.ts";
import { expectCode, readKinds, readLanguages } from "../find-code.ts";
import { factsBeside } from "../package-facts.ts";
import { defineTool } from "../tool.ts";

/** The tool. */
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
  async run({ query, kind, language, path, exported, limit }, { reader, offset, format }) {
    expectCode(reader);
    const kinds = readKinds(kind);
    const languages = readLanguages(language);
    const facts = factsBeside(reader, format);
    const found = await findSymbols(reader, {
      query,
      beside: facts.beside,
      offset,
      limit,
      ...(kinds !== undefined && { kinds }),
      ...(languages !== undefined && { languages }),
      ...(exported !== undefined && { exported }),
      ...(path !== undefined && { isWanted: acceptPath(path) }),
    });
    const page = { offset, total: found.total };
    return {
      summary: summarizeFound(query, found.symbols, page),
      forms: foundForms(found.symbols, {
        withSignature: true,
        ...page,
        json: { query },
        packages: await facts.read(),
      }),
      page: foundPage(page),
      notes: [
        ...(found.isComplete
          ? []
          : ["There may be more: the names were not all looked through. Give a longer part of the name."]),
        ...(found.total === 0
          ? ["grep_documents finds any text of the source, search_documents words of comments."]
          : []),
      ],
    };
  },
});

/** Whether a document's path lies in a folder or fits a glob. */
function acceptPath(path: string): (documentId: string) => boolean {
  const folder = path.replace(/^(?:\.?\/)+|\/+$/g, "");
  const fits = compilePathGlob(path);
  return (documentId) => {
    const { path: own } = splitDocumentId(documentId);
    return documentId === path || own === folder || own.startsWith(`${folder}/`) || fits(own);
  };
}
