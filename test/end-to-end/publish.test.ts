/** `treeline publish`, `rollback` and `gc` against a bucket that checks signatures, bodies and conditions, while it is searched. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { tryCorpora } from "../../bench/publish-corpora.ts";
import { makeRandom } from "../../bench/random.ts";
import { publishCommands } from "../../indexer/cli/commands/publish.ts";
import { buildCorpus } from "../../indexer/index/build.ts";
import { verifyFiles } from "../../indexer/open/open-index.ts";
import { collectGarbage } from "../../indexer/publish/collect.ts";
import type { ObjectStore } from "../../indexer/publish/object-store.ts";
import { machineClock } from "../../indexer/publish/object-store.ts";
import { type PublishSummary, publishIndex, readLocalIndex } from "../../indexer/publish/publish.ts";
import { rollBack, STAYS_MS } from "../../indexer/publish/published.ts";
import { openBucket } from "../../indexer/publish/s3.ts";
import { decodePointer } from "../../src/core/format/generation.ts";
import { POINTER_FILE } from "../../src/core/index/range-source.ts";
import { writeCorpus } from "../support/kill-builds.ts";
import {
  answerInFolder,
  currentGeneration,
  killPublishes,
  type RunningCommand,
  startCommand,
} from "../support/kill-publishes.ts";
import { type CommandOutput, runCommands } from "../support/list-command.ts";
import { type LocalBucket, startBucket } from "../support/local-bucket.ts";
import { loseRequests } from "../support/lose-requests.ts";
import { searchByGenerations, startStream } from "../support/query-stream.ts";
import { readFolder } from "../support/temporary-folder.ts";

const PAGES = 120;
const QUERY = "word3 word31 further";
const KILLS = 6;
const VERSION_AT = 4;
/** What a program's dates are in an hour that is over. */
const LATE_DATE =
  "globalThis.Date = class extends Date { constructor(...values) { values.length ? super(...values) : super(Date.now()); } };";

let dir: string;
let bucket: LocalBucket;
let store: ObjectStore;
/** Folders of indexes of different pages. */
let indexes: readonly string[];

/** Runs a command line for the bucket, or for another one, in this process. */
function treeline(words: readonly string[], secret?: string, address = bucket.address): Promise<CommandOutput> {
  const { accessKeyId, secretAccessKey } = bucket.credentials;
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secret ?? secretAccessKey);
  return runCommands(Object.values(publishCommands), [...words, "--bucket", address]).finally(() => vi.unstubAllEnvs());
}

/** The same in a process of its own. */
function treelineProcess(words: readonly string[], more?: NodeJS.ProcessEnv): RunningCommand["done"] {
  return startCommand(bucket, [...words, "--bucket", bucket.address], more).done;
}

async function publish(index: string, ...words: readonly string[]): Promise<PublishSummary> {
  const { code, out, err } = await treeline(["publish", "--index", index, "--json", ...words]);
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out) as PublishSummary;
}

// One after another: each goes on with the bucket that the one before left.
describe("an index in a bucket", () => {
  beforeAll(async () => {
    bucket = await startBucket();
    store = openBucket(bucket.address, bucket.credentials);
    dir = await mkdtemp(join(tmpdir(), "treeline-publish-"));
    const made = [1, 2, 3].map(async (seed) => {
      await writeCorpus(join(dir, `pages-${seed}`), seed, PAGES);
      await buildCorpus({ dir: join(dir, `pages-${seed}`), outDir: join(dir, `index-${seed}`) });
      return join(dir, `index-${seed}`);
    });
    indexes = await Promise.all(made);
  });
  afterAll(async () => {
    await bucket?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  it("is published whole, and costs two requests where nothing changed", async () => {
    const [one = ""] = indexes;
    const planned = await publish(one, "--dry-run");
    expect(await store.list()).toEqual([]);
    const first = await publish(one);
    expect(first).toMatchObject({ switched: true, uploadedBytes: planned.uploadedBytes, reusedBytes: 0 });
    expect(await verifyFiles(bucket.origin)).toEqual([]);
    const again = await publish(one);
    expect(again).toMatchObject({ switched: false, uploadedBytes: 0, requests: 2 });
    const { code, out } = await treeline(["publish", "--index", one]);
    expect(code).toBe(0);
    expect(out).toContain("is current already");
  });

  it("gets what differs where a few pages changed", async () => {
    const [one = ""] = indexes;
    for (let page = 0; page < 3; page++) {
      await writeFile(join(dir, "pages-1", `page-${page * 40}.md`), `# Changed\n\nQuokka number ${page}.\n`);
    }
    await buildCorpus({ dir: join(dir, "pages-1"), outDir: one, base: bucket.origin });
    const changed = await publish(one);
    expect(changed.switched).toBe(true);
    expect(changed.uploadedBytes).toBeLessThan(changed.reusedBytes / 2);
    expect(await verifyFiles(bucket.origin)).toEqual([]);
  });

  it("goes back and forth", async () => {
    const before = await currentGeneration(store);
    const back = JSON.parse((await treeline(["rollback", "--json"])).out) as { generation: string };
    expect(await currentGeneration(store)).toBe(back.generation);
    expect(back.generation).not.toBe(before);
    expect((await treeline(["rollback", "--to", before])).code).toBe(0);
    expect(await currentGeneration(store)).toBe(before);
    expect((await treeline(["rollback", "--to", "nothing"])).err).toContain(back.generation);
  });

  it("changes for nobody whose credentials, bucket or pointer are wrong, who is told what to do", async () => {
    const before = await store.list();
    for (const words of [
      ["publish", "--index", indexes[1] ?? ""],
      ["rollback"],
      ["gc"],
      ["corpora"],
      ["pull", "--index", join(dir, "refused")],
    ]) {
      const refused = await treeline(words, "a-wrong-secret");
      expect(refused).toMatchObject({ code: 1, out: "" });
      expect(refused.err).toContain("refused the credentials");
      expect(refused.err).not.toContain("a-wrong-secret");
      const address = bucket.address.replace("test-bucket", "no-bucket");
      const nowhere = await treeline(words, undefined, address);
      expect(nowhere).toMatchObject({ code: 1, out: "" });
      expect(nowhere.err).toContain("no such bucket");
    }
    expect((await treeline(["publish", "--index", dir])).err).toContain("there is no index");
    expect(await store.list()).toEqual(before);
  });

  it("is changed by nobody whose clock is off, or whose Treeline is older, who is told what to do", async () => {
    const late = join(dir, "late-clock.mjs");
    await writeFile(late, `const now = Date.now; Date.now = () => now() - 3_600_000; ${LATE_DATE}`);
    const before = await store.list();
    const skewed = await treelineProcess(["publish", "--index", indexes[1] ?? ""], {
      NODE_OPTIONS: `--import=${late}`,
    });
    expect(skewed).toMatchObject({ code: 1, out: "" });
    expect(skewed.err).toContain("the clock of this machine is wrong");
    expect(await store.list()).toEqual(before);

    const newer = store.within("newer");
    const bytes = Uint8Array.from((await store.get(POINTER_FILE))?.bytes ?? []);
    bytes[VERSION_AT] = 200;
    await newer.put(POINTER_FILE, bytes, "application/octet-stream", undefined);
    const refused = await treeline(["publish", "--index", indexes[1] ?? "", "--corpus", "newer"]);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("update Treeline; nothing was changed");
    expect((await newer.list()).map(({ name }) => name)).toEqual([POINTER_FILE]);
    await newer.remove([POINTER_FILE], performance.now() + 10_000);
  });

  it("is pulled as it was built, without what the bucket holds beside it", async () => {
    const folder = join(dir, "pulled");
    const [, two = ""] = indexes;
    expect(await publish(two, "--corpus", "v2")).toMatchObject({ switched: true, reusedFiles: 0 });
    const { code, out } = await treeline(["pull", "--index", folder, "--corpus", "v2", "--json"]);
    expect(code).toBe(0);
    const { generation } = await readLocalIndex(two).then(({ pointer }) => pointer);
    expect(JSON.parse(out)).toMatchObject({ generation, switched: true, reusedFiles: 0 });
    expect(await readFolder(folder)).toEqual(await readFolder(two));
    expect(await publish(folder, "--corpus", "v2")).toMatchObject({ switched: false, requests: 2 });
    expect(await verifyFiles(`${bucket.origin}/v2`)).toEqual([]);
  });

  it("stays as it is while another corpus of the bucket is published, rolled back, collected and removed", async () => {
    const [one, two, three] = await Promise.all(indexes.map(readLocalIndex));
    if (one === undefined || two === undefined || three === undefined) throw new Error("there are three indexes");
    const before = await currentGeneration(store);
    const report = await tryCorpora(bucket, [one, two, three], QUERY);
    expect(report.problems).toEqual([]);
    expect(report.queries).toBeGreaterThan(50);
    expect(report.removed).toBeGreaterThan(5);
    expect(report.unchangedRequests).toBe(2);
    expect(await currentGeneration(store)).not.toBe(before);
    expect((await treeline(["corpora", "--json"])).out).toContain('"leftOver":[]');
  });

  it("is refused a file that is damaged on its way", async () => {
    const name = "00000000000000000000000000000000.pack";
    const damaging = openBucket(bucket.address, bucket.credentials, {
      sleep: async () => undefined,
      send: (request) => fetch(request.url, { method: request.method, headers: request.headers, body: "other bytes" }),
    });
    await expect(damaging.upload(name, Uint8Array.of(1))).rejects.toThrow("XAmzContentSHA256Mismatch");
    expect(await store.get(name)).toBeUndefined();
  });

  it("is one of two that are published at once, and the other stays beside it", async () => {
    const both = await Promise.all(
      indexes.slice(0, 2).map((index) => treelineProcess(["publish", "-i", index, "--json"])),
    );
    for (const { code, err } of both) {
      expect(code).toBe(0);
      expect(err === "" || err.includes("Another publish finished first")).toBe(true);
    }
    expect(await verifyFiles(bucket.origin)).toEqual([]);
    const { generation, previous } = decodePointer((await store.get(POINTER_FILE))?.bytes ?? new Uint8Array());
    const served = [generation, ...previous.map((one) => one.generation)];
    for (const { out } of both) expect(served).toContain((JSON.parse(out) as PublishSummary).generation);
  });

  it("answers as one generation or another while it is published, rolled back and collected, with every tenth request lost", async () => {
    const { platform, lost } = loseRequests(0.1, makeRandom(7));
    const faulty = openBucket(bucket.address, bucket.credentials, platform);
    let ahead = 0;
    // Nobody waits here for a collector that may have listed: there is one alone, and it is done.
    const clock = { ...machineClock, now: () => Date.now() + ahead, sleep: async () => undefined };
    const stream = startStream(searchByGenerations(bucket.origin, QUERY));
    const another = startStream(searchByGenerations(bucket.origin, QUERY));
    const served = new Set<string>();
    for (let round = 0; round < 6; round++) {
      const index = await readLocalIndex(indexes[round % indexes.length] ?? "");
      await publishIndex(index, faulty, { keep: 1, clock });
      served.add(await currentGeneration(store));
      if (round % 2 === 1) await rollBack(faulty, { clock });
      served.add(await currentGeneration(store));
      ahead += 2 * STAYS_MS;
      await collectGarbage(faulty, { clock });
      const seen = [stream, another].map((one) => ({ one, count: one.count() }));
      while (seen.some(({ one, count }) => one.count() < count + 4 && !one.isOver())) await sleep(20);
    }
    const known = new Map(
      await Promise.all(
        indexes.map(
          async (index) =>
            [(await readLocalIndex(index)).pointer.generation, await answerInFolder(index, QUERY)] as const,
        ),
      ),
    );
    for (const { problems, queries, answers } of [await stream.stop(), await another.stop()]) {
      expect(problems).toEqual([]);
      expect(queries).toBeGreaterThan(20);
      expect(answers.size).toBeGreaterThan(1);
      for (const [generation, answer] of answers) if (known.has(generation)) expect(answer).toBe(known.get(generation));
    }
    expect(served.size).toBeGreaterThan(2);
    expect(lost()).toBeGreaterThan(3);
    expect(await verifyFiles(bucket.origin)).toEqual([]);
  });

  it("is the old one or the new one, whole, after a publish that was killed", async () => {
    const { switched } = await killPublishes(bucket, indexes, KILLS, QUERY, makeRandom(3));
    expect(switched).toBeLessThan(KILLS);
    expect((await publish(indexes[2] ?? "")).generation).toBe(await currentGeneration(store));
  });
});
