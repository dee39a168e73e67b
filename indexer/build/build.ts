/**
 * Build: a folder in, a generation out.
 *
 * Discover the files of every collection, prepare each on its own (in worker threads), then what needs all of them:
 * links, facets, shards. The result depends on the tree, the configuration and the commit alone: not on the folder's
 * place, the order in which files are listed, the number of threads or the time.
 */
import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { keyOf } from "../../src/core/bytes/key.ts";
import { InputError } from "../../src/core/errors.ts";
import { MAX_KEY_BYTES } from "../../src/core/format/chunk.ts";
import type { CollectionInfo } from "../../src/core/format/collection.ts";
import { expandPreset, listChangedSettings, type RankingSettings } from "../../src/core/search/ranking-settings.ts";
import { nearestNames } from "../../src/core/text/nearest.ts";
import { makeDocumentId } from "../../src/core/tree/node-id.ts";
import { type CollectionConfig, loadConfig, type RankingConfig, type TreelineConfig } from "../config.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { chooseFacetKeys } from "../facets.ts";
import { type GlossaryEntry, loadGlossary } from "../glossary.ts";
import { type LinkSource, resolveLinks } from "../link/links.ts";
import { type Discovery, discoverFiles } from "../sources/discover.ts";
import { createReadError, describeFsError, isFsError } from "../sources/file-system.ts";
import { readCommit } from "../sources/git-commit.ts";
import type { SkippedFile } from "../sources/skipped-file.ts";
import type { DiscoveredFile } from "../sources/walk.ts";
import { makeGroupSynonyms } from "../taxonomy/synonyms.ts";
import { type BuildLog, makeBuildLog } from "./build-log.ts";
import { describeCollection } from "./describe-collection.ts";
import type { LockOptions } from "./folder-lock.ts";
import { writeToFolder } from "./output-folder.ts";
import type { PrepareTask } from "./prepare-document.ts";
import { type Progress, prepareDocuments } from "./prepare-pool.ts";
import { type WrittenGeneration, writeGeneration } from "./write-generation.ts";
import type { ShardInput } from "./write-shard.ts";

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
  /** How the output folder is written and waited for. */
  readonly output?: Partial<LockOptions>;
}

/** What a build did. */
export interface BuildSummary {
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
 * Builds into one folder write one after another.
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
  const corpus = await readCorpus(dir, config, glossary, request.progress ?? (() => undefined), request.threads);
  const written = await writing(request.outDir, () =>
    writeToFolder(outDir, (sink) => writeGeneration(corpus, sink), request.output),
  );
  return summarize(corpus, written);
}

type Corpus = Parameters<typeof writeGeneration>[0];

async function readCorpus(
  dir: string,
  config: TreelineConfig,
  glossary: readonly GlossaryEntry[],
  progress: Progress,
  threads?: number,
): Promise<Corpus> {
  const discoveries: Discovery[] = [];
  for (const collection of config.collections) {
    discoveries.push(leaveOutLongPaths(collection.name, await discoverFiles(collection, dir, config.limits)));
  }
  const tasks = numberDocuments(config, discoveries);
  const setup = { collections: config.collections, roots: discoveries.map(({ root }) => root), limits: config.limits };
  const prepared = await prepareDocuments(tasks, setup, progress, threads);
  const documents = prepared.flatMap((result) => (result.ok ? [result.document] : []));
  const skipped = [
    ...discoveries.flatMap((found, index) =>
      found.skipped.map((file) => ({ ...file, collection: nameOf(config, index) })),
    ),
    ...prepared.flatMap((result, index) =>
      result.ok ? [] : [{ ...result.skipped, collection: nameOf(config, (tasks[index] as PrepareTask).collection) }],
    ),
  ];
  if (documents.length === 0) throw emptyCorpus(dir, config, skipped);

  const { commit, committedAt } = await readCommit(dir);
  const sources = documents.map((document): LinkSource => {
    const { name, baseUrl, root, access } = config.collections[document.collection] as CollectionConfig;
    return { collection: name, baseUrl, root, access, document };
  });
  const { links, diagnostics: linkDiagnostics } = resolveLinks(sources);
  const facets = chooseFacetKeys(
    documents.map((document) => document.facets),
    config.facets,
  );
  const inCollection = (index: number, list: readonly Diagnostic[]): BuildLog["diagnostics"] =>
    list.map((diagnostic) => ({ ...diagnostic, collection: nameOf(config, index) }));
  const log = makeBuildLog(
    skipped,
    [
      ...discoveries.flatMap((found, index) => inCollection(index, found.diagnostics)),
      ...documents.flatMap((document) => inCollection(document.collection, document.diagnostics)),
      ...linkDiagnostics,
    ],
    facets.leftOut,
  );
  const groups = [...new Set(config.collections.map(({ access }) => access))].sort();
  return {
    commit,
    builtAt: committedAt ?? "",
    collections: config.collections.map((collection, index) =>
      describeCollection(collection, index, documents, commit),
    ),
    ranking: resolveRanking(config.ranking),
    facetKeys: facets.keys,
    log,
    shards: groups.map(
      (group): ShardInput => ({
        group,
        documents: documents
          .filter((document) => config.collections[document.collection]?.access === group)
          .sort((a, b) => a.number - b.number),
        collectionName: (document) => nameOf(config, document.collection),
        facetKeys: facets.keys,
        links,
        synonyms: makeGroupSynonyms(group, config.collections, documents, glossary),
      }),
    ),
  };
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
function numberDocuments(config: TreelineConfig, discoveries: readonly Discovery[]): PrepareTask[] {
  const next = new Map<string, number>();
  return config.collections.flatMap(({ access }, collection) =>
    (discoveries[collection] as Discovery).files.map(({ path }) => {
      const number = next.get(access) ?? 0;
      next.set(access, number + 1);
      return { number, collection, path };
    }),
  );
}

/** Do what writes to the output folder; what the system refuses is the caller's to mend. */
async function writing<T>(outDir: string, work: () => Promise<T>): Promise<T> {
  const explain = (reason: string): string => `cannot write to ${JSON.stringify(outDir)}: ${reason}`;
  try {
    return await work();
  } catch (error) {
    if (error instanceof InputError) throw new InputError(explain(error.message), error.nearest, error.example);
    if (!isFsError(error)) throw error;
    // A folder that was made is there, unless somebody takes it away.
    const reason = error.code === "ENOENT" ? "the folder was removed meanwhile" : describeFsError(error);
    throw createReadError(explain(reason), error);
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

function summarize(corpus: Corpus, written: WrittenGeneration): BuildSummary {
  const sum = (count: (collection: CollectionInfo) => number): number =>
    corpus.collections.reduce((total, collection) => total + count(collection), 0);
  return {
    generation: written.generation,
    commit: corpus.commit,
    documents: sum((collection) => collection.documents),
    sections: sum((collection) => collection.sections),
    words: sum((collection) => collection.words),
    terms: written.terms,
    files: written.files.length + 1,
    indexBytes: written.indexBytes,
    textBytes: written.textBytes,
    skipped: corpus.log.skipped,
    diagnostics: corpus.log.diagnostics,
    diagnosticCount: corpus.log.diagnosticCount,
    facetKeysLeftOut: corpus.log.facetKeysLeftOut,
  };
}
