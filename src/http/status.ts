/**
 * Routes `/health` and `/status`: whether the Worker runs; and what it has indexed, with a look at each of its parts.
 */
import type { ByteKey } from "../core/bytes/key.ts";
import { type CostCounters, createCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { visibleGeneration } from "../core/index/read-log.ts";
import { ageSeconds, SERVER_NAME, SERVER_VERSION } from "../surface/render/numbers.ts";
import {
  formatProblem,
  formatServerTiming,
  NO_INDEX,
  nameTrace,
  type Problem,
  SERVER_TIMING,
  toProblem,
} from "../surface/render/problem.ts";
import { type HttpServices, respondJson } from "./respond.ts";
import { type Check, isBroken, runChecks } from "./status-checks.ts";

/** What `/status` needs beside what all routes do. */
export interface StatusServices extends HttpServices {
  /** A reader over what is published now, past all caches; undefined where that is nothing. @throws when it is damaged. */
  readonly openPublished: (counters: CostCounters) => Promise<IndexReader | undefined>;
  /** Name of the corpus that is asked; `""` for the one at the root. */
  readonly corpus: string;
  /** Parts of the deployment beside the index. */
  readonly checks: readonly Check[];
}

/**
 * Says that the Worker runs, whether or not there is an index to answer from: for probes, so always 200, and without a
 * read. The index is named where it is in memory, unless the deployment is private; `/status` looks further.
 */
export function answerHealth(generation: string | undefined, isPrivate: boolean): Response {
  return respondJson({
    status: "ok",
    index: generation === undefined ? "unknown" : "ready",
    ...(generation !== undefined && !isPrivate && { generation }),
  });
}

/**
 * Says what is indexed: generation, age, collections, sizes; and which parts of the deployment work. 503 where one fails
 * that is needed, with as much of the answer as there is.
 */
export async function answerStatus(services: StatusServices): Promise<Response> {
  const { report, trace, corpus } = services;
  const counters = createCounters();
  let broken: Problem | undefined;
  const checks = await runChecks([...indexChecks(services, counters), ...services.checks], (problem, where) => {
    broken ??= problem;
    report(problem, where);
  });
  let described: object | undefined;
  try {
    described = (await services.withReader((reader) => describe(reader, services.now), counters))?.value;
  } catch (error) {
    broken ??= toProblem(error);
  }
  const isFailing = isBroken(checks) || described === undefined;
  const problem = broken ?? NO_INDEX;
  const response = respondJson(
    {
      status: isFailing ? "failing" : "ok",
      ...(isFailing && { error: formatProblem(nameTrace(problem, trace)), nearest: [] }),
      ...described,
      ...(corpus !== "" && { corpus }),
      server: { name: SERVER_NAME, version: SERVER_VERSION },
      checks: checks.map(({ name, state, isNeeded }) => ({ name, state, needed: isNeeded })),
    },
    isFailing ? 503 : 200,
  );
  response.headers.set(SERVER_TIMING, formatServerTiming(counters));
  return response;
}

async function describe(reader: IndexReader, now: number): Promise<object> {
  const generation = await visibleGeneration(reader);
  return { ...generation, ageSeconds: ageSeconds(generation.builtAt, now) ?? null, collections: reader.collections };
}

/** The pointer with its root, and one chunk of the index behind it, out of the bucket itself. */
function indexChecks({ openPublished }: StatusServices, counters: CostCounters): Check[] {
  const opened = openPublished(counters);
  // Both checks await it; this keeps a failure from being nobody's in between.
  opened.catch(() => undefined);
  return [
    {
      name: "pointer",
      isNeeded: true,
      run: async () => ((await opened) === undefined ? "absent" : "ok"),
    },
    {
      name: "index",
      isNeeded: true,
      run: async () => {
        const reader = await opened.catch(() => undefined);
        return reader === undefined ? "absent" : readOneChunk(reader);
      },
    },
  ];
}

/** Reads the first chunk of words of a shard that the caller sees. `ok` where they see none: there is nothing to read. */
async function readOneChunk(reader: IndexReader): Promise<"ok"> {
  const [shard] = reader.shards;
  const [first] = shard?.root.tables.terms.entries ?? [];
  if (shard === undefined || first === undefined) return "ok";
  const keys: readonly ByteKey[] = [first.prefix];
  await reader.read([{ shard: shard.index, table: "terms", keys }]);
  return "ok";
}
