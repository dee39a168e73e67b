/**
 * A folder as an outline: its documents under the folders that hold them, deep folders as counts where they must.
 *
 * ```
 * docs:guide/ (2 documents, 520 words)
 *   install.md Install (5 sections, 320 words)
 *     Linux · Mac
 * docs:reference/ (48 documents, 31,000 words)
 * ```
 *
 * Pure: documents in, forms of an answer out.
 */

import { folderOf } from "../../core/docs/node-id.ts";
import { compareNames } from "../../core/text/names.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { formatCount } from "./numbers.ts";
import { type ExportedSymbol, firstByRank } from "./symbols.ts";
import { foldLine } from "./text.ts";
import { estimateTokens } from "./tokens.ts";

const MAX_TITLE_LENGTH = 100;
const MAX_HEADINGS_LENGTH = 160;
/** Characters that a document costs beside its name, in any format. */
const FEWEST_CHARACTERS = 8;

/** A document of a folder. */
export interface FolderDocument {
  readonly id: string;
  readonly title: string;
  readonly words: number;
  /** Absent where the folder holds too many documents to look at each. */
  readonly sections?: number;
  /** Headings of the first level; absent where they were not read. */
  readonly headings?: readonly string[];
  /** Signatures of what a source file exports, as many as are shown. */
  readonly exports?: readonly string[];
}

/** What the forms say beside the documents. */
interface FolderOptions {
  /** Id of the folder outlined: `docs:guide/`, `docs:`, or `""` for everything. */
  readonly folder: string;
  /** Levels of folders to enter: 1 = only the folder itself. */
  readonly maxDepth: number;
  /** One call that outlines another folder. */
  readonly outlineCall: (folder: string) => string;
  /** One call that lists a folder's documents page by page. */
  readonly listCall: (folder: string) => string;
  /** What the source files of the folder export, or the most used of it. */
  readonly exported?: readonly ExportedSymbol[];
  /** Whether a document is a source file. */
  readonly isSource?: (id: string) => boolean;
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
interface Folder {
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
  const [full, ...rest] = fullForms(folders, depth, options);
  const bareForm = (level: number, detail: string): AnswerForm => ({
    ...toForm(group(folders, level, options), false, detail, options),
    fewestTokens: fewestTokens(folders, level),
  });
  const shallower = Array.from({ length: depth - 1 }, (_, index) => {
    const level = depth - 1 - index;
    return bareForm(level, level === 1 ? "documents of the first level" : `documents of the first ${level} levels`);
  });
  const counts = group(folders, 0, options);
  return [
    full as AnswerForm,
    ...rest,
    bareForm(depth, "documents"),
    ...shallower,
    counts.length > 1
      ? toForm(counts, false, "counts of folders", options)
      : toListForm(
          folders.flatMap((one) => one.documents),
          options,
        ),
  ];
}

/** Documents by the folder that holds them, in order. */
function toFolders(documents: readonly FolderDocument[], start: string): Folder[] {
  const folders = new Map<string, FolderDocument[]>();
  for (const document of documents) {
    const folder = folderOf(document.id);
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, [document]);
    else known.push(document);
  }
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
function fewestTokens(
  folders: readonly Folder[],
  depth: number,
  isShown: (id: string) => boolean = () => true,
): number {
  let characters = 0;
  for (const { folder, documents, parts } of folders) {
    if (parts.length >= depth) continue;
    for (const { id } of documents) if (isShown(id)) characters += id.length - folder.length + FEWEST_CHARACTERS;
  }
  return Math.floor(characters / 4);
}

/** Documents with headings, of source files with what they export. Where not all fit, what most of the code leads to. */
function fullForms(folders: readonly Folder[], depth: number, options: FolderOptions): AnswerForm[] {
  const { exported = [], isSource } = options;
  const bare = group(folders, depth, options);
  const exporting = new Set(exported.map(({ file }) => file));
  const theirs = bare.map((one): Group => {
    const documents = one.documents.filter(({ id }) => exporting.has(id) || isSource?.(id) !== true);
    return { ...one, documents };
  });
  const form = (count: number, onlyTheirs: boolean): AnswerForm => {
    const byFile = firstByRank(exported, count);
    const withExports = (document: FolderDocument): FolderDocument[] => {
      const own = byFile.get(document.id);
      if (own !== undefined) return [{ ...document, exports: own.map(({ signature }) => signature) }];
      return onlyTheirs && exporting.has(document.id) ? [] : [document];
    };
    return toForm(
      (onlyTheirs ? theirs : bare).map((one): Group => ({ ...one, documents: one.documents.flatMap(withExports) })),
      true,
      `${formatCount(count, "exported signature")}, those that most of the code leads to,`,
      options,
    );
  };
  const fewest = fewestTokens(folders, depth);
  const whole = { ...form(exported.length, false), detail: "documents with headings", fewestTokens: fewest };
  if (exported.length === 0) return [whole];
  const fewestPages = fewestTokens(folders, depth, (id) => isSource?.(id) !== true);
  const shorten = (onlyTheirs: boolean, least: number) => (maxTokens: number) =>
    withMostExports((count) => form(count, onlyTheirs), exported.length, { maxTokens, least });
  return [
    // Every file is named as long as there is room for a signature of most.
    { ...whole, shorten: shorten(false, Math.min(documentsOf(folders), exported.length)) },
    { ...form(exported.length, true), shorten: shorten(true, 1), fewestTokens: fewestPages },
  ];
}

function documentsOf(folders: readonly Folder[]): number {
  return folders.reduce((sum, { documents }) => sum + documents.length, 0);
}

/** The form with as many signatures as so many tokens hold, undefined where that are fewer than `least`. */
function withMostExports(
  form: (count: number) => AnswerForm,
  total: number,
  { maxTokens, least }: { readonly maxTokens: number; readonly least: number },
): AnswerForm | undefined {
  let low = least - 1;
  let high = total;
  let next = Math.ceil((low + high) / 2);
  let known: { readonly count: number; readonly tokens: number } | undefined;
  while (low < high) {
    const { blocks, more = "" } = form(next);
    const tokens = estimateTokens([...blocks(), more].join("\n"));
    if (tokens <= maxTokens) low = next;
    else high = next - 1;
    // Signatures are about as long as one another, so two sizes tell where the third lies.
    const slope = known === undefined ? 0 : (tokens - known.tokens) / (next - known.count);
    const guess = slope > 0 ? next + Math.floor((maxTokens - tokens) / slope) : Math.ceil((low + high) / 2);
    known = { count: next, tokens };
    next = Math.min(high, Math.max(low + 1, guess));
  }
  return low < least ? undefined : form(low);
}

/** As many documents as fit of a folder that has no others in it. */
function toListForm(documents: readonly FolderDocument[], { folder: start, listCall }: FolderOptions): AnswerForm {
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
function group(folders: readonly Folder[], depth: number, { folder: start }: FolderOptions): Group[] {
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
  { folder, outlineCall, listCall }: FolderOptions,
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
