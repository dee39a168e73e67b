/**
 * Fifth station on a request's way: no more requests than a rate limit binding allows, for each key, else for each address.
 *
 * The platform counts, approximately and in each of its places. Without the binding, or with `RATE_LIMITS=off`, nothing is
 * limited.
 */
import type { Context, MiddlewareHandler } from "hono";
import type { Caller } from "../access/caller.ts";
import { addressKey, RATE_PERIOD_SECONDS, rateKey } from "../access/rates.ts";
import { refuseRequest } from "./refuse.ts";

/** Rate limit bindings of `wrangler.toml`. */
export type RateBinding = "RATE_LIMIT" | "SESSION_RATE_LIMIT";

interface RateEnv {
  readonly Bindings: { readonly RATE_LIMITS?: string };
  readonly Variables: { readonly caller: Caller };
}

/** The part of a rate limit binding that is used. */
interface RateLimiter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

const ADDRESS_HEADER = "CF-Connecting-IP";

/** Refuses with 429 who asks more often than a binding allows. Comes behind the station that says who asks. */
export function limitRate(binding: RateBinding): MiddlewareHandler<RateEnv> {
  return async (context, next) => {
    const key = rateKey(context.var.caller, context.req.header(ADDRESS_HEADER) ?? null);
    const refusal = await refuseOften(context, binding, key);
    if (refusal !== undefined) return refusal;
    await next();
    return undefined;
  };
}

/** The refusal of somebody who was not let in and tries too often; undefined where there is none. */
export function refuseOftenRefused(context: Context): Promise<Response | undefined> {
  const key = addressKey(context.req.header(ADDRESS_HEADER) ?? null);
  return refuseOften(context, "RATE_LIMIT", `refused ${key}`);
}

/** Counts one more request of a caller under a binding: whether it is allowed. For what is counted within a request. */
export function isAllowed(
  bindings: unknown,
  binding: RateBinding,
  caller: Caller,
  address: string | null,
): Promise<boolean> {
  return count(bindings, binding, rateKey(caller, address));
}

async function refuseOften(context: Context, binding: RateBinding, key: string): Promise<Response | undefined> {
  if (await count(context.env, binding, key)) return undefined;
  return refuseRequest(context, 429, `Too many requests. Wait ${RATE_PERIOD_SECONDS} seconds, then go on.`, {
    "Retry-After": String(RATE_PERIOD_SECONDS),
  });
}

async function count(bindings: unknown, binding: RateBinding, key: string): Promise<boolean> {
  const limiter = findLimiter(bindings, binding);
  if (limiter === undefined) return true;
  // Where the platform cannot count, it is better to answer than not to.
  const { success } = await limiter.limit({ key }).catch(() => ({ success: true }));
  return success;
}

function findLimiter(bindings: unknown, binding: RateBinding): RateLimiter | undefined {
  if (typeof bindings !== "object" || bindings === null) return undefined;
  const off: unknown = Reflect.get(bindings, "RATE_LIMITS");
  if (typeof off === "string" && off.trim().toLowerCase() === "off") return undefined;
  return Reflect.get(bindings, binding) as RateLimiter | undefined;
}
