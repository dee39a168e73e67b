/**
 * Build: a folder in, a generation out.
 *
 * Discover the files of every collection, prepare each on its own (in worker threads), then what needs all of them:
 * links, facets, shards. The result depends on the tree, the configuration and the commit alone: not on the folder's
 * place, the order in which files are listed, the number of threads or the time.
 */
import type { Stats } from "node:fs";
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { keyOf } from "../../src/core/bytes/key.ts";
import { FormatError, InputError, StaleGenerationError } from "../../src/core/errors.ts";
import { MAX_KEY_BYTES } from "../../src/core/format/chunk.ts";
import type { CollectionInfo } from "../../src/core/format/collection.ts";
import type { ShardRoot } from "../../src/core/format/root.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { expandPreset, listChangedSettings, type RankingSettings } from "../../src/core/search/ranking-settings.ts";
import { nearestNames } from "../../src/core/text/nearest.ts";
import { makeDocumentId } from "../../src/core/tree/node-id.ts";
import { cacheKey, type DocumentCache } from "../cache/document-cache.ts";
import type { FileHashes } from "../cache/file-hashes.ts";
import { type CollectionConfig, loadConfig, type RankingConfig, type TreelineConfig } from "../config.ts";
import { type GlossaryEntry, loadGlossary } from "../glossary.ts";
import { type Discovery, discoverFiles } from "../sources/discover.ts";
import { createReadError, describeFsError, isFsError } from "../sources/file-system.ts";
import { readCommit } from "../sources/git-commit.ts";
import type { SkippedFile } from "../sources/skipped-file.ts";
import type { DiscoveredFile } from "../sources/walk.ts";
import { digestSynonyms, makeDelta } from "./base/make-delta.ts";
import { type BaseIndex, openBase } from "./base/open-base.ts";
import { planDelta, type ShardDelta } from "./base/plan-delta.ts";
import { takeOverPacks } from "./base/take-over.ts";
import type { BuildLog } from "./build-log.ts";
import { BuildMemory } from "./build-memory.ts";
import { type CorpusDescription, describeCorpus } from "./describe-corpus.ts";
import {
  digestCollection,
  type LoadContext,
  type LoadedDocument,
  type LoadTask,
  loadDocuments,
} from "./load-documents.ts";
import type { FileSink } from "./pack-writer.ts";
import type { PreparedDocument } from "./prepare-document.ts";
import type { Progress } from "./prepare-pool.ts";
import { digestSettings } from "./settings-digest.ts";
import { removeStaleFiles } from "./stale-files.ts";
import { type WrittenGeneration, writeGeneration } from "./write-generation.ts";
import type { ShardInput } from "./write-shard.ts";

/** A running server writes its parse cache when so many documents are not in it. */
const UNSAVED_DOCUMENTS = 200;
/** Folders offered when one does not exist. */
const MAX_NEAREST = 3;

/** What to build and where to put it. */
export interface BuildRequest {
  /** Folder with the documentation, and with `treeline.config.json` where there is one. */
  readonly dir: string;
  /** Folder for the index files; made when absent. */
  readonly outDir: string;
  readonly progress?: Progress;
  /** Threads beside the main one; chosen by the number of files when absent. The result does not depend on it. */
  readonly threads?: number;
  /** Folder or address of an index to build on: what did not change is taken over from it. */
  readonly base?: string;
  /** Folder for the parse cache; none is kept when absent. The result does not depend on it. */
  readonly cacheDir?: string;
  /** What a running server keeps between its builds, in place of `cacheDir`. */
  readonly memory?: BuildMemory;
}

/** What a build took over, and what it wrote. */
export interface ReuseCounts {
  /** Generation that it was built on; `""` for none. */
  readonly base: string;
  /** Documents that the base does not have, has otherwise, and has and that are gone. */
  readonly added: number;
  readonly changed: number;
  readonly deleted: number;
  /** Bytes of files that the base does not have, the pointer included; bytes of files that were taken over. */
  readonly newBytes: number;
  readonly reusedBytes: number;
}

/** What a build did. */
export interface BuildSummary extends ReuseCounts {
  /** Why the base that was asked for was not used; `""` where it was, or none was asked for. */
  readonly notice: string;
  readonly generation: string;
  readonly commit: string;
  readonly documents: number;
  readonly sections: number;
  readonly words: number;
  readonly terms: number;
  readonly files: number;
  readonly indexBytes: number;
  readonly textBytes: number;
  readonly skipped: BuildLog["skipped"];
  readonly diagnostics: BuildLog["diagnostics"];
  readonly diagnosticCount: number;
  readonly facetKeysLeftOut: BuildLog["facetKeysLeftOut"];
}

/**
 * Build the folder's index into `outDir`. The pointer is written last, so a reader sees the old index or the new one.
 *
 * @throws {InputError} when the folder, its configuration or its content cannot be used.
 */
export async function buildCorpus(request: BuildRequest): Promise<BuildSummary> {
  const dir = resolve(request.dir);
  await expectFolder(dir, request.dir);
  const config = await loadConfig(dir);
  const glossary = await loadGlossary(dir, config.glossary);
  const outDir = resolve(request.outDir);
  await expectNoFile(outDir, request.outDir);
  const memory = request.memory ?? (await BuildMemory.open(request.cacheDir));
  const { cache, hashes } = memory;
  try {
    const context = { cache, hashes, progress: request.progress ?? (() => undefined), ...threadsOf(request) };
    const corpus = await readCorpus(dir, config, glossary, context);
    const settings = digestSettings(config, glossary);
    const chosen = await chooseShards(corpus, config, settings, request, memory);
    const written = await writing(request.outDir, () => write(corpus, config, settings, chosen, request, outDir));
    // A running server has what it parsed in memory, and writes it now and then.
    if (request.memory === undefined || cache.unsaved >= UNSAVED_DOCUMENTS) {
      const used = [...corpus.documents.map(({ key }) => key), ...listBaseKeys(chosen.base, config)];
      await saveCache(cache, hashes, used);
    }
    return { ...summarize(corpus, written.generation), ...written.counts, notice: chosen.notice };
  } finally {
    if (request.memory === undefined) memory.close();
  }
}

function threadsOf({ threads }: BuildRequest): { readonly threads?: number } {
  return threads === undefined ? {} : { threads };
}

/** Write a generation and remove what no generation needs any more. */
async function write(
  corpus: ReadCorpus,
  config: TreelineConfig,
  settings: string,
  { shards, base }: Awaited<ReturnType<typeof chooseShards>>,
  { base: place = "" }: BuildRequest,
  outDir: string,
): Promise<{ readonly generation: WrittenGeneration; readonly counts: ReuseCounts }> {
  await mkdir(outDir, { recursive: true });
  const sink = fileWriter(outDir);
  let newBytes = 0;
  const known = new Set(base?.index.files.map(({ name }) => name));
  const count: FileSink = async (name, bytes) => {
    const isSame = name === POINTER_FILE ? newBytes === 0 && known.size > 0 : known.has(name);
    if (!isSame) newBytes += bytes.length;
    await sink(name, bytes);
  };
  const files = base === undefined ? [] : await takeOverPacks(base.index, place, outDir, sink);
  const { description, commit, builtAt } = corpus;
  const generation = await writeGeneration(
    {
      commit,
      builtAt,
      collections: description.collections,
      ranking: resolveRanking(config.ranking),
      facetKeys: description.facetKeys,
      log: description.log,
      settings,
      synonymSets: Object.fromEntries([...description.synonyms].map(([group, sets]) => [group, digestSynonyms(sets)])),
      ...(base !== undefined && { kept: { packs: base.index.root.packs, files, shards: base.shards } }),
      shards,
    },
    count,
  );
  await removeStaleFiles(outDir, generation.files);
  const reusedBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { generation, counts: { ...countChanges(base, corpus), newBytes, reusedBytes } };
}

/** What changed since the base; all documents are new where there is none. */
function countChanges(
  base: UsedBase | undefined,
  { documents }: ReadCorpus,
): Pick<ReuseCounts, "base" | "added" | "changed" | "deleted"> {
  if (base === undefined) return { base: "", added: documents.length, changed: 0, deleted: 0 };
  const ids = (list: readonly string[]): Set<string> => new Set(list);
  const added = ids(base.plan.flatMap((shard) => shard.added.map(({ task }) => task.id)));
  const deleted = ids(base.plan.flatMap((shard) => shard.deleted.map(({ id }) => id)));
  const changed = [...added].filter((id) => deleted.has(id)).length;
  return {
    base: base.index.generation,
    added: added.size - changed,
    changed,
    deleted: deleted.size - changed,
  };
}

/** Keys of the base's documents in the parse cache: the next build needs them as they were. */
function listBaseKeys(base: UsedBase | undefined, config: TreelineConfig): string[] {
  return (base?.plan ?? []).flatMap(({ deleted }) =>
    deleted.flatMap(({ collection, path, hash }) => {
      const own = config.collections.find(({ name }) => name === collection);
      return own === undefined ? [] : [cacheKey({ hash, path, settings: digestCollection(own) })];
    }),
  );
}

/** A cache that cannot be written costs the next build time, and this one nothing. */
async function saveCache(cache: DocumentCache, hashes: FileHashes, used: readonly string[]): Promise<void> {
  try {
    cache.save(new Set(used));
    await hashes.save();
  } catch (error) {
    if (!isFsError(error)) throw error;
  }
}

/** A corpus that was read: its documents, and what is known of it as a whole. */
interface ReadCorpus {
  readonly documents: readonly LoadedDocument[];
  readonly description: CorpusDescription;
  readonly commit: string;
  readonly builtAt: string;
}

async function readCorpus(
  dir: string,
  config: TreelineConfig,
  glossary: readonly GlossaryEntry[],
  context: Pick<LoadContext, "cache" | "hashes" | "progress" | "threads">,
): Promise<ReadCorpus> {
  const discoveries: Discovery[] = [];
  for (const collection of config.collections) {
    discoveries.push(leaveOutLongPaths(collection.name, await discoverFiles(collection, dir, config.limits)));
  }
  const setup = { collections: config.collections, roots: discoveries.map(({ root }) => root), limits: config.limits };
  const loaded = await loadDocuments(numberDocuments(config, discoveries), { ...context, setup });
  const documents = loaded.flatMap((result) => (result.ok ? [result] : []));
  const found = {
    skipped: [
      ...discoveries.flatMap(({ skipped }, index) =>
        skipped.map((file) => ({ ...file, collection: nameOf(config, index) })),
      ),
      ...loaded.flatMap((result) =>
        result.ok ? [] : [{ ...result.skipped, collection: nameOf(config, result.task.collection) }],
      ),
    ],
    diagnostics: discoveries.flatMap(({ diagnostics }, index) =>
      diagnostics.map((diagnostic) => ({ ...diagnostic, collection: nameOf(config, index) })),
    ),
  };
  if (documents.length === 0) throw emptyCorpus(dir, config, found.skipped);
  const { commit, committedAt } = await readCommit(dir);
  const cards = documents.map(({ card }) => card);
  const description = describeCorpus(config, glossary, cards, found, commit);
  return { documents, description, commit, builtAt: committedAt ?? "" };
}

/** What is written: everything, or what changed since the base. */
async function chooseShards(
  corpus: ReadCorpus,
  config: TreelineConfig,
  settings: string,
  request: BuildRequest,
  memory: BuildMemory,
): Promise<{ readonly shards: readonly ShardInput[]; readonly base: UsedBase | undefined; readonly notice: string }> {
  const full = (notice: string) => ({ shards: allShards(corpus, config), base: undefined, notice });
  if (request.base === undefined) return full("");
  const opened = await openBaseOrExplain(request.base, memory);
  if (typeof opened === "string") return full(opened);
  if (opened.root.settings !== settings) {
    return full("the base was built with other settings or by another version of Treeline");
  }
  const groupOf = ({ task }: LoadedDocument): string => config.collections[task.collection]?.access ?? "";
  const names = config.collections.map(({ name }) => name);
  const plan = planDelta(opened, corpus.documents, names, groupOf);
  if (!plan.ok) return full(plan.reason);
  const { facetKeys, links, synonyms } = corpus.description;
  try {
    const setting = { collections: config.collections, facetKeys, links, synonyms };
    const delta = await makeDelta(opened, plan.shards, setting, memory.cache);
    if (!delta.ok) return full(delta.reason);
    return { shards: delta.shards, base: { index: opened, shards: delta.bases, plan: plan.shards }, notice: "" };
  } catch (error) {
    if (error instanceof FormatError || error instanceof StaleGenerationError) return full(explainBase(error));
    throw error;
  }
}

/** A base as far as it is used. */
interface UsedBase {
  readonly index: BaseIndex;
  readonly shards: readonly ShardRoot[];
  readonly plan: readonly ShardDelta[];
}

async function openBaseOrExplain(place: string, memory: BuildMemory): Promise<BaseIndex | string> {
  try {
    memory.base = await openBase(place, memory.base);
    return memory.base ?? `there is no index at ${JSON.stringify(place)} to build on`;
  } catch (error) {
    if (error instanceof FormatError || error instanceof StaleGenerationError) return explainBase(error);
    if (isFsError(error)) return `the base cannot be read: ${describeFsError(error)}`;
    throw error;
  }
}

function explainBase(error: Error): string {
  return `the base cannot be used: ${error.message}`;
}

/** Shards of all documents, one for each access group. */
function allShards({ documents, description }: ReadCorpus, config: TreelineConfig): ShardInput[] {
  return [...description.synonyms].map(
    ([group, synonyms]): ShardInput => ({
      group,
      documents: loadInTurn(
        documents
          .filter(({ task }) => config.collections[task.collection]?.access === group)
          .sort((a, b) => a.task.number - b.task.number),
      ),
      collectionName: (document) => nameOf(config, document.collection),
      facetKeys: description.facetKeys,
      links: description.links,
      synonyms,
    }),
  );
}

/** Documents one after another, each loaded when its turn comes. */
function* loadInTurn(documents: readonly LoadedDocument[]): Generator<PreparedDocument> {
  for (const document of documents) yield document.load();
}

/** What the index stores of the configured ranking: the settings that are not at their default. */
function resolveRanking({ preset, ...settings }: RankingConfig): RankingSettings {
  const given = Object.entries(settings).filter(([, value]) => value !== null);
  return listChangedSettings({ ...expandPreset(preset), ...Object.fromEntries(given) });
}

/** A document's id is a key of the index, which has a longest length. */
function leaveOutLongPaths(collection: string, found: Discovery): Discovery {
  const isTooLong = ({ path }: DiscoveredFile): boolean =>
    keyOf(makeDocumentId(collection, path)).length > MAX_KEY_BYTES;
  const message = `has a path of more than ${MAX_KEY_BYTES} bytes, its collection's name included`;
  return {
    ...found,
    files: found.files.filter((file) => !isTooLong(file)),
    skipped: [
      ...found.skipped,
      ...found.files
        .filter(isTooLong)
        .map(({ path, bytes }): SkippedFile => ({ path, reason: "path-too-long", message, bytes })),
    ],
  };
}

/** Number documents inside the shard of their access group, in the order of collections and paths. */
function numberDocuments(config: TreelineConfig, discoveries: readonly Discovery[]): LoadTask[] {
  const next = new Map<string, number>();
  return config.collections.flatMap(({ access, name }, collection) =>
    (discoveries[collection] as Discovery).files.map(({ path, state }): LoadTask => {
      const number = next.get(access) ?? 0;
      next.set(access, number + 1);
      const id = makeDocumentId(name, path);
      return { number, collection, path, id, ...(state !== undefined && { state }) };
    }),
  );
}

/** Write each file under another name first, so that a reader never sees half of one. */
function fileWriter(outDir: string): FileSink {
  return async (name, bytes) => {
    const partial = join(outDir, `.${name}.${process.pid}.partial`);
    await writeFile(partial, bytes);
    await rename(partial, join(outDir, name)).catch(async (cause: unknown) => {
      await rm(partial, { force: true });
      throw cause;
    });
  };
}

/** Do what writes to the output folder; what the system refuses is the caller's to mend. */
async function writing<T>(outDir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw createReadError(`cannot write to ${JSON.stringify(outDir)}: ${describeFsError(error)}`, error);
  }
}

async function expectFolder(dir: string, written: string): Promise<void> {
  const found = await statIfThere(dir);
  if (found === undefined) {
    throw new InputError(`folder ${JSON.stringify(written)} does not exist`, await findNearestFolders(dir, written));
  }
  if (!found.isDirectory()) throw new InputError(`${JSON.stringify(written)} is a file; name the folder that holds it`);
}

/** Refuse a folder for the index that cannot be made, before anything is read. */
async function expectNoFile(outDir: string, written: string): Promise<void> {
  for (let path = outDir; ; path = dirname(path)) {
    const found = await statIfThere(path);
    if (found?.isDirectory() === true) return;
    if (found === undefined && path !== dirname(path)) continue;
    throw new InputError(`the index cannot be written to ${JSON.stringify(written)}: ${basename(path)} is a file`);
  }
}

async function statIfThere(path: string): Promise<Stats | undefined> {
  return stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return undefined;
    throw cause;
  });
}

/** Folders beside a missing one, as the caller would write them. */
async function findNearestFolders(dir: string, written: string): Promise<string[]> {
  const entries = await readdir(dirname(dir), { withFileTypes: true }).catch((cause: unknown) => {
    if (isFsError(cause)) return [];
    throw cause;
  });
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return nearestNames(basename(dir), folders, MAX_NEAREST).map((name) => join(dirname(written), name));
}

function emptyCorpus(dir: string, config: TreelineConfig, skipped: BuildLog["skipped"]): InputError {
  const wanted = [...new Set(config.collections.flatMap(({ include }) => include))].join(", ");
  const left =
    skipped.length === 0 ? "" : ` (${skipped.length} files were skipped: ${skipped[0]?.path} ${skipped[0]?.message})`;
  return new InputError(`nothing to index in ${JSON.stringify(basename(dir))}: no file matches ${wanted}${left}`);
}

function nameOf(config: TreelineConfig, collection: number): string {
  return (config.collections[collection] as CollectionConfig).name;
}

function summarize(
  { description: { collections, log }, commit }: ReadCorpus,
  written: WrittenGeneration,
): Omit<BuildSummary, keyof ReuseCounts | "notice"> {
  const sum = (count: (collection: CollectionInfo) => number): number =>
    collections.reduce((total, collection) => total + count(collection), 0);
  return {
    generation: written.generation,
    commit,
    documents: sum((collection) => collection.documents),
    sections: sum((collection) => collection.sections),
    words: sum((collection) => collection.words),
    terms: written.terms,
    files: written.files.length + 1,
    indexBytes: written.indexBytes,
    textBytes: written.textBytes,
    skipped: log.skipped,
    diagnostics: log.diagnostics,
    diagnosticCount: log.diagnosticCount,
    facetKeysLeftOut: log.facetKeysLeftOut,
  };
}
