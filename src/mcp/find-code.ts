/**
 * Source files and symbols that arguments name. What names none, or several, becomes an error in words with the names that
 * may be meant: a symbol is never chosen silently.
 */
import { loadFile } from "../core/code/load-files.ts";
import type { LoadedFile, LoadedSymbol } from "../core/code/model.ts";
import { areOneSymbol, mainDeclarations, resolvePosition, resolveSymbol } from "../core/code/resolve-symbol.ts";
import { resolveDocumentId } from "../core/docs/documents.ts";
import type { DocumentOutline } from "../core/docs/model.ts";
import { pathOf } from "../core/docs/node-id.ts";
import { InputError } from "../core/errors.ts";
import { SYMBOL_KINDS, type SymbolKind } from "../core/format/code-model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { codeShards } from "../core/index/shards.ts";
import { codeLanguageOf } from "../core/text/code-languages.ts";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import { cutText } from "../core/text/short-text.ts";
import type { Arguments, Parameters } from "../surface/parameters.ts";
import { formatSymbol } from "../surface/render/symbols.ts";
import { formatExample } from "./arguments.ts";
import { type FoundNode, unknownDocument } from "./find-documents.ts";

const MAX_NEAREST = 3;
const MAX_NAMED = 10;
/** Characters of what was asked for that an example repeats. */
const MAX_EXAMPLE_LENGTH = 60;

/** Parameters that name a symbol: by its name or id, or by a place in a file. */
export const SYMBOL_PARAMETERS = {
  symbol: { kind: "text" },
  file: { kind: "text" },
  line: { kind: "integer" },
  character: { kind: "integer", aliases: ["column"] },
} as const satisfies Parameters;

type SymbolArguments = Arguments<typeof SYMBOL_PARAMETERS>;

/** @throws {InputError} where no source file is indexed. */
export function expectCode(reader: IndexReader): void {
  if (codeShards(reader).length > 0) return;
  throw new InputError("No source code is indexed here, pages only. search_documents looks into those.");
}

/** The source file that a text names: an id, or a path that one collection has. @throws {InputError} */
export async function findFile(reader: IndexReader, text: string, tool: string): Promise<LoadedFile> {
  expectCode(reader);
  const direct = await loadFile(reader, text);
  if (direct !== undefined) return direct;
  const id = await resolveDocumentId(reader, text);
  const found = id === undefined ? undefined : await loadFile(reader, id);
  if (found !== undefined) return found;
  const example = (file: string): Readonly<Record<string, unknown>> => ({ file });
  if (id === undefined) throw await unknownDocument(reader, text, { tool, example });
  throw new InputError(
    `${quoteName(id)} has no symbols: it is no source file. get_tree outlines it, read with preview_mode raw gives its text.`,
    [],
    formatExample("get_tree", { doc_id: id }),
  );
}

/** A symbol of a source file that has no section of its own, by its path in the file or, where one has it, its name. */
export async function findInnerSymbol(
  reader: IndexReader,
  outline: DocumentOutline,
  path: string,
): Promise<FoundNode | undefined> {
  if (codeLanguageOf(outline.document.path) === undefined) return undefined;
  const symbols = (await loadFile(reader, outline.document.id))?.record.symbols ?? [];
  const named = symbols.filter(({ name }) => name === path);
  const symbol = symbols.find((one) => one.path === path) ?? (named.length === 1 ? named[0] : undefined);
  const section = symbol === undefined ? undefined : outline.sections[symbol.section];
  return symbol === undefined || section === undefined ? undefined : { outline, section, symbol };
}

/**
 * The symbol that arguments name, by its main declaration: of a prototype the definition. Notes say that it is a member of a base.
 *
 * @throws {InputError} for none, for several, and where they name nothing.
 */
export async function findSymbol(reader: IndexReader, args: SymbolArguments, tool: string) {
  const { heir, ...written } = await findWritten(reader, args, tool);
  const [symbol = written] = await mainDeclarations(reader, [written]);
  const { record, inFile } = symbol;
  const base = inFile.symbols[record.parent]?.name;
  const notes = heir === undefined ? [] : [`${heir.record.name} inherits ${record.name}: ${base} declares it.`];
  return { ...symbol, notes };
}

async function findWritten(
  reader: IndexReader,
  { symbol, file, line, character }: SymbolArguments,
  tool: string,
): Promise<LoadedSymbol & { readonly heir?: LoadedSymbol }> {
  expectCode(reader);
  if (symbol === undefined && file !== undefined && line !== undefined) {
    const { record } = await findFile(reader, file, tool);
    const found = await resolvePosition(reader, { documentId: record.id, line, column: character ?? 1 });
    if (found !== undefined) return found;
    throw new InputError(
      `No symbol stands at ${record.id}, line ${line}${character === undefined ? "" : `, character ${character}`}.`,
      [],
      formatExample("read", { file: record.id }),
    );
  }
  if (symbol === undefined) throw new InputError(`${tool} needs symbol, or file and line.`);
  if (line !== undefined && file === undefined) throw new InputError("line needs file beside it.");
  const text =
    file === undefined || symbol.includes("#") ? symbol : `${(await findFile(reader, file, tool)).record.id}#${symbol}`;
  const found = await resolveSymbol(reader, text);
  if (found.kind === "one") return { ...found.symbol, ...(found.heir !== undefined && { heir: found.heir }) };
  if (found.kind === "several") {
    const { candidates, total } = found;
    const [first] = candidates;
    const onLine = candidates.filter(({ record }) => record.at.line === line);
    if (onLine.length === 1) return onLine[0] as LoadedSymbol;
    if (first !== undefined && total === candidates.length) {
      const mains = await mainDeclarations(reader, candidates);
      if (areOneSymbol(mains)) return mains[0] ?? first;
    }
    throw severalSymbols(symbol, candidates, total, (id) => formatExample(tool, { symbol: id }));
  }
  const named = await loadFile(reader, (await resolveDocumentId(reader, symbol)) ?? symbol);
  if (named !== undefined) {
    const { id } = named.record;
    throw new InputError(
      `${quoteName(symbol)} is a file and no symbol; ${tool} takes one of its symbols.`,
      named.record.symbols.slice(0, MAX_NEAREST).map(({ path }) => `${id}#${path}`),
      formatExample("read", { file: id }),
    );
  }
  throw new InputError(
    `There is no symbol ${quoteName(symbol)}; find_symbol looks for parts of names.`,
    found.nearest,
    formatExample("find_symbol", { query: found.nearest[0] ?? "*" }),
  );
}

/** The error that names each candidate with its kind, file and line. `exampleOf` gives a call that names one by its id. */
export function severalSymbols(
  text: string,
  candidates: readonly LoadedSymbol[],
  total: number,
  exampleOf: (id: string) => string,
): InputError {
  const shown = candidates.slice(0, MAX_NAMED);
  const lines = shown.map(({ id, record, inFile }) => {
    const path = pathOf(inFile.id);
    return `  ${id}: ${path} ${formatSymbol(record, inFile.symbols[record.parent])}`;
  });
  const left = total > shown.length ? [`  … ${total - shown.length} more; find_symbol lists all.`] : [];
  return new InputError(
    [`${quoteName(text)} names ${total} symbols; give the id of one:`, ...lines, ...left].join("\n"),
    [],
    exampleOf(shown[0]?.id ?? cutText(text, MAX_EXAMPLE_LENGTH)),
  );
}

/** Kinds of symbols by their names, in any case, singular or plural. @throws {InputError} for one that is none. */
export function readKinds(names: readonly string[] | undefined): readonly SymbolKind[] | undefined {
  return names?.map((name) => {
    const folded = foldKind(name);
    const kind = SYMBOL_KINDS.find(
      (one) => foldKind(one) === folded || `${foldKind(one)}s` === folded || ALIASES[folded] === one,
    );
    if (kind !== undefined) return kind;
    const nearest = nearestNames(name, SYMBOL_KINDS, MAX_NEAREST);
    throw new InputError(`${quoteName(name)} is no kind of symbol. The kinds are ${SYMBOL_KINDS.join(", ")}.`, nearest);
  });
}

/** What callers write for kinds, beside plurals. */
const ALIASES: Readonly<Record<string, SymbolKind>> = {
  classes: "class",
  properties: "property",
  type: "typeAlias",
  typealiases: "typeAlias",
  const: "constant",
  var: "variable",
  func: "function",
};

function foldKind(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}
