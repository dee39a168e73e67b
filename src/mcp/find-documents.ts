/**
 * Documents, sections and categories that arguments name. What names none becomes an error in words, with the nearest
 * names and one call that works.
 *
 * A document is named by its id or by its path, a section by its full id, or by a short one (`#slug`, `#n3`) beside a
 * `doc_id`.
 */
import { findNearestDocuments, listDocumentNames } from "../core/docs/catalogue.ts";
import {
  type CategoryTable,
  findCategory,
  listAbove,
  nearestCategories,
  readCategories,
} from "../core/docs/categories.ts";
import { categoryShards } from "../core/docs/concepts.ts";
import { resolveNode, resolveOutlines } from "../core/docs/documents.ts";
import type { Category, DocumentOutline, OutlineSection } from "../core/docs/model.ts";
import { makeOrdinalId } from "../core/docs/node-id.ts";
import { InputError } from "../core/errors.ts";
import type { SymbolRecord } from "../core/format/code-model.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { ResidentTable } from "../core/index/resident.ts";
import { nearestNames, quoteName } from "../core/text/nearest.ts";
import type { Answer } from "../surface/render/answer.ts";
import type { Passage } from "../surface/render/passages.ts";
import { foldLine } from "../surface/render/text.ts";
import { formatExample } from "./arguments.ts";

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

/** Paths of documents that an answer names; with the collection where several of them have the same. */
export function makeDistinctPath(
  files: readonly { readonly path: string; readonly id: string }[],
): (file: { readonly path: string; readonly id: string }) => string {
  const ids = new Map<string, string>();
  const doubled = new Set<string>();
  for (const { path, id } of files) {
    if ((ids.get(path) ?? id) !== id) doubled.add(path);
    ids.set(path, id);
  }
  return ({ path, id }) => (doubled.has(path) ? id : path);
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

/** The category that a text names. @param resident Tables that are needed next. @throws {InputError} without categories. */
export async function nameCategory(
  reader: IndexReader,
  text: string,
  resident: readonly ResidentTable[] = [],
): Promise<NamedCategory> {
  expectCategories(reader);
  const table = await readCategories(reader, text, resident);
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
