/**
 * Changes of the keys of a deployment.
 *
 * Pure: a file, a wish and a time in, a file out.
 */
import { InputError } from "../../../src/core/errors.ts";
import { nearestNames, quoteName } from "../../../src/core/text/nearest.ts";
import { type AccessFile, type AccessKey, checkConsumer } from "../../../src/surface/access/access-file.ts";

const MAX_NEAREST = 3;
const DAY_MS = 86_400_000;
const EXAMPLE = "treeline keys add ci-bot --expires 90d";
/** Characters of `2030-01-31`. */
const DATE_LENGTH = 10;

/** What a new key opens, and until when. */
export interface KeyWish {
  readonly consumer: string;
  readonly collections?: readonly string[];
  readonly admin: boolean;
  /** ISO 8601 in UTC. */
  readonly expiresAt?: string;
}

/** A key that opens something, or why it does not. */
export type KeyState = "active" | "expired" | "revoked";

/** What a key is worth at a time, in milliseconds since 1970. */
export function stateOf({ revokedAt, expiresAt }: AccessKey, now: number): KeyState {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? "expired" : "active";
}

/** The file with one key more. @throws {InputError} */
export function addKey(file: AccessFile, wish: KeyWish, id: string, hash: string, now: number): AccessFile {
  checkConsumer(wish.consumer);
  if (file.keys.some((key) => key.id === id)) throw new Error(`the id ${id} is taken`);
  const { consumer, collections, admin, expiresAt } = wish;
  const key: AccessKey = {
    id,
    consumer,
    hash,
    ...(collections !== undefined && { collections }),
    ...(admin && { admin }),
    createdAt: new Date(now).toISOString(),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  return { keys: [...file.keys, key] };
}

/**
 * The file with a key revoked, by its id, or all keys of a consumer, and the ids of those. What was revoked before stays as
 * it is.
 *
 * @throws {InputError} where nothing has that name.
 */
export function revokeKeys(
  file: AccessFile,
  name: string,
  now: number,
): { readonly file: AccessFile; readonly revoked: readonly string[] } {
  const meant = (key: AccessKey): boolean => key.id === name || key.consumer === name;
  if (!file.keys.some(meant)) {
    const names = [...new Set(file.keys.flatMap(({ id, consumer }) => [consumer, id]))];
    throw new InputError(`no key and no consumer is called ${quoteName(name)}`, nearestNames(name, names, MAX_NEAREST));
  }
  const revoked = file.keys.filter((key) => meant(key) && key.revokedAt === undefined).map(({ id }) => id);
  const revokedAt = new Date(now).toISOString();
  const keys = file.keys.map((key) => (revoked.includes(key.id) ? { ...key, revokedAt } : key));
  return { file: { keys }, revoked };
}

/** When a key ends: after so many days (`90d`), or at a day or time in UTC. ISO 8601. @throws {InputError} */
export function readExpiry(text: string, now: number): string {
  const days = /^(\d{1,4})d$/.exec(text)?.[1];
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text);
  const at = days !== undefined ? now + Number(days) * DAY_MS : isDate ? Date.parse(text) : Number.NaN;
  // A thirtieth of February is read as a day of March.
  if (Number.isNaN(at) || (isDate && !new Date(at).toISOString().startsWith(text.slice(0, DATE_LENGTH)))) {
    throw new InputError(
      `--expires takes a number of days (90d) or a day in UTC (2030-01-31); got ${quoteName(text)}`,
      [],
      EXAMPLE,
    );
  }
  if (at <= now) throw new InputError(`--expires ${text} is over already`, [], EXAMPLE);
  return new Date(at).toISOString();
}
