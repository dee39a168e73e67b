/**
 * The file `access.json`: which keys there are, and what each opens. It lies in the bucket beside the generations and
 * holds hashes, never keys. `treeline keys` writes it, the Worker reads it.
 *
 * Read strictly: a field that is spelt wrong (`collection`) would else open more than its author meant.
 */

import { InputError } from "../../core/errors.ts";
import { isRecord, parseJson } from "../../core/parse-text.ts";
import { nearestNames, quoteName } from "../../core/text/nearest.ts";
import { readListed } from "./caller.ts";

/** Name of the file, in the bucket or the folder of an index. */
export const ACCESS_FILE = "access.json";
/** A longer file is refused: it is read every minute. About 4,000 keys. */
export const MAX_ACCESS_BYTES = 1024 * 1024;
/** What a key is: `tl_`, its id, `_`, and its secret in base64url. */
export const KEY_TEXT = /^tl_[0-9a-z]{8}_[\w-]{43}$/;

const VERSION = 1;
const KEY_ID = /^[0-9a-z]{8}$/;
/** No `:`, so that the subject of a token, `token:…`, is never taken for a consumer. */
const CONSUMER = /^[A-Za-z0-9][\w.@-]{0,63}$/;
/** What logs and limits call somebody without a credential. */
const RESERVED_CONSUMER = "anonymous";
const HASH = /^[0-9a-f]{64}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
const FILE_FIELDS = ["version", "keys"] as const;
const KEY_FIELDS = ["id", "consumer", "hash", "collections", "admin", "createdAt", "expiresAt", "revokedAt"] as const;

/** Why no key has both: what is for maintainers is about all that was asked, whoever may read its answer. */
export const ADMIN_SEES_ALL = "what an admin key opens is about all collections";

export interface AccessKey {
  /** Stands in the key's text, so that its holder can say which one it is. */
  readonly id: string;
  /** Who holds it: one name for one consumer. */
  readonly consumer: string;
  /** SHA-256 of the key's text, 64 digits in hex. */
  readonly hash: string;
  /** Collections that it opens, as `readListed` reads them; all of all corpora when absent. */
  readonly collections?: readonly string[];
  /** Whether it opens what is for maintainers. Then it opens all collections, too. */
  readonly admin?: boolean;
  /** Times are ISO 8601 in UTC. */
  readonly createdAt: string;
  /** From then on it opens nothing. */
  readonly expiresAt?: string;
  /** Set where it was revoked: it opens nothing, whatever the time. */
  readonly revokedAt?: string;
}

export interface AccessFile {
  readonly keys: readonly AccessKey[];
}

/** A file without keys: nobody has one. */
export const NO_KEYS: AccessFile = { keys: [] };

/** The file that this text is. @throws {InputError} that says what is wrong, and where. */
export function parseAccessFile(text: string): AccessFile {
  if (text.length > MAX_ACCESS_BYTES) throw wrong(`is longer than ${MAX_ACCESS_BYTES} bytes`);
  const value = parseJson(text);
  if (value === undefined) throw wrong("is no JSON");
  const file = readRecord(value, FILE_FIELDS, "it");
  if (file.version !== VERSION) {
    throw wrong(`has the version ${quoteName(String(file.version))}; this program reads version ${VERSION}`);
  }
  if (!Array.isArray(file.keys)) throw wrong("has no list `keys`");
  const keys = file.keys.map((key: unknown, at) => readKey(key, `keys[${at}]`));
  for (const field of ["id", "hash"] as const) {
    const seen = new Set<string>();
    for (const [at, key] of keys.entries()) {
      if (seen.has(key[field])) throw wrong(`has the same ${field} twice, again in keys[${at}]`);
      seen.add(key[field]);
    }
  }
  return { keys };
}

/** Text of a file, the fields of keys always in the same order. */
export function formatAccessFile({ keys }: AccessFile): string {
  const ordered = keys.map((key) => Object.fromEntries(KEY_FIELDS.map((field) => [field, key[field]])));
  return `${JSON.stringify({ version: VERSION, keys: ordered }, null, 2)}\n`;
}

/** Check the name of a consumer. @throws {InputError} */
export function checkConsumer(name: string): void {
  if (CONSUMER.test(name) && name.toLowerCase() !== RESERVED_CONSUMER) return;
  throw new InputError(
    `A consumer's name is 1 to 64 letters, digits and the signs . _ @ -, begins with a letter or digit, and is not "${RESERVED_CONSUMER}"; got ${quoteName(name)}.`,
    [],
    "treeline keys add ci-bot",
  );
}

/** SHA-256 of a key's text: what the file keeps of it, as bytes. */
export async function hashKey(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function readKey(value: unknown, where: string): AccessKey {
  const key = readRecord(value, KEY_FIELDS, where);
  const text = (field: (typeof KEY_FIELDS)[number], pattern: RegExp, what: string): string => {
    const given = key[field];
    if (typeof given === "string" && pattern.test(given)) return given;
    throw wrong(`must have ${what} in ${where}.${field}`);
  };
  const instant = (field: "createdAt" | "expiresAt" | "revokedAt"): string => {
    const given = text(field, INSTANT, "a time in UTC, such as 2026-01-31T12:00:00Z,");
    const at = Date.parse(given);
    // A thirtieth of February is read as a day of March.
    const isDay = !Number.isNaN(at) && new Date(at).toISOString().startsWith(given.slice(0, given.indexOf("T")));
    if (!isDay) throw wrong(`has a day that there is not in ${where}.${field}`);
    return given;
  };
  const { collections, admin } = key;
  if (collections !== undefined && !isNames(collections)) {
    throw wrong(`must have a list of names in ${where}.collections; leave it out to open all`);
  }
  const unreadable = collections?.find((name) => readListed(name) === undefined);
  if (unreadable !== undefined) {
    throw wrong(`has ${quoteName(unreadable)} in ${where}.collections, which is none of guide, *, v2/guide and v2/*`);
  }
  if (admin !== undefined && typeof admin !== "boolean") throw wrong(`must have true or false in ${where}.admin`);
  if (admin === true && collections !== undefined)
    throw wrong(`must not have admin and collections in ${where}: ${ADMIN_SEES_ALL}`);
  const consumer = text("consumer", CONSUMER, "a name");
  if (consumer.toLowerCase() === RESERVED_CONSUMER) throw wrong(`must not have "${consumer}" in ${where}.consumer`);
  return {
    id: text("id", KEY_ID, "8 digits and small letters"),
    consumer,
    hash: text("hash", HASH, "64 digits in hex"),
    ...(collections !== undefined && { collections }),
    ...(admin !== undefined && { admin }),
    createdAt: instant("createdAt"),
    ...(key.expiresAt !== undefined && { expiresAt: instant("expiresAt") }),
    ...(key.revokedAt !== undefined && { revokedAt: instant("revokedAt") }),
  };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string" && name !== "");
}

function readRecord<Field extends string>(
  value: unknown,
  fields: readonly Field[],
  where: string,
): Partial<Record<Field, unknown>> {
  if (!isRecord(value)) throw wrong(`must have an object: ${where}`);
  const unknown = Object.keys(value).find((name) => !fields.some((field) => field === name));
  if (unknown !== undefined) {
    const [near] = nearestNames(unknown, fields, 1);
    const hint = near === undefined ? "" : `; did you mean ${near}?`;
    throw wrong(`has the unknown field ${quoteName(unknown)} in ${where}${hint}`);
  }
  return value as Partial<Record<Field, unknown>>;
}

function wrong(what: string): InputError {
  return new InputError(`${ACCESS_FILE} ${what}.`);
}
