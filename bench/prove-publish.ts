/**
 * Prove what publishing costs and withstands, against the S3 endpoint of the local R2.
 *
 *   npm run prove:publish -- DIR [KILLS] [SEED] [INDEXES]
 *
 * DIR holds the pages, 10,000 for the figures of docs/benchmarks.md (`node bench/corpora.ts DIR large`); five of them are edited for
 * the time of a build. Publishes the index, the same again, and the edited one that was built on it. Then loses every tenth request, kills KILLS
 * (50) publishes at moments drawn with SEED (1), publishes two at once, has two corpora side by side, and asks Treeline's own
 * Worker all the time while an index is published, rolled back and collected. INDEXES keeps the indexes for another run with
 * the same pages, which takes them from there. Ends with 1 where a bar is missed.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { collectGarbage } from "../indexer/publish/collect.ts";
import { machineClock } from "../indexer/publish/object-store.ts";
import { type PublishSummary, publishIndex, readLocalIndex } from "../indexer/publish/publish.ts";
import { rollBack, STAYS_MS } from "../indexer/publish/published.ts";
import { openBucket } from "../indexer/publish/s3.ts";
import {
  currentGeneration,
  expectServed,
  killPublishes,
  leaveAlone,
  startCommand,
} from "../test/support/kill-publishes.ts";
import { type LocalBucket, startBucket } from "../test/support/local-bucket.ts";
import { loseRequests } from "../test/support/lose-requests.ts";
import { startStream } from "../test/support/query-stream.ts";
import { applyEdit, listPages, planEdits, TIMED_EDIT } from "./edits.ts";
import { tryCorpora } from "./publish-corpora.ts";
import { makeRandom } from "./random.ts";
import { buildTreeline } from "./treeline.ts";

const MOST_REQUESTS_UNCHANGED = 3;
const MOST_BYTES_OF_EDIT = 250_000;
const LOST_SHARE = 0.1;
const LOSSY_ROUNDS = 3;
const RACES = 5;
const QUERY = "install configuration options";
/** The Worker looks at the pointer after 15 s. */
const SEEN_AFTER_MS = 17_000;

const [dir, killsText = "50", seedText = "1", keptIndexes] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: npm run prove:publish -- DIR [KILLS] [SEED] [INDEXES]");
  process.exit(2);
}
const random = makeRandom(Number(seedText));
const work = keptIndexes ?? (await mkdtemp(join(tmpdir(), "treeline-publish-")));
const [one, edited, other] = ["one", "edited", "other"].map((name) => join(work, name)) as [string, string, string];
let missed = 0;

const pages = listPages(dir);
const edit = planEdits(dir, pages, 1).find(({ name }) => name === TIMED_EDIT);
const [editedPage] = edit?.changes.keys() ?? [];
if (edit === undefined || editedPage === undefined) throw new Error("there is no such edit");
const started = performance.now();
if (!existsSync(one)) await buildTreeline(dir, one);
const undo = applyEdit(dir, edit.changes);
try {
  if (!existsSync(edited)) await buildTreeline(dir, edited, one);
  if (!existsSync(other)) await buildTreeline(dir, other);
} finally {
  undo();
}

try {
  await withBucket("host", async (bucket) => {
    await timed("costs", () => proveCosts(bucket));
    await timed("losses", () => proveLosses(bucket));
    await timed("kills", () => proveKills(bucket));
    await timed("races", () => proveRaces(bucket));
  });
  await withBucket("host", (bucket) => timed("corpora", () => proveCorpora(bucket)));
  await withBucket("treeline", (bucket) => timed("stream", () => proveStream(bucket, editedPage)));
} finally {
  if (keptIndexes === undefined) await rm(work, { recursive: true, force: true });
}
process.exitCode = missed > 0 ? 1 : 0;

async function timed(step: string, prove: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await prove();
  const [seconds, all] = [began, started].map((from) => ((performance.now() - from) / 1000).toFixed(0));
  console.error(`${step}: ${seconds} s, ${all} s in all`);
}

async function withBucket(front: "host" | "treeline", prove: (bucket: LocalBucket) => Promise<void>): Promise<void> {
  const bucket = await startBucket(front);
  try {
    await prove(bucket);
  } finally {
    await bucket.stop();
  }
}

async function publish(bucket: LocalBucket, index: string): Promise<PublishSummary> {
  const { code, out, err } = await startCommand(bucket, ["publish", "-i", index, "--bucket", bucket.address, "--json"])
    .done;
  if (code !== 0) throw new Error(`publishing ended with ${code}: ${err}`);
  return JSON.parse(out) as PublishSummary;
}

function expectBar(what: string, isMet: boolean): void {
  if (isMet) return;
  missed++;
  console.log(`MISSED: ${what}`);
}

async function proveCosts(bucket: LocalBucket): Promise<void> {
  console.log(
    `${pages.length} pages\n\n| publish | files up | bytes up | bytes there | requests | seconds |\n|---|---|---|---|---|---|`,
  );
  const row = (name: string, done: PublishSummary): void => {
    const { uploadedFiles, uploadedBytes, reusedBytes, requests, seconds } = done;
    console.log(
      `| ${name} | ${uploadedFiles} | ${uploadedBytes} | ${reusedBytes} | ${requests} | ${seconds.toFixed(2)} |`,
    );
  };
  row("first", await publish(bucket, one));
  const same = await publish(bucket, one);
  row("nothing changed", same);
  expectBar(`${MOST_REQUESTS_UNCHANGED} requests where nothing changed`, same.requests <= MOST_REQUESTS_UNCHANGED);
  const few = await publish(bucket, edited);
  row(TIMED_EDIT, few);
  expectBar(`${MOST_BYTES_OF_EDIT} bytes for five pages`, few.uploadedBytes <= MOST_BYTES_OF_EDIT);
  row("built anew", await publish(bucket, other));
}

async function proveLosses(bucket: LocalBucket): Promise<void> {
  const { platform, lost } = loseRequests(LOST_SHARE, random);
  const faulty = openBucket(bucket.address, bucket.credentials, platform);
  const whole = openBucket(bucket.address, bucket.credentials);
  let requests = 0;
  let publishes = 0;
  for (const folder of Array.from({ length: LOSSY_ROUNDS }, () => [one, edited, other]).flat()) {
    publishes++;
    const index = await readLocalIndex(folder);
    requests += (await publishIndex(index, faulty)).requests;
    await expectServed(whole, index);
    await leaveAlone(index, whole);
  }
  console.log(`\n${publishes} publishes, ${requests} requests, ${lost()} of them lost: each was whole and current.`);
}

async function proveKills(bucket: LocalBucket): Promise<void> {
  const kills = Number(killsText);
  const { early, interrupted, switched } = await killPublishes(bucket, [one, other], kills, QUERY, random);
  console.log(
    `${kills} publishes killed: ${early} before the first upload, ${interrupted} half way, ${switched} with the pointer switched; the old or the new generation was whole each time, and answered as in its folder.`,
  );
}

async function proveRaces(bucket: LocalBucket): Promise<void> {
  const store = openBucket(bucket.address, bucket.credentials);
  let told = 0;
  for (let race = 0; race < RACES; race++) {
    const served = (await currentGeneration(store)) === (await readLocalIndex(one)).pointer.generation ? one : other;
    await leaveAlone(await readLocalIndex(served), store);
    const folders = [served === one ? other : one, edited];
    const done = await Promise.all(
      folders.map((folder) => startCommand(bucket, ["publish", "-i", folder, "--bucket", bucket.address]).done),
    );
    for (const { code, err } of done) {
      if (code !== 0) throw new Error(`a publish beside another ended with ${code}: ${err}`);
      if (err.includes("Another publish finished first")) told++;
    }
    for (const folder of folders) await expectServed(store, await readLocalIndex(folder));
    await publish(bucket, one);
  }
  console.log(
    `${RACES} times two publishers at once: both generations were whole and listed; ${told} were told and went again.`,
  );
}

async function proveCorpora(bucket: LocalBucket): Promise<void> {
  const indexes = await Promise.all([readLocalIndex(one), readLocalIndex(edited), readLocalIndex(other)]);
  const { queries, unchangedRequests, removed, problems } = await tryCorpora(bucket, indexes, QUERY);
  expectBar(`nothing of one corpus shows in the other: ${problems[0]}`, problems.length === 0);
  expectBar(
    `${MOST_REQUESTS_UNCHANGED} requests where nothing changed, beside another corpus`,
    unchangedRequests <= MOST_REQUESTS_UNCHANGED,
  );
  console.log(
    `two corpora in one bucket, each published three times, rolled back and collected (${removed} files removed), and one removed: ${queries} queries, ${problems.length} problems; ${unchangedRequests} requests where nothing changed.`,
  );
}

/** Asks the Worker over HTTP, and a reader whose time flies, without end. */
async function proveStream(bucket: LocalBucket, editedPage: string): Promise<void> {
  const store = openBucket(bucket.address, bucket.credentials);
  let ahead = 0;
  const clock = { ...machineClock, now: () => Date.now() + ahead };
  const indexes = await Promise.all([one, edited, other].map(readLocalIndex));
  const [first, second, third] = indexes as [(typeof indexes)[0], (typeof indexes)[0], (typeof indexes)[0]];
  await publishIndex(first, store, { clock });
  const known = new Map<string, string>();
  // The path of an edited page: what is found of it differs, and the tag names the generation.
  const query = editedPage.replace(/\.\w+$/, "").replace(/[^\p{L}\p{N}]+/gu, " ");
  const askWorker = async (): Promise<string> => {
    const response = await fetch(`${bucket.origin}/search?q=${encodeURIComponent(query)}`);
    if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`);
    const { results, total } = (await response.json()) as { results: unknown; total: unknown };
    return JSON.stringify({ tag: response.headers.get("ETag"), total, results });
  };
  const seen = new Set<string>();
  const stream = startStream(async () => {
    seen.add(await askWorker());
    return { generation: "any", text: "" };
  });
  const learn = async (name: string): Promise<void> => {
    await sleep(SEEN_AFTER_MS);
    known.set(name, await askWorker());
  };
  await learn("first");
  await publishIndex(second, store, { keep: 1, clock });
  await learn("edited");
  await rollBack(store, { clock });
  await learn("back");
  ahead += 2 * STAYS_MS;
  await publishIndex(third, store, { keep: 0, clock });
  await learn("anew");
  ahead += 2 * STAYS_MS;
  await publishIndex(third, store, { keep: 0, clock });
  const { removed } = await collectGarbage(store, { clock });
  await learn("collected");
  const { queries, problems } = await stream.stop();
  const mixed = [...seen].filter((answer) => ![...known.values()].includes(answer));
  expectBar(`no error in the stream: ${problems[0]}`, problems.length === 0);
  expectBar("no answer that is of no generation", mixed.length === 0);
  expectBar("three generations to be told apart", new Set(known.values()).size === 3);
  expectBar("the same answer after going back", known.get("first") === known.get("back"));
  console.log(
    `${queries} queries to the Worker during publish, rollback, publish and gc (${removed} files removed): ${problems.length} errors, ${seen.size} different answers, ${mixed.length} of no generation.`,
  );
}
