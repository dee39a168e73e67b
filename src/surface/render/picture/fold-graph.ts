/**
 * Graph folded until it can be read: folders stand for their content, and the largest are opened first while there is room.
 * Nodes outside of the shown folder appear as their folders. Folded and omitted nodes are counted.
 *
 * A folder's id is the prefix of its documents' ids: `docs:` of a collection, `docs:guide/` of a folder, `""` of all.
 */
import { findComponents } from "../../../core/code/components.ts";
import { compareNames } from "../../../core/text/names.ts";

/** Something that leads to something, by their places in a list. */
export interface Link {
  readonly from: number;
  readonly to: number;
}

/** Documents, or packages, and what leads from one to another: each pair once, none to itself. */
export interface Graph {
  /** `docs:guide/install.md`. */
  readonly ids: readonly string[];
  readonly links: readonly (Link & {
    /** Whether nothing of it is left at run time. */
    readonly typeOnly: boolean;
    /** How many links it stands for; one when absent. */
    readonly weight?: number;
  })[];
}

/** Width and height, in units of the picture (pixels, as long as nobody zooms). */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A place in the picture; y grows downwards. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle by its upper left corner. */
export interface Rectangle extends Point, Size {}

export interface Folder {
  readonly id: string;
  /** What its parent calls it; of several folders with nothing else between them, all their names. */
  readonly name: string;
  readonly folders: readonly Folder[];
  /** Places in the list of ids. */
  readonly files: readonly number[];
  /** Files in it and below. */
  readonly count: number;
}

/** The tree of some ids; folders in the order in which their ids come. */
export function makeFolders(ids: readonly string[]): Folder {
  return growFolder(
    "",
    "",
    ids.map((id, at) => ({ at, path: foldersOf(id) })),
    0,
  );
}

function growFolder(id: string, name: string, entries: readonly PlacedId[], depth: number): Folder {
  const [files, deeper] = [
    entries.filter(({ path }) => path.length === depth),
    entries.filter(({ path }) => path.length > depth),
  ];
  const folders = Map.groupBy(deeper, ({ path }) => path[depth] as string);
  return {
    id,
    name,
    folders: [...folders].map(([inner, own]) => growFolder(`${id}${inner}`, inner, own, depth + 1)),
    files: files.map(({ at }) => at),
    count: entries.length,
  };
}

/** An id's place in the list, and the folders that it lies in. */
interface PlacedId {
  readonly at: number;
  readonly path: readonly string[];
}

/** The folder with an id, with or without the slash at its end; undefined where there is none. */
export function findFolder(root: Folder, id: string): Folder | undefined {
  let folder: Folder | undefined = root;
  for (const name of foldersOf(id === "" || /[:/]$/.test(id) ? id : `${id}/`)) {
    const wanted: string = `${folder?.id}${name}`;
    folder = folder?.folders.find((inner) => inner.id === wanted);
  }
  return folder;
}

/** A folder without those above it that hold nothing but one other. */
export function enterFolder(folder: Folder): Folder {
  let at = folder;
  while (at.files.length === 0 && at.folders.length === 1) at = at.folders[0] as Folder;
  return at;
}

/** Ids of all folders below one. */
export function listFolders({ folders }: Folder): string[] {
  return folders.flatMap((inner) => [inner.id, ...listFolders(inner)]);
}

/** `docs:`, `guide/` of `docs:guide/install.md`. Of a name without a colon, nothing. */
function foldersOf(id: string): string[] {
  const colon = id.indexOf(":") + 1;
  const parts = id.slice(colon).split("/").slice(0, -1);
  return [...(colon > 0 ? [id.slice(0, colon)] : []), ...parts.map((part) => `${part}/`)];
}

/** What a box stands for: one file, all of a folder, what had no room, or something outside of the folder shown. */
type BoxKind = "file" | "folder" | "rest" | "outside";

/** A node of the picture. */
export interface Box {
  readonly kind: BoxKind;
  /** Id of the document or folder; of the rest that of the folder it is in. */
  readonly id: string;
  /** What it is called from where the picture looks. */
  readonly label: string;
  /** Folder that it stands in, for those who draw folders around files. */
  readonly parent: string;
  /** Files that it stands for. */
  readonly files: number;
  /** Boxes that lead to it, and that it leads to. */
  readonly fanIn: number;
  readonly fanOut: number;
  /** Number of the cycle that it is part of, from 1 on; 0 for none. */
  readonly cycle: number;
}

export interface BoxLink extends Link {
  /** Links between files that it stands for. */
  readonly weight: number;
  readonly typeOnly: boolean;
  /** Whether both ends are part of one cycle. */
  readonly isInCycle: boolean;
}

type Entry = { readonly file: number } | { readonly folder: Folder };

/** Boxes outside of the folder at most. */
const MAX_OUTSIDE = 8;

/**
 * The graph of a folder.
 *
 * @param root Folder of the whole graph.
 * @param shown The one to show.
 * @param limit Boxes inside of it at most.
 * @param withCycles Whether a cycle says something: of links between pages it does not.
 */
export function foldGraph(graph: Graph, root: Folder, shown: Folder, limit: number, withCycles: boolean) {
  const folder = enterFolder(shown);
  const opened = openFolders(folder, limit, degreesOf(graph));
  const boxOf = new Int32Array(graph.ids.length).fill(-1);
  const drafts: Omit<Box, "fanIn" | "fanOut" | "cycle">[] = [];
  const put = (kind: BoxKind, entries: readonly Entry[], id: string, label: string, parent: string): void => {
    const files = entries.flatMap(filesOf);
    for (const file of files) boxOf[file] = drafts.length;
    drafts.push({ kind, id, label, parent, files: files.length });
  };
  for (const { entry, parent } of opened.boxes) {
    const id = "file" in entry ? (graph.ids[entry.file] as string) : entry.folder.id;
    put("file" in entry ? "file" : "folder", [entry], id, id.slice(folder.id.length), parent);
  }
  if (opened.rest.length > 0) {
    const count = opened.rest.reduce((sum, entry) => sum + filesOf(entry).length, 0);
    put("rest", opened.rest, folder.id, `${count} more`, folder.id);
  }
  const linksLeftOut = addOutside(graph, root, folder, boxOf, drafts);
  let linksInside = 0;
  const joined = new Map<number, { from: number; to: number; weight: number; typeOnly: boolean }>();
  for (const { from, to, typeOnly, weight = 1 } of graph.links) {
    const [a, b] = [boxOf[from] as number, boxOf[to] as number];
    if (a < 0 || b < 0 || (isOutside(drafts[a]) && isOutside(drafts[b]))) continue;
    if (a === b) {
      linksInside += weight;
      continue;
    }
    const key = a * drafts.length + b;
    const known = joined.get(key);
    if (known === undefined) joined.set(key, { from: a, to: b, weight, typeOnly });
    else {
      known.weight += weight;
      known.typeOnly &&= typeOnly;
    }
  }
  const links = [...joined.values()].sort((a, b) => b.weight - a.weight || a.from - b.from || a.to - b.to);
  const cycles = numberCycles(drafts.length, withCycles ? links : []);
  const fan = (end: "from" | "to"): Uint32Array => countBy(drafts.length, links, end);
  const [fanOut, fanIn] = [fan("from"), fan("to")];
  return {
    /** Folder that is shown: the one asked for, or the only one in it. */
    folder: folder.id,
    boxes: drafts.map((draft, at) => ({
      ...draft,
      fanIn: fanIn[at] as number,
      fanOut: fanOut[at] as number,
      cycle: cycles[at] as number,
    })),
    /** The heaviest first. */
    links: links.map((link) => ({
      ...link,
      isInCycle: cycles[link.from] !== 0 && cycles[link.from] === cycles[link.to],
    })),
    /** Files in the folder. */
    files: folder.count,
    /** Links between files inside of a box. */
    linksInside,
    /** Links between files in the folder and boxes outside that had no room. */
    linksLeftOut,
  };
}

export type FoldedGraph = Readonly<ReturnType<typeof foldGraph>>;

/** Folders opened from the largest on, as long as all fits; what a folder holds beyond the limit is the rest. */
function openFolders(
  folder: Folder,
  limit: number,
  degrees: Uint32Array,
): { readonly boxes: { readonly entry: Entry; readonly parent: string }[]; readonly rest: Entry[] } {
  const first = entriesOf(folder);
  if (first.length > limit) {
    const weigh = (entry: Entry): number => filesOf(entry).reduce((sum, file) => sum + (degrees[file] as number), 0);
    const weights = new Map(first.map((entry) => [entry, weigh(entry)]));
    const byWeight = [...first].sort((a, b) => (weights.get(b) as number) - (weights.get(a) as number));
    const kept = new Set(byWeight.slice(0, Math.max(1, limit - 1)));
    return {
      boxes: first.filter((entry) => kept.has(entry)).map((entry) => ({ entry, parent: folder.id })),
      rest: first.filter((entry) => !kept.has(entry)),
    };
  }
  const boxes = first.map((entry) => ({ entry, parent: folder.id }));
  for (;;) {
    let best = -1;
    let bestCount = 0;
    for (const [at, { entry }] of boxes.entries()) {
      if (!("folder" in entry) || entry.folder.count <= bestCount) continue;
      const inner = enterFolder(entry.folder);
      if (boxes.length - 1 + inner.folders.length + inner.files.length > limit) continue;
      best = at;
      bestCount = entry.folder.count;
    }
    if (best < 0) return { boxes, rest: [] };
    const { entry } = boxes[best] as { entry: { folder: Folder } };
    const inner = enterFolder(entry.folder);
    boxes.splice(best, 1, ...entriesOf(inner).map((own) => ({ entry: own, parent: inner.id })));
  }
}

/** Boxes for what leads into the folder and out of it. Returns how many links had no room. */
function addOutside(
  { ids, links }: Graph,
  root: Folder,
  folder: Folder,
  boxOf: Int32Array,
  drafts: Omit<Box, "fanIn" | "fanOut" | "cycle">[],
): number {
  if (folder.count === root.count) return 0;
  const weights = new Map<string, { weight: number; readonly files: Set<number> }>();
  const inside = boxOf.map((box) => (box < 0 ? 0 : 1));
  for (const { from, to, weight = 1 } of links) {
    if (inside[from] === inside[to]) continue;
    const file = inside[from] === 1 ? to : from;
    const id = siblingOf(folder.id, ids[file] as string);
    const known = weights.get(id) ?? { weight: 0, files: new Set() };
    weights.set(id, known);
    known.weight += weight;
    known.files.add(file);
  }
  const sorted = [...weights].sort(([a, own], [b, other]) => other.weight - own.weight || compareNames(a, b));
  for (const [id, { files }] of sorted.slice(0, MAX_OUTSIDE)) {
    for (const file of files) boxOf[file] = drafts.length;
    drafts.push({ kind: "outside", id, label: id, parent: "", files: files.size });
  }
  return sorted.slice(MAX_OUTSIDE).reduce((sum, [, { weight }]) => sum + weight, 0);
}

/** What an id outside of a folder is in, as close to the folder as that is: `src/b/` for `src/b/c/x.ts` beside `src/a/`. */
function siblingOf(folder: string, id: string): string {
  let same = 0;
  for (let at = 0; at < folder.length && folder[at] === id[at]; at++) {
    if (folder[at] === "/" || folder[at] === ":") same = at + 1;
  }
  const end = id.slice(same).search(/[/:]/);
  return end < 0 ? id : id.slice(0, same + end + 1);
}

function isOutside(box: { readonly kind: BoxKind } | undefined): boolean {
  return box?.kind === "outside";
}

function entriesOf({ folders, files }: Folder): Entry[] {
  return [...folders.map((folder) => ({ folder })), ...files.map((file) => ({ file }))];
}

function filesOf(entry: Entry): readonly number[] {
  if ("file" in entry) return [entry.file];
  return [...entry.folder.files, ...entry.folder.folders.flatMap((folder) => filesOf({ folder }))];
}

function degreesOf({ ids, links }: Graph): Uint32Array {
  const [out, into] = [countBy(ids.length, links, "from"), countBy(ids.length, links, "to")];
  return out.map((count, at) => count + (into[at] as number));
}

function countBy(count: number, links: readonly Link[], end: "from" | "to"): Uint32Array {
  const counts = new Uint32Array(count);
  for (const link of links) counts[link[end]] = (counts[link[end]] as number) + 1;
  return counts;
}

/** Of each node the number of its strongly connected component, from 1 on; 0 for one that is in no cycle. */
function numberCycles(count: number, links: readonly Link[]): Uint32Array {
  const targets = Map.groupBy(links, ({ from }) => from);
  const starts = [0];
  const listed = Array.from({ length: count }, (_, node) => {
    const own = targets.get(node) ?? [];
    starts.push((starts[node] as number) + own.length);
    return own.map(({ to }) => to);
  });
  const numbers = new Uint32Array(count);
  const components = findComponents({ starts: Int32Array.from(starts), targets: Int32Array.from(listed.flat()) });
  for (const [at, component] of components.entries()) for (const node of component) numbers[node] = at + 1;
  return numbers;
}
