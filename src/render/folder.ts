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
import { foldLine } from "./text.ts";

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
}

/** Documents of one folder, and whether they are listed or only counted. */
interface Group {
  readonly folder: string;
  readonly documents: readonly FolderDocument[];
  readonly listed: boolean;
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
  const full = toForm(group(sorted, depth, options), true, "documents with headings", options);
  const withoutHeadings = toForm(group(sorted, depth, options), false, "documents", options);
  const shallower = Array.from({ length: depth - 1 }, (_, index) => {
    const level = depth - 1 - index;
    const detail = level === 1 ? "documents of the first level" : `documents of the first ${level} levels`;
    return toForm(group(sorted, level, options), false, detail, options);
  });
  const counts = group(sorted, 0, options);
  return [
    full,
    withoutHeadings,
    ...shallower,
    counts.length > 1
      ? { ...toForm(counts, false, "counts of folders", options), keepAtLeast: 1 }
      : toListForm(sorted, options),
  ];
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

function formatGroup({ folder, documents, listed }: Group, withHeadings: boolean): string {
  const words = documents.reduce((sum, document) => sum + document.words, 0);
  const head = `${folder} (${formatCount(documents.length, "document")}, ${formatCount(words, "word")})`;
  if (!listed) return head;
  return [head, ...documents.flatMap((document) => formatDocument(document, withHeadings))].join("\n");
}

function formatDocument({ id, title, words, sections, headings }: FolderDocument, withHeadings: boolean): string[] {
  const size = [...(sections === undefined ? [] : [formatCount(sections, "section")]), formatCount(words, "word")];
  const line = `  ${id.slice(folderOf(id).length)} ${foldLine(title, MAX_TITLE_LENGTH)} (${size.join(", ")})`;
  const shown = withHeadings ? foldLine((headings ?? []).join(" · "), MAX_HEADINGS_LENGTH) : "";
  return shown === "" ? [line] : [line, `    ${shown}`];
}

function toJson(groups: readonly Group[], folder: string, withHeadings: boolean): JsonObject {
  return {
    folder,
    documents: groups
      .filter(({ listed }) => listed)
      .flatMap(({ documents }) => documents)
      .map(({ headings, ...document }) => ({
        ...document,
        ...(withHeadings && headings !== undefined && { headings }),
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
