/**
 * Tokens of Cloudflare Access: JWTs that a team's identity provider gives to people and services, checked here once more because the
 * Worker may also be reached past Access. The public keys of the team are at its address `/cdn-cgi/access/certs`.
 *
 * Imported keys are cached, never a promise: jose's own remote set caches the promise of an import, which belongs to the request that began
 * it, and the Workers runtime lets no other request wait for that.
 */

import { errors, importJWK, jwtVerify } from "jose";
import { isWithin } from "../../core/is-within.ts";
import { isRecord, parseJson } from "../../core/parse-text.ts";
import { isSafeForSecrets } from "../../core/text/addresses.ts";
import { KEY_TEXT } from "./access-file.ts";
import { type Caller, readListed } from "./caller.ts";

/** Everybody who shows a token. */
const EVERYBODY = "*";

const WHO = /^(?:\*|[^\s@]*@[^\s@]+|group:.+|service:.+)$/;

const EXAMPLE = '{"*": ["guide"], "@example.com": ["team"], "ada@example.com": ["*"], "group:board": ["board"]}';

interface TokenSettings {
  /** Address of the team: a host name (`team.cloudflareaccess.com`) or a whole origin. */
  readonly teamDomain: string;
  /** Audience tag of the application; several are separated by commas. */
  readonly audience: string;
  /** Collections by bearer, see `readIdentityCollections`; every token sees all when absent. */
  readonly collections?: string | undefined;
}

export type TokenFault = "expired" | "audience" | "issuer" | "invalid";

/** Seconds by which clocks may differ for `nbf`; `exp` is exact enough with them as well. */
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_NAME_LENGTH = 100;
/** Of a token that is for an application, as its claim `type` says. */
const TOKEN_TYPE = "app";

/**
 * Checks a token.
 *
 * @param now Milliseconds since 1970.
 * @param report Takes why the team's keys could not be read again, while those from before hold.
 */
type TokenVerifier = (token: string, now: number, report: (error: unknown) => void) => Promise<Caller | TokenFault>;

/** Whether a text has the form of a token: three parts with dots between them. */
export function looksLikeToken(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text);
}

/**
 * A verifier of the tokens of one team and application. What it accepts sees the collections of its bearer.
 *
 * The result throws {TeamKeysError} where the team's keys cannot be read.
 *
 * @throws {Error} where the settings name no address or no audience: a token of any application would do.
 */
export function createTokenVerifier(
  { teamDomain, audience: listed, collections: setting }: TokenSettings,
  fetch: TeamKeysOptions["fetch"],
): TokenVerifier {
  const team = readTeam(teamDomain);
  const audience = listed.split(",").flatMap((one) => (one.trim() === "" ? [] : [one.trim()]));
  if (audience.length === 0) throw new Error("ACCESS_AUDIENCE is missing: the audience tag of the Access application");
  const table = readIdentityCollections(setting);
  const keyOf = createTeamKeys({ team, fetch });
  return async (token, now, report) => {
    try {
      const { payload } = await jwtVerify(
        token,
        async ({ kid, alg }) => {
          const key = typeof kid === "string" ? await keyOf(kid, alg, now, report) : undefined;
          if (key === undefined) throw new errors.JWKSNoMatchingKey();
          return key;
        },
        {
          issuer: team,
          audience,
          algorithms: [...ALGORITHMS],
          requiredClaims: ["exp", "iat"],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(now),
        },
      );
      // What Access gives to a browser while it asks who somebody is opens nothing yet.
      if (payload["type"] !== undefined && payload["type"] !== TOKEN_TYPE) return "invalid";
      if (Number(payload.iat) > now / 1000 + CLOCK_TOLERANCE_SECONDS) return "invalid";
      if (!Number.isSafeInteger(payload.exp)) return "invalid";
      // People have a subject, services a common name.
      const subject = [payload.sub, payload["common_name"]].find((name) => typeof name === "string" && name !== "");
      const collections = table === undefined ? "all" : collectionsOf(table, payload);
      return { name: nameOf(subject), collections, seesPublic: true, isAdmin: false };
    } catch (error) {
      if (error instanceof errors.JOSEError) return faultOf(error);
      throw error;
    }
  };
}

function faultOf(error: errors.JOSEError): TokenFault {
  if (error instanceof errors.JWTExpired) return "expired";
  if (!(error instanceof errors.JWTClaimValidationFailed)) return "invalid";
  if (error.claim === "aud") return "audience";
  return error.claim === "iss" ? "issuer" : "invalid";
}

/** In logs and limits; the `:` keeps it apart from every consumer of a key. */
function nameOf(subject: unknown): string {
  const clean = String(subject ?? "").replace(/[^\w.@-]/g, "?");
  return `token:${clean.slice(0, MAX_NAME_LENGTH)}`;
}

/** Origin of the team, which is the issuer of its tokens. Plain HTTP only on this machine, for tests. */
function readTeam(teamDomain: string): string {
  const text = teamDomain.trim();
  const address = text.includes("://") ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && isSafeForSecrets(url)) return url.origin;
  throw new Error(`ACCESS_TEAM_DOMAIN is no host name, such as team.cloudflareaccess.com: ${JSON.stringify(text)}`);
}

/** Collections by what a token may say of its bearer. */
type IdentityCollections = ReadonlyMap<string, readonly string[]>;

/** The setting as a table; undefined where there is none. @throws {Error} where it is no such table: then no token opens anything. */
function readIdentityCollections(setting: string | undefined): IdentityCollections | undefined {
  if ((setting ?? "").trim() === "") return undefined;
  const fail = (what: string): Error => new Error(`ACCESS_COLLECTIONS ${what}; an example: ${EXAMPLE}`);
  const value = parseJson(setting ?? "");
  if (value === undefined) throw fail("is no JSON");
  if (!isRecord(value)) throw fail("is no object");
  return new Map(
    Object.entries(value).map(([who, listed]: [string, unknown]) => {
      if (!WHO.test(who)) throw fail(`names ${JSON.stringify(who)}, no e-mail address, @domain, group:, service: or *`);
      const isList =
        Array.isArray(listed) && listed.every((one) => typeof one === "string" && readListed(one) !== undefined);
      if (!isList) throw fail(`has no list of collections for ${JSON.stringify(who)}`);
      return [who.toLowerCase(), listed as readonly string[]];
    }),
  );
}

/** Collections that the bearer of a token with these claims may see. */
function collectionsOf(table: IdentityCollections, claims: Readonly<Record<string, unknown>>): readonly string[] {
  return [...new Set(namesOf(claims).flatMap((who) => table.get(who.toLowerCase()) ?? []))];
}

/** What a token says of its bearer. Groups of the identity provider stand in it where Access is told to pass them on. */
function namesOf({ email, groups, custom, common_name: service }: Readonly<Record<string, unknown>>): string[] {
  const passedOn = typeof custom === "object" && custom !== null ? Reflect.get(custom, "groups") : undefined;
  const listed = [groups, passedOn].flat().filter((group): group is string => typeof group === "string");
  const domain = typeof email === "string" ? email.slice(email.lastIndexOf("@")) : undefined;
  return [
    EVERYBODY,
    ...(typeof email === "string" && domain !== undefined ? [email, domain] : []),
    ...listed.map((group) => `group:${group}`),
    ...(typeof service === "string" && service !== "" ? [`service:${service}`] : []),
  ];
}

/** Algorithms that a token may be signed with. Nothing symmetric: its key would be the public one. */
const ALGORITHMS = ["RS256", "ES256"] as const;

type Algorithm = (typeof ALGORITHMS)[number];
/** Named after what makes it: the platforms do not agree on where its type is declared. */
type PublicKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

interface TeamKey {
  readonly id: string;
  readonly algorithm: Algorithm;
  readonly key: PublicKey;
}

const CERTS_PATH = "/cdn-cgi/access/certs";
const MAX_AGE_MS = 600_000;
/** While the team's address does not answer, keys from before hold this long. */
const GRACE_MS = 3_600_000;
/** A key id that is not known makes the list be read again, at most this often: anybody can make up ids. */
const COOLDOWN_MS = 30_000;
/** Where there are no keys at all, the next try comes after this at the earliest. */
const RETRY_MS = 5000;
const TIMEOUT_MS = 5000;
const MAX_BYTES = 65_536;
const MAX_KEYS = 20;
const LEAST_RSA_BITS = 2048;

/** The keys could not be read, so a token can neither be accepted nor refused. */
export class TeamKeysError extends Error {
  override readonly name = "TeamKeysError";
}

interface TeamKeysOptions {
  /** Address of the team, without a path. */
  readonly team: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Finds a key by its id and algorithm, at a time in milliseconds since 1970.
 *
 * @param report Takes why the keys could not be read again, while those from before hold.
 */
type KeyFinder = (
  id: string,
  algorithm: string,
  now: number,
  report: (error: unknown) => void,
) => Promise<PublicKey | undefined>;

/**
 * Gives the key of an id and an algorithm, undefined where the team has none of them.
 *
 * The result throws {TeamKeysError} where the keys cannot be read and none from before holds.
 */
function createTeamKeys({ team, fetch }: TeamKeysOptions): KeyFinder {
  let keys: readonly TeamKey[] | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let failed: { readonly error: unknown; readonly atMs: number } | undefined;
  const isHeld = (now: number): boolean => keys !== undefined && isWithin(now, readAtMs, GRACE_MS);
  const read = async (now: number, report: (error: unknown) => void): Promise<void> => {
    if (failed !== undefined && isWithin(now, failed.atMs, RETRY_MS) && !isHeld(now)) throw failed.error;
    triedAtMs = now;
    try {
      keys = await readKeys(new URL(CERTS_PATH, team), fetch);
      readAtMs = now;
      failed = undefined;
    } catch (error) {
      failed = { error, atMs: now };
      if (!isHeld(now)) throw error;
      report(error);
    }
  };
  const find = (id: string, algorithm: string): PublicKey | undefined =>
    keys?.find((key) => key.id === id && key.algorithm === algorithm)?.key;
  return async (id, algorithm, now, report) => {
    const isOld = !isWithin(now, readAtMs, MAX_AGE_MS);
    if (!isHeld(now) || (isOld && !isWithin(now, triedAtMs, COOLDOWN_MS))) await read(now, report);
    const found = find(id, algorithm);
    if (found !== undefined || isWithin(now, triedAtMs, COOLDOWN_MS)) return found;
    await read(now, report);
    return find(id, algorithm);
  };
}

async function readKeys(address: URL, fetch: TeamKeysOptions["fetch"]): Promise<readonly TeamKey[]> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(new Request(address, { redirect: "manual", signal }));
    if (response.status !== 200) throw new Error(`it answered with status ${response.status}`);
    const { keys } = (await readJson(response)) as { readonly keys?: unknown };
    if (!Array.isArray(keys)) throw new Error("it has no list of keys");
    const imported = await Promise.all(keys.slice(0, MAX_KEYS).map(importKey));
    return imported.filter((key) => key !== undefined);
  } catch (cause) {
    throw new TeamKeysError(`The keys at ${address.host}${CERTS_PATH} cannot be read: ${String(cause)}`, { cause });
  }
}

async function readJson(response: Response): Promise<object> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`it is longer than ${MAX_BYTES} bytes`);
    text += decoder.decode(part, { stream: true });
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new Error("it is no JSON object");
  return value;
}

/** A key of the list; undefined where it is not one that may verify tokens. */
async function importKey(value: unknown): Promise<TeamKey | undefined> {
  if (typeof value !== "object" || value === null) return undefined;
  const { kid, kty, use, alg, crv, n, e, x, y } = value as Readonly<Record<string, unknown>>;
  const algorithm: Algorithm | undefined =
    kty === "RSA" ? "RS256" : kty === "EC" && crv === "P-256" ? "ES256" : undefined;
  if (typeof kid !== "string" || algorithm === undefined || (use !== undefined && use !== "sig")) return undefined;
  if (alg !== undefined && alg !== algorithm) return undefined;
  // Only what makes a public key is taken over, whatever else the list says.
  const jwk = algorithm === "RS256" ? { kty, n, e } : { kty, crv, x, y };
  try {
    const key = await importJWK(jwk as Parameters<typeof importJWK>[0], algorithm);
    const { algorithm: made } = key as PublicKey;
    // A weak key is an error of jose's at every token; here it is a key that there is not.
    if ("modulusLength" in made && Number(made.modulusLength) < LEAST_RSA_BITS) return undefined;
    return { id: kid, algorithm, key: key as PublicKey };
  } catch {
    // One key that cannot be used does not make the others useless.
    return undefined;
  }
}

/*
 * What a caller shows in the headers of a request: a key, a token of Cloudflare Access, or something that is neither.
 *
 * Nothing is read from the address or from cookies: addresses stand in logs, and cookies are sent by pages that were not
 * asked. Pure: headers in, a verdict out.
 */

/** Header in which Access passes on whom it let through. */
const ASSERTION_HEADER = "Cf-Access-Jwt-Assertion";
/** Headers that answers depend on. */
export const CREDENTIAL_HEADERS = `Authorization, ${ASSERTION_HEADER}`;
/** A token of Access has about a thousand characters. */
const MAX_LENGTH = 8192;

export type Credential =
  | { readonly kind: "key" | "token"; readonly text: string }
  | { readonly kind: "malformed"; readonly reason: string };

/** What stands in `Authorization`; undefined where the header is absent. */
export function readAuthorization(headers: Headers): Credential | undefined {
  const header = headers.get("Authorization");
  if (header === null) return undefined;
  if (header.length > MAX_LENGTH) return malformed(`is longer than ${MAX_LENGTH} characters`);
  // Two headers of the name arrive as one with a comma, which no key and no token holds.
  const [, scheme = "", text = ""] = /^([^ \t]*)[ \t]*(.*)$/.exec(header) ?? [];
  if (scheme.toLowerCase() !== "bearer") return malformed("must begin with Bearer");
  if (text === "") return malformed("has nothing after Bearer");
  if (KEY_TEXT.test(text)) return { kind: "key", text };
  if (looksLikeToken(text)) return { kind: "token", text };
  return malformed("holds neither a key (tl_…) nor a token");
}

/** What Access passed on; undefined where the header is absent. */
export function readAssertion(headers: Headers): Credential | undefined {
  const text = headers.get(ASSERTION_HEADER);
  if (text === null) return undefined;
  return text.length <= MAX_LENGTH && looksLikeToken(text)
    ? { kind: "token", text }
    : { kind: "malformed", reason: `${ASSERTION_HEADER} holds no token` };
}

function malformed(what: string): Credential {
  return { kind: "malformed", reason: `The header Authorization ${what}` };
}
