/** What the picture is drawn from: imports between source files, links between pages, or packages. */

import { readImportGraph } from "../../core/code/import-graph.ts";
import { arePackagesWithin, readPackages } from "../../core/code/packages.ts";
import { readPageLinks } from "../../core/docs/page-links.ts";
import type { IndexReader } from "../../core/index/index-reader.ts";
import { codeShards } from "../../core/index/shards.ts";
import { codeLanguageOf } from "../../core/text/code-languages.ts";
import type { Graph } from "../../surface/render/picture/fold-graph.ts";

/** Kinds of graphs, the one that says most first. */
export const GRAPH_KINDS = ["imports", "links", "packages"] as const;
/** One of them. */
export type GraphKind = (typeof GRAPH_KINDS)[number];

/** Bytes of the table of packages that are read for a page at most. */
const MAX_PACKAGE_BYTES = 2 * 1024 * 1024;

/** What items and links of each graph are called. */
export const GRAPH_WORDS: Readonly<
  Record<GraphKind, { readonly item: string; readonly link: string; readonly name: string }>
> = {
  imports: { item: "file", link: "import", name: "Imports between source files" },
  links: { item: "page", link: "link", name: "Links between pages" },
  packages: { item: "package", link: "import", name: "Imports between packages" },
};

/** Kinds that an index can have, the one that is shown when none is asked for first. */
export function kindsOf(reader: IndexReader): readonly [GraphKind, ...GraphKind[]] {
  return codeShards(reader).length > 0 ? GRAPH_KINDS : ["links", "imports", "packages"];
}

/** The graph that a document is in. */
export function graphKindOf(path: string): GraphKind {
  return codeLanguageOf(path) === undefined ? "links" : "imports";
}

/** Whether the graph of packages is small enough to be read for a page. Reads nothing. */
export function canDrawPackages(reader: IndexReader): boolean {
  return arePackagesWithin(reader, MAX_PACKAGE_BYTES);
}

/** The graph; undefined where it is too large to be read at once. Reads what the tools for graphs read. */
export async function readGraph(reader: IndexReader, kind: GraphKind): Promise<Graph | undefined> {
  if (kind === "imports") return readImportGraph(reader);
  if (kind === "links") return readPageLinks(reader);
  if (!canDrawPackages(reader)) return undefined;
  const packages = await readPackages(reader);
  const keyOf = ({ module, name }: { readonly module: string; readonly name: string }): string => `${module}:${name}`;
  const ids = [...new Set(packages.map(keyOf))].sort();
  const placeOf = new Map(ids.map((id, at) => [id, at]));
  const weights = new Map<string, { from: number; to: number; weight: number; typeOnly: false }>();
  for (const entry of packages) {
    const from = placeOf.get(keyOf(entry)) as number;
    for (const neighbour of entry.imports.list) {
      const to = placeOf.get(keyOf(neighbour));
      if (to === undefined || to === from) continue;
      const key = `${from} ${to}`;
      const known = weights.get(key);
      if (known === undefined) weights.set(key, { from, to, weight: neighbour.weight, typeOnly: false });
      else known.weight += neighbour.weight;
    }
  }
  return { ids, links: [...weights.values()] };
}
