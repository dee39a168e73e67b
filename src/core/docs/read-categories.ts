/**
 * The categories that a caller may see, those of several access groups as one list, and what is in them.
 *
 * The table is read whole where it is small, so that whatever an answer needs of it comes in one wave. Of a large one comes
 * the list of categories, and with it what is in the category that the caller most likely means.
 *
 * Counts of one group stand in the table. Those of several do not add up, as they may have concepts in common and see other
 * categories above one another; they are counted out of what is in the categories. Pure apart from the reader's I/O.
 */
import {
  CATEGORY_KEYS,
  type CategoryEntry,
  type CategoryMembers,
  decodeCategory,
  decodeCounts,
  decodeMembers,
  keyOfMembers,
  TOTALS_KEY,
  type TopicCounts,
} from "../format/category-entry.ts";
import { type Chunk, makeChunk } from "../format/chunk.ts";
import { entriesOf, findInChunks, type IndexReader, type TableRead, type VisibleShard } from "../index/index-reader.ts";
import { type ResidentTable, readWithResident } from "../index/resident.ts";
import { compareNames } from "../text/compare-names.ts";
import { foldCategory } from "./category-name.ts";
import { conceptIdOf } from "./concept-key.ts";
import type { Category } from "./taxonomy-model.ts";

/** Tables of no more bytes are read whole. */
const MAX_WHOLE_BYTES = 1024 * 1024;
const NO_COUNTS: TopicCounts = { documents: 0, chunks: 0, concepts: 0 };
/** Reads of a wave for what is in many categories: it lies close together, so gaps are read through. */
const MAX_READS = 6;

/** Shards that hold categories. What a delta changes of them comes with those of its base. */
export function categoryShards(reader: IndexReader): readonly VisibleShard[] {
  return reader.shards.filter(({ root }) => root.delta === undefined && root.tables.categories.entries.length > 0);
}

/** Categories, and what is in some of them. */
export class CategoryTable {
  /** By name. */
  readonly list: readonly Category[];
  /** Counts over all categories. */
  readonly totals: TopicCounts;
  readonly #reader: IndexReader;
  readonly #shards: readonly VisibleShard[];
  /** By shard, where its table was read whole. */
  readonly #whole: ReadonlyMap<number, readonly Chunk[]>;
  /** By id of the category and shard; undefined where the shard holds nothing of it. */
  readonly #members = new Map<string, readonly CategoryMembers[]>();

  constructor(
    reader: IndexReader,
    shards: readonly VisibleShard[],
    whole: ReadonlyMap<number, readonly Chunk[]>,
    entries: readonly (readonly CategoryEntry[])[],
    totals: readonly TopicCounts[],
  ) {
    this.#reader = reader;
    this.#shards = shards;
    this.#whole = whole;
    const countAgain = shards.length > 1;
    const merged = mergeEntries(entries);
    const membersOf = (id: string): readonly CategoryMembers[] => this.#wholeMembers(id);
    this.list = linkCategories(merged, countAgain ? (ids) => countMembers(ids.flatMap(membersOf)) : undefined);
    this.totals = countAgain ? countMembers([...merged.keys()].flatMap(membersOf)) : (totals[0] ?? NO_COUNTS);
  }

  #wholeMembers(id: string): readonly CategoryMembers[] {
    const known = this.#members.get(id);
    if (known !== undefined) return known;
    const key = keyOfMembers(id);
    const found = this.#shards.flatMap(({ index }) => {
      const bytes = findInChunks(this.#whole.get(index) ?? [], key);
      return bytes === undefined ? [] : [decodeMembers(bytes)];
    });
    this.#members.set(id, found);
    return found;
  }

  /** Note what is in a category, as it came beside the list. */
  note(id: string, members: readonly CategoryMembers[]): void {
    this.#members.set(id, members);
  }

  /**
   * What is directly in categories, for each that of each group. No wave where all of it is at hand, else one.
   *
   * @param beside Further reads to send with it.
   */
  async members(ids: readonly string[]): Promise<readonly (readonly CategoryMembers[])[]> {
    const isWhole = this.#shards.every(({ index }) => this.#whole.has(index));
    const missing = isWhole ? [] : ids.filter((id) => !this.#members.has(id));
    if (missing.length > 0) {
      const keys = missing.map(keyOfMembers);
      const reads = this.#shards.map(({ index }): TableRead => ({ shard: index, table: "categories", keys }));
      const { tables } = await this.#reader.read(reads, [], MAX_READS);
      for (const [at, id] of missing.entries()) {
        const found = tables.flatMap((chunks) => {
          const bytes = findInChunks(chunks, keys[at] as (typeof keys)[number]);
          return bytes === undefined ? [] : [decodeMembers(bytes)];
        });
        this.#members.set(id, found);
      }
    }
    return ids.map((id) => this.#wholeMembers(id));
  }
}

/**
 * The categories.
 *
 * @param likely What the caller calls a category: what is in the one of that name comes with the list.
 * @param resident Tables that are needed next.
 */
export async function readCategories(
  reader: IndexReader,
  likely = "",
  resident: readonly ResidentTable[] = [],
): Promise<CategoryTable> {
  const shards = categoryShards(reader);
  // Several groups have no counts in common: what is in their categories is needed.
  const readsWhole = shards.length > 1 || shards.every(isSmall);
  const guess = keyOfMembers(foldCategory(likely));
  const reads = shards.flatMap(({ index }): TableRead[] =>
    readsWhole
      ? [{ shard: index, table: "categories", keys: "all" }]
      : [
          { shard: index, table: "categories", keys: CATEGORY_KEYS },
          { shard: index, table: "categories", keys: [TOTALS_KEY, guess] },
        ],
  );
  const { tables } = await readWithResident(reader, resident, reads);
  const perShard = readsWhole ? 1 : 2;
  const chunksOf = (at: number, part: number): readonly Chunk[] =>
    tables[at * perShard + Math.min(part, perShard - 1)] ?? [makeChunk([], 0)];
  const entries = shards.map((_, at) => decodeList(chunksOf(at, 0)));
  const totals = shards.map((_, at) => {
    const bytes = findInChunks(chunksOf(at, 1), TOTALS_KEY);
    return bytes === undefined ? NO_COUNTS : decodeCounts(bytes);
  });
  const whole = new Map(readsWhole ? shards.map(({ index }, at) => [index, chunksOf(at, 0)]) : []);
  const table = new CategoryTable(reader, shards, whole, entries, totals);
  const known = shards.flatMap((_, at) => findInChunks(chunksOf(at, 1), guess) ?? []);
  if (!readsWhole && known.length > 0) table.note(foldCategory(likely), known.map(decodeMembers));
  return table;
}

function isSmall({ root }: VisibleShard): boolean {
  const { height, entries } = root.tables.categories;
  return height === 0 && entries.reduce((sum, { length }) => sum + length, 0) <= MAX_WHOLE_BYTES;
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
    related: [...new Set([...a.related, ...b.related])],
  };
}

/** Documents, sections and concepts of what is in some categories, each once. */
export function countMembers(members: readonly CategoryMembers[]): TopicCounts {
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
  for (const { id, name, description, aliases, own, all } of entries.values()) {
    byId.set(id, { id, name, description, aliases, own, all, parent: undefined, children: [], related: [] });
  }
  const ordered = [...byId.values()].sort((a, b) => compareNames(a.name, b.name) || compareNames(a.id, b.id));
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
export function listBelow(category: Category): Category[] {
  return category.children.flatMap((child) => [child, ...listBelow(child)]);
}
