/**
 * Seventh station on a request's way: no more requests than a rate limit binding allows, for each key, else for each address.
 * A request that took the work of several searches counts as so many, afterwards: who asks for much may ask less often.
 *
 * The platform counts, approximately and in each of its places. Without the binding, or with `RATE_LIMITS=off`, nothing is
 * limited.
 */
import type { Context, MiddlewareHandler } from "hono";
import { workOf } from "../core/index/cost.ts";
import type { Caller } from "../surface/access/caller.ts";
import { addressKey, RATE_PERIOD_SECONDS, rateKey } from "../surface/access/rates.ts";
import { toProblem } from "../surface/render/problem.ts";
import { refuseRequest } from "./refuse.ts";
import type { Report } from "./report.ts";
import type { RequestRecord } from "./trace.ts";

/** Rate limit bindings of `wrangler.toml`. */
export type RateBinding = "RATE_LIMIT" | "SESSION_RATE_LIMIT";

interface RateEnv {
  readonly Bindings: { readonly RATE_LIMITS?: string };
  readonly Variables: {
    readonly caller: Caller;
    readonly report: Report;
    readonly record?: Pick<RequestRecord, "calls" | "cost">;
  };
}

/** All of them, in the order in which requests meet them. */
const RATE_BINDINGS: readonly RateBinding[] = ["RATE_LIMIT", "SESSION_RATE_LIMIT"];

/** What of a request says whose it is, and what counts it. */
type Asked = Pick<Context<RateEnv>, "var" | "req"> & { readonly env: unknown };

/** The part of a rate limit binding that is used. */
interface RateLimiter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

const ADDRESS_HEADER = "CF-Connecting-IP";
/** A request counts as no more than this: the limiter is asked once for each. */
const MAX_CHARGE = 60;
/** Nobody's: callers are counted under names with a space in them. */
const STATUS_KEY = "status";

/** Refuses with 429 who asks more often than a binding allows. Comes behind the station that says who asks. */
export function limitRate(binding: RateBinding): MiddlewareHandler<RateEnv> {
  return async (context, next) => {
    const key = rateKey(context.var.caller, context.req.header(ADDRESS_HEADER) ?? null);
    const refusal = await refuseOften(context, binding, key);
    if (refusal !== undefined) return refusal;
    await next();
    const { record } = context.var;
    const more =
      binding === "RATE_LIMIT" && record !== undefined ? chargeOf(record) - Math.max(1, record.calls.length) : 0;
    if (more > 0 && findLimiter(context.env, binding) !== undefined) {
      context.executionCtx.waitUntil(countSeveral(context, binding, key, more));
    }
    return undefined;
  };
}

/** As how many requests one counts: its calls, or the searches whose work it took, whichever is more. */
export function chargeOf({ calls, cost }: Pick<RequestRecord, "calls" | "cost">): number {
  return Math.min(MAX_CHARGE, Math.max(1, calls.length, Math.ceil(workOf(cost()))));
}

/** The refusal of somebody who was not let in and tries too often; undefined where there is none. */
export function refuseOftenRefused(context: Asked): Promise<Response | undefined> {
  const key = addressKey(context.req.header(ADDRESS_HEADER) ?? null);
  return refuseOften(context, "RATE_LIMIT", `refused ${key}`);
}

/** Counts more under a binding: whether that is still allowed. For what is counted within a request. */
export async function isAllowed(context: Asked, binding: RateBinding, times = 1): Promise<boolean> {
  const { caller } = context.var;
  return countSeveral(context, binding, rateKey(caller, context.req.header(ADDRESS_HEADER) ?? null), times);
}

/** Whether all rate limits of a deployment work: asked once each. `absent` where one is off or not bound. @throws why not. */
export async function checkRateLimits(bindings: unknown): Promise<"ok" | "absent"> {
  const limiters = RATE_BINDINGS.map((binding) => findLimiter(bindings, binding));
  for (const limiter of limiters) {
    if (limiter === undefined) return "absent";
    await limiter.limit({ key: STATUS_KEY });
  }
  return "ok";
}

async function refuseOften(context: Asked, binding: RateBinding, key: string): Promise<Response | undefined> {
  if (await count(context, binding, key)) return undefined;
  return refuseRequest(context, 429, `Too many requests. Wait ${RATE_PERIOD_SECONDS} seconds, then go on.`, {
    "Retry-After": String(RATE_PERIOD_SECONDS),
  });
}

async function countSeveral(context: Asked, binding: RateBinding, key: string, times: number): Promise<boolean> {
  const allowed = await Promise.all(Array.from({ length: times }, () => count(context, binding, key)));
  return allowed.every((one) => one);
}

async function count({ env, var: { report } }: Asked, binding: RateBinding, key: string): Promise<boolean> {
  const limiter = findLimiter(env, binding);
  if (limiter === undefined) return true;
  try {
    return (await limiter.limit({ key })).success;
  } catch (error) {
    // Where the platform cannot count, it is better to answer than not to.
    report(toProblem(error), "rate-limit");
    return true;
  }
}

function findLimiter(bindings: unknown, binding: RateBinding): RateLimiter | undefined {
  if (typeof bindings !== "object" || bindings === null) return undefined;
  const off: unknown = Reflect.get(bindings, "RATE_LIMITS");
  if (typeof off === "string" && off.trim().toLowerCase() === "off") return undefined;
  return Reflect.get(bindings, binding) as RateLimiter | undefined;
}
