/**
 * Tool `get_tree`: the outline of a document, of one of its sections, of a folder or of everything. Never content. A folder has
 * its documents under the folders that hold them, deep folders as counts where they must:
 *
 * ```
 * docs:guide/ (2 documents, 520 words)
 *   install.md Install (5 sections, 320 words)
 *     Linux · Mac
 * docs:reference/ (48 documents, 31,000 words)
 * ```
 */
import { findSymbols } from "../../core/code/find-symbols.ts";
import { loadFile, loadFiles } from "../../core/code/load-files.ts";
import { readPassedOn } from "../../core/code/packages.ts";
import { type CatalogueName, checkCollection, isBelow, listDocumentNames } from "../../core/docs/catalogue.ts";
import { loadDocuments, loadOutlines, resolveOutlines } from "../../core/docs/documents.ts";
import type { DocumentEntry, DocumentOutline } from "../../core/docs/model.ts";
import { folderOf, makeDocumentId, pathOf, splitDocumentId } from "../../core/docs/node-id.ts";
import { InputError } from "../../core/errors.ts";
import { type FileRecord, isTopExport, SYMBOL_KINDS, type SymbolRecord } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { compareNames } from "../../core/text/names.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import type { Answer, AnswerForm, JsonObject } from "../../surface/render/answer.ts";
import { describeCodeTree } from "../../surface/render/code-outline.ts";
import { MEMBER_KINDS, quoteSignature, summarizePassedOn } from "../../surface/render/symbols.ts";
import { estimateTokens, foldLine, formatCount } from "../../surface/render/text.ts";
import { describeOutline } from "../../surface/render/tree.ts";
import { type Asking, type FoundNode, findInnerSymbol, findNodes, unknownDocument } from "../find-named.ts";
import { defineTool, formatExample } from "../tool.ts";

const NAME = "get_tree";
/** Documents of a folder whose headings are read: more would not fit into any answer. */
const MAX_WITH_HEADINGS = 60;
/** The same for their sections and exact words. */
const MAX_WITH_SIZES = 600;
/** Exports of a folder with more source files than that which are looked at. */
const MAX_EXPORTS = 200;
/** Names that are told of those that a file passes on. */
const MAX_REEXPORTS = 20;
const MAX_TITLE_LENGTH = 100;
const MAX_HEADINGS_LENGTH = 160;
/** Characters that a document costs beside its name, in any format. */
const FEWEST_CHARACTERS = 8;
/** Every level. */
const ALL_LEVELS = 1000;

const asking: Asking = {
  tool: NAME,
  example: (id): JsonObject => (id.includes("#") ? { node_id: id } : { doc_id: id }),
};

export const getTreeTool = defineTool({
  name: NAME,
  description:
    "Outline of a document, section, folder or all: ids, titles, sizes. Use before reading; next get_node_content.",
  parameters: {
    doc_id: { kind: "text" },
    node_id: { kind: "text" },
    collection: { kind: "text" },
    path: { kind: "text" },
    max_depth: { kind: "integer" },
  },
  example: { doc_id: "docs:guide/install.md" },
  isKept: true,
  async run({ doc_id, node_id, collection, path, max_depth = ALL_LEVELS }, { reader }) {
    if (collection !== undefined) checkCollection(reader, collection);
    if (doc_id !== undefined && path !== undefined && doc_id !== path) {
      throw new InputError("Give doc_id for a document or path for a document or folder, not both.");
    }
    if (node_id !== undefined) {
      const otherwise: Asking["otherwise"] = (outline, path) => findInnerSymbol(reader, outline, path);
      const [found] = await findNodes(reader, [node_id], doc_id ?? path, { ...asking, otherwise });
      return outlineNode(reader, found as FoundNode, max_depth);
    }
    const outline = await findByPath(reader, doc_id ?? path, collection);
    if (outline === undefined && doc_id !== undefined)
      throw await unknownDocument(reader, inCollection(reader, doc_id, collection), asking);
    if (outline !== undefined) return outlineNode(reader, { outline, section: rootOf(outline) }, max_depth);
    return outlineFolder(reader, await findFolder(reader, path ?? "", collection), max_depth);
  },
});

async function outlineNode(reader: IndexReader, node: FoundNode, maxDepth: number): Promise<Answer> {
  const { outline, section } = node;
  const outlineCall = (nodeId: string): string => formatExample(NAME, asking.example(nodeId));
  const file = isSource(outline.document.path) ? (await loadFile(reader, outline.document.id))?.record : undefined;
  if (file !== undefined) {
    const path = node.symbol?.path ?? section.nodeId.slice(file.id.length + 1);
    const options = {
      document: outline.document,
      root: file.symbols.findIndex((symbol) => symbol.path === path),
      summary: rootOf(outline).summary,
      maxDepth,
      outlineCall,
    };
    const tree = describeCodeTree(file, options);
    if (options.root >= 0) return tree;
    const passed = await readPassedOn(reader, file.id);
    const said = summarizePassedOn(passed, MAX_REEXPORTS);
    const all = passed.total === 0 ? "" : `; all of them: ${formatExample("read", { file: file.id })}`;
    return said === "" ? tree : { ...tree, notes: [`It ${said}${all}.`] };
  }
  return describeOutline(outline, section, { maxDepth, outlineCall });
}

function rootOf(outline: DocumentOutline) {
  const [root] = outline.sections;
  if (root === undefined) throw new RangeError(`${outline.document.id} has no root section`);
  return root;
}

/** The document that a path names, or undefined where it names none. */
async function findByPath(
  reader: IndexReader,
  path: string | undefined,
  collection: string | undefined,
): Promise<DocumentOutline | undefined> {
  if (path === undefined) return undefined;
  const [outline] = await resolveOutlines(reader, [inCollection(reader, path, collection)]);
  return outline;
}

/** The id of a path in a collection, where the text is not an id already. */
function inCollection(reader: IndexReader, text: string, collection: string | undefined): string {
  const isId = reader.collections.some(({ name }) => text.startsWith(`${name}:`));
  return collection === undefined || isId ? text : makeDocumentId(collection, text);
}

/** @throws {InputError} where no document lies below the path. */
async function findFolder(reader: IndexReader, path: string, collection: string | undefined) {
  const names = await listDocumentNames(reader);
  const prefix = reader.collections.find(({ name }) => path.startsWith(`${name}:`))?.name;
  const wanted = collection ?? prefix;
  const written = prefix === undefined ? path : pathOf(path);
  const folder = written.replace(/\/$/, "");
  const inside = names.filter(
    (name) =>
      (wanted === undefined || name.collection === wanted) &&
      (isBelow(name.path, folder) || (name.path === written && written !== "")),
  );
  // A slash alone names nothing, though without it every document would be below.
  if ((inside.length === 0 || (folder === "" && written !== "")) && path !== "")
    throw await unknownFolder(reader, path, names);
  const collections = [...new Set(inside.map((name) => name.collection))];
  const only = collections.length === 1 ? collections[0] : undefined;
  const id = only === undefined ? "" : `${makeDocumentId(only, folder)}${folder === "" ? "" : "/"}`;
  const name = id !== "" ? id.replace(/:$/, "") : path === "" ? "Everything" : path;
  return { id, name, documents: inside };
}

/** A folder and the documents below it. The id is `docs:guide/`; `""` for everything. */
type Folder = Readonly<Awaited<ReturnType<typeof findFolder>>>;

async function unknownFolder(reader: IndexReader, path: string, names: readonly CatalogueName[]): Promise<InputError> {
  const folders = new Set(names.flatMap((name) => foldersOf(name.path)));
  const nearest = nearestNames(path.replace(/\/+$/, ""), folders);
  const documents = await unknownDocument(reader, path, asking);
  const example = nearest[0] === undefined ? documents.example : formatExample(NAME, { path: nearest[0] });
  return new InputError(
    `There is no document and no folder ${quoteName(path)}.`,
    [...nearest.map((folder) => `${folder}/`), ...documents.nearest],
    example,
  );
}

/** `a` and `a/b` of `a/b/c.md`. */
export function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

async function outlineFolder(reader: IndexReader, folder: Folder, maxDepth: number): Promise<Answer> {
  const { id, name, documents } = folder;
  const words = documents.reduce((sum, document) => sum + document.words, 0);
  const sources = documents.flatMap((document) => (isSource(document.path) ? [document.id] : []));
  const exported = await readExports(reader, sources, id);
  const about = documents.length > MAX_WITH_SIZES ? "about " : "";
  const sized = await addSizes(reader, documents);
  reader.countScored(documents.length);
  const exact = about === "" ? sized.reduce((sum, document) => sum + document.words, 0) : words;
  return {
    summary: `${name}: ${formatCount(documents.length, "document")}, ${about}${formatCount(exact, "word")}.`,
    forms: folderForms(sized, { folder: id, maxDepth, exported }),
  };
}

/** What the source files of a folder export: of many files what a search gives, which puts what is used most first. */
async function readExports(reader: IndexReader, ids: readonly string[], folder: string): Promise<ExportedSymbol[]> {
  if (ids.length === 0) return [];
  if (ids.length <= MAX_WITH_HEADINGS) {
    const files = await loadFiles(reader, ids);
    return files.flatMap(
      (file) => file?.record.symbols.filter(isTopExport).map((one) => toExport(file.record, one)) ?? [],
    );
  }
  const { symbols } = await findSymbols(reader, {
    query: "*",
    exported: true,
    kinds: SYMBOL_KINDS.filter((kind) => !MEMBER_KINDS.has(kind)),
    isWanted: (documentId) => documentId.startsWith(folder),
    offset: 0,
    limit: MAX_EXPORTS,
  });
  return symbols.map(({ inFile, record }) => toExport(inFile, record));
}

function outlineCall(folder: string): string {
  return formatExample(NAME, { path: folder });
}

function listCall(folder: string): string {
  const { collection, path } = splitDocumentId(folder);
  const example = { ...(collection !== "" && { collection }), ...(path !== "" && { query: path }) };
  return formatExample("list_documents", example);
}

/** The documents with what can be read of them in one wave: headings of a few, sizes of many. */
async function addSizes(reader: IndexReader, names: readonly CatalogueName[]): Promise<FolderDocument[]> {
  const ids = names.map(({ id }) => id);
  if (names.length <= MAX_WITH_HEADINGS) {
    const outlines = await loadOutlines(reader, ids);
    return outlines.flatMap((outline) => (outline === undefined ? [] : [withHeadings(outline)]));
  }
  if (names.length > MAX_WITH_SIZES) return names.map(({ id, title, words }) => ({ id, title, words }));
  const entries = await loadDocuments(reader, ids);
  return entries.map(({ id, title, words, sections }) => ({ id, title, words, sections }));
}

function withHeadings({ document, sections }: DocumentOutline): FolderDocument {
  const { id, title, words } = document;
  // Of a source file signatures stand there instead.
  if (isSource(document.path)) return { id, title, words, sections: document.sections };
  const headings = sections.filter(({ parent }) => parent === 0).map((section) => section.title);
  return { id, title, words, sections: document.sections, headings };
}

interface FolderDocument extends Pick<DocumentEntry, "id" | "title" | "words"> {
  /** Absent where the folder holds too many documents to look at each. */
  readonly sections?: number;
  /** Headings of the first level; absent where they were not read. */
  readonly headings?: readonly string[];
  /** Signatures of what a source file exports, as many as are shown. */
  readonly exports?: readonly string[];
}

interface FolderOptions {
  /** Id of the folder: `docs:guide/`, `docs:`, or `""` for everything. */
  readonly folder: string;
  /** Levels of folders to enter: 1 = only the folder itself. */
  readonly maxDepth: number;
  /** What the source files of the folder export, or the most used of it. */
  readonly exported: readonly ExportedSymbol[];
}

/** Documents of one folder, and whether they are listed or only counted. */
interface Group {
  readonly folder: string;
  readonly documents: readonly FolderDocument[];
  readonly listed: boolean;
  /** Documents and words in it, also those that are not listed. */
  readonly size: number;
  readonly words: number;
}

/** A folder that holds documents, with what its groups ask of it. */
interface FilledFolder {
  readonly folder: string;
  readonly documents: readonly FolderDocument[];
  readonly words: number;
  /** `docs:`, `guide/`, `linux/` below the folder that is outlined. */
  readonly parts: readonly string[];
}

/** From every document with its headings down to the counts of the first folders. */
export function folderForms(documents: readonly FolderDocument[], options: FolderOptions): AnswerForm[] {
  const folders = toFolders(documents, options.folder);
  const deepest = folders.reduce((most, { parts }) => Math.max(most, parts.length + 1), 1);
  const depth = Math.min(deepest, options.maxDepth);
  const bare = Array.from({ length: depth }, (_, index) => {
    const level = depth - index;
    const levels = level === 1 ? "documents of the first level" : `documents of the first ${level} levels`;
    const form = toForm(group(folders, level, options), false, index === 0 ? "documents" : levels, options);
    return { ...form, fewestTokens: fewestTokens(folders, level) };
  });
  const counts = group(folders, 0, options);
  const last =
    counts.length > 1
      ? toForm(counts, false, "counts of folders", options)
      : toListForm(
          folders.flatMap((one) => one.documents),
          options,
        );
  return [...fullForms(folders, depth, options), ...bare, last];
}

/** Documents by the folder that holds them, in order. */
function toFolders(documents: readonly FolderDocument[], start: string): FilledFolder[] {
  const folders = Map.groupBy(documents, ({ id }) => folderOf(id));
  return [...folders]
    .sort(([a], [b]) => compareNames(a, b))
    .map(([folder, inside]) => ({
      folder,
      documents: inside.sort((a, b) => compareNames(a.id, b.id)),
      words: inside.reduce((sum, { words }) => sum + words, 0),
      // Below `""` collections are the first level.
      parts: folder.slice(start.length).match(/[^:/]*[:/]/g) ?? [],
    }));
}

/** Tokens that the names of the documents of so many levels take at least. */
function fewestTokens(folders: readonly FilledFolder[], depth: number, isShown = (_id: string) => true): number {
  const listed = folders.filter(({ parts }) => parts.length < depth);
  const characters = listed.flatMap(({ folder, documents }) =>
    documents.map(({ id }) => (isShown(id) ? id.length - folder.length + FEWEST_CHARACTERS : 0)),
  );
  return Math.floor(characters.reduce((sum, count) => sum + count, 0) / 4);
}

/** Documents with headings, of source files with what they export. Where not all fit, what most of the code leads to. */
function fullForms(folders: readonly FilledFolder[], depth: number, options: FolderOptions): AnswerForm[] {
  const exported = [...options.exported].sort(
    (a, b) => b.rank - a.rank || compareNames(a.file, b.file) || a.line - b.line,
  );
  const groups = group(folders, depth, options);
  const form = (count: number, onlyExporting: boolean): AnswerForm => {
    // In the order of each file's source.
    const byFile = Map.groupBy(
      exported.slice(0, count).sort((a, b) => a.line - b.line),
      ({ file }) => file,
    );
    const withExports = (document: FolderDocument): FolderDocument[] => {
      const own = byFile.get(document.id);
      if (own !== undefined) return [{ ...document, exports: own.map(({ signature }) => signature) }];
      return onlyExporting && isSource(document.id) ? [] : [document];
    };
    return toForm(
      groups.map((one): Group => ({ ...one, documents: one.documents.flatMap(withExports) })),
      true,
      `${formatCount(count, "exported signature")}, those that most of the code leads to,`,
      options,
    );
  };
  const whole = {
    ...form(exported.length, false),
    detail: "documents with headings",
    fewestTokens: fewestTokens(folders, depth),
  };
  if (exported.length === 0) return [whole];
  const fewestPages = fewestTokens(folders, depth, (id) => !isSource(id));
  const count = folders.reduce((sum, { documents }) => sum + documents.length, 0);
  const shorten = (onlyExporting: boolean, least: number) => (maxTokens: number) =>
    withMostExports((most) => form(most, onlyExporting), exported.length, { maxTokens, least });
  return [
    // Every file is named as long as there is room for a signature of most.
    { ...whole, shorten: shorten(false, Math.min(count, exported.length)) },
    { ...form(exported.length, true), shorten: shorten(true, 1), fewestTokens: fewestPages },
  ];
}

/** The form with as many signatures as so many tokens hold, undefined where that are fewer than `least`. */
function withMostExports(
  form: (count: number) => AnswerForm,
  total: number,
  { maxTokens, least }: { readonly maxTokens: number; readonly least: number },
): AnswerForm | undefined {
  let low = least - 1;
  let high = total;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const { blocks, more = "" } = form(middle);
    if (estimateTokens([...blocks(), more].join("\n")) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return low < least ? undefined : form(low);
}

/** As many documents as fit of a folder that has no others in it. */
function toListForm(documents: readonly FolderDocument[], { folder: start }: FolderOptions): AnswerForm {
  const folder = documents[0] === undefined ? start : folderOf(documents[0].id);
  return {
    detail: "the first documents",
    blocks: () =>
      documents.map((document, at) => [...(at === 0 ? [folder] : []), ...formatDocument(document, false)].join("\n")),
    json: (shown) => ({
      folder: start,
      documents: documents.slice(0, shown).map((document) => documentJson(document, false)),
      folders: [],
    }),
    joined: true,
    more: `All: ${listCall(folder)}.`,
  };
}

/** Documents by folder; those deeper than `depth` levels by the folder one level below, to be counted. */
function group(folders: readonly FilledFolder[], depth: number, { folder: start }: FolderOptions): Group[] {
  const groups = new Map<string, Group>();
  for (const { folder, documents, words, parts } of folders) {
    const listed = parts.length < depth;
    // What is listed lies higher than what is counted, so no folder is both.
    const shown = listed ? folder : start + parts.slice(0, Math.max(1, depth)).join("");
    const { size = 0, words: before = 0 } = groups.get(shown) ?? {};
    groups.set(shown, {
      folder: shown,
      documents: listed ? documents : [],
      listed,
      size: size + documents.length,
      words: before + words,
    });
  }
  return [...groups.values()].sort((a, b) => compareNames(a.folder, b.folder));
}

function toForm(
  groups: readonly Group[],
  withHeadings: boolean,
  detail: string,
  { folder }: FolderOptions,
): AnswerForm {
  const counted = groups.filter((one) => !one.listed && one.folder !== folder);
  const largest = counted.sort((a, b) => b.size - a.size)[0];
  return {
    detail,
    blocks: () => groups.map((one) => formatGroup(one, withHeadings)),
    json: (shown) => toJson(groups.slice(0, shown), folder, withHeadings),
    joined: true,
    more: largest === undefined ? `All: ${listCall(folder)}.` : `One folder: ${outlineCall(largest.folder)}.`,
  };
}

function formatGroup({ folder, documents, listed, size, words }: Group, withHeadings: boolean): string {
  const head = `${folder} (${formatCount(size, "document")}, ${formatCount(words, "word")})`;
  if (!listed) return head;
  return [head, ...documents.flatMap((document) => formatDocument(document, withHeadings))].join("\n");
}

function formatDocument(document: FolderDocument, withHeadings: boolean): string[] {
  const { id, title, words, sections, headings, exports = [] } = document;
  const size = [...(sections === undefined ? [] : [formatCount(sections, "section")]), formatCount(words, "word")];
  const name = id.slice(folderOf(id).length);
  // A source file has no title but its name.
  const titled = title === name ? name : `${name} ${foldLine(title, MAX_TITLE_LENGTH)}`;
  const line = `  ${titled} (${size.join(", ")})`;
  const shown = withHeadings ? foldLine((headings ?? []).join(" · "), MAX_HEADINGS_LENGTH) : "";
  const signatures = withHeadings ? exports.map((signature) => `    ${signature}`) : [];
  return [line, ...(shown === "" ? [] : [`    ${shown}`]), ...signatures];
}

function toJson(groups: readonly Group[], folder: string, withHeadings: boolean): JsonObject {
  return {
    folder,
    documents: groups.flatMap(({ documents }) => documents.map((document) => documentJson(document, withHeadings))),
    folders: groups
      .filter(({ listed }) => !listed)
      .map(({ folder: id, size, words }) => ({ id, documents: size, words })),
  };
}

function documentJson({ headings, exports, ...document }: FolderDocument, withHeadings: boolean): JsonObject {
  return {
    ...document,
    ...(withHeadings && headings !== undefined && { headings }),
    ...(withHeadings && exports !== undefined && { exports }),
  };
}

function toExport(file: FileRecord, { kind, name, at, rank, signature }: SymbolRecord) {
  return {
    /** Document id of its file. */
    file: file.id,
    line: at.line,
    rank,
    /** On one line, between backticks. */
    signature: quoteSignature(signature === "" ? `${kind} ${name}` : signature),
  };
}

type ExportedSymbol = Readonly<ReturnType<typeof toExport>>;

/** Whether an id or a path is that of a source file. */
function isSource(id: string): boolean {
  return codeLanguageOf(id) !== undefined;
}
