/**
 * Two corpora in one bucket, searched all the time: what is done to one must never show in the other.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { collectGarbage, removeCorpus } from "../indexer/publish/collect.ts";
import type { ObjectStore } from "../indexer/publish/object-store.ts";
import { type Clock, machineClock } from "../indexer/publish/object-store.ts";
import { type LocalIndex, publishIndex } from "../indexer/publish/publish.ts";
import { rollBack, STAYS_MS } from "../indexer/publish/published.ts";
import { openBucket } from "../indexer/publish/s3.ts";
import { isIndexFile } from "../src/core/format/generation.ts";
import type { LocalBucket } from "../test/support/local-bucket.ts";
import { searchByGenerations, startStream } from "../test/support/query-stream.ts";

const NAME = "v2";
/** Queries of each stream between two changes. */
const QUERIES_BETWEEN = 3;
const POLL_MS = 20;

/** What two corpora side by side met. */
export interface CorporaReport {
  readonly queries: number;
  /** Requests of a publish at the root where nothing changed, beside the other corpus. */
  readonly unchangedRequests: number;
  /** Files that collecting removed, in both. */
  readonly removed: number;
  /** Failed queries, answers that a generation gave otherwise before, and changes of a corpus that nobody meant. */
  readonly problems: readonly string[];
}

/** Publish, roll back and collect one corpus and then the other, and remove one. */
export async function tryCorpora(
  bucket: LocalBucket,
  [first, edited, other]: readonly [LocalIndex, LocalIndex, LocalIndex],
  query: string,
): Promise<CorporaReport> {
  const root = openBucket(bucket.address, bucket.credentials);
  const named = root.within(NAME);
  let ahead = 0;
  // Nobody waits here for a collector that may have listed: there is one alone, and it is done.
  const clock: Clock = { ...machineClock, now: () => Date.now() + ahead, sleep: async () => undefined };
  const problems: string[] = [];
  let removed = 0;
  await publishIndex(first, root, { clock });
  await publishIndex(other, named, { clock });
  const rootStream = startStream(searchByGenerations(bucket.origin, query));
  const namedStream = startStream(searchByGenerations(`${bucket.origin}/${NAME}`, query));
  const streams = [rootStream, namedStream];
  const untilAsked = async (): Promise<void> => {
    const wanted = streams.map((stream) => stream.count() + QUERIES_BETWEEN);
    while (streams.some((stream, at) => stream.count() < (wanted[at] ?? 0)) && !streams.some((one) => one.isOver())) {
      await sleep(POLL_MS);
    }
  };
  const collect = async (store: ObjectStore): Promise<void> => {
    removed += (await collectGarbage(store, { clock, isNamed: store !== root })).removed;
  };
  /** Does something to one corpus, and compares the other before and after. */
  const beside = async (rest: ObjectStore, work: () => Promise<unknown>): Promise<void> => {
    const before = await describe(rest);
    await work();
    if ((await describe(rest)) !== before) problems.push(`${rest.place} changed`);
    await untilAsked();
  };
  for (const [store, rest, last] of [
    [root, named, other],
    [named, root, first],
  ] as const) {
    await beside(rest, () => publishIndex(edited, store, { keep: 1, clock }));
    await beside(rest, () => rollBack(store, { clock }));
    for (let time = 0; time < 2; time++) {
      ahead += 2 * STAYS_MS;
      await beside(rest, () => publishIndex(last, store, { keep: 0, clock }));
    }
    await beside(rest, () => collect(store));
  }
  const unchangedRequests = (await publishIndex(other, root, { clock })).requests;
  const reports = [await namedStream.stop()];
  streams.pop();
  await beside(root, () => removeCorpus(named, NAME, { clock }));
  ahead += 2 * STAYS_MS;
  await beside(root, () => collect(ofHoursAgo(named)));
  const left = (await named.list()).length;
  if (left > 0) problems.push(`${left} objects of ${NAME} are left`);
  reports.push(await rootStream.stop());
  return {
    queries: reports.reduce((sum, report) => sum + report.queries, 0),
    unchangedRequests,
    removed,
    problems: [...problems, ...reports.flatMap((report) => report.problems)],
  };
}

/** A store whose index files are hours older: a bucket's clock cannot be put ahead. */
function ofHoursAgo(store: ObjectStore): ObjectStore {
  return {
    ...store,
    list: async () =>
      (await store.list()).map((object) =>
        isIndexFile(object.name) ? { ...object, modifiedAt: object.modifiedAt - 2 * STAYS_MS } : object,
      ),
  };
}

/** All objects of a store with what tells that they were written. */
async function describe(store: ObjectStore): Promise<string> {
  const objects = await store.list();
  return objects
    .map(({ name, md5, modifiedAt }) => `${name} ${md5} ${modifiedAt}`)
    .sort()
    .join("\n");
}
