/**
 * Writes one generation: levels, root, log, manifest, and last the pointer. Of a level the text of its documents as they
 * come, then its tables, in the order in which a query meets them.
 *
 * Every file but the pointer is named by its content, so writing a generation never disturbs one that is being read.
 */

import type { ByteKey } from "../../src/core/bytes/key.ts";
import { concatBytes } from "../../src/core/bytes/writer.ts";
import { encodeLog } from "../../src/core/format/build-log.ts";
import { fileOfPack, type TableEntry } from "../../src/core/format/chunk.ts";
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
  encodeLevel,
  encodeRoot,
  FORMAT_VERSION,
  type Level,
  type LevelFile,
  type ShardTotals,
} from "../../src/core/format/root.ts";
import {
  CODE_TABLE_NAMES,
  OVERLAY_TABLE_NAMES,
  type OverlayTableName,
  type TableName,
} from "../../src/core/format/table.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { makeStopTermTest } from "../../src/core/text/analyze.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import { deflateColumns, deflateRaw } from "../base/codec.ts";
import { type GroupCode, isEmptyCode, NO_CODE } from "../link/code/link-code.ts";
import type { SynonymSet } from "../topics/synonyms.ts";
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
  readonly synonymSets: Readonly<Record<string, string>>;
  /** Of each access group its levels, the oldest first. */
  readonly shards: readonly (ShardInput | KeptLevel)[];
  /** Files of an index that this one is built on, those among them that stay. */
  readonly known?: readonly ManifestFile[];
  /** Whether pages read it from files, so that their searches take few rounds; a Worker's index when absent. */
  readonly isForPages?: boolean;
  /** Asked when all else is written: what the pointer says of how long the build took. Nothing where absent. */
  readonly built?: (generation: string) => Promise<BuildTime> | BuildTime;
}

/** A level of an index that this one is built on, as it was written. */
export interface KeptLevel {
  readonly file: LevelFile;
  readonly level: Level;
  /** Valid ones. */
  readonly documents: number;
}

export interface WrittenGeneration {
  readonly generation: string;
  /** Documents of the levels of each access group, the oldest first. */
  readonly levels: readonly { readonly group: string; readonly documents: number }[];
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
  const isStopTerm = makeStopTermTest(input.collections.map(({ language }) => analyzerOf(language)));
  const { isForPages = false, known = [] } = input;
  const levels: KeptLevel[] = [];
  for (const shard of input.shards) {
    if ("file" in shard) {
      levels.push(shard);
      continue;
    }
    const packs = new PackWriter(write, shard.textPacks);
    const level = await new ShardWriter(shard, { isStopTerm, isForPages, packs }).write();
    const bytes = encodeLevel(level, deflateColumns);
    const name = nameFile(bytes, "level");
    await write(name, bytes);
    levels.push({ level, file: { name, bytes, deleted: [] }, documents: level.documents });
  }
  const names = new Set(levels.flatMap(({ file, level }) => [file.name, ...level.packs.map(fileOfPack)]));
  for (const { name } of files) names.delete(name);
  files.push(...known.filter(({ name }) => names.has(name)));
  const sum = (count: (level: Level) => number): number => levels.reduce((total, { level }) => total + count(level), 0);
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
      indexBytes: sum(({ indexBytes }) => indexBytes),
      textBytes: sum(({ textBytes }) => textBytes),
      settings: input.settings,
      synonymSets: input.synonymSets,
    },
    levels.map(({ file }) => file),
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
  const whole = concatBytes([rootBytes, ...levels.map(({ file }) => file.bytes)]);
  await sink(
    POINTER_FILE,
    encodePointer({ generation, root, manifest, log, previous: [], rootBytes: whole, ...timed }),
  );
  return {
    generation,
    levels: levels.map(({ level: { group }, documents }) => ({ group, documents })),
    files: [...files, { name: manifest, bytes: manifestBytes.length }],
    terms: sum(({ terms }) => terms),
    indexBytes: sum(({ indexBytes }) => indexBytes),
    textBytes: sum(({ textBytes }) => textBytes),
  };
}

/** Where the blocks of a document lie, back to back. */
export interface PlacedText {
  /** As a level lists packs. */
  readonly pack: string;
  readonly offset: number;
  /** Of each block. */
  readonly lengths: readonly number[];
}

interface ShardDocument {
  /** Where its text lies already; it is written where absent. */
  readonly text?: PlacedText | undefined;
  /** In memory until the shard is written. */
  readonly card: DocumentCard;
  /** Asked for once, in turn: not all of them need to be in memory. */
  readonly load: () => DocumentBody;
}

/** Entries of an access group that other documents bear on, sorted. */
export type GroupOverlays = Readonly<Record<OverlayTableName, Iterable<TableEntry>>>;

/** What a level needs to know of older ones of its group. */
export interface OlderLevels {
  /** Documents of the group, those of the level among them. */
  readonly documents: number;
  /** Words that corrections know. */
  readonly words: ReadonlySet<string>;
  /** Of these keys of pairs those that are listed, and others. */
  readonly findPairs: (keys: readonly ByteKey[]) => Promise<ReadonlySet<ByteKey>>;
}

/** A level to write. */
export interface ShardInput extends Omit<DescribedDocuments, "cards"> {
  readonly group: string;
  /** Ascending by number. */
  readonly documents: Iterable<ShardDocument>;
  /** Phrases that stand for the same thing, out of the glossary and the documents of this group. */
  readonly synonyms: readonly SynonymSet[];
  /** Of the oldest level all, of others those that differ. */
  readonly overlays: GroupOverlays;
  /** Symbols and edges of all source files of the group; none where absent. */
  readonly code?: GroupCode;
  /** Set where there is none any more, and an older level has some. */
  readonly withoutCode?: true;
  /** Packs that hold the text of documents already, each once. */
  readonly textPacks?: readonly string[];
  /** Set where older levels of the group stay. */
  readonly older?: OlderLevels;
  /** Where tables are cut, in tests; each as the format's document says when absent. */
  readonly limits?: TableLimits;
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
    this.#pairs = new PairCollector(this.#terms, setting.isStopTerm, input.older !== undefined);
    this.#postings = new PostingCollector(this.#terms, input.synonyms);
    this.#spelling = new SpellingCollector(this.#terms);
  }

  /** Write the text of all documents, then the tables. */
  async write(): Promise<Level> {
    const { group, documents, overlays, withoutCode, older } = this.#input;
    const { packs } = this.#setting;
    for (const { card, load, text } of documents) await this.#add(card, load(), text);
    await packs.close();
    const listed = await older?.findPairs(this.#pairs.keys());
    const { facets, titles, documents: described, sections } = documentTables({ ...this.#input, cards: this.#cards });
    const tables = {} as Record<TableName, WrittenTable>;
    // What readers take whole comes first, at the start of a pack: no border of packs makes two reads of it.
    const contents: [TableName, () => Iterable<TableEntry>][] = [
      ["locator", () => encodeLocator(this.#located)],
      ["facets", facets],
      ["titles", titles],
      ["terms", () => this.#postings.entries(this.#pairs, listed)],
      ["spelling", () => sortEntries(this.#spelling.finish(older))],
      ["suggestions", () => suggestionEntries(this.#cards)],
      ["trigrams", () => sortEntries(this.#trigrams.finish())],
      ["documents", described],
      ["sections", sections],
      ...OVERLAY_TABLE_NAMES.map((name): (typeof contents)[number] => [name, () => overlays[name]]),
    ];
    for (const [name, entries] of contents) {
      const { limits = limitsOf(name, this.#setting.isForPages) } = this.#input;
      tables[name] = await writeTable(name, entries(), packs, limits);
    }
    await packs.close();
    await this.#writeCode(tables);
    const directories = Object.entries(tables).map(([name, { directory }]) => [name, directory]);
    return {
      group,
      ...this.#totals,
      terms: this.#postings.count,
      synonyms: this.#postings.synonymCount,
      slots: this.#located.length,
      indexBytes: Object.values(tables).reduce((total, table) => total + table.bytes, 0),
      textBytes: this.#textBytes,
      ...(withoutCode === true && { withoutCode }),
      ...(older !== undefined && { newer: true }),
      packs: await packs.finish(),
      tables: Object.fromEntries(directories) as Level["tables"],
    };
  }

  /** Code has packs of its own: its tables are written whole in each level, and mostly as they were. */
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

  async #add(card: DocumentCard, body: DocumentBody, text: PlacedText | undefined): Promise<void> {
    const { number, collection, title, lengths } = card;
    const { inverted, unitCodes, grams, blocks } = body;
    // The blocks of one document lie back to back, so a document is added as one.
    const { packs } = this.#setting;
    const { pack, offset } =
      text === undefined ? await packs.add(...blocks) : { ...text, pack: packs.indexOf(text.pack) };
    const blockLengths = text?.lengths ?? blocks.map((block) => block.length);
    this.#textBytes += blockLengths.reduce((sum, length) => sum + length, 0);
    this.#located[number] = {
      collection,
      ...lengths,
      // A copy: what is cut out of a body keeps all of it in memory.
      units: new Uint8Array(unitCodes),
      pack,
      offset,
      lengths: blockLengths,
    };
    const numbers = this.#terms.count(inverted.terms);
    this.#postings.add({ card, body }, numbers);
    this.#trigrams.add({ number, grams });
    this.#cards.push(card);
    this.#totals = withDocument(this.#totals, { card, body });
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
