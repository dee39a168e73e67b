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
import { compareNames } from "../core/text/compare-names.ts";
import { folderOf } from "../core/tree/node-id.ts";
import type { AnswerForm, JsonObject } from "./answer.ts";
import { formatCount } from "./counts.ts";
import { type ExportedSymbol, firstByRank } from "./exported-signatures.ts";
import { foldLine } from "./text.ts";
import { estimateTokens } from "./tokens.ts";

const MAX_TITLE_LENGTH = 100;
const MAX_HEADINGS_LENGTH = 160;

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
export interface FolderOptions {
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
  /** The group with all its documents, where not all of them are listed. */
  readonly of?: { readonly documents: readonly FolderDocument[] };
}

/** From every document with its headings down to the counts of the first folders. */
export function folderForms(
  documents: readonly FolderDocument[],
  options: FolderOptions,
): [AnswerForm, ...AnswerForm[]] {
  const sorted = [...documents].sort(
    (a, b) => compareNames(folderOf(a.id), folderOf(b.id)) || compareNames(a.id, b.id),
  );
  const deepest = sorted.reduce((depth, { id }) => Math.max(depth, depthOf(folderOf(id), options.folder)), 1);
  const depth = Math.min(deepest, options.maxDepth);
  const [full, ...rest] = fullForms(sorted, depth, options);
  const withoutHeadings = toForm(group(sorted, depth, options), false, "documents", options);
  const shallower = Array.from({ length: depth - 1 }, (_, index) => {
    const level = depth - 1 - index;
    const detail = level === 1 ? "documents of the first level" : `documents of the first ${level} levels`;
    return toForm(group(sorted, level, options), false, detail, options);
  });
  const counts = group(sorted, 0, options);
  return [
    full as AnswerForm,
    ...rest,
    withoutHeadings,
    ...shallower,
    counts.length > 1
      ? { ...toForm(counts, false, "counts of folders", options), keepAtLeast: 1 }
      : toListForm(sorted, options),
  ];
}

/** Documents with headings, of source files with what they export. Where not all fit, what most of the code leads to. */
function fullForms(sorted: readonly FolderDocument[], depth: number, options: FolderOptions): AnswerForm[] {
  const { exported = [] } = options;
  const bare = group(sorted, depth, options);
  const form = (count: number, onlyTheirs: boolean): AnswerForm => {
    const byFile = firstByRank(exported, count);
    const withExports = (document: FolderDocument): FolderDocument => {
      const own = byFile.get(document.id);
      return own === undefined ? document : { ...document, exports: own.map(({ signature }) => signature) };
    };
    const groups = bare.map((one): Group => ({ ...one, documents: one.documents.map(withExports) }));
    const isShown = ({ id, exports }: FolderDocument): boolean => exports !== undefined || !options.isSource?.(id);
    const shown = onlyTheirs
      ? groups.map((one) => ({ ...one, documents: one.documents.filter(isShown), of: one }))
      : groups;
    return toForm(
      shown,
      true,
      `${formatCount(count, "exported signature")}, those that most of the code leads to,`,
      options,
    );
  };
  const whole = { ...form(exported.length, false), detail: "documents with headings" };
  if (exported.length === 0) return [whole];
  const shorten = (onlyTheirs: boolean, least: number) => (maxTokens: number) =>
    withMostExports((count) => form(count, onlyTheirs), exported.length, { maxTokens, least });
  return [
    // Every file is named as long as there is room for a signature of most.
    { ...whole, shorten: shorten(false, Math.min(sorted.length, exported.length)) },
    { ...form(exported.length, true), shorten: shorten(true, 1) },
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
    json: (shown) => toJson([{ folder, documents: documents.slice(0, shown), listed: true }], start, false),
    joined: true,
    keepAtLeast: 1,
    more: `All: ${listCall(folder)}.`,
  };
}

/** Documents by folder; those deeper than `depth` levels by the folder one level below, to be counted. */
function group(documents: readonly FolderDocument[], depth: number, { folder: start }: FolderOptions): Group[] {
  const groups = new Map<string, { documents: FolderDocument[]; listed: boolean }>();
  for (const document of documents) {
    const folder = folderOf(document.id);
    const listed = depthOf(folder, start) <= depth;
    // What is listed lies higher than what is counted, so no folder is both.
    const shown = listed ? folder : start + partsBelow(folder, start).slice(0, Math.max(1, depth)).join("");
    const known = groups.get(shown) ?? { documents: [], listed };
    known.documents.push(document);
    groups.set(shown, known);
  }
  return [...groups].map(([folder, value]) => ({ folder, ...value })).sort((a, b) => compareNames(a.folder, b.folder));
}

function toForm(
  groups: readonly Group[],
  withHeadings: boolean,
  detail: string,
  { folder, outlineCall, listCall }: FolderOptions,
): AnswerForm {
  const counted = groups.filter((group) => !group.listed && group.folder !== folder);
  const largest = [...counted].sort((a, b) => b.documents.length - a.documents.length)[0];
  return {
    detail,
    blocks: () => groups.map((one) => formatGroup(one, withHeadings)),
    json: (shown) => toJson(groups.slice(0, shown), folder, withHeadings),
    joined: true,
    more: largest === undefined ? `All: ${listCall(folder)}.` : `One folder: ${outlineCall(largest.folder)}.`,
  };
}

function formatGroup({ folder, documents, listed, of }: Group, withHeadings: boolean): string {
  const all = of?.documents ?? documents;
  const words = all.reduce((sum, document) => sum + document.words, 0);
  const head = `${folder} (${formatCount(all.length, "document")}, ${formatCount(words, "word")})`;
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
    documents: groups
      .filter(({ listed }) => listed)
      .flatMap(({ documents }) => documents)
      .map(({ headings, exports, ...document }) => ({
        ...document,
        ...(withHeadings && headings !== undefined && { headings }),
        ...(withHeadings && exports !== undefined && { exports }),
      })),
    folders: groups
      .filter(({ listed }) => !listed)
      .map(({ folder: id, documents }) => ({
        id,
        documents: documents.length,
        words: documents.reduce((sum, document) => sum + document.words, 0),
      })),
  };
}

/** 1 for the folder itself, one more for each level below. Below `""` collections are the first level. */
function depthOf(folder: string, start: string): number {
  return 1 + partsBelow(folder, start).length;
}

/** `docs:`, `guide/`, `linux/` of `docs:guide/linux/` below `""`. */
function partsBelow(folder: string, start: string): readonly string[] {
  return folder.slice(start.length).match(/[^:/]*[:/]/g) ?? [];
}
