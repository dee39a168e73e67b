/**
 * Middleware that finds out who calls and how often. Routes find the caller in `context.var.caller`.
 *
 * An invalid credential is rejected, in a public deployment too, and never treated as anonymous. The platform counts requests,
 * approximately and in each of its locations, for each key, else for each address. Without the binding, or with `RATE_LIMITS=off`,
 * nothing is limited.
 */
import type { Context, HonoRequest, MiddlewareHandler } from "hono";
import { workOf } from "../core/index/cost.ts";
import { ANONYMOUS, addressKey, type Caller, NOBODY, RATE_PERIOD_SECONDS, rateKey } from "../surface/access/caller.ts";
import { type AccessSettings, authorizationServers, isPrivate } from "../surface/access/deployment.ts";
import { callerOfKey, createAccessReader, findKey, type KeyFault, type ObjectReader } from "../surface/access/keys.ts";
import {
  type Credential,
  createTokenVerifier,
  readAssertion,
  readAuthorization,
  TeamKeysError,
  type TokenFault,
} from "../surface/access/tokens.ts";
import { toProblem } from "../surface/render/problem.ts";
import { type CorpusEnv, corpusAddress, METADATA_PATH } from "./addresses.ts";
import { DISCOVERY_PATHS, MCP_PATH, METADATA_PATHS } from "./discovery.ts";
import { CONNECT_PATH } from "./explorer/links.ts";
import { EXPLORER_FILE_PATHS, OPENAPI_PATH, PAGE_SCRIPT_PATHS } from "./page-files.ts";
import { refuseRequest } from "./refuse.ts";
import type { Report, RequestRecord } from "./trace.ts";

interface AccessEnv {
  readonly Bindings: AccessSettings & RateSettings;
  readonly Variables: CorpusEnv["Variables"] & { readonly caller: Caller; readonly report: Report };
}

type TokenVerifier = ReturnType<typeof createTokenVerifier>;

/** What checking callers needs from the shell around it. */
interface AuthenticateOptions {
  /** Reads an object of the deployment's bucket. */
  readonly readObject: ObjectReader;
  /** Fetches the keys of a Cloudflare Access team. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Addresses that answer everybody, whatever they show. They say nothing of what is indexed. */
export const OPEN_PATHS: ReadonlySet<string> = new Set([
  "/health",
  OPENAPI_PATH,
  ...METADATA_PATHS,
  ...DISCOVERY_PATHS.map(([path]) => path),
  CONNECT_PATH,
  ...EXPLORER_FILE_PATHS,
  ...PAGE_SCRIPT_PATHS,
]);
/** Seconds after which what could not be checked may be tried again. */
const RETRY_SECONDS = "10";

type Refusal = { readonly status: 401 | 503; readonly message: string };

/** Who a credential is of. Where it takes something that fails, that is reported and the answer is 503, or an error. */
type Check = (
  credential: Credential,
  settings: AccessSettings,
  report: (error: unknown) => void,
) => Promise<Caller | Refusal>;

/** Finds out who asks, and refuses who is nobody where the deployment is private. */
export function authenticate(options: AuthenticateOptions): MiddlewareHandler<AccessEnv> {
  const readKeys = createAccessReader(options.readObject);
  const verifiers = new Map<string, TokenVerifier>();
  const check: Check = async (credential, settings, report) => {
    const now = Date.now();
    if (credential.kind === "malformed") return refused(`${credential.reason}.`);
    if (credential.kind === "token") {
      const verify = verifierOf(settings, verifiers, options);
      if (verify === undefined) return refused("This server takes no tokens, only keys.");
      const found = await verify(credential.text, now, report);
      return typeof found === "string" ? refused(TOKEN_FAULTS[found]) : found;
    }
    const keys = await readKeys(now, report);
    if (keys === undefined) return { status: 503, message: "The keys of this server cannot be read right now." };
    const found = await findKey(keys, credential.text, now);
    return typeof found === "string" ? refused(KEY_FAULTS[found]) : callerOfKey(found, !isPrivate(settings));
  };
  return async (context, next) => {
    const settings = context.env;
    if (OPEN_PATHS.has(context.req.path)) {
      context.set("caller", isPrivate(settings) ? NOBODY : ANONYMOUS);
    } else {
      const found = await whoAsks(context, check);
      if ("status" in found) return (await refuseOftenRefused(context)) ?? refuse(context, found);
      context.set("caller", found);
    }
    await next();
    return undefined;
  };
}

async function whoAsks(context: Context<AccessEnv>, check: Check): Promise<Caller | Refusal> {
  const { req, env } = context;
  const report = (error: unknown): void => context.var.report(toProblem(error), "access");
  const isBehindAccess = (env.ACCESS_TEAM_DOMAIN ?? "").trim() !== "";
  const shown = [
    // Whom nobody told about Access cannot check what it says, and takes it for no credential.
    isBehindAccess ? readAssertion(req.raw.headers) : undefined,
    readAuthorization(req.raw.headers),
  ].filter((credential) => credential !== undefined);
  let caller: Caller | undefined;
  try {
    // All that is shown must hold. What the caller chose to send says more than what Access adds to every request.
    for (const credential of shown) {
      const found = await check(credential, env, report);
      if ("status" in found) return found;
      caller = found;
    }
  } catch (error) {
    report(error);
    const message = `${error instanceof TeamKeysError ? "The keys of the identity provider cannot be read" : "Tokens cannot be checked"} right now.`;
    return { status: 503, message };
  }
  if (caller !== undefined) return caller;
  return isPrivate(env) ? refused("This server is private.") : ANONYMOUS;
}

function verifierOf(
  { ACCESS_TEAM_DOMAIN, ACCESS_AUDIENCE, ACCESS_COLLECTIONS: collections }: AccessSettings,
  known: Map<string, TokenVerifier>,
  { fetch }: AuthenticateOptions,
): TokenVerifier | undefined {
  const [teamDomain = "", audience = ""] = [ACCESS_TEAM_DOMAIN, ACCESS_AUDIENCE];
  if (teamDomain.trim() === "") return undefined;
  const name = JSON.stringify([teamDomain, audience, collections]);
  const verifier = known.get(name) ?? createTokenVerifier({ teamDomain, audience, collections }, fetch);
  known.set(name, verifier);
  return verifier;
}

const KEY_FAULTS: Readonly<Record<KeyFault, string>> = {
  unknown: "This key is not known here.",
  revoked: "This key was revoked.",
  expired: "This key has expired.",
};

const TOKEN_FAULTS: Readonly<Record<TokenFault, string>> = {
  expired: "This token has expired.",
  audience: "This token is for another application.",
  issuer: "This token is of another team.",
  invalid: "This token is not valid.",
};

function refused(message: string): Refusal {
  return { status: 401, message };
}

function refuse(context: Context<AccessEnv>, { status, message }: Refusal): Response {
  if (status === 503) return refuseRequest(context, status, message, { "Retry-After": RETRY_SECONDS });
  const isLogin = authorizationServers(context.env).length > 0;
  const more = `Send a key as the header "Authorization: Bearer tl_…"${isLogin ? ", or log in" : ""}. Who runs this server makes keys with: treeline keys add NAME`;
  const challenge = isLogin
    ? `Bearer resource_metadata="${metadataAddress(context.req, context.var.corpus)}"`
    : "Bearer";
  return refuseRequest(context, status, `${message} ${more}`, { "WWW-Authenticate": challenge });
}

type RateBinding = "RATE_LIMIT" | "SESSION_RATE_LIMIT";

export interface RateSettings extends Readonly<Partial<Record<RateBinding, RateLimiter>>> {
  /** `off` lets everybody ask as often as they like. */
  readonly RATE_LIMITS?: string;
}

interface RateEnv {
  readonly Bindings: RateSettings;
  readonly Variables: {
    readonly caller: Caller;
    readonly report: Report;
    readonly record?: RequestRecord;
  };
}

/** The part of a rate limit binding that is used. */
interface RateLimiter {
  limit(options: { readonly key: string }): Promise<{ readonly success: boolean }>;
}

/** A request, its caller and the limits of the deployment. */
type Asked = Pick<Context<RateEnv>, "var" | "req" | "env">;

const ADDRESS_HEADER = "CF-Connecting-IP";
/** A request counts as no more than this: the limiter is asked once for each. */
const MAX_CHARGE = 60;
/** Nobody's: callers are counted under names with a space in them. */
const STATUS_KEY = "status";

/**
 * Refuses with 429 a caller who asks more often than a binding allows. A request that took the work of several searches counts as so many,
 * afterwards. Comes after `authenticate`.
 */
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
export function chargeOf(record: Pick<RequestRecord, "calls" | "cost">): number {
  return Math.min(MAX_CHARGE, Math.max(1, record.calls.length, Math.ceil(workOf(record.cost()))));
}

/** The refusal of somebody who was not let in and tries too often; undefined where there is none. */
function refuseOftenRefused(context: Asked): Promise<Response | undefined> {
  const key = addressKey(context.req.header(ADDRESS_HEADER) ?? null);
  return refuseOften(context, "RATE_LIMIT", `refused ${key}`);
}

/** Counts more under a binding: whether that is still allowed. For what is counted within a request. */
export async function isAllowed(context: Asked, binding: RateBinding, times = 1): Promise<boolean> {
  const { caller } = context.var;
  return countSeveral(context, binding, rateKey(caller, context.req.header(ADDRESS_HEADER) ?? null), times);
}

/** Whether all rate limits of a deployment work: asked once each. `absent` where one is off or not bound. @throws why not. */
export async function checkRateLimits(settings: RateSettings): Promise<"ok" | "absent"> {
  for (const binding of ["RATE_LIMIT", "SESSION_RATE_LIMIT"] as const) {
    const limiter = findLimiter(settings, binding);
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

function findLimiter(settings: RateSettings, binding: RateBinding): RateLimiter | undefined {
  return settings.RATE_LIMITS?.trim().toLowerCase() === "off" ? undefined : settings[binding];
}

/** Address of the metadata that belongs to what was asked for. @param path Without the name of the corpus. */
function metadataAddress({ url, path }: Pick<HonoRequest, "url" | "path">, corpus: string): string {
  return `${corpusAddress(`${new URL(url).origin}${METADATA_PATH}`, corpus)}${path.endsWith(MCP_PATH) || path === "/sse" ? MCP_PATH : ""}`;
}
