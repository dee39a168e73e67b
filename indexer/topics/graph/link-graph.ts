/**
 * Graphs of the files and of the pages of an access group.
 *
 * A node is a source file, an asset that one imports, or a page; a link is an import or re-export of a whole file, or a link
 * between pages. Guesses (tier `name`) never count. Nodes are numbered in the order of the bytes of their ids. There is at most one
 * link from one node to another, and none from a node to itself.
 */

import { keyOf } from "../../../src/core/bytes/key.ts";
import type { NodeLinks } from "../../../src/core/code/components.ts";
import { makeDocumentId, splitDocumentId, splitNodeId } from "../../../src/core/docs/node-id.ts";
import type { EdgeRecord } from "../../../src/core/format/code-model.ts";
import type { BrokenLink } from "../../../src/core/format/insights.ts";
import { factsOf } from "../../../src/core/text/code-languages.ts";
import { compareNames } from "../../../src/core/text/names.ts";
import { shortenText } from "../../../src/core/text/short-text.ts";
import { compileGlobs } from "../../base/globs.ts";
import type { GraphConfig } from "../../config/config.ts";
import type { GroupCode } from "../../link/code/link-code.ts";
import { rankGraph } from "../../link/code/page-rank.ts";
import type { ResolvedLinks } from "../../link/links.ts";

/** See the header. Targets of a node ascend. */
export interface LinkGraph extends NodeLinks {
  readonly ids: readonly string[];
  /** Of each link whether it is of types alone. */
  readonly typeOnly: Uint8Array;
  /** Distinct nodes that lead to a node. */
  readonly fanIn: Uint32Array;
  /** 0-255, a logarithm of the PageRank of each node. Worked out when it is first asked for. */
  readonly ranks: () => Uint8Array;
}

/** A link between two nodes, by their numbers. */
interface NodeLink {
  readonly from: number;
  readonly to: number;
  readonly typeOnly: boolean;
}

/**
 * The graph of some nodes. Several links from one node to another are one, of types alone where each of them is; links
 * of a node to itself are left out. Ids are in their order already.
 */
export function makeLinkGraph(ids: readonly string[], links: readonly NodeLink[]): LinkGraph {
  const lists = ids.map(() => new Map<number, boolean>());
  for (const { from, to, typeOnly } of links) {
    const own = lists[from] as Map<number, boolean>;
    if (from !== to) own.set(to, typeOnly && own.get(to) !== false);
  }
  const found = lists.map((own) => [...own].sort(([a], [b]) => a - b));
  const starts = new Int32Array(ids.length + 1);
  const fanIn = new Uint32Array(ids.length);
  for (const [node, own] of found.entries()) {
    starts[node + 1] = (starts[node] as number) + own.length;
    for (const [to] of own) fanIn[to] = (fanIn[to] as number) + 1;
  }
  const targets = Int32Array.from(found.flatMap((own) => own.map(([to]) => to)));
  const typeOnly = Uint8Array.from(found.flatMap((own) => own.map(([, isOfTypes]) => Number(isOfTypes))));
  let ranks: Uint8Array | undefined;
  return {
    ids,
    starts,
    targets,
    typeOnly,
    fanIn,
    ranks: () => {
      ranks ??= rankGraph({ starts, targets });
      return ranks;
    },
  };
}

/** Nodes that a node leads to, ascending. */
export function targetsOf({ starts, targets }: NodeLinks, node: number): Int32Array {
  return targets.subarray(starts[node], starts[node + 1]);
}

function* linksOf({ starts, targets, typeOnly }: LinkGraph): Generator<NodeLink> {
  for (let from = 0; from + 1 < starts.length; from++) {
    for (let at = starts[from] as number; at < (starts[from + 1] as number); at++) {
      yield { from, to: targets[at] as number, typeOnly: typeOnly[at] === 1 };
    }
  }
}

/** Links between some of the nodes, which are numbered anew in their order. */
function linksAmong(graph: LinkGraph, isKept: (node: number) => boolean): NodeLink[] {
  const numbers = new Map<number, number>();
  for (const node of graph.ids.keys()) if (isKept(node)) numbers.set(node, numbers.size);
  const kept: NodeLink[] = [];
  for (const { from, to, typeOnly } of linksOf(graph)) {
    const source = numbers.get(from);
    const target = numbers.get(to);
    if (source !== undefined && target !== undefined) kept.push({ from: source, to: target, typeOnly });
  }
  return kept;
}

function compareNodeIds(a: string, b: string): number {
  return compareNames(keyOf(a), keyOf(b));
}

/** Where programs, packages and pages of frameworks begin. */
const ENTRY_NAME =
  /(?:^|\/)(?:index|main|cli|server|worker|app|program|application|manage|wsgi|asgi|lib|mod|__init__|__main__|middleware|instrumentation)\.\w+$/i;
const ROUTE_NAME =
  /(?:^|\/)(?:page|layout|route|template|loading|error|not-found|default|head|sitemap|robots|\+\w+(?:\.server)?)\.(?:[cm]?[jt]sx?)$/;
const ENTRY_FOLDER = /(?:^|\/)(?:bin|cmd|scripts?|tools|pages|routes|migrations)\//;

/** Endings of what is compiled or run by itself: declarations that the compiler is given, shell scripts, units of C. */
const STANDING = /\.(?:d\.[cm]?ts|pyi|sh|bash|c|cc|cpp|cxx|c\+\+)$/;

interface FileNode {
  /** Document id; of an asset what it would be. */
  readonly id: string;
  readonly collection: string;
  /** Path in its collection. */
  readonly path: string;
  /** Number among the source files of the group; -1 of an asset. */
  readonly file: number;
  /** Whether something starts there: a manifest or the settings say so, or its name. */
  readonly isEntry: boolean;
  /** Whether another file leads there, or it leads to one, by an import or where its language needs none. */
  readonly isUsed: boolean;
  readonly usesOthers: boolean;
}

interface NodeGraph<Node> {
  readonly nodes: readonly Node[];
  readonly links: LinkGraph;
}

export type FileGraph = NodeGraph<FileNode>;

/** Of the settings, those that bear on the graph itself. */
type GraphSettings = Pick<GraphConfig, "ignore" | "entryPoints">;

/** What is linked of a group, as far as it makes the graph. */
type LinkedFiles = Pick<GroupCode, "files" | "edges" | "assets" | "entryFiles">;

/** The graph of a group's files, but for those that the settings leave out, or the caller. */
export function makeFileGraph(
  code: LinkedFiles,
  { ignore, entryPoints }: GraphSettings,
  isLeftOut = (_id: string): boolean => false,
): FileGraph {
  const { files, edges, assets = [], entryFiles = [] } = code;
  const isIgnored = compileGlobs(ignore, []).selects;
  const isNamedEntry = compileGlobs(entryPoints, []).selects;
  const entries = new Set(entryFiles);
  const ids = new Map(files.map(({ id }, file) => [id, file]));
  for (const { from, id } of assets) if (!ids.has(id) && !isLeftOut(files[from]?.id ?? "")) ids.set(id, -1);
  const wanted = [...ids]
    .map(([id, file]) => ({ id, file, ...splitDocumentId(id) }))
    .filter(({ id, path }) => !isIgnored(path) && !isLeftOut(id))
    .sort((a, b) => compareNodeIds(a.id, b.id));
  const nodeOf = new Map(wanted.map(({ id }, node) => [id, node]));
  const nodeOfFile = files.map(({ id }) => nodeOf.get(id) ?? -1);
  const links: NodeLink[] = [];
  const neighbours: NodeLink[] = [];
  for (const [file, list] of edges.entries()) {
    const from = nodeOfFile[file] ?? -1;
    const seesNeighbours = factsOf(files[file]?.language ?? "").seesNeighbours === true;
    for (const edge of list) {
      const to = "file" in edge.to && edge.tier !== "name" ? (nodeOfFile[edge.to.file] ?? -1) : -1;
      if (from < 0 || to < 0 || from === to) continue;
      if (isImportOfFile(edge)) links.push({ from, to, typeOnly: edge.typeOnly });
      else if (seesNeighbours) neighbours.push({ from, to, typeOnly: false });
    }
  }
  for (const { from, id } of assets) {
    const node = nodeOfFile[from] ?? -1;
    const to = nodeOf.get(id) ?? -1;
    if (node >= 0 && to >= 0) links.push({ from: node, to, typeOnly: false });
  }
  const isUsed = new Uint8Array(wanted.length);
  const usesOthers = new Uint8Array(wanted.length);
  for (const { from, to } of [...links, ...neighbours]) {
    usesOthers[from] = 1;
    isUsed[to] = 1;
  }
  const nodes = wanted.map(
    ({ id, file, collection, path }, node): FileNode => ({
      id,
      collection,
      path,
      file,
      isEntry: file >= 0 && (entries.has(file) || isNamedEntry(path) || isConventionalEntry(path)),
      isUsed: isUsed[node] === 1,
      usesOthers: usesOthers[node] === 1,
    }),
  );
  return linkNodes(nodes, links);
}

/** Whether an edge is an import or re-export of another file as a whole. */
export function isImportOfFile({ kind, tier, to }: EdgeRecord): boolean {
  return (kind === "imports" || kind === "reexports") && tier !== "name" && "file" in to && to.symbol === -1;
}

/** Of a destination, so much is kept. */
const MAX_HREF = 200;
/** Pages that a reader comes to without a link. */
const FRONT_PAGE = /(?:^|\/)(?:index|readme)\.\w+$|^(?:home|_?sidebar|contents|toc|summary)\.\w+$/i;

interface PageNode {
  readonly id: string;
  readonly collection: string;
  /** Whether it is where a reader of the collection begins. */
  readonly isFront: boolean;
  /** Whether another page of the group links to it. */
  readonly isLinked: boolean;
  /** Its links that lead nowhere, each destination once. */
  readonly broken: readonly BrokenLink[];
}

/** Pages, and which of them link to which. */
export type PageGraph = NodeGraph<PageNode>;

interface PageGraphInput {
  /** Documents of the group; source files are left out. */
  readonly documents: readonly { readonly collection: number; readonly path: string; readonly isSource: boolean }[];
  readonly collectionName: (document: { readonly collection: number }) => string;
  readonly links: ReadonlyMap<string, ResolvedLinks>;
}

/** The graph of a group's pages, but for those that the settings leave out. */
export function makePageGraph(
  { documents, collectionName, links }: PageGraphInput,
  { ignore }: Pick<GraphConfig, "ignore">,
): PageGraph {
  const isIgnored = compileGlobs(ignore, []).selects;
  const pages = documents
    .filter(({ isSource, path }) => !isSource && !isIgnored(path))
    .map((document) => {
      const collection = collectionName(document);
      return { id: makeDocumentId(collection, document.path), collection, path: document.path };
    })
    .sort((a, b) => compareNodeIds(a.id, b.id));
  const nodeOf = new Map(pages.map(({ id }, node) => [id, node]));
  const found: NodeLink[] = [];
  const isLinked = new Uint8Array(pages.length);
  const broken = pages.map(({ id }, from) => {
    const destinations = new Set<string>();
    for (const [, target, href, , kind] of links.get(id)?.o ?? []) {
      if (kind === "broken") destinations.add(shortenText(href, MAX_HREF));
      const to = kind === "internal" ? nodeOf.get(splitNodeId(target).documentId) : undefined;
      if (to === undefined || to === from) continue;
      found.push({ from, to, typeOnly: false });
      isLinked[to] = 1;
    }
    return [...destinations].map((href): BrokenLink => ({ id, href }));
  });
  const nodes = pages.map(
    ({ id, collection, path }, node): PageNode => ({
      id,
      collection,
      isFront: FRONT_PAGE.test(path),
      isLinked: isLinked[node] === 1,
      broken: broken[node] as readonly BrokenLink[],
    }),
  );
  return linkNodes(nodes, found);
}

/** The graph of one collection: links between two of its nodes. What is linked or used from elsewhere is so all the same. */
export function graphOfCollection<Node extends FileNode | PageNode>(
  { nodes, links }: NodeGraph<Node>,
  collection: string,
): NodeGraph<Node> {
  const isOwn = (node: number): boolean => nodes[node]?.collection === collection;
  return linkNodes(
    nodes.filter((_, node) => isOwn(node)),
    linksAmong(links, isOwn),
  );
}

function linkNodes<Node extends FileNode | PageNode>(
  nodes: readonly Node[],
  links: readonly NodeLink[],
): NodeGraph<Node> {
  const ids = nodes.map(({ id }) => id);
  return { nodes, links: makeLinkGraph(ids, links) };
}

/** Whether something is started at the file by convention. */
function isConventionalEntry(path: string): boolean {
  return ENTRY_NAME.test(path) || ROUTE_NAME.test(path) || ENTRY_FOLDER.test(path) || STANDING.test(path);
}
