/**
 * The parts of a deployment that `/status` looks at beside the index. All are optional, so none of them fails the whole.
 */
import { INSIGHTS_OBJECT } from "../insights/insight-writer.ts";
import { type Check, checkBinding } from "./status-checks.ts";

/** Bindings that are asked, as far as asking needs them. */
export interface CheckedBindings {
  readonly INDEX?: { head(name: string): Promise<unknown> };
  readonly SESSIONS?: { getByName(name: string): { read(parts: readonly never[]): Promise<unknown> } };
  readonly INSIGHTS?: { getByName(name: string): { ping(): Promise<unknown> } };
  readonly METRICS?: object;
}

/** File of the bucket that holds keys. */
const ACCESS_FILE = "access.json";
/** A name that no handle has, so nobody's session. */
const NO_SESSION = "status";

/** The checks of a deployment with these bindings. */
export function listChecks({ INDEX, SESSIONS, INSIGHTS, METRICS, ...others }: CheckedBindings): Check[] {
  return [
    checkBinding("sessions", SESSIONS, (objects) => objects.getByName(NO_SESSION).read([])),
    checkBinding("insights", INSIGHTS, (objects) => objects.getByName(INSIGHTS_OBJECT).ping()),
    checkBinding("rate-limiter", Object.values(others).find(isRateLimiter), async () => undefined),
    checkBinding("metrics", METRICS, async () => undefined),
    {
      name: "access-file",
      isNeeded: false,
      run: async () => ((await INDEX?.head(ACCESS_FILE)) ? "ok" : "absent"),
    },
  ];
}

/** Rate limiters have names of their deployment's choice; what they all have is their method. */
function isRateLimiter(binding: unknown): binding is object {
  return typeof binding === "object" && binding !== null && "limit" in binding && typeof binding.limit === "function";
}
