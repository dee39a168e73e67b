/**
 * A build that several machines share: each parses some of the documents into a folder, and one of them joins these.
 *
 * A part is a parse cache: joining is a build that finds every document parsed already. So the joined index is that of a build
 * on one machine, byte for byte.
 */
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hashKey } from "../../src/core/bytes/checksum.ts";
import { keyOf } from "../../src/core/bytes/key.ts";
import { InputError } from "../../src/core/errors.ts";
import { UsageError } from "../base/diagnostic.ts";
import { expectFolder, expectNoFile } from "../base/file-system.ts";
import { loadConfig } from "../sources/load-config.ts";
import { type BuildRequest, type BuildSummary, buildCorpus } from "./build.ts";
import { DocumentCache } from "./cache/document-cache.ts";
import { codeDigest } from "./digests.ts";
import { findCorpus, loadFrom } from "./read-corpus.ts";

/** File that says what a folder is a part of. */
export const PART_FILE = "part.json";

/** Which part of how many; from 1 on. */
export interface Part {
  readonly index: number;
  readonly of: number;
}

/** `2/4` as a part; undefined where none was named. @throws {UsageError} */
export function readPart(text: string | undefined): Part | undefined {
  if (text === undefined) return undefined;
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const part = { index: Number(index), of: Number(of) };
  if (part.index >= 1 && part.index <= part.of) return part;
  throw new UsageError(`--shard is ${JSON.stringify(text)}; it must be I/N with I from 1 to N, such as 2/4`);
}

interface PartRecord extends Part {
  /** Digest of the configuration's collections and of the code that parsed the documents. */
  readonly made: string;
  readonly documents: number;
}

/** Parse the documents of one part into a folder. The result is their number. @throws {InputError} */
export async function buildPart(
  {
    dir: given,
    config: file,
    outDir: out,
    progress = () => undefined,
    threads,
  }: Omit<BuildRequest, "base" | "cacheDir" | "memory">,
  part: Part,
): Promise<number> {
  const dir = resolve(given);
  const outDir = resolve(out);
  await expectFolder(dir, given);
  await expectNoFile(outDir, out);
  const config = await loadConfig(dir, file);
  await mkdir(outDir, { recursive: true });
  // Without its record the folder is no part: a run that is interrupted leaves none.
  await rm(join(outDir, PART_FILE), { force: true });
  const cache = DocumentCache.open(outDir);
  try {
    const files = await findCorpus(dir, config);
    const load = loadFrom(files, { cache, progress, threads });
    const loaded = await load(files.tasks.filter(({ id }) => isInPart(id, part)));
    const keys = loaded.flatMap((result) => (result.ok ? [result.key] : []));
    cache.save(new Set(keys));
    const record: PartRecord = { ...part, made: digestOf(config.collections), documents: keys.length };
    await writeFile(join(outDir, PART_FILE), `${JSON.stringify(record)}\n`);
    return keys.length;
  } finally {
    cache.close();
  }
}

/**
 * Build the index out of all parts. Files that no part holds, because they changed since or cannot be parsed, are
 * looked at here.
 *
 * @throws {InputError} when a part is missing, there twice, or of another configuration or version.
 */
export async function joinParts(
  request: Omit<BuildRequest, "cacheDir" | "memory">,
  folders: readonly string[],
): Promise<BuildSummary> {
  await expectFolder(resolve(request.dir), request.dir);
  const config = await loadConfig(resolve(request.dir), request.config);
  checkParts(await Promise.all(folders.map(readPartRecord)), folders, digestOf(config.collections));
  const cache = DocumentCache.openAll(folders.map((folder) => resolve(folder)));
  try {
    return await buildCorpus({ ...request, memory: { cache } });
  } finally {
    cache.close();
  }
}

function isInPart(id: string, { index, of }: Part): boolean {
  return hashKey(keyOf(id)) % of === index - 1;
}

function digestOf(collections: readonly unknown[]): string {
  return `${hashKey(JSON.stringify(collections)).toString(16)}-${codeDigest()}`;
}

async function readPartRecord(folder: string): Promise<PartRecord> {
  try {
    const { index, of, made, documents } = JSON.parse(await readFile(join(folder, PART_FILE), "utf8")) as PartRecord;
    if ([index, of, documents].every(Number.isInteger) && typeof made === "string") {
      return { index, of, made, documents };
    }
  } catch {
    // Said below.
  }
  throw new InputError(
    `${JSON.stringify(folder)} is not a part of a build: it has no ${PART_FILE}`,
    [],
    "treeline build docs --shard 1/4 --out part-1",
  );
}

function checkParts(parts: readonly PartRecord[], folders: readonly string[], made: string): void {
  const of = parts[0]?.of ?? 0;
  const nameOf = (at: number): string => JSON.stringify(folders[at]);
  for (const [at, part] of parts.entries()) {
    if (part.of !== of) throw new InputError(`${nameOf(at)} is one of ${part.of} parts, ${nameOf(0)} one of ${of}`);
    if (part.made !== made) {
      throw new InputError(`${nameOf(at)} was built with another configuration or another version of Treeline`);
    }
    const twin = parts.findIndex(({ index }) => index === part.index);
    if (twin < at) throw new InputError(`${nameOf(twin)} and ${nameOf(at)} are both part ${part.index} of ${of}`);
  }
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((n) => !parts.some(({ index }) => index === n));
  if (missing.length > 0) throw new InputError(`part ${missing.join(", ")} of ${of} is missing`);
}
