/**
 * Categories that a caller may see, those of several access groups as one list, and their content.
 *
 * Case, spaces, hyphens and underscores of names do not count: the folder `getting-started` and the tag `Getting Started`
 * are one category. A small table is read whole, in one wave; of a large one the list, and what is in a category when it is asked
 * for. Counts of several groups do not add up, as groups share concepts; they are counted from the members.
 */

import type { ByteKey } from "../bytes/key.ts";
import type { Chunk } from "../format/chunk.ts";
import { keyOfId } from "../format/columns.ts";
import { areFlatWithin } from "../format/table.ts";
import {
  CATEGORY_KEYS,
  type CategoryEntry,
  type CategoryMembers,
  type ConceptEntry,
  type ConceptPlace,
  type ConceptType,
  decodeCategory,
  decodeConcept,
  decodeCounts,
  decodeMembers,
  decodeTopics,
  MAX_LISTED_CONCEPTS,
  type MemberConcept,
  type MemberDocument,
  TOTALS_KEY,
  type TopicCounts,
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
import { compareNames, labelKey } from "../text/names.ts";
import { nearestNames } from "../text/nearest.ts";
import { foldSpelling } from "../text/normalize.ts";
import type { Category, TopicChunk } from "./model.ts";

/** What a name is compared by; `""` for one that says nothing. */
export function foldCategory(name: string): string {
  return foldSpelling(name)
    .replace(/[\s_-]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Tables of no more bytes are read whole. */
const MAX_WHOLE_BYTES = 1024 * 1024;
const NO_COUNTS: TopicCounts = { documents: 0, chunks: 0, concepts: 0 };
/** Reads of a wave for what is in many categories: it lies close together, so gaps are read through. */
const MAX_READS = 6;

/** Categories, and what is in some of them. */
export class CategoryTable {
  /** By name. */
  readonly list: readonly Category[];
  /** Counts over all categories. */
  readonly totals: TopicCounts;
  /** Whether they are of several groups: then they are counted from what categories list. */
  readonly isJoined: boolean;
  readonly #reader: IndexReader;
  readonly #shards: readonly VisibleShard[];
  /** The tables by shard, where they were read whole. */
  readonly #whole: readonly (readonly Chunk[])[] | undefined;
  /** What each group holds of a category, by its id. */
  readonly #members = new Map<string, readonly CategoryMembers[]>();

  /** @param chunks By shard: the whole table, or what holds the list and the totals. */
  constructor(
    reader: IndexReader,
    shards: readonly VisibleShard[],
    chunks: readonly (readonly Chunk[])[],
    isWhole: boolean,
  ) {
    this.#reader = reader;
    this.isJoined = shards.length > 1;
    this.#shards = shards;
    this.#whole = isWhole ? chunks : undefined;
    const merged = mergeEntries(chunks.map(decodeList));
    const count = (ids: readonly string[]): TopicCounts => countMembers(ids.flatMap((id) => this.#known(id) ?? []));
    const [totals] = valuesIn(chunks, TOTALS_KEY);
    this.list = linkCategories(merged, shards.length > 1 ? count : undefined);
    this.totals =
      shards.length > 1 ? count([...merged.keys()]) : totals === undefined ? NO_COUNTS : decodeCounts(totals);
  }

  #known(id: string): readonly CategoryMembers[] | undefined {
    const known = this.#members.get(id);
    if (known !== undefined || this.#whole === undefined) return known;
    const found = valuesIn(this.#whole, keyOfId("members", id)).map(decodeMembers);
    this.#members.set(id, found);
    return found;
  }

  /** What is directly in categories, for each that of each group. No wave where all of it is at hand, else one. */
  async members(ids: readonly string[]): Promise<readonly (readonly CategoryMembers[])[]> {
    const missing = ids.filter((id) => this.#known(id) === undefined);
    if (missing.length > 0) {
      const keys = missing.map((id) => keyOfId("members", id));
      const reads = this.#shards.map(({ index }): TableRead => ({ shard: index, table: "categories", keys }));
      const { tables } = await this.#reader.read(reads, [], MAX_READS);
      for (const [at, id] of missing.entries()) {
        this.#members.set(id, valuesIn(tables, keys[at] as (typeof keys)[number]).map(decodeMembers));
      }
    }
    return ids.map((id) => this.#known(id) ?? []);
  }
}

/** The categories. */
export async function readCategories(reader: IndexReader): Promise<CategoryTable> {
  const shards = categoryShards(reader);
  const directories = shards.map(({ root }) => root.tables.categories);
  // Several groups have no counts in common: what is in their categories is needed.
  const isWhole = shards.length > 1 || areFlatWithin(directories, MAX_WHOLE_BYTES);
  const keys = isWhole ? (["all"] as const) : ([CATEGORY_KEYS, [TOTALS_KEY]] as const);
  const reads = shards.flatMap(({ index }) =>
    keys.map((own): TableRead => ({ shard: index, table: "categories", keys: own })),
  );
  const { tables } = await reader.read(reads);
  const chunks = shards.map((_, at) => tables.slice(at * keys.length, (at + 1) * keys.length).flat());
  return new CategoryTable(reader, shards, chunks, isWhole);
}

function decodeList(chunks: readonly Chunk[]): CategoryEntry[] {
  const entries: CategoryEntry[] = [];
  for (const [key, value] of entriesOf(chunks)) {
    if (key >= CATEGORY_KEYS.from && key < CATEGORY_KEYS.to) entries.push(decodeCategory(value));
  }
  return entries;
}

/** Entries of several groups as one for each id; the first says what it is called. */
function mergeEntries(groups: readonly (readonly CategoryEntry[])[]): ReadonlyMap<string, CategoryEntry> {
  const merged = new Map<string, CategoryEntry>();
  for (const entry of groups.flat()) {
    const known = merged.get(entry.id);
    merged.set(entry.id, known === undefined ? entry : joinEntries(known, entry));
  }
  return merged;
}

function joinEntries(a: CategoryEntry, b: CategoryEntry): CategoryEntry {
  return {
    ...a,
    description: a.description || b.description,
    parent: a.parent || b.parent,
    aliases: [...new Set([...a.aliases, ...b.aliases])],
    sources: [...new Set([...a.sources, ...b.sources])],
    related: [...new Set([...a.related, ...b.related])],
  };
}

/** Documents, sections and concepts of what is in some categories, each once. */
function countMembers(members: readonly CategoryMembers[]): TopicCounts {
  const documents = new Map<string, number>();
  const concepts = new Set<string>();
  for (const { documents: own, concepts: named } of members) {
    for (const { id, sections } of own) documents.set(id, sections);
    for (const concept of named) concepts.add(conceptIdOf(concept));
  }
  const chunks = [...documents.values()].reduce((sum, sections) => sum + sections, 0);
  return { documents: documents.size, chunks, concepts: concepts.size };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type Linked = Mutable<Category> & { children: Category[] };

/** Categories with what stands above and below them. @param count Counts of some categories together, where not known. */
function linkCategories(
  entries: ReadonlyMap<string, CategoryEntry>,
  count: ((ids: readonly string[]) => TopicCounts) | undefined,
): Category[] {
  const byId = new Map<string, Linked>();
  for (const { id, name, description, aliases, sources, own, all } of entries.values()) {
    byId.set(id, { id, name, description, aliases, sources, own, all, parent: undefined, children: [], related: [] });
  }
  const ordered = [...byId.values()].sort(compareLabels);
  for (const category of ordered) {
    const { parent: parentId, related } = entries.get(category.id) as CategoryEntry;
    category.related = related.flatMap((id) => byId.get(id) ?? []);
    const parent = byId.get(parentId);
    // Parents of different groups may go round.
    if (parent === undefined || listAbove(parent).includes(category)) continue;
    category.parent = parent;
    parent.children.push(category);
  }
  if (count === undefined) return ordered;
  for (const category of ordered) {
    category.own = count([category.id]);
    category.all = count([category, ...listBelow(category)].map(({ id }) => id));
  }
  return ordered;
}

/** A category and all above it, the nearest first. */
export function listAbove(category: Category): Category[] {
  const chain: Category[] = [];
  for (let at: Category | undefined = category; at !== undefined; at = at.parent) chain.push(at);
  return chain;
}

/** All categories below one, each once, a parent before its children. */
function listBelow(category: Category): Category[] {
  return category.children.flatMap((child) => [child, ...listBelow(child)]);
}

/** Names that are offered in place of an unknown one. */
const MAX_NEAREST = 5;

/** The category of a text; undefined where none is called so. */
export function findCategory(categories: readonly Category[], text: string): Category | undefined {
  const wanted = text.trim();
  const lower = wanted.toLowerCase();
  const folded = foldCategory(wanted);
  const tests: readonly ((category: Category) => boolean)[] = [
    ({ name }) => name === wanted,
    ({ name }) => name.toLowerCase() === lower,
    ({ aliases }) => aliases.some((alias) => alias.toLowerCase() === lower),
    ({ id }) => id === wanted,
    ({ name, aliases, id }) => [name, ...aliases, id].some((own) => foldCategory(own) === folded),
  ];
  for (const test of tests) {
    const found = categories.find(test);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names of categories that an unknown one may have meant, the nearest first. */
export function nearestCategories(categories: readonly Category[], text: string): string[] {
  const owners = new Map<string, string[]>();
  for (const { name, aliases } of categories) {
    // The last segment of a longer name is what a folder is called.
    for (const own of new Set([name, ...aliases, name.slice(name.lastIndexOf("/") + 1)])) {
      owners.set(own, [...(owners.get(own) ?? []), name]);
    }
  }
  const near = nearestNames(text, owners.keys(), MAX_NEAREST).flatMap((own) => owners.get(own) ?? []);
  return [...new Set(near)].slice(0, MAX_NEAREST);
}

/** What categories can be sorted by. */
export const CATEGORY_ORDERS = ["name", "popularity", "document_count", "chunk_count", "concept_count"] as const;
type CategoryOrder = (typeof CATEGORY_ORDERS)[number];

/** Categories whose name holds a text, in an order, with counts over all of them. No wave, or one. */
export async function listCategories(table: CategoryTable, order: CategoryOrder, filter: string) {
  const wanted = filter.toLowerCase();
  const categories = table.list.filter(({ name }) => name.toLowerCase().includes(wanted)).sort(comparerOf(order));
  const isAll = categories.length === table.list.length;
  const ids = categories.map(({ id }) => id);
  const members = isAll && !table.isJoined ? [] : (await table.members(ids)).flat();
  const counts = isAll ? table.totals : countMembers(members);
  /** Whether concepts were counted in lists of which one may be cut: then there may be more of them. */
  const isPartial = members.some(({ concepts }) => concepts.length >= MAX_LISTED_CONCEPTS);
  return { categories, stats: describe(categories, counts), isPartial };
}

function comparerOf(order: CategoryOrder): (a: Category, b: Category) => number {
  const read = READERS[order];
  const rank = (one: Category): number => (order === "popularity" && isCurated(one) ? 1 : 0);
  return (a, b) => rank(b) - rank(a) || read(b) - read(a) || compareLabels(a, b);
}

/** The order of names in lists for people; of equal ones that of ids, where they have some. */
export function compareLabels(a: Labelled, b: Labelled): number {
  return compareNames(labelKey(a.name), labelKey(b.name)) || compareNames(a.id ?? "", b.id ?? "");
}

interface Labelled {
  readonly name: string;
  readonly id?: string;
}

/** Whether somebody named it a category: these come before what folders and packages are called. */
function isCurated({ sources }: Pick<Category, "sources">): boolean {
  return sources.some((source) => source === "file" || source === "frontmatter");
}

const READERS: Readonly<Record<CategoryOrder, (category: Category) => number>> = {
  name: () => 0,
  popularity: ({ own }) => own.documents,
  document_count: ({ own }) => own.documents,
  chunk_count: ({ own }) => own.chunks,
  concept_count: ({ own }) => own.concepts,
};

function describe(categories: readonly Category[], counts: TopicCounts) {
  const popular = [...categories].sort(comparerOf("document_count"));
  const least = popular.at(-1)?.own.documents;
  const average = (read: (category: Category) => number): number =>
    oneDecimal(
      categories.reduce((sum, category) => sum + read(category), 0),
      categories.length,
    );
  return {
    totalDocuments: counts.documents,
    totalChunks: counts.chunks,
    totalConcepts: counts.concepts,
    averageDocsPerCategory: average(({ own }) => own.documents),
    averageChunksPerCategory: average(({ own }) => own.chunks),
    mostPopularCategory: popular[0]?.name ?? null,
    // Ties go by name here as there.
    leastPopularCategory: popular.find(({ own }) => own.documents === least)?.name ?? null,
  };
}

/** A quotient with one decimal; 0 where there is nothing to divide by. */
export function oneDecimal(sum: number, count: number): number {
  return count === 0 ? 0 : Math.round((10 * sum) / count) / 10;
}

/** Read what is in a category. No wave, or one. */
export async function readContent(table: CategoryTable, category: Category, includeChildren: boolean) {
  const below = includeChildren ? listBelow(category) : [];
  const categories = [category, ...below];
  const members = await table.members(categories.map(({ id }) => id));
  const named = members.flatMap((groups, at) => groups.map((own) => ({ own, category: categories[at] as Category })));
  return {
    counts: includeChildren ? category.all : category.own,
    /** Categories below it, where these were asked for. */
    below,
    /** By number of sections, the most first, then by path. */
    documents: joinDocuments(members.flat()),
    /** By relevance, then by name. */
    concepts: joinConcepts(named),
    /** By density, then by document; the first of each category. */
    chunks: joinChunks(members.flat()),
  };
}

/**
 * Sections of some documents that hold a concept, each once.
 *
 * Categories count each its own, so that over several of them a document may count more often. The concept's places say better,
 * unless it has more documents than they list; then no more are counted than there are.
 *
 * @param whole The concept as all documents that the caller may see have it.
 */
export function countSections(
  { chunks }: Pick<TopicConcept, "chunks">,
  whole: Pick<ConceptEntry, "documents" | "chunks" | "places"> | undefined,
  documents: ReadonlySet<string>,
): number {
  if (whole === undefined) return chunks;
  if (whole.places.length < whole.documents) return Math.min(chunks, whole.chunks);
  return whole.places.reduce((sum, { documentId, sections }) => sum + (documents.has(documentId) ? sections : 0), 0);
}

function joinDocuments(members: readonly CategoryMembers[]): MemberDocument[] {
  const [only] = members;
  if (only !== undefined && members.length === 1) return [...only.documents];
  const documents = new Map(members.flatMap(({ documents: own }) => own.map((document) => [document.id, document])));
  const pathOf = (id: string): string => id.slice(id.indexOf(":") + 1);
  return [...documents.values()].sort(
    (a, b) => b.sections - a.sections || compareNames(pathOf(a.id), pathOf(b.id)) || compareNames(a.id, b.id),
  );
}

/** Concepts of several categories, each as the one has it that it sets apart most. */
function joinConcepts(
  members: readonly { readonly own: CategoryMembers; readonly category: Category }[],
): readonly TopicConcept[] {
  const found = new Map<string, TopicConcept>();
  for (const { own, category } of members) {
    for (const concept of own.concepts) {
      const id = conceptIdOf(concept);
      const related = concept.related.map((at) => own.concepts[at]?.name ?? "");
      const now: TopicConcept = { ...concept, id, related, category: category.name };
      const known = found.get(id);
      found.set(id, known === undefined ? now : joinConcept(known, now));
    }
  }
  return [...found.values()].sort((a, b) => b.relevance - a.relevance || compareLabels(a, b));
}

function joinConcept(a: TopicConcept, b: TopicConcept): TopicConcept {
  const best = b.relevance > a.relevance ? b : a;
  // Each category counts its own documents and sections; over all of a group every one counts alike.
  return {
    ...best,
    documents: a.documents + b.documents,
    totalDocuments: Math.max(a.totalDocuments, b.totalDocuments),
    chunks: a.chunks + b.chunks,
  };
}

function joinChunks(members: readonly CategoryMembers[]): TopicChunk[] {
  const lists = members.map(({ documents, concepts, chunks }) =>
    chunks.map(({ document, section, density, concepts: own }): TopicChunk => {
      const documentId = documents[document]?.id ?? "";
      return { documentId, section, density, concepts: own.map((at) => concepts[at]?.name ?? "") };
    }),
  );
  if (lists.length === 1) return lists[0] as TopicChunk[];
  const found = new Map<string, TopicChunk>();
  for (const chunk of lists.flat()) {
    const key = `${chunk.documentId}#${chunk.section}`;
    if (!found.has(key)) found.set(key, chunk);
  }
  // Sections of one document come in their order already, and sorting is stable.
  return [...found.values()].sort((a, b) => b.density - a.density || compareNames(a.documentId, b.documentId));
}

interface TopicConcept extends Omit<MemberConcept, "related"> {
  readonly id: string;
  /** Names of concepts near it, among those of the same category. */
  readonly related: readonly string[];
  /** The category that it sets apart so much. */
  readonly category: string;
}

/*
 * Concepts by name and by document, those of several access groups together.
 *
 * All spellings of a concept have one key: `Server Components`, `server component` and `server-component`.
 */

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
    const concept = joinGroups(valuesIn(own, keyOfId("concept", key)).map(decodeConcept));
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
    const concept = joinGroups(valuesOf(ofNames[at] ?? []).map(decodeConcept));
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
function joinGroups(found: readonly ConceptEntry[]): ConceptEntry | undefined {
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
