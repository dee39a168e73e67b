/**
 * Tokens of Cloudflare Access: JWTs that a team's identity provider gives to people and services, checked here once more
 * because the Worker may also be reached past Access.
 */
import { errors, jwtVerify } from "jose";
import { isSafeForSecrets } from "../../core/text/addresses.ts";
import { type Caller, readListed } from "./caller.ts";
import { ALGORITHMS, createTeamKeys, type TeamKeysOptions } from "./team-keys.ts";

/** Everybody who shows a token. */
const EVERYBODY = "*";

const WHO = /^(?:\*|[^\s@]*@[^\s@]+|group:.+|service:.+)$/;

const EXAMPLE = '{"*": ["guide"], "@example.com": ["team"], "ada@example.com": ["*"], "group:board": ["board"]}';

/** Which tokens are accepted. */
export interface TokenSettings {
  /** Address of the team: a host name (`team.cloudflareaccess.com`) or a whole origin. */
  readonly teamDomain: string;
  /** Audience tag of the application; several are separated by commas. */
  readonly audience: string;
  /** What who may see, see `identity.ts`; every token sees all collections when absent. */
  readonly collections?: string | undefined;
}

/** Why a token opens nothing. */
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
export type TokenVerifier = (
  token: string,
  now: number,
  report: (error: unknown) => void,
) => Promise<Caller | TokenFault>;

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

/**
 * What people of a team may see, by who they are: collections for e-mail addresses, domains, groups of the identity provider
 * and services, as the setting `ACCESS_COLLECTIONS` lists them.
 *
 * Pure: texts and claims in, collections out.
 */

/** Collections by what a token may say of its bearer. */
type IdentityCollections = ReadonlyMap<string, readonly string[]>;

/** The setting as a table; undefined where there is none. @throws {Error} where it is no such table: then no token opens anything. */
function readIdentityCollections(setting: string | undefined): IdentityCollections | undefined {
  if ((setting ?? "").trim() === "") return undefined;
  const fail = (what: string): Error => new Error(`ACCESS_COLLECTIONS ${what}; an example: ${EXAMPLE}`);
  let value: unknown;
  try {
    value = JSON.parse(setting ?? "");
  } catch {
    throw fail("is no JSON");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fail("is no object");
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
