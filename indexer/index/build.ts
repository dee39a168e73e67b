/**
 * Build: a folder in, a generation out.
 *
 * Discover the files of every collection, prepare each on its own (in worker threads), then what needs all of them:
 * links, facets, shards. The result depends on the tree, the configuration and the commit alone: not on the folder's
 * place, the order in which files are listed, the number of threads or the time.
 */
import type { Stats } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { FormatError, InputError } from "../../src/core/errors.ts";
import { type BuildTime, decodePointer, readBuildTime } from "../../src/core/format/generation.ts";
import type { CollectionInfo } from "../../src/core/format/root.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { expandPreset, listChangedSettings, type RankingSettings } from "../../src/core/search/ranking-settings.ts";
import { nearestNames } from "../../src/core/text/nearest.ts";
import { HostError } from "../../src/web/host-error.ts";
import { createReadError, describeFsError, isFsError } from "../base/file-system.ts";
import { loadCategories } from "../config/categories-file.ts";
import type { RankingConfig, TreelineConfig } from "../config/config.ts";
import { loadGlossary } from "../config/glossary.ts";
import { loadConfig } from "../sources/load-config.ts";
import type { BuildLog } from "./build-log.ts";
import { BuildMemory } from "./build-memory.ts";
import { DamagedCacheError } from "./cache/damaged-cache.ts";
import { cacheKey, type DocumentCache } from "./cache/document-cache.ts";
import type { FileHashes } from "./cache/file-hashes.ts";
import { allShards, type ChosenShards, chooseShards, type UsedBase } from "./delta/choose-shards.ts";
import { logGoneSymbols } from "./delta/gone-symbols.ts";
import { digestSynonyms } from "./delta/make-delta.ts";
import type { LockOptions } from "./folder-lock.ts";
import { isolateFiles } from "./isolate-files.ts";
import { digestCollection } from "./load-documents.ts";
import { writeToFolder } from "./output-folder.ts";
import type { FileSink } from "./pack-writer.ts";
import type { PoolOptions, Progress } from "./prepare-pool.ts";
import { prepareCorpus, type ReadCorpus } from "./read-corpus.ts";
import { readToolFiles, type ToolPaths } from "./read-tool-files.ts";
import { afterFailure, digestSettings } from "./settings-digest.ts";
import { type BeforeStage, toStageError } from "./stages.ts";
import { type GenerationInput, type WrittenGeneration, writeGeneration } from "./write-generation.ts";

type Built = NonNullable<GenerationInput["built"]>;

/** A running server writes its parse cache when so many documents are not in it. */
const UNSAVED_DOCUMENTS = 200;
/** Folders offered when one does not exist. */
const MAX_NEAREST = 3;

/** What to build and where to put it. */
export interface BuildRequest extends ToolPaths {
  /** Folder with the documentation, and with `treeline.config.json` where there is one. */
  readonly dir: string;
  /** File of the configuration, where it is not that of the folder. What it names is relative to `dir`. */
  readonly config?: string;
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
  /** Milliseconds since 1970. With it the pointer says when the index was built, and how long that took; nothing else depends on it. */
  readonly clock?: () => number;
  /** Whether pages read the index from files, so that their searches take few rounds; the pointer is larger for it. */
  readonly isForPages?: boolean;
  /** Called before each stage handles a file; only `threads: 0` reaches every file. */
  readonly before?: BeforeStage;
  /** How the output folder is written and waited for. */
  readonly output?: Partial<LockOptions>;
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
  /** Of source files. */
  readonly symbols: number;
  readonly terms: number;
  readonly files: number;
  readonly indexBytes: number;
  readonly textBytes: number;
  readonly skipped: BuildLog["skipped"];
  readonly diagnostics: BuildLog["diagnostics"];
  readonly diagnosticCount: number;
  readonly facetKeysLeftOut: BuildLog["facetKeysLeftOut"];
  /** What the configuration says that makes a build fail; the build itself does not. */
  readonly failOn: readonly string[];
}

/**
 * Build the folder's index into `outDir`. The pointer is written last, so a reader sees the old index or the new one.
 *
 * @throws {InputError} when the folder, its configuration or its content cannot be used.
 */
export async function buildCorpus(request: BuildRequest): Promise<BuildSummary> {
  try {
    return await build(request);
  } catch (error) {
    if (!(error instanceof DamagedCacheError)) throw error;
    // What the cache listed and did not hold is parsed again, and the rest with it.
    const { cacheDir, memory: _, ...rest } = request;
    if (cacheDir !== undefined) await rm(cacheDir, { recursive: true, force: true });
    return build({ ...rest, ...(cacheDir !== undefined && { cacheDir }) });
  }
}

async function build(request: BuildRequest): Promise<BuildSummary> {
  const startedAt = request.clock?.();
  const dir = resolve(request.dir);
  await expectFolder(dir, request.dir);
  const config = await loadConfig(dir, request.config);
  const glossary = await loadGlossary(dir, config.glossary);
  const categories = await loadCategories(dir, config.categories);
  const tools = await readToolFiles(request);
  const outDir = resolve(request.outDir);
  await expectNoFile(outDir, request.outDir);
  const memory = request.memory ?? (await BuildMemory.open(request.cacheDir));
  const { cache, hashes } = memory;
  try {
    const context = { cache, hashes, progress: request.progress ?? (() => undefined), ...poolOf(request) };
    const prepared = await prepareCorpus(dir, config, { glossary, categories }, context, tools);
    const { isForPages = false } = request;
    const settings = digestSettings(config, glossary, isForPages);
    const generate = (corpus: ReadCorpus, sink: FileSink, choice: ChosenShards, own = settings, built?: Built) =>
      atEncode(corpus, request.before, () => write(corpus, config, { settings: own, isForPages }, choice, sink, built));
    const { chosen, written, corpus } = await isolateFiles(prepared.documents, {
      toPlain: prepared.toPlain,
      trial: async (documents, leftOut, stage) => {
        const corpus = prepared.describe(documents, leftOut);
        const choice = { shards: allShards(corpus, config), base: undefined, notice: "" };
        if (stage === "encode") await generate(corpus, async () => undefined, choice);
      },
      work: async (documents, leftOut) => {
        const read = prepared.describe(documents, leftOut);
        // What later stages gave up is not what the same files are otherwise: no index is built on another then.
        const isWhole = leftOut.size === 0 && documents.every(({ task }) => task.plain === undefined);
        const [own, base] = isWhole ? [settings, request.base] : [afterFailure(settings), undefined];
        // The base may stand in the folder that is written, so it is read while nobody else writes there.
        return writing(request.outDir, () =>
          writeToFolder(
            outDir,
            async (sink) => {
              const shards = await chooseShards(read, config, own, base, memory, { outDir, sink });
              const isLeft = !isWhole && request.base !== undefined;
              const choice = isLeft ? { ...shards, notice: "a stage failed, see the errors" } : shards;
              const log = choice.base === undefined ? undefined : await logGoneSymbols(choice.base, read, config);
              const known = log === undefined ? read : { ...read, description: { ...read.description, log } };
              const built =
                startedAt === undefined
                  ? undefined
                  : async (generation: string) =>
                      (await findBuilt(generation, choice.base, outDir)) ?? timeOf(startedAt, request.clock?.() ?? 0);
              return { chosen: choice, corpus: known, written: await generate(known, sink, choice, own, built) };
            },
            request.output,
          ),
        );
      },
    });
    // A running server has what it parsed in memory, and writes it now and then.
    if (request.memory === undefined || cache.unsaved >= UNSAVED_DOCUMENTS) {
      const used = [...corpus.documents.map(({ key }) => key), ...listBaseKeys(chosen.base, config)];
      await saveCache(cache, hashes, used);
    }
    const { failOn } = config;
    return { ...summarize(corpus, written.generation), ...written.counts, notice: chosen.notice, failOn };
  } finally {
    if (request.memory === undefined) memory.close();
  }
}

function poolOf({ threads, before }: BuildRequest): PoolOptions {
  return { ...(threads !== undefined && { threads }), ...(before !== undefined && { before }) };
}

/** Does the last stage, which goes through all documents. */
async function atEncode<T>(corpus: ReadCorpus, before: BeforeStage | undefined, work: () => Promise<T>): Promise<T> {
  try {
    for (const { task } of corpus.documents) if (task.plain === undefined) before?.("encode", task.path);
    return await work();
  } catch (error) {
    throw toStageError("encode", error);
  }
}

/** Write a generation. */
async function write(
  corpus: ReadCorpus,
  config: TreelineConfig,
  made: Pick<GenerationInput, "settings" | "isForPages">,
  { shards, base }: ChosenShards,
  sink: FileSink,
  built: Built | undefined,
): Promise<{ readonly generation: WrittenGeneration; readonly counts: ReuseCounts }> {
  let newBytes = 0;
  const known = new Set(base === undefined ? [] : [...base.index.files.map(({ name }) => name), base.index.manifest]);
  const count: FileSink = async (name, bytes) => {
    const isSame = name === POINTER_FILE ? newBytes === 0 && known.size > 0 : known.has(name);
    if (!isSame) newBytes += bytes.length;
    await sink(name, bytes);
  };
  const files = base?.files ?? [];
  const { description, commit, builtAt, dirty } = corpus;
  const generation = await writeGeneration(
    {
      commit,
      builtAt,
      ...(dirty === true && { dirty }),
      collections: description.collections,
      ranking: resolveRanking(config.ranking),
      facetKeys: description.facetKeys,
      log: description.log,
      ...made,
      synonymSets: Object.fromEntries([...description.synonyms].map(([group, sets]) => [group, digestSynonyms(sets)])),
      ...(base !== undefined && { kept: { packs: base.index.root.packs, files, shards: base.shards } }),
      shards,
      ...(built !== undefined && { built }),
    },
    count,
  );
  const reusedBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { generation, counts: { ...countChanges(base, corpus), newBytes, reusedBytes } };
}

function timeOf(startedAt: number, now: number): BuildTime {
  return { at: new Date(now).toISOString(), ms: Math.round(now - startedAt) };
}

/**
 * The time of the build that wrote the same generation before, as a base or into the same folder; undefined where there is none. It
 * stays: a build that changes nothing leaves the pointer as it is, too.
 */
async function findBuilt(
  generation: string,
  base: UsedBase | undefined,
  outDir: string,
): Promise<BuildTime | undefined> {
  if (base?.index.generation === generation && base.index.built !== undefined) return base.index.built;
  try {
    const bytes = await readFile(join(outDir, POINTER_FILE));
    return decodePointer(bytes).generation === generation ? readBuildTime(bytes) : undefined;
  } catch (error) {
    if (error instanceof FormatError || isFsError(error)) return undefined;
    throw error;
  }
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

/** What the index stores of the configured ranking: the settings that are not at their default. */
function resolveRanking({ preset, ...settings }: RankingConfig): RankingSettings {
  const given = Object.entries(settings).filter(([, value]) => value !== null);
  return listChangedSettings({ ...expandPreset(preset), ...Object.fromEntries(given) });
}

/** Do what writes to the output folder; what the system refuses is the caller's to mend. */
async function writing<T>(outDir: string, work: () => Promise<T>): Promise<T> {
  const explain = (reason: string): string => `cannot write to ${JSON.stringify(outDir)}: ${reason}`;
  try {
    return await work();
  } catch (error) {
    // What is wrong with the base that is built on says so itself.
    if (error instanceof HostError) throw error;
    if (error instanceof InputError) throw new InputError(explain(error.message), error.nearest, error.example);
    if (!isFsError(error)) throw error;
    // A folder that was made is there, unless somebody takes it away. Where it cannot be made, some systems say `ENOENT`.
    const isMaking = error.code === "ENOENT" && "syscall" in error && error.syscall === "mkdir";
    const reason = isMaking
      ? "the folder cannot be made there; choose one that you may write to"
      : error.code === "ENOENT"
        ? "the folder was removed meanwhile"
        : describeFsError(error);
    throw createReadError(explain(reason), error);
  }
}

/** @throws {InputError} when there is no such folder; `written`: as the caller wrote it. */
export async function expectFolder(dir: string, written: string): Promise<void> {
  const found = await statIfThere(dir);
  if (found === undefined) {
    throw new InputError(`folder ${JSON.stringify(written)} does not exist`, await findNearestFolders(dir, written));
  }
  if (!found.isDirectory()) throw new InputError(`${JSON.stringify(written)} is a file; name the folder that holds it`);
}

/** Refuse a folder for the index, or a part of it, that cannot be made, before anything is read. @throws {InputError} */
export async function expectNoFile(outDir: string, written: string): Promise<void> {
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
    if (!isFsError(cause)) throw cause;
    throw createReadError(`cannot use ${JSON.stringify(path)}: ${describeFsError(cause)}`, cause);
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

function summarize(
  { description: { collections, log, code }, commit }: ReadCorpus,
  written: WrittenGeneration,
): Omit<BuildSummary, keyof ReuseCounts | "notice" | "failOn"> {
  const sum = (count: (collection: CollectionInfo) => number): number =>
    collections.reduce((total, collection) => total + count(collection), 0);
  return {
    generation: written.generation,
    commit,
    documents: sum((collection) => collection.documents),
    sections: sum((collection) => collection.sections),
    words: sum((collection) => collection.words),
    symbols: [...code.values()].flatMap(({ files }) => files).reduce((total, file) => total + file.symbols.length, 0),
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
