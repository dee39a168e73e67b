/**
 * Which pages link to which, of all that the caller may see: what the picture of pages is drawn from. Pure apart from the
 * reader's I/O.
 */
import { textOfKey } from "../bytes/key.ts";
import { decodeLinks } from "../format/document-records.ts";
import { areFlatWithin } from "../format/table.ts";
import { entriesOf, type IndexReader, type TableRead } from "../index/index-reader.ts";
import { groupShards } from "../index/shards.ts";
import { codeLanguageOf } from "../text/code-languages.ts";
import { listDocumentNames } from "./catalogue.ts";
import { splitNodeId } from "./node-id.ts";

/** Tables of more bytes, of all shards together, are not read at once. */
const MAX_WHOLE_BYTES = 2 * 1024 * 1024;
/** About what a link takes in memory. */
const LINK_MEMORY = 80;

/**
 * The graph of pages: their document ids, with titles beside them, and which link to which, by their places in the list: each pair once,
 * none to itself. Undefined where its table is too large to be read at once. Two waves, none where all is in memory.
 */
export async function readPageLinks(reader: IndexReader) {
  const directories = reader.shards.map(({ root }) => root.tables.links);
  if (!areFlatWithin(directories, MAX_WHOLE_BYTES)) return undefined;
  const names = await listDocumentNames(reader);
  const pages = names.filter(({ path }) => codeLanguageOf(path) === undefined);
  const placeOf = new Map(pages.map(({ id }, at) => [id, at]));
  const links: { from: number; to: number; typeOnly: false }[] = [];
  for (const [id, targets] of await readTargets(reader)) {
    const from = placeOf.get(id);
    for (const target of targets) {
      const to = placeOf.get(target);
      if (from !== undefined && to !== undefined && from !== to) links.push({ from, to, typeOnly: false });
    }
  }
  return { ids: pages.map(({ id }) => id), titles: pages.map(({ title }) => title), links };
}

/** Documents that each document links to, once each. */
async function readTargets(reader: IndexReader): Promise<ReadonlyMap<string, readonly string[]>> {
  const targets = new Map<string, readonly string[]>();
  const shards = groupShards(reader);
  const missing = shards.filter(({ index }) => reader.recall(nameOf(index)) === undefined);
  const reads = missing.map(({ index }): TableRead => ({ shard: index, table: "links", keys: "all" }));
  const { tables } = await reader.read(reads);
  for (const [at, { index }] of missing.entries()) {
    const own = new Map<string, readonly string[]>();
    for (const [key, value] of entriesOf(tables[at] ?? [])) {
      const internal = decodeLinks(value).out.flatMap(({ target, kind }) =>
        kind === "internal" ? [splitNodeId(target).documentId] : [],
      );
      own.set(textOfKey(key), [...new Set(internal)]);
    }
    const count = [...own.values()].reduce((sum, list) => sum + list.length + 1, 0);
    reader.remember(nameOf(index), own, count * LINK_MEMORY);
  }
  for (const { index } of shards) {
    const own = reader.recall(nameOf(index)) as ReadonlyMap<string, readonly string[]>;
    for (const [id, list] of own) targets.set(id, list);
  }
  return targets;
}

function nameOf(shard: number): string {
  return `page-links/${shard}`;
}
