/**
 * Routes `/health` and `/status`: whether the Worker runs, and what it has indexed.
 */
import { visibleGeneration } from "../core/index/visible-generation.ts";
import { ageSeconds } from "../render/age.ts";
import { type HttpServices, readIndex, respondJson } from "./respond.ts";

/**
 * Says that the Worker runs, whether or not there is an index to answer from: for probes, so always 200. Which generation
 * it is says it to those who see something of it.
 */
export function answerHealth(services: HttpServices): Promise<Response> {
  return readIndex(
    services,
    "/health",
    async ({ index, shards }) =>
      respondJson({
        status: "ok",
        index: "ready",
        ...((shards.length > 0 || index.root.shards.length === 0) && { generation: index.generation.id }),
      }),
    ({ kind, message }) =>
      respondJson({ status: "ok", index: kind === "no-index" ? "missing" : "unreadable", hint: message }),
  );
}

/** Says what is indexed: generation, age, collections, sizes. */
export function answerStatus(services: HttpServices): Promise<Response> {
  return readIndex(services, "/status", async (reader) => {
    const generation = await visibleGeneration(reader);
    return respondJson({
      ...generation,
      ageSeconds: ageSeconds(generation.builtAt, services.now) ?? null,
      collections: reader.collections,
    });
  });
}
