/**
 * Writes one generation: levels, root, log, manifest, and last the pointer. Of a shard the text of its documents as they
 * come, then its tables, in the order in which a query meets them.
 *
 * Every file but the pointer is named by its content, so writing a generation never disturbs one that is being read.
 */
import type { DeflateRaw } from "../../src/core/bytes/capabilities.ts";
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
import { hashPhrase } from "../../src/core/format/pairs.ts";
import { FIRST_TEXT_UNIT } from "../../src/core/format/postings.ts";
import {
  type CollectionInfo,
  encodeLevel,
  encodeRoot,
  FORMAT_VERSION,
  isEmbedded,
  type Level,
  type Root,
} from "../../src/core/format/root.ts";
import { CODE_TABLE_NAMES, type OverlayTableName, type TableName } from "../../src/core/format/table.ts";
import { sealBlock } from "../../src/core/format/text-block.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { createDeflate, deflateRaw, makeDictionary } from "../base/codec.ts";
import { type GroupCode, isEmptyCode, NO_CODE } from "../link/code/link-code.ts";
import type { BuildLog } from "./build-log.ts";
import type { PartPlace } from "./cache/document-cache.ts";
import { type DescribedDocuments, documentTables } from "./document-tables.ts";
import type { DocumentBody, DocumentCard } from "./prepared-document.ts";
import { makeWordsInThread, ShardWords, WORD_TABLES } from "./shard-words.ts";
import { type OlderWords, suggestionEntries } from "./word-tables.ts";
import {
  type FileSink,
  NEWER_TERMS,
  nameFile,
  PACK_BYTES,
  PackWriter,
  type SealedChunk,
  sealTable,
  type TableLimits,
  writeTable,
} from "./write-table.ts";

type MadeWords = NonNullable<Awaited<ReturnType<typeof makeWordsInThread>>>;

type WordTable = (typeof WORD_TABLES)[number];

type LevelFile = Parameters<typeof encodeRoot>[1][number];

type WordsSetting = ConstructorParameters<typeof ShardWords>[0];

export interface GenerationInput {
  readonly commit: string;
  readonly builtAt: string;
  readonly dirty?: true;
  readonly precise?: "incomplete";
  readonly collections: readonly CollectionInfo[];
  readonly project?: Root["project"];
  readonly ranking: Readonly<Record<string, number>>;
  readonly facetKeys: readonly string[];
  readonly roles?: Readonly<Record<string, string>>;
  readonly log: BuildLog;
  readonly settings: string;
  /** Of each access group its levels, the oldest first. */
  readonly shards: readonly (ShardInput | KeptLevel)[];
  /** Files of an index that this one is built on, those among them that stay. */
  readonly known?: readonly ManifestFile[];
  /** Threads beside the main one; chosen by the number of documents when absent. */
  readonly threads?: number | undefined;
  /** Asked when all else is written: what the pointer says of how long the build took. Nothing where absent. */
  readonly built?: () => BuildTime;
}

/** A level of an index that this one is built on, as it was written. */
export interface KeptLevel {
  readonly file: LevelFile;
  readonly level: Level;
  readonly documents: readonly Pick<ShardDocument, "card">[];
  readonly facetKeys: ReadonlySet<string>;
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
  const languages = input.collections.map(({ language }) => language);
  const { threads, known = [] } = input;
  const levels: KeptLevel[] = [];
  for (const shard of input.shards) {
    if ("file" in shard) {
      levels.push(shard);
      continue;
    }
    const dictionary = shard.dictionary ?? makeDictionary(sampleTexts(shard.documents));
    const packs = new PackWriter(write, shard.textPacks, dictionary);
    const level = await new ShardWriter(shard, { dictionary, languages, threads, packs }).write();
    const bytes = encodeLevel(level, deflateRaw);
    const name = nameFile(bytes, "level");
    await write(name, bytes);
    levels.push({ ...shard, level, file: { name, bytes, deleted: [] } });
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
      ...(input.precise !== undefined && { precise: input.precise }),
      collections: input.collections,
      ...(input.project !== undefined && { project: input.project }),
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
    },
    levels.map(({ file }) => file),
    deflateRaw,
  );
  const root = nameFile(rootBytes, "root");
  await write(root, rootBytes);
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  const manifestBytes = encodeManifest({ format: FORMAT_VERSION, files });
  const manifest = nameFile(manifestBytes, "manifest");
  await sink(manifest, manifestBytes);
  const generation = generationOf(root);
  const built = input.built?.();
  const timed = built === undefined ? {} : { built };
  const small = levels.map(({ file }) => file.bytes).filter(({ length }) => isEmbedded({ bytes: length }));
  const whole = concatBytes([rootBytes, ...small]);
  await sink(
    POINTER_FILE,
    encodePointer({ generation, root, manifest, log, previous: [], rootBytes: whole, ...timed }),
  );
  return {
    generation,
    levels: levels.map(({ level: { group }, documents }) => ({ group, documents: documents.length })),
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
  /** Of the block of each unit, 0 where that of the unit before holds it. */
  readonly lengths: readonly number[];
}

interface ShardDocument {
  /** Where its text lies already; it is written where absent. */
  readonly text?: PlacedText | undefined;
  /** In memory until the shard is written. */
  readonly card: DocumentCard;
  /** Asked for once, in turn: not all of them need to be in memory. */
  readonly load: () => DocumentBody;
  /** Where other threads read the same. */
  readonly place?: () => PartPlace;
}

/** Entries of an access group that other documents bear on, sorted. */
export type GroupOverlays = Readonly<Record<OverlayTableName, Iterable<TableEntry>>>;

export interface ShardInput extends Omit<DescribedDocuments, "cards"> {
  readonly group: string;
  readonly documents: readonly ShardDocument[];
  /** Of the oldest level all, of others those that differ. */
  readonly overlays: GroupOverlays;
  /** Symbols and edges of all source files of the group; none where absent. */
  readonly code?: GroupCode;
  /** Set where there is none any more, and an older level has some. */
  readonly withoutCode?: true;
  /** Packs that hold the text of documents already, each once. */
  readonly textPacks?: readonly string[];
  /** The dictionary of the group, where levels or text of a base stay. */
  readonly dictionary?: string | undefined;
  /** Set where older levels of the group stay. */
  readonly older?: OlderWords;
  /** Where tables are cut, in tests; each as the format's document says when absent. */
  readonly limits?: TableLimits;
}

type WrittenTables = Record<TableName, Awaited<ReturnType<typeof writeTable>>>;

/** Tables that the first search of a reader takes whole. */
const RESIDENT: ReadonlySet<TableName> = new Set<TableName>(["locator", "facets", "titles"]);

/** Tables of so few documents in a newer level are hardly cut: most readers take all of them. */
const FEW_DOCUMENTS = 12;
const UNCUT: TableLimits = { target: 64 * 1024, maxDirectory: 24 * 1024 };

const FIELDS = ["body", "title", "path", "description"] as const;

/** A dictionary is made of the beginnings of so many documents. */
const SAMPLED_DOCUMENTS = 64;
const SAMPLED_BYTES = 8_192;

/** A thread that makes tables of fewer documents takes longer to start than to make them. */
const THREADED_DOCUMENTS = 1_000;

interface ShardSetting extends Pick<WordsSetting, "languages"> {
  readonly threads: number | undefined;
  readonly packs: PackWriter;
  readonly dictionary: string;
}

class ShardWriter {
  readonly #input: ShardInput;
  readonly #setting: ShardSetting;
  readonly #words: ShardWords;
  readonly #deflate: DeflateRaw;
  readonly #located: (LocatedDocument | undefined)[] = [];
  readonly #cards: DocumentCard[] = [];
  readonly #totals = {
    documents: 0,
    units: 0,
    terms: 0,
    described: 0,
    lengths: { body: 0, title: 0, path: 0, description: 0 },
  };
  #textBytes = 0;

  constructor(input: ShardInput, setting: ShardSetting) {
    this.#input = input;
    this.#setting = setting;
    this.#words = new ShardWords(setting);
    this.#deflate = createDeflate(setting.dictionary);
  }

  async write(): Promise<Level> {
    const { group, documents, overlays, withoutCode } = this.#input;
    const { packs } = this.#setting;
    const inThread = this.#startThread();
    await packs.begin(PACK_BYTES.text);
    for (const { card, load, text } of documents) {
      const body = load();
      await this.#add(card, body, text);
      if (inThread === undefined) this.#words.add(card, body);
    }
    const { older } = this.#input;
    // Text stays where it is when the tables of its documents are written again.
    await packs.close();
    const { facets, titles, documents: described, sections } = documentTables({ ...this.#input, cards: this.#cards });
    const tables = {} as WrittenTables;
    // What readers take whole comes first, of the oldest level in a pack of its own; a newer one is read with its words.
    const contents: [TableName, () => Iterable<TableEntry>][] = [
      ["locator", () => encodeLocator(this.#located)],
      ["facets", facets],
      ["titles", titles],
      ["terms", () => this.#words.entries("terms")],
      ["spelling", () => this.#words.entries("spelling", older)],
      ["suggestions", () => suggestionEntries(this.#cards)],
      ["trigrams", () => this.#words.entries("trigrams")],
      ["documents", described],
      ["sections", sections],
      ["links", () => overlays.links],
      ["synonyms", () => overlays.synonyms],
      ["insights", () => overlays.insights],
      ["categories", () => overlays.categories],
      ["concepts", () => overlays.concepts],
    ];
    const isFew = older !== undefined && documents.length <= FEW_DOCUMENTS;
    const limits = this.#input.limits ?? (isFew ? UNCUT : undefined);
    const limitsOf = (name: TableName) => limits ?? (name === "terms" && older !== undefined ? NEWER_TERMS : undefined);
    const seal = ([name, entries]: (typeof contents)[number]) =>
      sealTable(name, entries(), limitsOf(name), this.#deflate);
    const sealed = new Map<TableName, Iterable<SealedChunk>>();
    let made: MadeWords | undefined;
    if (inThread !== undefined) {
      const isOther = (name: TableName): boolean => !WORD_TABLES.includes(name as WordTable);
      for (const table of contents) if (isOther(table[0])) sealed.set(table[0], [...seal(table)]);
      made = await inThread;
      for (const [name, chunks] of made?.chunks ?? []) sealed.set(name, chunks);
      if (made === undefined) for (const { card, load } of documents) this.#words.add(card, load());
    }
    for (const table of contents) {
      const [name] = table;
      const isApart = older === undefined && RESIDENT.has(name);
      await packs.begin(isApart ? PACK_BYTES.resident : PACK_BYTES.tables);
      tables[name] = await writeTable(name, sealed.get(name) ?? seal(table), packs, limitsOf(name), this.#deflate);
    }
    await packs.close();
    await this.#writeCode(tables);
    const { terms } = made ?? this.#words;
    const directories = Object.entries(tables).map(([name, { directory }]) => [name, directory]);
    return {
      group,
      ...this.#totals,
      terms,
      slots: this.#located.length,
      indexBytes: Object.values(tables).reduce((total, table) => total + table.bytes, 0),
      textBytes: this.#textBytes,
      ...(older === undefined ? { dictionary: this.#setting.dictionary } : { newer: true }),
      ...(withoutCode === true && { withoutCode }),
      phrases: Array.from(overlays.synonyms, ({ key }) => hashPhrase(key)).sort((a, b) => a - b),
      packs: await packs.finish(),
      tables: Object.fromEntries(directories) as Level["tables"],
    };
  }

  /** Starts to make the tables of words in a thread, where documents are many. */
  #startThread(): Promise<MadeWords | undefined> | undefined {
    const { documents, older, limits } = this.#input;
    const places = documents.flatMap(({ card: { number, title, lengths }, place }) =>
      place === undefined ? [] : [[{ number, title, lengths }, place()] as const],
    );
    const isReadable = places.length === documents.length && older === undefined;
    if ((this.#setting.threads ?? documents.length / THREADED_DOCUMENTS) < 1 || !isReadable) return undefined;
    const { languages, dictionary } = this.#setting;
    return makeWordsInThread({ languages, documents: places, dictionary, limits });
  }

  /** Code has packs of its own: its tables are written whole in each level, and mostly as they were. */
  async #writeCode(tables: WrittenTables): Promise<void> {
    const { code = NO_CODE, limits } = this.#input;
    const { packs } = this.#setting;
    if (isEmptyCode(code)) {
      for (const name of CODE_TABLE_NAMES) tables[name] = await writeTable(name, [], packs, limits);
      return;
    }
    await packs.close();
    const { codeTables } = await import("./code-tables.ts");
    for (const [name, entries] of codeTables(code)) {
      const chunks = sealTable(name, entries(), limits, this.#deflate);
      tables[name] = await writeTable(name, chunks, packs, limits, this.#deflate);
    }
    await packs.close();
  }

  async #add(card: DocumentCard, body: DocumentBody, text: PlacedText | undefined): Promise<void> {
    const { number, collection, lengths } = card;
    const { inverted, unitCodes, blocks } = body;
    // The blocks of one document lie back to back, so a document is added as one.
    const { packs } = this.#setting;
    const sealed = (text === undefined ? blocks : []).map((block, at) =>
      block.length === 0 ? block : sealBlock(FIRST_TEXT_UNIT + at, block, this.#deflate),
    );
    const { pack, offset } =
      text === undefined
        ? await packs.add(...sealed.filter((block) => block.length > 0))
        : { ...text, pack: packs.indexOf(text.pack) };
    const blockLengths = text?.lengths ?? sealed.map((block) => block.length);
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
    this.#cards.push(card);
    this.#totals.documents++;
    this.#totals.units += unitCodes.length;
    if (lengths.description > 0) this.#totals.described++;
    for (const field of FIELDS) this.#totals.lengths[field] += inverted.lengths[field];
  }
}

/** Beginnings of some of the documents, evenly over all. */
function sampleTexts(documents: readonly ShardDocument[]): Uint8Array[] {
  const step = Math.max(1, Math.floor(documents.length / SAMPLED_DOCUMENTS));
  const some = documents.filter((_, at) => at % step === 0);
  return some.map(({ load }) => concatBytes(load().blocks).subarray(0, SAMPLED_BYTES));
}
