/**
 * Tool `find_symbol`: symbols of source code by their names, parts of names or patterns.
 */
import { findSymbols } from "../../core/code/find-symbols.ts";
import { resolveSymbol } from "../../core/code/resolve-symbol.ts";
import { pathOf } from "../../core/docs/node-id.ts";
import { InputError } from "../../core/errors.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { CODE_LANGUAGES, codeLanguageOf, factsOf } from "../../core/text/code-languages.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import { describeFound } from "../../surface/render/symbols.ts";
import { expectCode, readKinds } from "../find-named.ts";
import { selectPaths } from "../targets.ts";
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
    const paths = await selectPaths(reader, path === undefined ? undefined : [path]);
    const isOfAll = [kinds, languages, exported, path].every((one) => one === undefined);
    const filters = {
      ...(kinds !== undefined && { kinds }),
      ...(languages !== undefined && { languages }),
      ...(exported !== undefined && { exported }),
      // A path is the call's own choice, wherever it lies.
      ...(inScope !== undefined && { isWanted: inScope }),
      ...(path !== undefined && { isWanted: (id: string) => paths.accepts(pathOf(id)) }),
    };
    const found = await findSymbols(reader, { query, offset, limit, ...filters });
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

/** Where nothing was found: the member of a base that is meant, or names that are like it. */
async function findMeant(reader: IndexReader, query: string): Promise<string[]> {
  const { symbols, heir, nearest } = await resolveSymbol(reader, query);
  if (heir !== undefined) return [`${heir.record.name} inherits it: ${symbols[0]?.id}.`];
  return nearest.length === 0 ? [] : [`Did you mean: ${nearest.join(", ")}?`];
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
