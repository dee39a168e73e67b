/** Credentials for the deployment of `access-files.ts`: keys and tokens that are let in, and those that are not. */
import { vi } from "vitest";
import { type AccessTeam, AUDIENCE, makeTeam } from "../support/access-team.ts";
import { KEYS, publishGroups } from "./access-files.ts";

const TEAM = "https://team.cloudflareaccess.com";
/** Settings of a deployment that shows the public group to everybody, and takes tokens of Access. */
export const PUBLIC = { ACCESS_TEAM_DOMAIN: "team.cloudflareaccess.com", ACCESS_AUDIENCE: AUDIENCE };
/** The same that answers nobody without a credential. */
export const PRIVATE = { ...PUBLIC, ACCESS: "private" };
/** The header with a key or token. */
export const bearer = (text: string): Record<string, string> => ({ Authorization: `Bearer ${text}` });

let team: AccessTeam | undefined;
let tokens = { good: "", old: "", foreign: "" };

/** What a caller shows. */
export interface Credential {
  readonly name: string;
  readonly headers: () => Record<string, string>;
  /** Groups that it shows in a private deployment; a public one shows `public` as well. */
  readonly groups: readonly string[];
}

/** Credentials that are let in. */
export const GOOD: readonly Credential[] = [
  { name: "a key for strategy", headers: () => bearer(KEYS.strategy), groups: ["strategy"] },
  { name: "a key for finance", headers: () => bearer(KEYS.finance), groups: ["finance"] },
  { name: "a key for half of finance", headers: () => bearer(KEYS.halfFinance), groups: [] },
  { name: "a key for docs", headers: () => bearer(KEYS.docs), groups: ["public"] },
  { name: "a key for all", headers: () => bearer(KEYS.all), groups: ["public", "strategy", "finance"] },
  { name: "a token", headers: () => bearer(tokens.good), groups: ["public", "strategy", "finance"] },
  {
    name: "a token that Access passed on",
    headers: () => ({ "Cf-Access-Jwt-Assertion": tokens.good }),
    groups: ["public", "strategy", "finance"],
  },
  {
    name: "a key for strategy behind Access",
    headers: () => ({ "Cf-Access-Jwt-Assertion": tokens.good, ...bearer(KEYS.strategy) }),
    groups: ["strategy"],
  },
];
/** No credential. */
export const NONE: Credential = { name: "nothing", headers: () => ({}), groups: [] };

/** Credentials that are refused everywhere. */
export const BAD: readonly (readonly [string, () => Record<string, string>])[] = [
  ["a revoked key", () => bearer(KEYS.revoked)],
  ["an expired key", () => bearer(KEYS.expired)],
  ["an unknown key", () => bearer(KEYS.unknown)],
  ["a key cut short", () => bearer(KEYS.all.slice(0, -1))],
  ["a key of another case", () => bearer(KEYS.all.toUpperCase())],
  ["a key without a scheme", () => ({ Authorization: KEYS.all })],
  ["a key as a password", () => ({ Authorization: `Basic ${btoa(`x:${KEYS.all}`)}` })],
  ["a key twice", () => ({ Authorization: `Bearer ${KEYS.all}, Bearer ${KEYS.all}` })],
  ["an empty key", () => ({ Authorization: "Bearer" })],
  ["a very long key", () => bearer("a".repeat(20_000))],
  ["a token that is over", () => bearer(tokens.old)],
  ["a token of somebody else", () => bearer(tokens.foreign)],
  ["an assertion of somebody else", () => ({ "Cf-Access-Jwt-Assertion": tokens.foreign })],
  [
    "an assertion of somebody else beside a key",
    () => ({ "Cf-Access-Jwt-Assertion": tokens.foreign, ...bearer(KEYS.all) }),
  ],
  ["a wrong key beside an assertion", () => ({ "Cf-Access-Jwt-Assertion": tokens.good, ...bearer(KEYS.unknown) })],
  ["a key as an assertion", () => ({ "Cf-Access-Jwt-Assertion": KEYS.all })],
];

/** Groups that a caller sees in a deployment with these settings. */
export function groupsSeen(settings: object, { groups }: Credential): readonly string[] {
  return settings === PRIVATE ? groups : [...new Set(["public", ...groups])];
}

/** Publishes the index and the keys, and lets the Worker find the team that signs the tokens. */
export async function prepareCredentials(): Promise<void> {
  await publishGroups();
  if (team === undefined) {
    const now = Math.floor(Date.now() / 1000);
    team = await makeTeam(TEAM, { now });
    const other = await makeTeam(TEAM, { now });
    tokens = { good: await team.sign(), old: await team.sign({ exp: now - 3600 }), foreign: await other.sign() };
  }
  const { certs } = team;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.url !== `${TEAM}/cdn-cgi/access/certs`) throw new Error(`nobody may ask ${request.url}`);
    return Response.json(certs());
  });
}

/** A token that the team of `prepareCredentials` signed just now. */
export async function signToken(): Promise<string> {
  if (team === undefined) throw new Error("there is no team yet");
  return team.sign();
}
