/**
 * Tokens of Cloudflare Access: JWTs that a team's identity provider gives to people and services, checked here once more
 * because the Worker may also be reached past Access.
 */
import { errors, jwtVerify } from "jose";
import { isSafeForSecrets } from "../core/loopback.ts";
import type { Caller } from "./caller.ts";
import { collectionsOf, readIdentityCollections } from "./identity.ts";
import { ALGORITHMS, createTeamKeys, type TeamKeysOptions } from "./team-keys.ts";

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
