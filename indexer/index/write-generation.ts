/**
 * Write one generation: shards, root, log, manifest, and last the pointer.
 *
 * Every file but the pointer is named by its content, so writing a generation never disturbs one that is being read.
 */

import { encodeLog } from "../../src/core/format/build-log.ts";
import {
  type BuildTime,
  encodeManifest,
  encodePointer,
  generationOf,
  type ManifestFile,
} from "../../src/core/format/generation.ts";
import { type CollectionInfo, encodeRoot, FORMAT_VERSION, type ShardRoot } from "../../src/core/format/root.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { makeStopTermTest } from "../../src/core/text/analyze.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import { deflateColumns, deflateRaw } from "../base/codec.ts";
import type { BuildLog } from "./build-log.ts";
import { type FileSink, nameFile, PackWriter } from "./pack-writer.ts";
import { type ShardInput, ShardWriter } from "./write-shard.ts";

/** What a generation is made of. */
export interface GenerationInput {
  readonly commit: string;
  readonly builtAt: string;
  /** Set where files of that commit had been changed. */
  readonly dirty?: true;
  readonly collections: readonly CollectionInfo[];
  readonly ranking: Readonly<Record<string, number>>;
  readonly facetKeys: readonly string[];
  readonly log: BuildLog;
  readonly settings: string;
  readonly synonymSets: Readonly<Record<string, string>>;
  /** What stays as it is of an index that this one is built on. */
  readonly kept?: KeptBase;
  readonly shards: readonly ShardInput[];
  /** Whether pages read it from files, so that their searches take few rounds; a Worker's index when absent. */
  readonly isForPages?: boolean;
  /** Asked when all else is written: what the pointer says of how long the build took. Nothing where absent. */
  readonly built?: (generation: string) => Promise<BuildTime> | BuildTime;
}

/** Bases that a generation takes over. */
export interface KeptBase {
  /** Names of their packs. */
  readonly packs: readonly string[];
  /** Sizes of these packs. */
  readonly files: readonly ManifestFile[];
  /** Their entries in the new root, which come before those of what is written now. */
  readonly shards: readonly ShardRoot[];
}

/** What was written. */
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
      facetKeysLeftOut: input.log.facetKeysLeftOut.map(({ key }) => key),
      skippedFiles: input.log.skipped.length,
      diagnostics: input.log.diagnosticCount,
      logBytes: logBytes.length,
      indexBytes: sum((shard) => shard.indexBytes),
      textBytes: sum((shard) => shard.textBytes),
      settings: input.settings,
      synonymSets: input.synonymSets,
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
