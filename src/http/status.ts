/**
 * Routes `/health` and `/status`: whether the Worker runs, and what it has indexed.
 */
import { ageSeconds } from "../render/age.ts";
import { NO_INDEX, toProblem } from "../render/problem.ts";
import { type HttpServices, respondJson, respondProblem } from "./respond.ts";

/** Says that the Worker runs, whether or not there is an index to answer from: for probes, so always 200. */
export async function answerHealth(services: HttpServices): Promise<Response> {
  try {
    const done = await services.withReader(async (reader) => reader.index.generation.id);
    if (done === undefined) return respondJson({ status: "ok", index: "missing", hint: NO_INDEX.message });
    return respondJson({ status: "ok", index: "ready", generation: done.value });
  } catch (error) {
    const problem = toProblem(error);
    services.report(problem, "/health");
    return respondJson({ status: "ok", index: "unreadable", hint: problem.message });
  }
}

/** Says what is indexed: generation, age, collections, sizes. */
export async function answerStatus(services: HttpServices): Promise<Response> {
  try {
    const done = await services.withReader(async (reader) => {
      const { generation } = reader;
      return {
        ...generation,
        ageSeconds: ageSeconds(generation.builtAt, services.now) ?? null,
        collections: reader.collections,
      };
    });
    return done === undefined ? respondProblem(NO_INDEX) : respondJson(done.value);
  } catch (error) {
    const problem = toProblem(error);
    services.report(problem, "/status");
    return respondProblem(problem);
  }
}
