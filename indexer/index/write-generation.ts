/**
 * Writes one generation: shards, root, log, manifest, and last the pointer. Of a shard the text of its documents as they
 * come, then its tables, in the order in which a query meets them.
 *
 * Every file but the pointer is named by its content, so writing a generation never disturbs one that is being read.
 */
import { encodeLog } from "../../src/core/format/build-log.ts";
import type { TableEntry } from "../../src/core/format/chunk.ts";
import { encodePatch, type KeyedPatch, keyOfPatch } from "../../src/core/format/delta.ts";
import {
  type BuildTime,
  encodeManifest,
  encodePointer,
  generationOf,
  type ManifestFile,
} from "../../src/core/format/generation.ts";
import { encodeLocator, type LocatedDocument } from "../../src/core/format/locator.ts";
import {
  type CollectionInfo,
  type DeltaInfo,
  encodeRoot,
  FORMAT_VERSION,
  type ShardRoot,
  type ShardTotals,
} from "../../src/core/format/root.ts";
import { CODE_TABLE_NAMES, type MapTableName, type TableName } from "../../src/core/format/table.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { makeStopTermTest } from "../../src/core/text/analyze.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import { deflateColumns, deflateRaw } from "../base/codec.ts";
import { type GroupCode, isEmptyCode, NO_CODE } from "../link/code/link-code.ts";
import type { BuildLog } from "./build-log.ts";
import { TermNumbers } from "./compact-lists.ts";
import { type DescribedDocuments, documentTables } from "./document-tables.ts";
import type { DocumentBody, DocumentCard, IndexedDocument } from "./prepared-document.ts";
import { PairCollector, PostingCollector } from "./term-table.ts";
import { SpellingCollector, suggestionEntries, TrigramCollector } from "./word-tables.ts";
import {
  type FileSink,
  limitsOf,
  nameFile,
  PackWriter,
  sortEntries,
  type TableLimits,
  type WrittenTable,
  writeTable,
} from "./write-table.ts";

export interface GenerationInput {
  readonly commit: string;
  readonly builtAt: string;
  /** Set where files of that commit had been changed. */
  readonly dirty?: true;
  readonly collections: readonly CollectionInfo[];
  readonly ranking: Readonly<Record<string, number>>;
  readonly facetKeys: readonly string[];
  /** Roles by pattern; none where absent. */
  readonly roles?: Readonly<Record<string, string>>;
  readonly log: BuildLog;
  readonly settings: string;
  /** What stays as it is of an index that this one is built on. */
  readonly kept?: KeptBase;
  readonly shards: readonly ShardInput[];
  /** Whether pages read it from files, so that their searches take few rounds; a Worker's index when absent. */
  readonly isForPages?: boolean;
  /** Asked when all else is written: what the pointer says of how long the build took. Nothing where absent. */
  readonly built?: (generation: string) => Promise<BuildTime> | BuildTime;
}

/** Bases that a generation takes over. */
interface KeptBase {
  /** Names of their packs. */
  readonly packs: readonly string[];
  /** Sizes of these packs. */
  readonly files: readonly ManifestFile[];
  /** Their entries in the new root, which come before those of what is written now. */
  readonly shards: readonly ShardRoot[];
}

export interface WrittenGeneration {
  readonly generation: string;
  /** All files but the pointer, those that were taken over too. */
  readonly files: readonly ManifestFile[];
  readonly terms: number;
  readonly indexBytes: number;
  readonly textBytes: number;
}

/** Hand every file of the generation to `sink`, the pointer last. */
export async function writeGeneration(input: GenerationInput, sink: FileSink): Promise<WrittenGeneration> {
  const files: ManifestFile[] = [];
  const write: FileSink = async (name, bytes) => {
    // Two shards can hold the same pages, and then they share a pack.
    if (files.some((file) => file.name === name)) return;
    files.push({ name, bytes: bytes.length });
    await sink(name, bytes);
  };
  const { kept } = input;
  files.push(...(kept?.files ?? []));
  const packs = new PackWriter(write, kept?.packs);
  const shards: ShardRoot[] = [...(kept?.shards ?? [])];
  const isStopTerm = makeStopTermTest(input.collections.map(({ language }) => analyzerOf(language)));
  const { isForPages = false } = input;
  for (const shard of input.shards) {
    const writer = new ShardWriter(shard, { isStopTerm, isForPages, packs });
    shards.push(await writer.write());
  }
  const packNames = await packs.finish();
  const sum = (count: (shard: ShardRoot) => number): number => shards.reduce((total, shard) => total + count(shard), 0);
  const logBytes = encodeLog(input.log, deflateRaw);
  const log = nameFile(logBytes, "log");
  await write(log, logBytes);
  const rootBytes = encodeRoot(
    {
      commit: input.commit,
      builtAt: input.builtAt,
      ...(input.dirty === true && { dirty: true }),
      collections: input.collections,
      ranking: input.ranking,
      facetKeys: input.facetKeys,
      ...(Object.keys(input.roles ?? {}).length > 0 && { roles: input.roles }),
      facetKeysLeftOut: input.log.facetKeysLeftOut.map(({ key }) => key),
      skippedFiles: input.log.skipped.length,
      diagnostics: input.log.diagnosticCount,
      logBytes: logBytes.length,
      indexBytes: sum((shard) => shard.indexBytes),
      textBytes: sum((shard) => shard.textBytes),
      settings: input.settings,
      packs: packNames,
      basePacks: kept?.packs.length ?? packNames.length,
      shards,
    },
    deflateColumns,
  );
  const root = nameFile(rootBytes, "root");
  await write(root, rootBytes);
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  const manifestBytes = encodeManifest({ format: FORMAT_VERSION, files });
  const manifest = nameFile(manifestBytes, "manifest");
  await sink(manifest, manifestBytes);
  const generation = generationOf(root);
  const built = await input.built?.(generation);
  const timed = built === undefined ? {} : { built };
  await sink(POINTER_FILE, encodePointer({ generation, root, manifest, log, previous: [], rootBytes, ...timed }));
  return {
    generation,
    files: [...files, { name: manifest, bytes: manifestBytes.length }],
    terms: sum((shard) => shard.terms),
    indexBytes: sum((shard) => shard.indexBytes),
    textBytes: sum((shard) => shard.textBytes),
  };
}

interface ShardDocument {
  /** In memory until the shard is written. */
  readonly card: DocumentCard;
  /** Asked for once, in turn: not all of them need to be in memory. */
  readonly load: () => DocumentBody;
}

/** Entries of the tables of one access group. */
export type GroupOverview = Readonly<Record<MapTableName, readonly TableEntry[]>>;

/** A group without anything to say. */
export const NO_OVERVIEW: GroupOverview = { synonyms: [], insights: [], categories: [], concepts: [] };

export interface ShardInput extends Omit<DescribedDocuments, "cards"> {
  readonly group: string;
  /** Ascending by number. */
  readonly documents: readonly ShardDocument[];
  /** Symbols and edges of all source files of the group, beside a base too; none where absent. */
  readonly code?: GroupCode;
  /** None where absent: beside a base, what changed is patched. */
  readonly overview?: GroupOverview;
  /** Set where the documents are those that changed since a base was written. */
  readonly beside?: BesideBase;
  /** Where tables are cut, in tests; each as the format's document says when absent. */
  readonly limits?: TableLimits;
}

/** What a delta takes over from its base, and says about it. */
interface BesideBase extends DeltaInfo {
  /** Entries of its pairs that are kept, in no particular order. */
  readonly pairEntries: () => TableEntry[];
  /** Values of the base that are not what it holds less the deleted documents. */
  readonly patches: readonly KeyedPatch[];
  /** Terms of the delta's documents that no valid document of the base holds. */
  readonly newTerms: number;
}

/** What holds for all shards of a generation. */
interface ShardSetting {
  /** Whether a stop word of one of the corpus's languages has the term. */
  readonly isStopTerm: (term: string) => boolean;
  /** Whether pages read the index from files, see `limitsOf`. */
  readonly isForPages: boolean;
  readonly packs: PackWriter;
}

const NO_TOTALS: ShardTotals = {
  documents: 0,
  units: 0,
  terms: 0,
  described: 0,
  lengths: { body: 0, title: 0, path: 0, description: 0 },
};

/** A shard under construction. */
class ShardWriter {
  readonly #input: ShardInput;
  readonly #setting: ShardSetting;
  readonly #terms = new TermNumbers();
  readonly #pairs: PairCollector;
  readonly #postings: PostingCollector;
  readonly #spelling: SpellingCollector;
  readonly #trigrams = new TrigramCollector();
  readonly #located: (LocatedDocument | undefined)[] = [];
  readonly #cards: DocumentCard[] = [];
  #totals = NO_TOTALS;
  #textBytes = 0;

  constructor(input: ShardInput, setting: ShardSetting) {
    this.#input = input;
    this.#setting = setting;
    this.#pairs = new PairCollector(this.#terms, setting.isStopTerm);
    this.#postings = new PostingCollector(this.#terms);
    this.#spelling = new SpellingCollector(this.#terms);
  }

  /** Write the text of all documents, then the tables. Returns the shard's entry in the root. */
  async write(): Promise<ShardRoot> {
    const { group, documents, beside, overview = NO_OVERVIEW } = this.#input;
    const { packs } = this.#setting;
    for (const { card, load } of documents) await this.#add(card, load());
    // Of what changed there is little: one file holds all of it.
    if (beside === undefined) await packs.close();
    const {
      facets,
      titles,
      documents: described,
      sections,
      links,
    } = documentTables({ ...this.#input, cards: this.#cards });
    const tables = {} as Record<TableName, WrittenTable>;
    // What readers take whole comes first, at the start of a pack: no border of packs makes two reads of it.
    const contents: [TableName, () => Iterable<TableEntry>][] = [
      ["synonyms", () => overview.synonyms],
      ["locator", () => encodeLocator(this.#located)],
      ["facets", facets],
      ["titles", titles],
      ["patches", () => patchEntries(beside)],
      ["terms", () => this.#postings.entries(this.#pairs, beside?.pairEntries() ?? [])],
      ["spelling", () => sortEntries(this.#spelling.finish())],
      ["suggestions", () => suggestionEntries(this.#cards)],
      ["trigrams", () => sortEntries(this.#trigrams.finish())],
      ["documents", described],
      ["sections", sections],
      ["links", links],
      ["insights", () => sortEntries([...overview.insights])],
      ["categories", () => sortEntries([...overview.categories])],
      ["concepts", () => sortEntries([...overview.concepts])],
    ];
    for (const [name, entries] of contents) {
      const { limits = limitsOf(name, this.#setting.isForPages) } = this.#input;
      tables[name] = await writeTable(name, entries(), packs, limits);
    }
    if (beside === undefined) await packs.close();
    await this.#writeCode(tables);
    const directories = Object.entries(tables).map(([name, { directory }]) => [name, directory]);
    return {
      group,
      ...this.#totals,
      terms: beside?.newTerms ?? this.#postings.count,
      slots: this.#located.length,
      indexBytes: Object.values(tables).reduce((total, table) => total + table.bytes, 0),
      textBytes: this.#textBytes,
      deleted: [],
      ...(beside !== undefined && { delta: { base: beside.base, positions: beside.positions } }),
      tables: Object.fromEntries(directories) as ShardRoot["tables"],
    };
  }

  /** Code has packs of its own: its tables are written whole beside a base, too, and mostly as they were. */
  async #writeCode(tables: Record<TableName, WrittenTable>): Promise<void> {
    const { code = NO_CODE, limits } = this.#input;
    const { packs } = this.#setting;
    if (isEmptyCode(code)) {
      for (const name of CODE_TABLE_NAMES) tables[name] = await writeTable(name, [], packs, limits);
      return;
    }
    await packs.close();
    const { codeTables } = await import("./code-tables.ts");
    for (const [name, entries] of codeTables(code)) tables[name] = await writeTable(name, entries(), packs, limits);
    await packs.close();
  }

  async #add(card: DocumentCard, body: DocumentBody): Promise<void> {
    const { number, collection, title, lengths } = card;
    const { inverted, unitCodes, grams, blocks } = body;
    // The blocks of one document lie back to back, so a document is added as one.
    const { pack, offset, length } = await this.#setting.packs.add(...blocks);
    this.#textBytes += length;
    this.#located[number] = {
      collection,
      ...lengths,
      // A copy: what is cut out of a body keeps all of it in memory.
      units: new Uint8Array(unitCodes),
      pack,
      offset,
      lengths: blocks.map((block) => block.length),
    };
    const numbers = this.#terms.count(inverted.terms);
    this.#postings.add({ card, body }, numbers);
    this.#trigrams.add({ number, grams });
    this.#cards.push(card);
    this.#totals = withDocument(this.#totals, { card, body });
    if (this.#input.beside !== undefined) return;
    this.#spelling.add({ inverted, title }, numbers);
    this.#pairs.add(number, numbers, inverted);
  }
}

/** Counts and totals with those of one document more. */
function withDocument(
  { documents, units, terms, described, lengths }: ShardTotals,
  { card, body: { unitCodes, inverted } }: IndexedDocument,
): ShardTotals {
  return {
    documents: documents + 1,
    units: units + unitCodes.length,
    terms,
    described: described + (card.lengths.description > 0 ? 1 : 0),
    lengths: {
      body: lengths.body + inverted.lengths.body,
      title: lengths.title + inverted.lengths.title,
      path: lengths.path + inverted.lengths.path,
      description: lengths.description + inverted.lengths.description,
    },
  };
}

function patchEntries(beside: BesideBase | undefined): TableEntry[] {
  const patches = beside?.patches ?? [];
  return sortEntries(
    patches.map(({ table, key, patch }) => ({ key: keyOfPatch(table, key), value: encodePatch(patch) })),
  );
}
