/**
 * Tool `map`: folders with their files, of a folder its files with what they export or are about, of a file its outline.
 *
 * ```
 * treeline, built 3 min ago from a0e134b of 21 Aug
 * src/ 420: mcp 60, http 51, core 139
 * docs/ 96: guide 41, adr 12 history
 * test/ 240 test
 * ```
 */
import { loadFiles } from "../../core/code/load-files.ts";
import { readGiven } from "../../core/code/packages.ts";
import { type CatalogueName, isBelow, listDocumentNames } from "../../core/docs/catalogue.ts";
import { ROLES, type Role, roleOf } from "../../core/docs/roles.ts";
import { type FileRecord, isTopExport, type SymbolRecord } from "../../core/format/code-model.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import { compareNames } from "../../core/text/names.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import { type AnswerPart, answerInParts } from "../../surface/render/parts.ts";
import { formatOrigin } from "../../surface/render/render.ts";
import { cutList, foldLine, formatCount } from "../../surface/render/text.ts";
import { makeShownPath } from "../find-named.ts";
import { findTargets } from "../targets.ts";
import { defineTool } from "../tool.ts";
import { foldersOf } from "./get-tree.ts";
import { outlinePart } from "./read-targets.ts";

/** Characters of the overview. */
const OVERVIEW = 1000;
/** Folders inside one that are named beside it: as many as fit. */
const WIDTHS = [16, 12, 8, 5, 3, 0];
/** Files that are listed with those of the folders below; of more only the folder's own. */
const MAX_DEEP = 30;
/** Share of a folder's files that makes the one that holds them its main folder. */
const MAIN_SHARE = 0.7;
/** Files whose exports are read. */
const MAX_WITH_EXPORTS = 60;
/** Names of exports in all, and of one file. */
const ALL_EXPORTS = 120;
const MAX_EXPORTS = 8;
const MAX_FOLDERS = 8;
const MAX_TITLE = 70;
/** Lines of the outline of a file. */
const MAX_OUTLINE = 120;

export const mapTool = defineTool({
  name: "map",
  title: "Map",
  description: "Folders with numbers of files; of one its files with what they export.",
  parameters: {
    path: { kind: "text", description: "folder", aliases: ["folder", "file"] },
  },
  isSparing: true,
  example: { path: "src" },
  async run({ path = "" }, { reader, now, corpus }) {
    const names = (await listDocumentNames(reader)).map(
      (name): MappedFile => ({ ...name, role: roleOf(reader, name.id) }),
    );
    const wanted = path.trim().replace(/^(?:\.?\/)+|\/+$|^\.$/g, "");
    if (wanted === "") return answerInParts([overview(reader, names, corpus, now)]);
    const inside = findFolder(names, wanted);
    if (inside !== undefined) return answerInParts([await listFolder(reader, inside.folder, inside.names)]);
    const [found] = await findTargets(reader, [wanted], 0);
    const place = found?.places[0];
    if (place !== undefined && found !== undefined) {
      const whole = { ...place, asked: wanted, note: found.note, limit: MAX_OUTLINE };
      return answerInParts([outlinePart(whole, makeShownPath(reader)(place.outline.document.id))]);
    }
    const folders = new Set(names.flatMap((name) => foldersOf(name.path)));
    const nearest = nearestNames(wanted, folders);
    const problem = `there is no folder or file ${quoteName(wanted)}${nearest.length === 0 ? "" : `. Did you mean ${nearest.join(", ")}?`}`;
    return answerInParts([
      { head: `# ${problem}`, items: [], rest: () => "", json: () => ({ path: wanted, problem }) },
    ]);
  },
});

interface MappedFile extends CatalogueName {
  readonly role: Role;
}

/** A folder with all files below it. */
interface Folder {
  /** Name inside the folder above, with those of folders that hold nothing but the next one. */
  readonly name: string;
  readonly files: readonly MappedFile[];
}

/** The folder of that path, else the first one whose path ends so. */
function findFolder(names: readonly MappedFile[], wanted: string) {
  const below = (folder: string): MappedFile[] => names.filter(({ path }) => isBelow(path, folder));
  const direct = below(wanted);
  if (direct.length > 0) return { folder: wanted, names: direct };
  const ending = `/${wanted}/`;
  const holder = names.find(({ path }) => path.includes(ending))?.path;
  if (holder === undefined) return undefined;
  const folder = holder.slice(0, holder.indexOf(ending) + ending.length - 1);
  return { folder, names: below(folder) };
}

/** The folders in a folder (`""`: the top), and the files that lie in it. */
function split(names: readonly MappedFile[], folder: string): { folders: Folder[]; files: MappedFile[] } {
  const from = folder === "" ? 0 : folder.length + 1;
  const nameOf = ({ path }: MappedFile): string => path.slice(from, Math.max(from, path.indexOf("/", from)));
  const groups = Map.groupBy(names, nameOf);
  const files = groups.get("") ?? [];
  groups.delete("");
  return {
    folders: [...groups.values()].map((inside) => ({ name: commonFolder(inside).slice(from), files: inside })),
    files,
  };
}

/** The deepest folder that all these files lie in. */
function commonFolder([first, ...others]: readonly MappedFile[]): string {
  const parent = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
  let folder = parent(first?.path ?? "");
  for (const { path } of others) while (!isBelow(path, folder)) folder = parent(folder);
  return folder;
}

/** Counts of files by role, and which of the roles says it all. */
function countRoles(files: readonly MappedFile[]) {
  const counts = Map.groupBy(files, ({ role }) => role);
  const roles = ROLES.filter((role) => counts.has(role));
  return { roles, countOf: (role: Role): number => counts.get(role)?.length ?? 0 };
}

/** `420 +14 test`: files of the product, then those of other roles. @param around The role that is said already. */
function formatSize(files: readonly MappedFile[], around: Role = "production"): string {
  const { roles, countOf } = countRoles(files);
  return roles
    .map((role) => (role === around || role === "production" ? `${countOf(role)}` : `${countOf(role)} ${role}`))
    .join(" +");
}

/** Those with most files of the product first, then those with most files. */
function largestFirst(folders: readonly Folder[]): Folder[] {
  const sizes = new Map(folders.map((folder) => [folder, countRoles(folder.files).countOf("production")]));
  const sizeOf = (folder: Folder): number => sizes.get(folder) ?? 0;
  return [...folders].sort(
    (a, b) => sizeOf(b) - sizeOf(a) || b.files.length - a.files.length || compareNames(a.name, b.name),
  );
}

function overview(reader: IndexReader, names: readonly MappedFile[], corpus: string, now: number): AnswerPart {
  const repository = reader.collections.find((one) => one.repository !== "")?.repository ?? "";
  const name =
    corpus ||
    (repository
      .replace(/\/$|\.git$/g, "")
      .split("/")
      .at(-1) ??
      "");
  const head = [name, formatOrigin({ origin: reader.generation, now })].filter((text) => text !== "").join(", ");
  const { folders, files } = split(names, "");
  const top = folders.length === 1 && files.length === 0 ? folders[0] : undefined;
  const shown = top === undefined ? { folders, files } : split(names, top.name);
  const prefix = top === undefined ? "" : `${top.name}/`;
  const formats = largestFirst(shown.folders).map((folder) => folderFormat(folder, prefix));
  const lines = (width: number): string[] => [
    ...formats.map((format) => `${prefix}${format(width)}`),
    ...(shown.files.length === 0 ? [] : [`${prefix || "."} ${formatSize(shown.files)}`]),
  ];
  const fits = (list: readonly string[]): boolean =>
    list.reduce((sum, line) => sum + line.length + 1, head.length) <= OVERVIEW;
  const width = WIDTHS.find((one) => fits(lines(one))) ?? 0;
  const all = lines(width);
  const count = fits(all) ? all.length : all.findIndex((_, at) => !fits(all.slice(0, at + 2)));
  const items = all.slice(0, Math.max(1, count));
  return {
    head,
    items,
    further: all.length - items.length,
    rest: (left) =>
      `… ${formatCount(left, "folder")} more: ${cutList(
        all.slice(all.length - left).map((line) => line.split("/", 1)[0] ?? ""),
        MAX_FOLDERS,
      ).join(", ")}`,
    json: (count) => ({ index: head, folders: items.slice(0, count) }),
  };
}

/** `src/ 420: mcp 60, http 51, core 139`, by how many folders in it are named. @param above Where it lies, with a slash. */
function folderFormat({ name, files }: Folder, above: string): (width: number) => string {
  const { roles } = countRoles(files);
  const only = roles.length === 1 ? roles[0] : undefined;
  const inner = largestFirst(innerFolders(`${above}${name}`, files));
  const named = inner.map((folder) => `${folder.name} ${formatSize(folder.files, only)}`);
  const size = formatSize(files);
  return (width) => {
    const list = width === 0 || named.length === 0 ? "" : `: ${cutList(named, width).join(", ")}`;
    return `${name}/ ${size}${list}`;
  };
}

/** The folders in a folder; in place of one that holds nearly all of it those that it has. */
function innerFolders(folder: string, files: readonly MappedFile[]): Folder[] {
  return split(files, folder).folders.flatMap((one): Folder[] => {
    const deeper = one.files.length > MAIN_SHARE * files.length ? innerFolders(`${folder}/${one.name}`, one.files) : [];
    const [name = ""] = one.name.split("/", 1);
    return deeper.length < 2
      ? [{ ...one, name }]
      : deeper.map((inner) => ({ ...inner, name: `${one.name}/${inner.name}` }));
  });
}

/** Files of a folder with what they export or are about, and the folders in it. */
async function listFolder(reader: IndexReader, folder: string, names: readonly MappedFile[]): Promise<AnswerPart> {
  const { folders, files } = split(names, folder);
  const listed = names.length <= MAX_DEEP ? names : files;
  const sources = listed.filter(({ path }) => codeLanguageOf(path) !== undefined).slice(0, MAX_WITH_EXPORTS);
  const loaded = await loadFiles(
    reader,
    sources.map(({ id }) => id),
  );
  const records = new Map(
    loaded.flatMap((file) => (file === undefined ? [] : [[file.record.id, exportedBy(file.record)] as const])),
  );
  // What declares nothing may give what others do.
  const bare = [...records].flatMap(([id, own]) => (own.length === 0 ? [id] : []));
  const given = await readGiven(reader, bare);
  for (const [at, id] of bare.entries())
    records.set(
      id,
      (given[at]?.names ?? []).map(({ name }) => name),
    );
  const most = Math.max(2, Math.min(MAX_EXPORTS, Math.floor(ALL_EXPORTS / Math.max(1, sources.length))));
  const items = [
    ...(listed === names ? [] : largestFirst(folders).map((one) => folderFormat(one, `${folder}/`)(MAX_FOLDERS))),
    ...[...listed]
      .sort((a, b) => compareNames(a.path, b.path))
      .map((file) => formatFile(file, file.path.slice(folder.length + 1), records.get(file.id), most)),
  ];
  return {
    head: `# ${folder}/ ${formatSize(names)}`,
    items,
    rest: (left) => `… ${left} more`,
    json: (shown) => ({ folder, files: names.length, entries: items.slice(0, shown) }),
  };
}

/** `store.ts Store, open`, `install.md Install on Linux`. */
function formatFile(
  { title }: CatalogueName,
  name: string,
  exported: readonly string[] | undefined,
  most: number,
): string {
  const stem = fold(name.replace(/^.*\/|\.[^.]+$/g, ""));
  if (exported === undefined) {
    // What a site puts behind each title.
    const own = foldLine(title.replace(/\s[|–—-]\s.*$/, ""), MAX_TITLE);
    return fold(own) === stem || own === name ? name : `${name} ${own}`;
  }
  return exported.length === 0 ? name : `${name} ${cutList(exported, most).join(", ")}`;
}

/** Names at the top of a file that are exported: what packages give before the others, then by rank. */
function exportedBy({ symbols }: FileRecord): string[] {
  const isPublic = ({ flags }: SymbolRecord): number => Number(flags.includes("public"));
  const exported = symbols.filter(isTopExport).sort((a, b) => isPublic(b) - isPublic(a) || b.rank - a.rank);
  return [...new Set(exported.map(({ name }) => name))].filter((one) => !/^(?:__.*|.{1,2})$/.test(one));
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
