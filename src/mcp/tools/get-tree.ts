/**
 * Tool `get_tree`: the outline of a document, of one of its sections, of a folder or of everything. Never content.
 */
import { findSymbols } from "../../core/code/find-symbols.ts";
import { loadFile, loadFiles } from "../../core/code/load-files.ts";
import { type CatalogueName, checkCollection, isBelow, listDocumentNames } from "../../core/docs/catalogue.ts";
import { loadDocuments, loadOutlines, resolveOutlines } from "../../core/docs/documents.ts";
import type { DocumentOutline } from "../../core/docs/model.ts";
import { makeDocumentId, splitDocumentId } from "../../core/docs/node-id.ts";
import { InputError } from "../../core/errors.ts";
import { SYMBOL_KINDS } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import type { Answer, JsonObject } from "../../surface/render/answer.ts";
import { codeTreeForms, summarizeCodeTree } from "../../surface/render/code-outline.ts";
import { type FolderDocument, folderForms } from "../../surface/render/folder.ts";
import { formatCount } from "../../surface/render/numbers.ts";
import { type ExportedSymbol, exportsOf, MEMBER_KINDS, toExport } from "../../surface/render/symbols.ts";
import { summarizeOutline, treeForms } from "../../surface/render/tree.ts";
import { formatExample } from "../arguments.ts";
import { findInnerSymbol } from "../find-code.ts";
import { type Asking, type FoundNode, findNodes, findOutline, unknownDocument } from "../find-documents.ts";
import { defineTool } from "../tool.ts";

const NAME = "get_tree";
/** Documents of a folder whose headings are read: more would not fit into any answer. */
const MAX_WITH_HEADINGS = 60;
/** The same for their sections and exact words. */
const MAX_WITH_SIZES = 600;
/** Exports of a folder with more source files than that which are looked at. */
const MAX_EXPORTS = 200;
const MAX_NEAREST = 3;
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
  async run({ doc_id, node_id, collection, path, max_depth = ALL_LEVELS }, { reader, lean }) {
    if (collection !== undefined) checkCollection(reader, collection);
    if (doc_id !== undefined && path !== undefined && doc_id !== path) {
      throw new InputError("Give doc_id for a document or path for a document or folder, not both.");
    }
    if (node_id !== undefined) {
      const otherwise: Asking["otherwise"] = (outline, path) => findInnerSymbol(reader, outline, path);
      const [found] = await findNodes(reader, [node_id], doc_id ?? path, { ...asking, otherwise });
      return outlineNode(reader, found as FoundNode, max_depth, lean !== undefined);
    }
    const outline =
      doc_id === undefined
        ? await findByPath(reader, path, collection)
        : await findOutline(reader, inCollection(reader, doc_id, collection), asking);
    if (outline !== undefined)
      return outlineNode(reader, { outline, section: rootOf(outline) }, max_depth, lean !== undefined);
    return outlineFolder(reader, await findFolder(reader, path ?? "", collection), max_depth);
  },
});

async function outlineNode(reader: IndexReader, node: FoundNode, maxDepth: number, isLean: boolean): Promise<Answer> {
  const { outline, section } = node;
  const outlineCall = (nodeId: string): string => formatExample({ name: NAME, example: asking.example(nodeId) });
  const isCode = codeLanguageOf(outline.document.path) !== undefined;
  const file = isCode ? (await loadFile(reader, outline.document.id))?.record : undefined;
  if (file !== undefined) {
    const path = node.symbol?.path ?? section.nodeId.slice(file.id.length + 1);
    const options = {
      document: outline.document,
      root: file.symbols.findIndex((symbol) => symbol.path === path),
      summary: rootOf(outline).summary,
      maxDepth,
      outlineCall,
    };
    return { summary: summarizeCodeTree(file, options), forms: codeTreeForms(file, options) };
  }
  return {
    summary: summarizeOutline(outline, section),
    forms: treeForms(outline, section, { maxDepth, outlineCall, isLean }),
  };
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

/** A folder and the documents below it. */
interface Folder {
  /** `docs:guide/`; `""` for everything. */
  readonly id: string;
  /** What to call it. */
  readonly name: string;
  readonly documents: readonly CatalogueName[];
}

/** @throws {InputError} where no document lies below the path. */
async function findFolder(reader: IndexReader, path: string, collection: string | undefined): Promise<Folder> {
  const names = await listDocumentNames(reader);
  const prefix = reader.collections.find(({ name }) => path.startsWith(`${name}:`))?.name;
  const wanted = collection ?? prefix;
  const written = prefix === undefined ? path : splitDocumentId(path).path;
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

async function unknownFolder(reader: IndexReader, path: string, names: readonly CatalogueName[]): Promise<InputError> {
  const folders = new Set(names.flatMap((name) => foldersOf(name.path)));
  const nearest = nearestNames(path.replace(/\/+$/, ""), folders, MAX_NEAREST);
  const documents = await unknownDocument(reader, path, asking);
  const example =
    nearest[0] === undefined ? documents.example : formatExample({ name: NAME, example: { path: nearest[0] } });
  return new InputError(
    `There is no document and no folder ${quoteName(path)}.`,
    [...nearest.map((folder) => `${folder}/`), ...documents.nearest],
    example,
  );
}

/** `a` and `a/b` of `a/b/c.md`. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

async function outlineFolder(reader: IndexReader, folder: Folder, maxDepth: number): Promise<Answer> {
  const { id, name, documents } = folder;
  const words = documents.reduce((sum, document) => sum + document.words, 0);
  const sources = new Set(
    documents.flatMap((document) => (codeLanguageOf(document.path) === undefined ? [] : [document.id])),
  );
  const options = {
    folder: id,
    maxDepth,
    outlineCall: (folder: string) => formatExample({ name: NAME, example: { path: folder } }),
    listCall,
    exported: await readExports(reader, [...sources], id),
    isSource: (documentId: string) => sources.has(documentId),
  };
  const about = documents.length > MAX_WITH_SIZES ? "about " : "";
  const sized = await addSizes(reader, documents);
  reader.countScored(documents.length);
  const exact = about === "" ? sized.reduce((sum, document) => sum + document.words, 0) : words;
  return {
    summary: `${name}: ${formatCount(documents.length, "document")}, ${about}${formatCount(exact, "word")}.`,
    forms: folderForms(sized, options),
  };
}

/** What the source files of a folder export: of many files what a search gives, which puts what is used most first. */
async function readExports(reader: IndexReader, ids: readonly string[], folder: string): Promise<ExportedSymbol[]> {
  if (ids.length === 0) return [];
  if (ids.length <= MAX_WITH_HEADINGS) {
    const files = await loadFiles(reader, ids);
    return files.flatMap((file) => (file === undefined ? [] : exportsOf(file.record)));
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

function listCall(folder: string): string {
  const { collection, path } = splitDocumentId(folder);
  const example = { ...(collection !== "" && { collection }), ...(path !== "" && { query: path }) };
  return formatExample({ name: "list_documents", example });
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
  if (codeLanguageOf(document.path) !== undefined) return { id, title, words, sections: document.sections };
  const headings = sections.filter(({ parent }) => parent === 0).map((section) => section.title);
  return { id, title, words, sections: document.sections, headings };
}
