/**
 * Builds an index: a folder in, a generation out.
 *
 * The path of a build, in the order of `build` below:
 * 1. `loadConfig`, glossary, categories: what to index and how.
 * 2. `findCorpus` (`read-corpus.ts`): discovers and hashes the files of every collection. Where an index was made of the same inputs, it
 *    stays (`unchanged.ts`). Else `prepareCorpus` loads each document, from the parse cache or parsed now (`load-documents.ts`, in worker
 *    threads `prepare-worker.ts` and `prepare-document.ts`).
 * 3. `describe` (`describe-corpus.ts`): what needs all documents: links, code, topics, insights, synonyms, the log.
 * 4. `chooseShards`: everything, or what changed since a base (`levels/choose-levels.ts`).
 * 5. `writeGeneration`: text, tables, root and pointer, into the output folder (`output-folder.ts`).
 * 6. `cache.save`: what the next build can use.
 *
 * Steps 3 to 5 are tried again without the files that make them throw (`stages.ts`). The result depends on the files, the
 * configuration and the commit alone: not on the folder's path, the order of listings, the number of threads or the time.
 */

import { hash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { FormatError, InputError, StaleGenerationError } from "../../src/core/errors.ts";
import { decodeLog } from "../../src/core/format/build-log.ts";
import { decodeFileRecord } from "../../src/core/format/file-tables.ts";
import { decodeManifest, decodePointer, encodePointer, readBuildTime } from "../../src/core/format/generation.ts";
import type { CollectionInfo } from "../../src/core/format/root.ts";
import { entriesOf, IndexReader } from "../../src/core/index/index-reader.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { codeShards } from "../../src/core/index/shards.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { expandPreset, listChangedSettings, type RankingSettings } from "../../src/core/search/ranking-settings.ts";
import { HostError } from "../../src/web/host-error.ts";
import { inflateRaw } from "../base/codec.ts";
import { createReadError, describeFsError, expectFolder, expectNoFile, isFsError } from "../base/file-system.ts";
import { CACHE_BYTES, openSource, readWhole } from "../base/index-source.ts";
import type { TreelineConfig } from "../config/config.ts";
import { loadCategories, loadGlossary } from "../config/topic-files.ts";
import { loadConfig } from "../sources/load-config.ts";
import { chooseFacetKeys } from "../topics/facets.ts";
import type { BuildLog } from "./build-log.ts";
import { type BuildMemory, DocumentCache } from "./cache/document-cache.ts";
import type { CorpusWords } from "./describe-corpus.ts";
import { afterFailure, codeDigest, digestSettings } from "./digests.ts";
import type { ChosenShards } from "./levels/choose-levels.ts";
import { keysOf, type Progress } from "./load-documents.ts";
import { type LockOptions, readIfThere, writeToFolder } from "./output-folder.ts";
import { allShards, findCorpus, type PreciseRequest, prepareCorpus, type ReadCorpus } from "./read-corpus.ts";
import { type BeforeStage, DamagedCacheError, isolateFiles, toStageError } from "./stages.ts";
import type { ToolFiles, ToolPaths } from "./tool-files.ts";
import { type GenerationInput, type WrittenGeneration, writeGeneration } from "./write-generation.ts";
import type { FileSink } from "./write-table.ts";
import { holdsItsName } from "./write-table.ts";

type Built = NonNullable<GenerationInput["built"]>;

/** A running server writes its parse cache when so many documents are not in it. */
const UNSAVED_DOCUMENTS = 200;

export interface BuildRequest extends ToolPaths, PreciseRequest {
  /** Folder with the documentation, and with `treeline.config.json` where there is one. */
  readonly dir: string;
  /** File of the configuration, where it is not that of the folder. What it names is relative to `dir`. */
  readonly config?: string;
  readonly outDir: string;
  readonly progress?: Progress;
  /** Threads beside the main one; chosen by the number of files when absent. The result does not depend on it. */
  readonly threads?: number;
  /** Folder or address of an index to build on: what did not change is taken over from it. */
  readonly base?: string;
  /** Whether commands of the configuration run. A repository must not decide it. */
  readonly allowCommands?: boolean;
  /** Folder for the parse cache; none is kept when absent. The result does not depend on it. */
  readonly cacheDir?: string;
  /** What a running server keeps between its builds, in place of `cacheDir`. */
  readonly memory?: BuildMemory;
  /** Milliseconds since 1970. With it the pointer says when the index was built, and how long that took; nothing else depends on it. */
  readonly clock?: () => number;
  /** Called before each stage handles a file; only `threads: 0` reaches every file. */
  readonly before?: BeforeStage;
  readonly output?: Partial<LockOptions>;
}

/** What a build took over, and what it wrote. */
interface ReuseCounts {
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

export interface BuildSummary extends ReuseCounts {
  /** Why the base that was asked for was not used; `""` where it was, or none was asked for. */
  readonly notice: string;
  readonly generation: string;
  /** Documents of the levels of each access group, the oldest first. */
  readonly levels: WrittenGeneration["levels"];
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
  readonly precise?: "incomplete";
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

/** The path of a build: each step takes what the one before it made. */
async function build(request: BuildRequest): Promise<BuildSummary> {
  const startedAt = request.clock?.();
  const dir = resolve(request.dir);
  const outDir = resolve(request.outDir);
  await expectFolder(dir, request.dir);
  const settled = await loadConfig(dir, request.config);
  const { precise = settled.precise, isKnownOnly, signal } = request;
  const asked = { ...settled, precise, ...(request.allowCommands === true && { commandsAllowed: true as const }) };
  const glossary = await loadGlossary(dir, asked.glossary);
  const categories = await loadCategories(dir, asked.categories, asked.categoriesFrom);
  const tools = await openToolFiles(request);
  await expectNoFile(outDir, request.outDir);
  const { failOn } = asked;
  const { progress = () => undefined, threads, before } = request;
  const words = { glossary, categories };
  const { config, ...files } = await findCorpus(dir, asked);
  const inputs = tools === undefined ? digestInputs(files, config, words) : undefined;
  // A build without a cache is asked to parse everything.
  if (inputs !== undefined && (request.memory ?? request.cacheDir) !== undefined) {
    const { base, output } = request;
    const same = await writing(request.outDir, () => reuseIndex(inputs, base, outDir, output));
    if (same !== undefined) return { ...same, failOn };
  }
  const memory = request.memory ?? { cache: DocumentCache.open(request.cacheDir) };
  try {
    const context = { cache: memory.cache, progress, threads, before, asking: { isKnownOnly, signal } };
    const prepared = await prepareCorpus(dir, words, { ...files, config }, context, tools);
    const settings = digestSettings(config, glossary);
    const encode = (corpus: ReadCorpus, choice: ChosenShards, sink: FileSink, own = settings, built?: Built) =>
      atEncode(corpus, before, () => write(corpus, config, { settings: own, threads }, choice, sink, built));
    const { chosen, written, corpus } = await isolateFiles(prepared.documents, {
      toPlain: prepared.toPlain,
      trial: async (documents, leftOut, stage) => {
        const corpus = prepared.describe(documents, leftOut);
        if (stage === "encode") await encode(corpus, chooseAll(corpus, config), async () => undefined);
      },
      work: async (documents, leftOut) => {
        const described = prepared.describe(documents, leftOut);
        // What later stages gave up is not what the same files are otherwise: no index is built on another then.
        const isWhole =
          !prepared.isIncomplete && leftOut.size === 0 && documents.every(({ task }) => task.plain === undefined);
        const own = isWhole ? settings : afterFailure(settings);
        // The base may be in the folder that is written, so it is read while nobody else writes there.
        const writeInto = async (sink: FileSink) => {
          const base = { place: request.base, settings: own, isWhole, memory };
          const { chosen, corpus } = await chooseShards(described, config, base, { outDir, sink });
          const { base: place, clock } = request;
          // A file that was changed while it was read says nothing of the index of either content; nor does a checker that gave up.
          const isAsHashed =
            isWhole && corpus.precise === undefined && documents.every(({ task, card }) => task.hash === card.hash);
          const built: Built = () => {
            const now = clock?.() ?? 0;
            const digest = place === undefined ? inputs?.whole : inputs?.onBase;
            const own = isAsHashed && digest !== undefined && { inputs: digest };
            return { at: new Date(now).toISOString(), ms: Math.round(now - (startedAt ?? 0)), ...own };
          };
          return { chosen, corpus, written: await encode(corpus, chosen, sink, own, clock && built) };
        };
        return writing(request.outDir, () => writeToFolder(outDir, writeInto, request.output));
      },
    });
    // A running server has what it parsed in memory, and writes it now and then.
    if (request.memory === undefined || memory.cache.unsaved >= UNSAVED_DOCUMENTS) {
      memory.cache.save(keysOf(corpus.documents));
    }
    return { ...summarize(corpus, written), ...written.counts, notice: chosen.notice, failOn };
  } finally {
    if (request.memory === undefined) memory.cache.close();
  }
}

async function openToolFiles({ reports = [], scip = [] }: ToolPaths): Promise<ToolFiles | undefined> {
  if (reports.length + scip.length === 0) return undefined;
  const { readToolFiles } = await import("./tool-files.ts");
  return readToolFiles({ reports, scip });
}

interface Written {
  readonly generation: WrittenGeneration;
  readonly counts: ReuseCounts;
  readonly facetKeysLeftOut: BuildLog["facetKeysLeftOut"];
}

interface WantedBase {
  /** Folder or address; undefined where none is asked for. */
  readonly place: string | undefined;
  readonly settings: string;
  readonly isWhole: boolean;
  readonly memory: BuildMemory;
}

/** The shards to write, and the corpus with what a base adds to its log. */
async function chooseShards(
  corpus: ReadCorpus,
  config: TreelineConfig,
  { place, settings, isWhole, memory }: WantedBase,
  target: { readonly outDir: string; readonly sink: FileSink },
): Promise<{ readonly chosen: ChosenShards; readonly corpus: ReadCorpus }> {
  if (place === undefined) return { chosen: chooseAll(corpus, config), corpus };
  if (!isWhole) return { chosen: { ...chooseAll(corpus, config), notice: "a stage failed, see the errors" }, corpus };
  const { chooseLevels } = await import("./levels/choose-levels.ts");
  const chosen = await chooseLevels(corpus, config, settings, place, memory, target);
  return { chosen, corpus: { ...corpus, description: { ...corpus.description, log: chosen.log } } };
}

function chooseAll(corpus: ReadCorpus, config: TreelineConfig): ChosenShards {
  return { shards: allShards(corpus, config), log: corpus.description.log, base: undefined, notice: "" };
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

async function write(
  corpus: ReadCorpus,
  config: TreelineConfig,
  made: Pick<GenerationInput, "settings" | "threads">,
  { shards, base }: ChosenShards,
  sink: FileSink,
  built: Built | undefined,
): Promise<Written> {
  let newBytes = 0;
  const known = new Set(base === undefined ? [] : [...base.index.files.map(({ name }) => name), base.index.manifest]);
  const count: FileSink = async (name, bytes) => {
    const isSame = name === POINTER_FILE ? newBytes === 0 && known.size > 0 : known.has(name);
    if (!isSame) newBytes += bytes.length;
    await sink(name, bytes);
  };
  const files = base?.files ?? [];
  const { description, commit, builtAt, dirty, precise, roles } = corpus;
  const facets = chooseFacetKeys(
    shards.map((shard) => ({ documents: shard.documents.map(({ card }) => card), keys: shard.facetKeys })),
    config.facets,
  );
  const generation = await writeGeneration(
    {
      commit,
      builtAt,
      ...(dirty === true && { dirty }),
      ...(precise !== undefined && { precise }),
      collections: description.collections,
      ranking: resolveRanking(config.ranking),
      facetKeys: facets.keys,
      roles,
      ...(config.face !== undefined && { project: config.face.project }),
      log: { ...description.log, facetKeysLeftOut: facets.leftOut, ...config.face?.picture },
      ...made,
      known: files,
      shards,
      ...(built !== undefined && { built }),
    },
    count,
  );
  const reusedBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return {
    generation,
    counts: { ...countChanges(base, corpus), newBytes, reusedBytes },
    facetKeysLeftOut: facets.leftOut,
  };
}

/** What changed since the base; all documents are new where there is none. */
function countChanges(
  base: ChosenShards["base"],
  { documents }: ReadCorpus,
): Pick<ReuseCounts, "base" | "added" | "changed" | "deleted"> {
  if (base === undefined) return { base: "", added: documents.length, changed: 0, deleted: 0 };
  const { levels, reader } = base.index;
  const before = new Map<string, string>();
  for (const { documents: own, file } of levels) {
    const deleted = new Set(file.deleted);
    for (const { id, number, hash } of own) if (!deleted.has(number)) before.set(id, hash);
  }
  const known = documents.filter(({ task }) => before.has(task.id));
  return {
    base: reader.index.generation.id,
    added: documents.length - known.length,
    changed: known.filter(({ task, card }) => before.get(task.id) !== card.hash).length,
    deleted: before.size - known.length,
  };
}

/** What the index stores of the configured ranking: the settings that are not at their default. */
function resolveRanking({ preset, ...settings }: TreelineConfig["ranking"]): RankingSettings {
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

function summarize(
  { description: { collections, log, code }, commit, precise }: ReadCorpus,
  { generation: written, facetKeysLeftOut }: Written,
): Omit<BuildSummary, keyof ReuseCounts | "notice" | "failOn"> {
  const sum = (count: (collection: CollectionInfo) => number): number =>
    collections.reduce((total, collection) => total + count(collection), 0);
  return {
    generation: written.generation,
    levels: written.levels,
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
    facetKeysLeftOut,
    ...(precise !== undefined && { precise }),
  };
}

/*
 * A build of what an index was made of before: nothing is parsed and nothing is written anew.
 *
 * The pointer holds a digest of everything that an index depends on. Where that is as it was, the index is what a build would write.
 */

type CorpusFiles = Omit<Awaited<ReturnType<typeof findCorpus>>, "config">;

const DIGITS = 16;

/**
 * Digests of all that an index depends on: of one from scratch, and of one that was built on another, whose parts may be divided
 * otherwise. Undefined where a file cannot be read.
 */
function digestInputs({ tasks, discoveries, ...files }: CorpusFiles, config: TreelineConfig, words: CorpusWords) {
  if (tasks.some((task) => task.hash === undefined)) return undefined;
  const found = discoveries.map(({ skipped, diagnostics }) => [skipped, diagnostics]);
  const contents = tasks.map((task) => [task.id, task.hash]);
  const all = JSON.stringify([codeDigest(), config, words, found, contents, files]);
  const digest = (kind: string): string => hash("sha256", `${kind} ${all}`, "hex").slice(0, DIGITS);
  return { whole: digest("whole"), onBase: digest("on a base") };
}

/**
 * The summary of the index of the same inputs, which the output folder holds then; undefined where there is none, or one that is
 * damaged.
 *
 * @param base Folder or address of the index to build on; the output folder is asked where there is none.
 */
async function reuseIndex(
  { whole, onBase }: NonNullable<ReturnType<typeof digestInputs>>,
  base: string | undefined,
  outDir: string,
  output: Partial<LockOptions> | undefined,
) {
  const source = openSource(base ?? outDir);
  try {
    const found = await source.readPointer();
    if (found === undefined || found === "unchanged") return undefined;
    const built = readBuildTime(found.bytes);
    if (built?.inputs !== whole && (base === undefined || built?.inputs !== onBase)) return undefined;
    const pointer = decodePointer(found.bytes);
    const { files } = decodeManifest(await readWhole(source, pointer.manifest));
    await writeToFolder(
      outDir,
      async (sink) => {
        for (const name of [...files.map((file) => file.name), pointer.manifest]) {
          const own = await readIfThere(join(outDir, name));
          if (own !== undefined && holdsItsName(name, own)) continue;
          const bytes = await readWhole(source, name);
          if (!holdsItsName(name, bytes)) throw new FormatError(name, { code: "malformed", reason: "is damaged" });
          await sink(name, bytes);
        }
        const own = await readIfThere(join(outDir, POINTER_FILE));
        const isSame = own !== undefined && decodePointer(own).generation === pointer.generation;
        if (!isSame || readBuildTime(own)?.inputs !== built?.inputs) {
          await sink(POINTER_FILE, encodePointer({ ...pointer, previous: [], ...(built !== undefined && { built }) }));
        }
      },
      output,
    );
    const log = await decodeLog(await readWhole(source, pointer.log), inflateRaw);
    const reader = new IndexReader(await openIndex(found.bytes, source, inflateRaw, new LruCache(CACHE_BYTES)), "all");
    const { id, commit, documents, sections, words, terms, indexBytes, textBytes } = reader.index.generation;
    return {
      ...{ generation: id, commit, documents, sections, words, terms, indexBytes, textBytes },
      ...(log as BuildLog),
      levels: reader.shards.map(({ root: { group, documents: own } }) => ({ group, documents: own })),
      symbols: await countSymbols(reader),
      files: files.length + 2,
      ...{ base: id, notice: "", added: 0, changed: 0, deleted: 0, newBytes: 0 },
      reusedBytes: files.reduce((sum, file) => sum + file.bytes, 0),
    };
  } catch (error) {
    // What is wrong is said by the build that follows.
    if (error instanceof FormatError || error instanceof StaleGenerationError || isFsError(error)) return undefined;
    throw error;
  }
}

async function countSymbols(reader: IndexReader): Promise<number> {
  const { tables } = await reader.read(
    codeShards(reader).map(({ index }) => ({ shard: index, table: "symbols", keys: "all" })),
  );
  const files = tables.flatMap((chunks) => [...entriesOf(chunks)]);
  return files.reduce((sum, [, bytes]) => sum + decodeFileRecord(bytes).symbols.length, 0);
}
