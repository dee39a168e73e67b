/**
 * The public keys of a Cloudflare Access team, as its address `/cdn-cgi/access/certs` lists them.
 *
 * Kept are keys that are imported, never a promise: jose's own remote set keeps the promise of an import, which belongs to
 * the request that began it, and the Workers runtime lets no other request wait for that.
 */
import { importJWK } from "jose";
import { isWithin } from "../../core/is-within.ts";

/** Algorithms that a token may be signed with. Nothing symmetric: its key would be the public one. */
export const ALGORITHMS = ["RS256", "ES256"] as const;

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

/** What the keys are read with. */
export interface TeamKeysOptions {
  /** Address of the team, without a path. */
  readonly team: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/**
 * Finds a key by its id and algorithm, at a time in milliseconds since 1970.
 *
 * @param report Takes why the keys could not be read again, while those from before hold.
 */
export type KeyFinder = (
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
export function createTeamKeys({ team, fetch }: TeamKeysOptions): KeyFinder {
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
