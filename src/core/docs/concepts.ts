/**
 * Concepts by name and by document, those of several access groups together.
 *
 * All spellings of a concept have one key: `Server Components`, `server component` and `server-component`.
 */
import type { ByteKey } from "../bytes/key.ts";
import { keyOfId } from "../format/columns.ts";
import {
  type ConceptEntry,
  type ConceptPlace,
  type ConceptType,
  decodeConcept,
  decodeTopics,
} from "../format/topics.ts";
import {
  entriesOf,
  findInChunks,
  type IndexReader,
  type KeyRange,
  type TableRead,
  type VisibleShard,
  valuesIn,
} from "../index/index-reader.ts";
import { groupShards } from "../index/shards.ts";
import type { Analyzer } from "../text/analyze.ts";
import { compareNames } from "../text/names.ts";
import { nearestNames } from "../text/nearest.ts";
import { foldSpelling } from "../text/normalize.ts";

const PLAIN_WORD = /^[\p{L}\p{N}\p{M}]+$/u;
const APOSTROPHES = /['’]/g;
const BETWEEN_WORDS = /[\s\-‐‑]+/;

/** The key of a concept as somebody writes it; `""` for a text without letters and digits. */
export function conceptKey(text: string, analyzer: Analyzer): string {
  const bare = bareCode(text);
  const words = bare.replace(APOSTROPHES, "").split(BETWEEN_WORDS).filter(Boolean);
  if (!words.every((word) => PLAIN_WORD.test(word))) return /[\p{L}\p{N}]/u.test(bare) ? foldSpelling(bare) : "";
  return words.flatMap((word) => analyzer.analyzeWord(word).term || []).join(" ");
}

/** Id of a concept: its name in lower case with hyphens; that of an acronym without the expansion. */
export function conceptIdOf({ name, type }: { readonly name: string; readonly type: ConceptType }): string {
  const own = type === "acronym" ? withoutExpansion(name) : name;
  return foldSpelling(own).replace(/\s+/g, "-");
}

/** The acronym of a name like `CSR (Client side Rendering)`; any other name as it is. */
function withoutExpansion(name: string): string {
  return name.replace(/ \(.*\)$/, "");
}

/** A name without what code writes around it: `fetch()`, `<Link>` and `<Link />` are names like any other. */
export function bareCode(text: string): string {
  const trimmed = text.trim();
  const element = /^<\/?([^<>\s/]+)\s*\/?>$/.exec(trimmed)?.[1];
  return element ?? trimmed.replace(/\(\)$/, "");
}

/** Reads of a wave: what is scattered is read through gaps. */
const MAX_READS = 6;
const MAX_NEAREST = 5;
/** Around an unknown name, so many chunks are looked through for what was meant. */
const MAX_NEAR_CHUNKS = 4;
/** Names that begin with so many bytes of the key alike are near: its kind, and two letters. */
const NEAR_BYTES = 3;

/** A concept, or names that an unknown one may have meant. */
type FoundConcept =
  | { readonly ok: true; readonly concept: ConceptEntry }
  | { readonly ok: false; readonly nearest: readonly string[] };

/** The concept that somebody names, by its name in any of its forms, its id, or an acronym's expansion. One wave. */
export async function findConcept(reader: IndexReader, text: string): Promise<FoundConcept> {
  const keys = keysOf(reader, text);
  const shards = categoryShards(reader);
  const near = nearKeys(keys[0] ?? "");
  const reads = shards.flatMap(({ index }): TableRead[] => [
    { shard: index, table: "concepts", keys: keys.map((id) => keyOfId("concept", id)) },
    { shard: index, table: "concepts", keys: near },
  ]);
  const { tables } = await reader.read(reads, [], MAX_READS);
  for (const key of keys) {
    const own = tables.filter((_, at) => at % 2 === 0);
    const concept = joinConcepts(valuesIn(own, keyOfId("concept", key)).map(decodeConcept));
    if (concept !== undefined) return { ok: true, concept };
  }
  const names = new Set<string>();
  for (const chunks of tables) {
    for (const [key, value] of entriesOf(chunks)) if (key.startsWith("n")) names.add(decodeConcept(value).name);
  }
  return { ok: false, nearest: nearestNames(text, names, MAX_NEAREST) };
}

/** What documents are about, and concepts by their names, as lists give them. One wave. */
export async function readTopics(
  reader: IndexReader,
  {
    documentIds = [],
    concepts: names = [],
  }: { readonly documentIds?: readonly string[]; readonly concepts?: readonly string[] },
) {
  const ofDocuments = documentIds.map((id) => keyOfId("topics", id));
  const ofNames = names.map((name) => keysOf(reader, name).map((id) => keyOfId("concept", id)));
  const keys = [...ofDocuments, ...ofNames.flat()];
  const shards = keys.length === 0 ? [] : categoryShards(reader);
  const reads = shards.map(({ index }): TableRead => ({ shard: index, table: "concepts", keys }));
  const { tables } = await reader.read(reads, [], MAX_READS);
  const valuesOf = (wanted: readonly ByteKey[]): Uint8Array[] =>
    tables.flatMap(
      (chunks) => wanted.map((key) => findInChunks(chunks, key)).find((value) => value !== undefined) ?? [],
    );
  const documents = documentIds.flatMap((id, at) =>
    valuesOf([ofDocuments[at] as ByteKey]).map((bytes) => [id, decodeTopics(bytes)] as const),
  );
  const concepts = names.flatMap((name, at) => {
    const concept = joinConcepts(valuesOf(ofNames[at] ?? []).map(decodeConcept));
    return concept === undefined ? [] : [[name, concept] as const];
  });
  return { documents: new Map(documents), concepts: new Map(concepts) };
}

/** Keys that a text may have: as it is, as each language of the index reads it, and without an acronym's expansion. */
function keysOf(reader: IndexReader, text: string): string[] {
  const languages = new Set(reader.collections.map(({ language }) => language));
  const keys = [text.trim(), withoutExpansion(text.trim())].flatMap((name) => [
    ...[...languages].map((language) => conceptKey(name, reader.analyzerOf(language))),
    name.toLowerCase(),
  ]);
  return [...new Set(keys)].filter((key) => key !== "");
}

/** Keys near an unknown one: those that begin alike. */
function nearKeys(key: string): KeyRange {
  const from = keyOfId("concept", key).slice(0, NEAR_BYTES) as ByteKey;
  return { from, to: `${from}\u00ff` as ByteKey, maxChunks: MAX_NEAR_CHUNKS };
}

/** A concept as several groups have it, its documents by weight, then by id. */
function joinConcepts(found: readonly ConceptEntry[]): ConceptEntry | undefined {
  const [first] = found;
  if (first === undefined) return undefined;
  const sum = (read: (one: ConceptEntry) => number): number => found.reduce((total, one) => total + read(one), 0);
  const documents = sum((one) => one.documents);
  const places = found.flatMap((one) => one.places);
  return {
    ...first,
    documents,
    chunks: sum((one) => one.chunks),
    weight: Math.round((100 * sum((one) => one.weight * one.documents)) / Math.max(1, documents)) / 100,
    related: [...new Set(found.flatMap(({ related }) => related))],
    places: places.sort((a: ConceptPlace, b) => b.weight - a.weight || compareNames(a.documentId, b.documentId)),
  };
}

/** Shards to read of groups that have categories. */
export function categoryShards(reader: IndexReader): readonly VisibleShard[] {
  const groups = new Set(
    reader.shards.filter(({ root }) => root.tables.categories.entries.length > 0).map(({ root }) => root.group),
  );
  return groupShards(reader).filter(({ root }) => groups.has(root.group));
}
