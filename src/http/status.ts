/**
 * Routes `/health`, which only says that the Worker runs, and `/status`: what is indexed, and a check of each part of the deployment.
 * Checks run all at once, each for a bounded time. The caller learns which part fails; the log says why.
 */

import type { ByteKey } from "../core/bytes/key.ts";
import { readInsights } from "../core/code/insights.ts";
import { checkCollection } from "../core/docs/catalogue.ts";
import { type CostCounters, createCounters } from "../core/index/cost.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { visibleGeneration } from "../core/index/read-log.ts";
import { checkAccessFile, type ObjectReader } from "../surface/access/keys.ts";
import { hasSecret, SECRET_MISSING } from "../surface/access/signing-keys.ts";
import { insightsObject } from "../surface/insights.ts";
import { type AddressParameters, readParameters } from "../surface/parameters.ts";
import { within } from "../surface/patience.ts";
import { describeSummary, summaryJson } from "../surface/render/graph-summary.ts";
import {
  formatProblem,
  formatServerTiming,
  NO_INDEX,
  nameTrace,
  type Problem,
  SERVER_TIMING,
  toProblem,
} from "../surface/render/problem.ts";
import { ageSeconds, SERVER_NAME, SERVER_VERSION } from "../surface/render/text.ts";
import { checkRateLimits, type RateSettings } from "./callers.ts";
import { type HttpServices, readIndex, respondJson } from "./respond.ts";

/** What `/status` needs beside what all routes do. */
interface StatusServices extends HttpServices {
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
  const isFailing = checks.some(({ isNeeded, state }) => isNeeded && state !== "ok") || described === undefined;
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

interface Check {
  readonly name: string;
  /** Whether the deployment answers nothing right without it. */
  readonly isNeeded: boolean;
  /** Asks it. `absent` where this deployment has no such part. @throws what is wrong with it. */
  readonly run: () => Promise<"ok" | "absent">;
}

type CheckResult = Omit<Check, "run"> & { readonly state: "ok" | "failed" | "absent" };

/** Longer than a slow read of the bucket takes, shorter than those who ask wait. */
const MAX_WAIT_MS = 5000;

/** Runs checks. @param report Takes why one failed. */
function runChecks(
  checks: readonly Check[],
  report: (problem: Problem, where: string) => void,
): Promise<CheckResult[]> {
  return Promise.all(
    checks.map(async ({ name, isNeeded, run }): Promise<CheckResult> => {
      try {
        return {
          name,
          isNeeded,
          state: await within(MAX_WAIT_MS, run(), `${name} did not answer within ${MAX_WAIT_MS} ms`),
        };
      } catch (error) {
        report(toProblem(error), `status/${name}`);
        return { name, isNeeded, state: "failed" };
      }
    }),
  );
}

/** A check of an object that a binding stands for; absent where nothing is bound. */
function checkBinding<T>(name: string, binding: T | undefined, ask: (binding: T) => Promise<unknown>): Check {
  const run: Check["run"] = async () => {
    if (binding === undefined) return "absent";
    await ask(binding);
    return "ok";
  };
  return { name, isNeeded: false, run };
}

/** Bindings that are checked, as far as checking needs them. */
interface CheckedBindings extends RateSettings {
  readonly SESSIONS?: { getByName(name: string): { read(parts: readonly never[]): Promise<unknown> } };
  readonly INSIGHTS?: { getByName(name: string): { ping(): Promise<unknown> } };
  readonly TREELINE_SECRET?: string;
}

/** A name that no handle has, so nobody's session. */
const NO_SESSION = "status";

/**
 * The checks of a deployment with these bindings.
 *
 * @param readObject Reads an object of its bucket.
 * @param corpus The one that is asked; `""` at the root. All but what counts its questions is the deployment's.
 */
export function listChecks(bindings: CheckedBindings, readObject: ObjectReader, corpus: string): Check[] {
  const { SESSIONS, INSIGHTS, TREELINE_SECRET } = bindings;
  return [
    checkBinding("sessions", SESSIONS, (objects) => objects.getByName(NO_SESSION).read([])),
    checkBinding("insights", INSIGHTS, (objects) => objects.getByName(insightsObject(corpus)).ping()),
    { name: "rate-limiter", isNeeded: false, run: () => checkRateLimits(bindings) },
    { name: "access-file", isNeeded: false, run: () => checkAccessFile(readObject) },
    { name: "secret", isNeeded: false, run: () => checkSecret(TREELINE_SECRET) },
  ];
}

/** Not `absent` but wrong: there is no deployment that does as well without one. */
async function checkSecret(secret: string | undefined): Promise<"ok"> {
  if (!hasSecret(secret)) throw new Error(SECRET_MISSING);
  return "ok";
}

/*
 * Route `/summary`: how files and pages hang together, as the tool `get_graph_summary` says it in JSON.
 */

export const SUMMARY_PARAMETERS = {
  collection: { kind: "text", default: "", description: "only of this collection", example: "docs" },
} as const satisfies AddressParameters;

export function answerSummary(request: Request, services: HttpServices): Promise<Response> {
  const { collection } = readParameters(new URL(request.url).searchParams, SUMMARY_PARAMETERS, [], "/summary");
  return readIndex(services, "/summary", async (reader) => {
    if (collection !== "") checkCollection(reader, collection);
    const { values, fromMemory } = await readInsights(reader, collection === "" ? undefined : collection);
    const reason = fromMemory ? "memory" : "read";
    const metadata = describeSummary(reader.generation, reader.index.buildMs, reason, services.now);
    return respondJson(summaryJson(values, metadata));
  });
}
