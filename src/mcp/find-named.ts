/**
 * Documents, sections, categories, source files and symbols that arguments name. What names none becomes an error in words, with the
 * nearest names and one call that works. What names several becomes one, too: a symbol is never chosen silently.
 *
 * A document is named by its id or by its path, a section by its full id, or by a short one (`#slug`, `#n3`) beside a
 * `doc_id`.
 */

import { loadFile } from "../core/code/load-files.ts";
import type { LoadedFile, LoadedSymbol } from "../core/code/model.ts";
import { mainDeclarations, resolvePosition, resolveSymbol } from "../core/code/resolve-symbol.ts";
import { findNearestDocuments, listDocumentNames } from "../core/docs/catalogue.ts";
import {
  type CategoryTable,
  categoryShards,
  findCategory,
  listAbove,
  nearestCategories,
  readCategories,
} from "../core/docs/categories.ts";
import { resolveDocumentId, resolveNode, resolveOutlines } from "../core/docs/documents.ts";
import type { Category, DocumentOutline, OutlineSection } from "../core/docs/model.ts";
import { makeOrdinalId, pathOf } from "../core/docs/node-id.ts";
import { roleOf } from "../core/docs/roles.ts";
import { InputError } from "../core/errors.ts";
import { SYMBOL_KINDS, type SymbolKind, type SymbolRecord } from "../core/format/code-model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { codeShards } from "../core/index/shards.ts";
import { codeLanguageOf } from "../core/text/code-languages.ts";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import { cutText } from "../core/text/short-text.ts";
import type { Arguments, Parameters } from "../surface/parameters.ts";
import type { Answer } from "../surface/render/answer.ts";
import type { Passage } from "../surface/render/passages.ts";
import { formatSymbol } from "../surface/render/symbols.ts";
import { cutList, foldLine } from "../surface/render/text.ts";
import { formatExample } from "./tool.ts";

const MAX_NEAREST = 5;
const MAX_NAME_LENGTH = 200;
const BYTES_PER_TOKEN = 8;
const LEAST_BYTES = 65_536;

/** A section with the outline that it stands in. */
export interface FoundNode {
  readonly outline: DocumentOutline;
  /** The section, or the one that the symbol lies in. */
  readonly section: OutlineSection;
  /** The symbol of a source file, where it has no section of its own. */
  readonly symbol?: SymbolRecord;
}

/** The call that asks, for examples in errors. */
export interface Asking {
  readonly tool: string;
  /** Arguments of a call that works, given an id that exists. */
  readonly example: (id: string) => Readonly<Record<string, unknown>>;
  /** Whether the texts of what is found are read next. */
  readonly readsText?: boolean;
  /** Looks for what is no section of a document all the same: a symbol that begins in the middle of a line. */
  readonly otherwise?: (outline: DocumentOutline, section: string) => Promise<FoundNode | undefined>;
}

/**
 * The sections that ids name, in the order given.
 *
 * @param docId Document that short ids belong to.
 * @throws {InputError} for the first that names none.
 */
export async function findNodes(
  reader: IndexReader,
  nodeIds: readonly string[],
  docId: string | undefined,
  asking: Asking,
): Promise<FoundNode[]> {
  const written = nodeIds.map(splitWritten);
  const named = written.map(({ document }) => document).filter((document) => document !== "");
  const texts = [...new Set(docId === undefined ? named : [docId, ...named])];
  const outlines = await resolveOutlines(reader, texts, asking.readsText);
  const outlineOf = (text: string): DocumentOutline | undefined => outlines[texts.indexOf(text)];
  const home = docId === undefined ? undefined : outlineOf(docId);
  if (docId !== undefined && home === undefined) throw await unknownDocument(reader, docId, asking);
  const found: FoundNode[] = [];
  for (const { text, document, section } of written) {
    // Without a `#` a text may be a slug of the document at hand, or else a document.
    const own = section === undefined ? nodeIn(home, text) : undefined;
    const outline = document === "" ? home : outlineOf(document);
    const node = own ?? nodeIn(outline, section ?? "");
    const within = outline ?? home;
    const other =
      node === undefined && within !== undefined ? await asking.otherwise?.(within, section ?? text) : undefined;
    const meant = node ?? other;
    if (meant !== undefined) found.push(meant);
    else if (document === "" && home === undefined) {
      throw new InputError(
        `${quoteName(text)} is a short id: it needs doc_id beside it, or the document's id in front.`,
      );
    } else if (outline !== undefined) throw unknownNode(outline, text, section ?? "", asking);
    else if (section === undefined && home !== undefined) throw unknownNode(home, text, text, asking);
    else throw await unknownDocument(reader, document, asking);
  }
  return found;
}

/** The document before the `#`, `""` for a short id, and the section behind it; undefined where there is no `#`. */
function splitWritten(text: string) {
  const at = text.indexOf("#");
  return at < 0
    ? { text, document: text, section: undefined }
    : { text, document: text.slice(0, at), section: text.slice(at + 1) };
}

function nodeIn(outline: DocumentOutline | undefined, section: string): FoundNode | undefined {
  const found = outline === undefined ? undefined : resolveNode(outline, section);
  return outline === undefined || found === undefined ? undefined : { outline, section: found };
}

/** The error for a document that does not exist. */
export async function unknownDocument(reader: IndexReader, text: string, asking: Asking): Promise<InputError> {
  const nearest = await findNearestDocuments(reader, text, MAX_NEAREST);
  const samePath = nearest.filter((id) => id.endsWith(`:${text}`));
  const message =
    samePath.length > 1
      ? `${quoteName(text)} is a path in several collections; give the whole id.`
      : `There is no document ${quoteName(text)}.${nearest.length === 0 ? " list_documents names those there are." : ""}`;
  const id = nearest[0] ?? (await anyDocument(reader));
  return new InputError(message, nearest, formatExample(asking.tool, asking.example(id)));
}

function unknownNode(outline: DocumentOutline, text: string, section: string, asking: Asking): InputError {
  const { id } = outline.document;
  const short = outline.sections.slice(1).map(({ nodeId }) => nodeId.slice(id.length));
  const lastSlug = (name: string): string => name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("#")) + 1);
  const nearSlugs = nearestNames(lastSlug(section), short.map(lastSlug), MAX_NEAREST);
  const near = [
    ...nearestNames(section, short, MAX_NEAREST),
    ...nearSlugs.flatMap((slug) => short.filter((name) => lastSlug(name) === slug)),
  ];
  const offered = [...new Set(near.length > 0 ? near : ["", ...short])].slice(0, MAX_NEAREST).map((name) => id + name);
  return new InputError(
    `${id} has no section ${quoteName(text)}; get_tree shows those it has.`,
    offered,
    formatExample(asking.tool, asking.example(offered[0] ?? id)),
  );
}

/** Some id for an example where nothing near is known. */
async function anyDocument(reader: IndexReader): Promise<string> {
  const [first] = await listDocumentNames(reader);
  return first?.id ?? "docs:index.md";
}

/** The sections that have text in these lines, which are 1-based and inclusive. */
export function coveredSections(
  { document, sections }: DocumentOutline,
  startLine: number,
  endLine: number,
): Passage["sections"] {
  return sections
    .filter((section) => section.startLine <= endLine && section.endLine >= startLine)
    .map((section) => ({
      nodeId: makeOrdinalId(document.id, section.ordinal),
      startLine: section.startLine,
      endLine: section.endLine,
    }));
}

/** Compressed bytes to read for a budget of tokens: more than ever fits, as a block carries more than its text. */
export function bytesFor(maxTokens: number): number {
  return LEAST_BYTES + maxTokens * BYTES_PER_TOKEN;
}

/** How to show a document's id: where there is one collection its name says nothing, and the path alone is understood. */
export function makeShownId(reader: IndexReader): (documentId: string) => string {
  const isOnly = reader.collections.length === 1;
  return (id) => (isOnly ? id.slice(id.indexOf(":") + 1) : id);
}

/** How agents are shown a document: by its path, and the collection only where others of its kind may have the same path. */
export function makeShownPath(reader: IndexReader): (documentId: string) => string {
  const kinds = reader.collections.map(({ kind }) => kind);
  const isOnly = new Map(
    reader.collections.map(({ name, kind }) => [name, kinds.indexOf(kind) === kinds.lastIndexOf(kind)]),
  );
  return (id) => {
    const collection = id.slice(0, id.indexOf(":"));
    return isOnly.get(collection) === true ? id.slice(collection.length + 1) : id;
  };
}

/** A category with the table that it stands in, or the answer that says that there is none. */
type NamedCategory =
  | { readonly ok: true; readonly table: CategoryTable; readonly category: Category }
  | { readonly ok: false; readonly answer: Answer };

/** Refuse an index without categories. @throws {InputError} */
export function expectCategories(reader: IndexReader): void {
  if (categoryShards(reader).length > 0) return;
  throw new InputError("This index has no categories. search_documents finds pages by what they say.");
}

/** Names from the top down to a category. */
export function namesAbove(category: Category): string[] {
  return listAbove(category)
    .map(({ name }) => name)
    .reverse();
}

/** The category that a text names. @throws {InputError} without categories. */
export async function nameCategory(reader: IndexReader, text: string): Promise<NamedCategory> {
  expectCategories(reader);
  const table = await readCategories(reader);
  const category = findCategory(table.list, text);
  if (category !== undefined) return { ok: true, table, category };
  return { ok: false, answer: unknownCategory(text, nearestCategories(table.list, text)) };
}

function unknownCategory(text: string, didYouMean: readonly string[]): Answer {
  const error = `Category not found: ${foldLine(text, MAX_NAME_LENGTH)}`;
  const suggestion = "Call list_categories to see the categories that there are.";
  const near = didYouMean.length === 0 ? [] : [`Did you mean: ${didYouMean.map(quoteName).join(", ")}?`];
  return {
    summary: error,
    isError: true,
    forms: [
      {
        detail: "error",
        blocks: () => [...near, suggestion],
        json: () => ({ error, suggestion, didYouMean }),
        joined: true,
        perItem: false,
      },
    ],
  };
}

/** Names of symbols that are offered. */
const FEW_NEAREST = 3;
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
 * The symbol that arguments name, by its main declaration: of a prototype the definition. Notes say that it is a member of a base,
 * or what else has the name.
 *
 * @throws {InputError} for none, for several, and where they name nothing.
 */
export async function findSymbol(
  reader: IndexReader,
  { symbol, file, line, character }: SymbolArguments,
  tool: string,
  options: Pick<SymbolChoice, "byName" | "isStrict"> = {},
): Promise<ChosenSymbol> {
  expectCode(reader);
  if (symbol === undefined && file !== undefined && line !== undefined) {
    const { record } = await findFile(reader, file, tool);
    const found = await resolvePosition(reader, { documentId: record.id, line, column: character ?? 1 });
    const [main] = found === undefined ? [] : await mainDeclarations(reader, [found]);
    if (main !== undefined) return { ...main, notes: [] };
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
  const exampleOf = (id: string): string => formatExample(tool, { symbol: id });
  const found = await chooseSymbol(reader, text, { ...options, exampleOf, line });
  if ("record" in found) return found;
  const named = await loadFile(reader, (await resolveDocumentId(reader, symbol)) ?? symbol);
  if (named !== undefined) {
    const { id } = named.record;
    throw new InputError(
      `${quoteName(symbol)} is a file and no symbol; ${tool} takes one of its symbols.`,
      named.record.symbols.slice(0, FEW_NEAREST).map(({ path }) => `${id}#${path}`),
      formatExample("read", { file: id }),
    );
  }
  throw new InputError(
    `There is no symbol ${quoteName(symbol)}; find_symbol looks for parts of names.`,
    found.nearest,
    formatExample("find_symbol", { query: found.nearest[0] ?? "*" }),
  );
}

/** A symbol with what has to be said of how it was found. */
interface ChosenSymbol extends LoadedSymbol {
  readonly notes: readonly string[];
}

/** How a text is taken that several symbols may have. */
interface SymbolChoice {
  /** A call that names one by its id. */
  readonly exampleOf: (id: string) => string;
  /** Line on which the one that is meant is declared. */
  readonly line?: number | undefined;
  /** Whether a type and a value of one name are one symbol. */
  readonly byName?: boolean;
  /** Whether none is preferred to another. */
  readonly isStrict?: boolean;
}

/**
 * The one symbol that a text names; of several the only one of the product, else of those the only one at the top of its file, and a
 * note names the others. Declarations that stand together are one.
 *
 * @returns Names that may be meant, for none. @throws {InputError} for several.
 */
export async function chooseSymbol(
  reader: IndexReader,
  text: string,
  { exampleOf, line, byName = false, isStrict = false }: SymbolChoice,
): Promise<ChosenSymbol | { readonly nearest: readonly string[] }> {
  const { symbols, total, heir, nearest } = await resolveSymbol(reader, text);
  if (symbols.length === 0) return { nearest };
  const mains = await mainDeclarations(reader, symbols);
  const keyOf = ({ shard, file, record }: LoadedSymbol): string =>
    `${shard}/${file}/${record.parent}/${record.name}${byName ? "" : `/${record.kind}`}`;
  const distinct = [...Map.groupBy(mains, keyOf).values()].flatMap(([symbol]) => symbol ?? []);
  const onLine = mains.filter(({ record }) => record.at.line === line);
  const product = distinct.filter(({ inFile }) => roleOf(reader, inFile.id) === "production");
  const top = product.filter(({ record }) => record.parent < 0);
  const [chosen] = [onLine, distinct, ...(isStrict ? [] : [product, top])].find(({ length }) => length === 1) ?? [];
  if (chosen === undefined || total > symbols.length) {
    throw severalSymbols(text, distinct, total - mains.length + distinct.length, exampleOf);
  }
  const others = distinct.filter((other) => other !== chosen && onLine.length !== 1);
  const { record, inFile } = chosen;
  return {
    ...chosen,
    notes: [
      ...(heir === undefined
        ? []
        : [`${heir.record.name} inherits ${record.name}: ${inFile.symbols[record.parent]?.name} declares it.`]),
      ...(others.length === 0
        ? []
        : [
            `Of that name are also ${cutList(
              others.map(({ id }) => id),
              FEW_NEAREST,
            ).join(", ")}.`,
          ]),
    ],
  };
}

/** The error that names each candidate with its kind, file and line. `exampleOf` gives a call that names one by its id. */
function severalSymbols(
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
    const nearest = nearestNames(name, SYMBOL_KINDS, FEW_NEAREST);
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
