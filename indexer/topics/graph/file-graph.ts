/**
 * The graph of imports between the source files of an access group, and what it shows of one of its collections. Pure.
 *
 * A file is a node, and so is each style or asset that one imports. A link is an import or re-export of a file as a whole;
 * guesses (tier `name`) never count.
 */

import { splitDocumentId } from "../../../src/core/docs/node-id.ts";
import type { EdgeRecord } from "../../../src/core/format/code-records.ts";
import { factsOf } from "../../../src/core/text/code-languages.ts";
import { compileGlobs } from "../../base/globs.ts";
import type { GraphConfig } from "../../config/config.ts";
import type { GroupCode } from "../../link/code/link-code.ts";
import { isConventionalEntry } from "./file-roles.ts";
import { compareNodeIds, type LinkGraph, linksAmong, makeLinkGraph, type NodeLink } from "./link-graph.ts";

/** A file of the graph. */
export interface FileNode {
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

/** See the header. */
export interface FileGraph {
  readonly nodes: readonly FileNode[];
  readonly links: LinkGraph;
}

/** Of the settings, those that bear on the graph itself. */
type GraphSettings = Pick<GraphConfig, "ignore" | "entryPoints">;

/** What is linked of a group, as far as it makes the graph. */
type LinkedFiles = Pick<GroupCode, "files" | "edges" | "assets" | "entryFiles">;

/** The graph of a group's files, but for those that the settings leave out. */
export function makeFileGraph(code: LinkedFiles, { ignore, entryPoints }: GraphSettings): FileGraph {
  const { files, edges, assets = [], entryFiles = [] } = code;
  const isIgnored = compileGlobs(ignore, []).selects;
  const isNamedEntry = compileGlobs(entryPoints, []).selects;
  const entries = new Set(entryFiles);
  const ids = new Map(files.map(({ id }, file) => [id, file]));
  for (const { id } of assets) if (!ids.has(id)) ids.set(id, -1);
  const wanted = [...ids]
    .map(([id, file]) => ({ id, file, ...splitDocumentId(id) }))
    .filter(({ path }) => !isIgnored(path))
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
  return withLinks(nodes, links);
}

/** Whether an edge is an import or re-export of another file as a whole. */
export function isImportOfFile({ kind, tier, to }: EdgeRecord): boolean {
  return (kind === "imports" || kind === "reexports") && tier !== "name" && "file" in to && to.symbol === -1;
}

/** The graph of the files of one collection: links between two of them. What is used from elsewhere is used all the same. */
export function filesOfCollection({ nodes, links }: FileGraph, collection: string): FileGraph {
  const isOwn = (node: number): boolean => nodes[node]?.collection === collection;
  return withLinks(
    nodes.filter((_, node) => isOwn(node)),
    linksAmong(links, isOwn),
  );
}

function withLinks(nodes: readonly FileNode[], links: readonly NodeLink[]): FileGraph {
  return {
    nodes,
    links: makeLinkGraph(
      nodes.map(({ id }) => id),
      links,
    ),
  };
}
