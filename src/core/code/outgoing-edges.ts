/**
 * What source files lead to, in the order of the source. What lies in an access group that the caller does not see is left
 * out: nothing says that it is there. Pure apart from the reader's I/O.
 */
import type { EdgeRecord } from "../format/code-records.ts";
import type { IndexReader } from "../index/index-reader.ts";
import { findFiles } from "./file-list.ts";
import type { EdgeFilter } from "./incoming-edges.ts";
import { type FileWithEdges, loadPlaces, nameOf, symbolAt } from "./load-files.ts";
import type { FilePlace, LoadedFile, LoadedSymbol, Page } from "./model.ts";

/** What an edge leads to. */
export type LoadedTarget =
  | { readonly kind: "symbol"; readonly symbol: LoadedSymbol }
  | { readonly kind: "file"; readonly file: LoadedFile }
  | { readonly kind: "external"; readonly name: string };

/** An edge with what it leads to. */
export interface OutgoingEdge extends Omit<EdgeRecord, "to"> {
  readonly to: LoadedTarget;
}

/** Outgoing edges of a page. */
export interface OutgoingEdges {
  readonly total: number;
  readonly edges: readonly OutgoingEdge[];
}

/** A target that is known to be there. */
type FoundTarget = { readonly external: string } | (FilePlace & { readonly symbol: number | string });

/** An edge whose target is known to be there. */
export interface FoundEdge extends Omit<EdgeRecord, "to"> {
  readonly to: FoundTarget;
}

/**
 * What a file leads to, or those of its symbols whose indexes are given.
 *
 * One wave for the targets of a page, in rounds of six chunks; one before it where edges lead into other access groups.
 */
export async function outgoingEdges(
  reader: IndexReader,
  file: FileWithEdges,
  filter: EdgeFilter & { readonly from?: ReadonlySet<number> },
  { offset, limit }: Page,
): Promise<OutgoingEdges> {
  const wanted = file.edges.filter(
    ({ kind, tier, from }) =>
      (filter.kinds?.includes(kind) ?? true) &&
      (filter.tiers?.includes(tier) ?? true) &&
      (filter.from?.has(from) ?? true),
  );
  const found = await findTargets(reader, file.shard, wanted);
  const page = found.slice(offset, offset + limit);
  return { total: found.length, edges: await loadTargets(reader, page) };
}

/** The edges of a shard whose targets the caller may see. No wave where all of them lie in the shard or outside of all. */
export async function findTargets(
  reader: IndexReader,
  shard: number,
  edges: readonly EdgeRecord[],
): Promise<FoundEdge[]> {
  const split = (id: string): [string, string | undefined] => {
    const at = id.indexOf("#");
    return at < 0 ? [id, undefined] : [id.slice(0, at), id.slice(at + 1)];
  };
  const ids = [...new Set(edges.flatMap(({ to }) => ("id" in to ? [split(to.id)[0]] : [])))];
  const places = await findFiles(reader, ids);
  return edges.flatMap(({ to, ...edge }): FoundEdge[] => {
    if ("external" in to) return [{ ...edge, to }];
    if ("file" in to) return [{ ...edge, to: { shard, ...to } }];
    const [documentId, path] = split(to.id);
    const place = places[ids.indexOf(documentId)];
    return place === undefined ? [] : [{ ...edge, to: { ...place, symbol: path ?? -1 } }];
  });
}

/** Edges with their targets. A symbol of another group that is no longer there leaves its file. */
export async function loadTargets(reader: IndexReader, edges: readonly FoundEdge[]): Promise<OutgoingEdge[]> {
  const files = await loadPlaces(
    reader,
    edges.flatMap(({ to }) => ("external" in to ? [] : [to])),
  );
  return edges.map(({ to, ...edge }): OutgoingEdge => {
    if ("external" in to) return { ...edge, to: { kind: "external", name: to.external } };
    const file = files.get(nameOf(to)) as LoadedFile;
    const { symbol: wanted } = to;
    const symbol = typeof wanted === "number" ? wanted : file.record.symbols.findIndex(({ path }) => path === wanted);
    return { ...edge, to: symbol < 0 ? { kind: "file", file } : { kind: "symbol", symbol: symbolAt(file, symbol) } };
  });
}
