/**
 * `treeline publish` as processes of their own against a bucket, killed while they run: after each, the bucket must serve one
 * generation or the other, whole and answering as in the folder that it was published from.
 */

import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { openDiskIndex } from "../../indexer/base/index-source.ts";
import { collectGarbage } from "../../indexer/publish/collect.ts";
import type { ObjectStore } from "../../indexer/publish/object-store.ts";
import { machineClock } from "../../indexer/publish/object-store.ts";
import { type LocalIndex, publishIndex, readLocalIndex } from "../../indexer/publish/publish.ts";
import { STAYS_MS } from "../../indexer/publish/published.ts";
import { openBucket } from "../../indexer/publish/s3.ts";
import { decodePointer } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { search } from "../../src/core/search/search.ts";
import { projectRoot, quietEnvironment } from "./environment.ts";
import type { LocalBucket } from "./local-bucket.ts";
import { searchByGenerations } from "./query-stream.ts";
import { ask } from "./small-corpora.ts";

const CLI = join(projectRoot, "indexer", "cli", "main.ts");
const POLL_MS = 3;
/** Share of the kills at any moment of the process; the others come after its first upload. */
const EARLY_SHARE = 0.3;

/** A command line that runs. */
export interface RunningCommand {
  readonly kill: () => void;
  readonly done: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
}

/** Run the command line with the bucket's credentials, over which `more` goes. */
export function startCommand(
  bucket: LocalBucket,
  words: readonly string[],
  more: NodeJS.ProcessEnv = {},
): RunningCommand {
  const { accessKeyId, secretAccessKey } = bucket.credentials;
  const env = {
    ...quietEnvironment(),
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...more,
  };
  const child = spawn(process.execPath, [CLI, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return {
    kill: () => child.kill("SIGKILL"),
    done: new Promise((resolve) => child.once("close", (code) => resolve({ code, out, err }))),
  };
}

/** Id of the generation that a store serves. */
export async function currentGeneration(store: ObjectStore): Promise<string> {
  return decodePointer((await store.get(POINTER_FILE))?.bytes ?? new Uint8Array()).generation;
}

/** What the kills did. */
export interface KilledPublishes {
  /** Publishes that were killed with files uploaded and the pointer as it was. */
  readonly interrupted: number;
  /** Those killed before they had uploaded anything. */
  readonly early: number;
  /** Those whose pointer was switched. */
  readonly switched: number;
}

/**
 * Publish the indexes of some folders in turn, from a bucket that holds nothing of the next one, and kill each publish.
 *
 * @throws {Error} when the bucket does not serve one of two generations whole, or answers otherwise than its folder.
 */
export async function killPublishes(
  bucket: LocalBucket,
  folders: readonly string[],
  kills: number,
  query: string,
  random: () => number,
): Promise<KilledPublishes> {
  const store = openBucket(bucket.address, bucket.credentials);
  const indexes = await Promise.all(folders.map(readLocalIndex));
  const answers = await Promise.all(folders.map((folder) => answerInFolder(folder, query)));
  const publish = (at: number): RunningCommand =>
    startCommand(bucket, ["publish", "-i", folders[at] ?? "", "--bucket", bucket.address]);
  await publishIndex(indexes[0] as LocalIndex, store);
  await leaveAlone(indexes[0] as LocalIndex, store);
  const started = performance.now();
  const first = publish(1);
  await untilUploaded(store, first);
  const touched = performance.now() - started;
  const { code, err } = await first.done;
  if (code !== 0) throw new Error(`a publish ended with ${code}: ${err}`);
  const whole = performance.now() - started;
  let at = 1;
  const report = { interrupted: 0, early: 0, switched: 0 };
  for (let kill = 0; kill < kills; kill++) {
    await leaveAlone(indexes[at] as LocalIndex, store);
    const objects = (await store.list()).length;
    const next = (at + 1) % folders.length;
    const running = publish(next);
    if (random() < EARLY_SHARE) await sleep(random() * whole);
    else {
      await untilUploaded(store, running);
      await sleep(random() * (whole - touched));
    }
    running.kill();
    await running.done;
    const generation = await currentGeneration(store);
    if (generation === indexes[next]?.pointer.generation) {
      report.switched++;
      at = next;
    } else if (generation !== indexes[at]?.pointer.generation) throw new Error(`${generation} is served`);
    else if ((await store.list()).length > objects) report.interrupted++;
    else report.early++;
    await expectServed(store, indexes[at] as LocalIndex);
    const answer = await searchByGenerations(bucket.origin, query)();
    if (answer.text !== answers[at]) throw new Error(`generation ${generation} answers otherwise: ${answer.text}`);
  }
  return report;
}

/** Waits until a publish uploaded its first file, or is over. */
async function untilUploaded(store: ObjectStore, { done }: RunningCommand): Promise<void> {
  const before = (await store.list()).length;
  let isOver = false;
  void done.then(() => (isOver = true));
  while (!isOver && (await store.list()).length === before) await sleep(POLL_MS);
}

/** Removes all that is not of an index, which is current, as if days had gone by. */
export async function leaveAlone(index: LocalIndex, store: ObjectStore): Promise<void> {
  for (const hours of [3, 6]) {
    const clock = { ...machineClock, now: () => Date.now() + hours * STAYS_MS };
    await publishIndex(index, store, { keep: 0, clock });
    await collectGarbage(store, { clock });
  }
}

/** @throws {Error} where a store does not hold all files of an index as they are. */
export async function expectServed(store: ObjectStore, index: LocalIndex): Promise<void> {
  const listed = new Map((await store.list()).map((object) => [object.name, object]));
  for (const { name, bytes } of index.files) {
    const there = listed.get(name);
    if (there?.bytes !== bytes || there.md5 !== (await index.md5(name)))
      throw new Error(`${name} is missing or damaged`);
  }
}

/** What a search in the folder of an index gives, as `searchByGenerations` says it. */
export async function answerInFolder(folder: string, query: string): Promise<string> {
  const { cost: _, ...shown } = await search(await openDiskIndex(folder), ask(query, { excerpts: 5 }));
  return JSON.stringify(shown);
}
