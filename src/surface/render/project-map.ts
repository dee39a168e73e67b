/**
 * The map of a project as Markdown, for `llms.txt` and for the file that agents read first. Short enough to be read whole.
 *
 * It is laid out as llmstxt.org has it: a title, a summary as a quotation, then sections of links, with their notes behind a colon. All ids
 * stand in backticks, so that a check can look each of them up.
 */
import { utf8Length } from "../../core/bytes/encodings.ts";
import type { MapPage, ProjectMap } from "../../core/docs/project-map.ts";
import { quoteCode } from "../../core/text/short-text.ts";
import { cleanText, foldLine, formatCount } from "./text.ts";

/** Addresses that the map of a server has and that of a file has not. */
interface MapLinks {
  /** Address of the server's own text of a document, for pages that have no other. */
  readonly textOf: (documentId: string) => string;
  /** What else there is to read: the section that llmstxt.org calls Optional. */
  readonly optional: readonly { readonly title: string; readonly url: string; readonly note: string }[];
}

/** Bytes of UTF-8 that a map has at most. */
const MAX_MAP_BYTES = 8_000;
const MAX_TITLE = 80;
/** Entries of each list, from what is shown where there is room to what is always shown. */
const STEPS = [40, 24, 16, 10, 6, 3, 1] as const;
/** Entry points that are shown. */
const MAX_ENTRIES = 12;
/** Collections beyond these are only counted. */
const MAX_COLLECTIONS = 20;

const INTRODUCTION =
  "Ids in backticks are what the tools of Treeline take: `get_tree` and `get_node_content` for pages, `read`, `inspect` and " +
  "`find_symbol` for source code, `search_documents` for questions.";

/** The text of a map, its lists cut until it fits. */
export function formatProjectMap(map: ProjectMap, links?: MapLinks): string {
  for (const step of STEPS.slice(0, -1)) {
    const whole = formatWith(map, step, links);
    if (utf8Length(whole) <= MAX_MAP_BYTES) return whole;
  }
  return cutToBytes(formatWith(map, 1, links));
}

function formatWith(map: ProjectMap, limit: number, links: MapLinks | undefined): string {
  const page: FormatPage = (one, note) => formatPage(one, links, note);
  const { collections, linkHubs, entryPoints, fileHubs, packages, commit } = map;
  const documents = collections.reduce((sum, one) => sum + one.documents, 0);
  const sections = collections.reduce((sum, one) => sum + one.sections, 0);
  const names = collections.slice(0, MAX_COLLECTIONS).map(({ name }) => clean(name));
  const files = (ids: readonly string[]): string[] => ids.map((id) => `- ${quoteCode(id)}`);
  const optional = (links?.optional ?? []).map(({ title, url, note }) => `- [${title}](${url}): ${note}`);
  const blocks = [
    `# ${names.join(", ")}`,
    `> ${formatCount(documents, "document")} with ${formatCount(sections, "section")}, as of commit ${clean(commit)}.`,
    INTRODUCTION,
    ...collections.slice(0, MAX_COLLECTIONS).map((collection) => formatCollection(collection, limit, page)),
    listOf(
      "Pages that most others link to",
      linkHubs.map((hub) => page(hub)),
      limit,
    ),
    listOf(
      "Packages",
      packages.map((one) => formatPackage(one, limit)),
      limit,
    ),
    listOf("Where programs and packages begin", files(entryPoints), Math.min(limit, MAX_ENTRIES)),
    listOf("Source files that most others import", files(fileHubs), limit),
    listOf("Optional", optional, STEPS[0]),
  ];
  return `${cleanText(blocks.filter((block) => block !== "").join("\n\n")).text}\n`;
}

/** Writes the line of a page. @param note What is said of it behind its id. */
type FormatPage = (page: MapPage, note?: string) => string;

function formatCollection(
  { name, kind, version, documents, pages, folders }: ProjectMap["collections"][number],
  limit: number,
  page: FormatPage,
): string {
  const label = version === "" ? "" : `, version ${clean(version)}`;
  const what = kind === "code" ? "source file" : "page";
  const lines = [
    ...pages.slice(0, limit).map((one) => page(one)),
    ...(pages.length > limit ? [left(pages.length - limit, "page", "list_documents")] : []),
    ...folders.slice(0, limit).map(({ path, documents: members, entry }) => {
      return page(entry, `, first of ${formatCount(members, what)} in ${clean(path)}/`);
    }),
    ...(folders.length > limit ? [left(folders.length - limit, "folder", "get_tree")] : []),
  ];
  return [`## ${clean(name)}: ${formatCount(documents, what)}${label}`, lines.join("\n")].join("\n\n").trim();
}

/** `- [Title](address): \`id\``, and `- Title \`id\`` without an address. */
function formatPage({ id, title, url }: MapPage, links: MapLinks | undefined, note = ""): string {
  const text = foldLine(clean(title), MAX_TITLE).replace(/[[\]]/g, "");
  const address = isAddress(url) ? url : (links?.textOf(id) ?? url);
  return `- ${isAddress(address) ? `[${text}](${address}):` : text} ${quoteCode(id)}${note}`;
}

/** Whether a link may hold it as it is: an address, or a path of the site that the map lies on. */
function isAddress(url: string): boolean {
  return /^(?:https?:\/)?\/[^\s()<>]+$/.test(url);
}

function formatPackage(
  { module, name, files, imports, exports, exportCount }: ProjectMap["packages"][number],
  limit: number,
): string {
  const shown = exports.slice(0, Math.min(limit, 8)).map(clean);
  const more = exportCount - shown.length;
  const parts = [
    formatCount(files, "file"),
    ...(imports.length > 0 ? [`imports ${imports.slice(0, limit).map(clean).join(", ")}`] : []),
    ...(shown.length > 0 ? [`exports ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`] : []),
  ];
  return `- ${clean(module)}: ${clean(name)} (${parts.join("; ")})`;
}

function listOf(title: string, lines: readonly string[], limit: number): string {
  if (lines.length === 0) return "";
  return [`## ${title}`, lines.slice(0, limit).join("\n")].join("\n\n");
}

function left(count: number, what: string, tool: string): string {
  return `- ${formatCount(count, `more ${what}`)}: ${tool}`;
}

/** A name on one line, without signs that would end what it stands in. */
function clean(text: string): string {
  return cleanText(text)
    .text.replace(/[\s`]+/g, " ")
    .trim();
}

/** The lines that fit. */
function cutToBytes(text: string): string {
  const lines = text.split("\n");
  let bytes = 0;
  const end = lines.findIndex((line) => {
    bytes += utf8Length(line) + 1;
    return bytes > MAX_MAP_BYTES;
  });
  return end < 0 ? text : `${lines.slice(0, end).join("\n")}\n`;
}
