/**
 * A build of what an index was made of before: nothing is parsed and nothing is written anew.
 *
 * The pointer holds a digest of everything that an index depends on. Where that is as it was, the index is what a build would write.
 */
import { hash } from "node:crypto";
import { join } from "node:path";
import { FormatError, StaleGenerationError } from "../../src/core/errors.ts";
import { decodeLog } from "../../src/core/format/build-log.ts";
import { decodeFileRecord } from "../../src/core/format/file-tables.ts";
import { decodeManifest, decodePointer, encodePointer, readBuildTime } from "../../src/core/format/generation.ts";
import { entriesOf, IndexReader } from "../../src/core/index/index-reader.ts";
import { openIndex } from "../../src/core/index/open-index.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { codeShards } from "../../src/core/index/shards.ts";
import { LruCache } from "../../src/core/index/value-cache.ts";
import { inflateRaw } from "../base/codec.ts";
import { isFsError } from "../base/file-system.ts";
import { CACHE_BYTES, openSource, readWhole } from "../base/index-source.ts";
import type { TreelineConfig } from "../config/config.ts";
import type { BuildLog } from "./build-log.ts";
import type { CorpusWords } from "./describe-corpus.ts";
import { codeDigest } from "./digests.ts";
import { type LockOptions, readIfThere, writeToFolder } from "./output-folder.ts";
import type { findCorpus } from "./read-corpus.ts";
import { holdsItsName } from "./write-table.ts";

type CorpusFiles = Awaited<ReturnType<typeof findCorpus>>;

const DIGITS = 16;

/**
 * Digests of all that an index depends on: of one from scratch, and of one that was built on another, whose parts may be divided
 * otherwise. Undefined where a file cannot be read.
 */
export function digestInputs(
  { tasks, discoveries, ...files }: CorpusFiles,
  config: TreelineConfig,
  words: CorpusWords,
  code = codeDigest(),
) {
  if (tasks.some((task) => task.hash === undefined)) return undefined;
  const found = discoveries.map(({ skipped, diagnostics }) => [skipped, diagnostics]);
  const contents = tasks.map((task) => [task.id, task.hash]);
  const all = JSON.stringify([code, config, words, found, contents, files]);
  const digest = (kind: string): string => hash("sha256", `${kind} ${all}`, "hex").slice(0, DIGITS);
  return { whole: digest("whole"), onBase: digest("on a base") };
}

/**
 * The summary of the index of the same inputs, which the output folder holds then; undefined where there is none, or one that is
 * damaged.
 *
 * @param base Folder or address of the index to build on; the output folder is asked where there is none.
 */
export async function reuseIndex(
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
