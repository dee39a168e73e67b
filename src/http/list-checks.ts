/**
 * The parts of a deployment that `/status` looks at beside the index. All are optional, so none of them fails the whole.
 */
import { checkAccessFile, type ObjectReader } from "../surface/access/read-access.ts";
import { hasSecret, SECRET_MISSING } from "../surface/access/signing-keys.ts";
import { insightsObject } from "../surface/insight-writer.ts";
import { checkRateLimits } from "./limit-rate.ts";
import { type Check, checkBinding } from "./status-checks.ts";

/** Bindings and settings that are asked, as far as asking needs them. Those of rate limits are found by their names. */
export interface CheckedBindings {
  readonly SESSIONS?: { getByName(name: string): { read(parts: readonly never[]): Promise<unknown> } };
  readonly INSIGHTS?: { getByName(name: string): { ping(): Promise<unknown> } };
  readonly METRICS?: object;
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
  const { SESSIONS, INSIGHTS, METRICS, TREELINE_SECRET } = bindings;
  return [
    checkBinding("sessions", SESSIONS, (objects) => objects.getByName(NO_SESSION).read([])),
    checkBinding("insights", INSIGHTS, (objects) => objects.getByName(insightsObject(corpus)).ping()),
    { name: "rate-limiter", isNeeded: false, run: () => checkRateLimits(bindings) },
    checkBinding("metrics", METRICS, async () => undefined),
    { name: "access-file", isNeeded: false, run: () => checkAccessFile(readObject) },
    { name: "secret", isNeeded: false, run: () => checkSecret(TREELINE_SECRET) },
  ];
}

/** Not `absent` but wrong: there is no deployment that does as well without one. */
async function checkSecret(secret: string | undefined): Promise<"ok"> {
  if (!hasSecret(secret)) throw new Error(SECRET_MISSING);
  return "ok";
}
