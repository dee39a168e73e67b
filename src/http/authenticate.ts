/**
 * Sixth station on a request's way: who asks. Routes behind it find the caller in `context.var.caller`.
 *
 * What a caller shows must hold: a credential that is wrong, old or unreadable is refused in a public deployment too, and
 * never taken for none.
 */
import type { Context, MiddlewareHandler } from "hono";
import { ANONYMOUS, type Caller, NOBODY } from "../surface/access/caller.ts";
import { type Credential, readAssertion, readAuthorization } from "../surface/access/credential.ts";
import { type AccessSettings, authorizationServers, isPrivate } from "../surface/access/deployment.ts";
import { callerOfKey, findKey, type KeyFault } from "../surface/access/keys.ts";
import { createAccessReader, type ObjectReader } from "../surface/access/read-access.ts";
import { TeamKeysError } from "../surface/access/team-keys.ts";
import { createTokenVerifier, type TokenFault, type TokenVerifier } from "../surface/access/tokens.ts";
import { toProblem } from "../surface/render/problem.ts";
import { DISCOVERY_PATHS } from "./discovery.ts";
import type { CorpusEnv } from "./door.ts";
import { CONNECT_PATH } from "./explorer/connect-page.ts";
import { refuseOftenRefused } from "./limit-rate.ts";
import { OPENAPI_PATH } from "./openapi.ts";
import { EXPLORER_FILE_PATHS, PAGE_SCRIPT_PATHS } from "./page-files.ts";
import { METADATA_PATHS, metadataAddress } from "./protected-resource.ts";
import { refuseRequest } from "./refuse.ts";
import type { Report } from "./report.ts";

interface AccessEnv {
  readonly Bindings: AccessSettings;
  readonly Variables: CorpusEnv["Variables"] & { readonly caller: Caller; readonly report: Report };
}

/** What checking callers needs from the shell around it. */
export interface AuthenticateOptions {
  /** Reads an object of the deployment's bucket. */
  readonly readObject: ObjectReader;
  /** Fetches the keys of a Cloudflare Access team. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Addresses that answer everybody, whatever they show. They say nothing of what is indexed. */
const OPEN_PATHS: ReadonlySet<string> = new Set([
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

/** Why somebody is not let in. */
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
