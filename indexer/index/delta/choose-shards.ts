/**
 * What a build writes: everything, or what changed since the index that it is built on.
 */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { FormatError, StaleGenerationError } from "../../../src/core/errors.ts";
import type { ManifestFile } from "../../../src/core/format/manifest.ts";
import { fileOfPack } from "../../../src/core/format/pack.ts";
import type { ShardRoot } from "../../../src/core/format/root.ts";
import { describeFsError, isFsError } from "../../base/file-system.ts";
import type { CollectionConfig, TreelineConfig } from "../../config/config.ts";
import { NO_CODE } from "../../link/code/link-code.ts";
import type { BuildMemory } from "../build-memory.ts";
import type { LoadedDocument } from "../load-documents.ts";
import { NO_MAP } from "../map-corpus.ts";
import { type FileSink, nameFile } from "../pack-writer.ts";
import type { ReadCorpus } from "../read-corpus.ts";
import { afterFailure } from "../settings-digest.ts";
import { isOutside } from "../stages.ts";
import type { ShardInput } from "../write-shard.ts";
import { makeDelta } from "./make-delta.ts";
import { type BaseIndex, openBase } from "./open-base.ts";
import { planDelta, type ShardDelta } from "./plan-delta.ts";

/** What is written. */
export interface ChosenShards {
  readonly shards: readonly ShardInput[];
  /** Undefined where everything is written. */
  readonly base: UsedBase | undefined;
  /** Why the base that was asked for is not used; `""` where it is, or none was asked for. */
  readonly notice: string;
}

/**
 * Choose what to write.
 *
 * @param place Folder or address of the index to build on; none where undefined.
 * @param settings Digest of the settings, which must be the base's too.
 * @param target Where the packs of a base are put that is used.
 */
export async function chooseShards(
  corpus: ReadCorpus,
  config: TreelineConfig,
  settings: string,
  place: string | undefined,
  memory: BuildMemory,
  target: { readonly outDir: string; readonly sink: FileSink },
): Promise<ChosenShards> {
  const full = (notice: string): ChosenShards => ({ shards: allShards(corpus, config), base: undefined, notice });
  if (place === undefined) return full("");
  const opened = await openBaseOrExplain(place, memory);
  if (typeof opened === "string") return full(opened);
  if (opened.root.settings === afterFailure(settings)) return full("a stage failed when the base was built");
  if (opened.root.settings !== settings) {
    return full("the base was built with other settings or by another version of Treeline");
  }
  const groupOf = ({ task }: LoadedDocument): string => config.collections[task.collection]?.access ?? "";
  const names = config.collections.map(({ name }) => name);
  const plan = planDelta(opened, corpus.documents, names, groupOf);
  if (!plan.ok) return full(plan.reason);
  const { facetKeys, links, synonyms, code, maps } = corpus.description;
  try {
    const setting = { collections: config.collections, facetKeys, links, synonyms, code, maps };
    const delta = await makeDelta(opened, plan.shards, setting, memory.cache);
    if (!delta.ok) return full(delta.reason);
    const files = await takeOverPacks(opened, target.outDir, target.sink);
    return { shards: delta.shards, base: { index: opened, files, shards: delta.bases, plan: plan.shards }, notice: "" };
  } catch (error) {
    const isOfBase = error instanceof StaleGenerationError || (error instanceof Error && !isOutside(error));
    if (!isOfBase) throw error;
    return full(explainBase(error));
  }
}

/** A base as far as it is used. */
export interface UsedBase {
  readonly index: BaseIndex;
  /** Its packs, which the output folder holds. */
  readonly files: readonly ManifestFile[];
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
export function allShards({ documents, description }: ReadCorpus, config: TreelineConfig): ShardInput[] {
  return [...description.synonyms].map(
    ([group, synonyms]): ShardInput => ({
      group,
      code: description.code.get(group) ?? NO_CODE,
      map: description.maps.get(group) ?? NO_MAP,
      documents: documents
        .filter(({ task }) => config.collections[task.collection]?.access === group)
        .sort((a, b) => a.task.number - b.task.number),
      collectionName: (document) => (config.collections[document.collection] as CollectionConfig).name,
      facetKeys: description.facetKeys,
      links: description.links,
      synonyms,
    }),
  );
}

/**
 * Make sure that the output folder holds a base's packs. The result are these files.
 *
 * @throws {FormatError} when the base does not list one, or holds it damaged.
 * @throws {StaleGenerationError} when one is gone.
 */
async function takeOverPacks(base: BaseIndex, outDir: string, sink: FileSink): Promise<ManifestFile[]> {
  const names = new Set(base.root.packs.map(fileOfPack));
  const files = base.files.filter(({ name }) => names.has(name));
  if (files.length < names.size)
    throw new FormatError("manifest", { code: "malformed", reason: "lists not all packs" });
  for (const file of files) {
    const target = join(outDir, file.name);
    if ((await sizeOf(target)) === file.bytes) continue;
    const bytes = await base.source.readRange(file.name, 0, file.bytes);
    if (nameFile(bytes, "pack") !== file.name) {
      throw new FormatError(file.name, { code: "malformed", reason: "its content is not that of its name" });
    }
    await sink(file.name, bytes);
  }
  return files;
}

async function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  );
}
