/**
 * Command `keys`: who may use a deployment. A key is printed once, alone on standard output; all that is said about it goes
 * to standard error, so that `treeline keys add NAME > file` holds the key and nothing else. Nothing is written where somebody else changed the keys meanwhile.
 */

import { createHash, randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { InputError } from "../../../src/core/errors.ts";
import { decodePointer } from "../../../src/core/format/generation.ts";
import { type CollectionInfo, readRootHeader } from "../../../src/core/format/root.ts";
import { POINTER_FILE } from "../../../src/core/index/range-source.ts";
import { nearestNames, quoteName } from "../../../src/core/text/nearest.ts";
import {
  ACCESS_FILE,
  type AccessFile,
  type AccessKey,
  ADMIN_SEES_ALL,
  checkConsumer,
  formatAccessFile,
  NO_KEYS,
  parseAccessFile,
} from "../../../src/surface/access/access-file.ts";
import { PUBLIC_GROUP, partlyListed, readListed } from "../../../src/surface/access/caller.ts";
import { checkCorpusName, isCorpusName } from "../../../src/surface/access/corpus-name.ts";
import { inflateRaw } from "../../base/codec.ts";
import { UsageError } from "../../base/diagnostic.ts";
import { expectFolder } from "../../base/file-system.ts";
import { openFolder } from "../../publish/folder-store.ts";
import type { ObjectStore } from "../../publish/object-store.ts";
import { openBucket, readCredentials } from "../../publish/s3.ts";
import {
  type Command,
  type CommandInput,
  EXIT,
  indexFolderOption,
  option,
  printResult,
  readIndexFolder,
  type Terminal,
} from "../run-cli.ts";

const ACTIONS = ["add", "list", "revoke"] as const;
export const keysCommand: Command = {
  name: "keys",
  summary: "Make, list and revoke the keys of a deployment.",
  positionals: [ACTIONS.join("|"), "[consumer|id]"],
  options: {
    index: indexFolderOption("Folder of an index; access.json lies in it"),
    bucket: option.text("URL", "Bucket of a deployment: its S3 endpoint with the bucket's name behind it."),
    collections: option.text(
      "NAMES",
      "Collections that the key opens, separated by commas; v2/guide or v2/* of the corpus v2; * for all of the root. Default: all, and those that come later.",
    ),
    admin: option.flag("The key also opens what is for maintainers. Not with --collections."),
    expires: option.text("90d|DATE", "When the key ends. Default: never."),
    json: option.flag("Print one JSON object."),
  },
  details:
    "A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment. Deployments know of a change after a minute.",
  async run(input, terminal) {
    const [action, name] = input.positionals;
    if (!ACTIONS.some((known) => known === action)) {
      const got = action === undefined ? "" : `; got ${JSON.stringify(action)}`;
      throw new UsageError(`say what to do: ${ACTIONS.join(", ")}${got}`);
    }
    if (action === "list" && name !== undefined) throw new UsageError(`unexpected ${JSON.stringify(name)}`);
    if (action !== "add") refuseOptions(input, ["collections", "admin", "expires"], `keys ${action}`);
    const store = openStore(input);
    if (action === "list" && input.text("bucket") === undefined) {
      const folder = readIndexFolder(input);
      await expectFolder(resolve(folder), folder);
    }
    if (action === "list") return listKeys(store, input, terminal);
    if (name === undefined) {
      throw new UsageError(action === "add" ? "name who the key is for" : "name a key's id, or a consumer");
    }
    return action === "add" ? add(store, name, input, terminal) : revoke(store, name, input, terminal);
  },
};

async function add(store: ObjectStore, consumer: string, input: CommandInput, terminal: Terminal): Promise<number> {
  checkConsumer(consumer);
  const now = Date.now();
  const collections = readCollectionNames(input.text("collections"));
  if (collections !== undefined && input.has("admin")) {
    throw new UsageError(`--admin and --collections do not go together: ${ADMIN_SEES_ALL}; make two keys`);
  }
  const expires = input.text("expires");
  const expiresAt = expires === undefined ? undefined : readExpiry(expires, now);
  if (collections !== undefined) await checkCollections(collections, store, terminal);
  const wish = {
    consumer,
    admin: input.has("admin"),
    ...(collections !== undefined && { collections }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  const { key } = await changeKeys(store, (file) => {
    // Made anew for each try, so that no id is ever given twice.
    const made = makeKey();
    return { file: addKey(file, wish, made.id, made.hash, now), key: made };
  });
  printResult(input, terminal, { id: key.id, key: key.text, ...wish }, () => [key.text]);
  terminal.warn(
    `Key ${key.id} for ${consumer}: ${describeScope(wish)}. It is shown this once; ${store.place} keeps its hash alone.`,
  );
  return EXIT.done;
}

async function revoke(store: ObjectStore, name: string, input: CommandInput, terminal: Terminal): Promise<number> {
  const { revoked } = await changeKeys(store, (file) => {
    const changed = revokeKeys(file, name, Date.now());
    return changed.revoked.length === 0 ? { ...changed, file } : changed;
  });
  printResult(input, terminal, { revoked }, () => []);
  terminal.warn(
    revoked.length === 0
      ? `All keys of ${name} were revoked before.`
      : `Revoked ${revoked.join(", ")}. Deployments know it after a minute.`,
  );
  return EXIT.done;
}

async function listKeys(store: ObjectStore, input: CommandInput, terminal: Terminal): Promise<number> {
  const { file } = await readKeys(store);
  const now = Date.now();
  // Hashes are of no use to people.
  const rows = file.keys.map(({ hash: _, ...key }) => ({ ...key, state: stateOf({ ...key, hash: "" }, now) }));
  printResult(input, terminal, { keys: rows }, ({ keys }) =>
    keys.map(
      (key) => `${key.id}  ${key.state.padEnd(7)}  ${key.consumer}: ${describeScope(key)}, made ${key.createdAt}`,
    ),
  );
  if (rows.length === 0 && !input.has("json")) terminal.warn(`There are no keys in ${store.place}.`);
  return EXIT.done;
}

function describeScope({
  collections,
  admin,
  expiresAt,
}: Pick<AccessKey, "collections" | "admin" | "expiresAt">): string {
  const parts = [
    collections === undefined ? "all collections" : `collections ${collections.join(", ")}`,
    ...(admin === true ? ["admin"] : []),
    expiresAt === undefined ? "no end" : `until ${expiresAt}`,
  ];
  return parts.join(", ");
}

function openStore(input: CommandInput): ObjectStore {
  const bucket = input.text("bucket");
  if (bucket === undefined) return openFolder(resolve(readIndexFolder(input, "; name a bucket with --bucket")));
  if (input.text("index") !== undefined) throw new UsageError("give --index or --bucket, not both");
  return openBucket(bucket, readCredentials());
}

function readCollectionNames(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = [...new Set(text.split(",").map((name) => name.trim()))];
  if (names.includes("")) throw new UsageError("--collections takes names, separated by commas");
  return names;
}

/** Refuses names that no index knows, and says which groups stay closed. */
async function checkCollections(entries: readonly string[], store: ObjectStore, terminal: Terminal): Promise<void> {
  const listed = entries.map((entry) => {
    const found = readListed(entry);
    const [corpus = ""] = entry.split("/", 1);
    if (found?.corpus !== "") checkCorpusName(corpus);
    if (found !== undefined) return found;
    throw new InputError(`--collections takes guide, v2/guide, v2/* or *; got ${quoteName(entry)}`);
  });
  for (const corpus of new Set(listed.map((one) => one.corpus))) {
    const own = listed.filter((one) => one.corpus === corpus).flatMap(({ collection }) => collection ?? []);
    const opensAll = listed.some((one) => one.corpus === corpus && one.collection === undefined);
    const known = await readCollections(store, corpus);
    if (corpus === "") await refuseCorpora(own, known, store);
    checkCorpus(corpus, own, opensAll, known, store, terminal);
  }
}

/** Refuses what is no collection of the root but the name of a corpus: such a key would open nothing of it. */
async function refuseCorpora(
  names: readonly string[],
  known: readonly CollectionInfo[] | undefined,
  store: ObjectStore,
): Promise<void> {
  for (const name of names) {
    const isCollection = known?.some((one) => one.name === name) === true;
    if (isCollection || !isCorpusName(name) || (await readCollections(store, name)) === undefined) continue;
    throw new InputError(`${quoteName(name)} is a corpus and no collection of the root`, [`${name}/*`]);
  }
}

function checkCorpus(
  corpus: string,
  names: readonly string[],
  opensAll: boolean,
  known: readonly CollectionInfo[] | undefined,
  { place }: ObjectStore,
  terminal: Terminal,
): void {
  const where = corpus === "" ? place : `the corpus ${corpus} of ${place}`;
  if (known === undefined) {
    terminal.warn(`There is no index in ${where} yet, so the names of the collections were not checked.`);
    return;
  }
  const shown = (name: string): string => (corpus === "" ? name : `${corpus}/${name}`);
  const all = known.map(({ name }) => name);
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    throw new InputError(
      `the index${corpus === "" ? "" : ` of ${corpus}`} has no collection ${quoteName(unknown)}; it has ${all.join(", ")}`,
      nearestNames(unknown, all).map(shown),
    );
  }
  if (opensAll) return;
  for (const { group, listed, missing } of partlyListed(names, known)) {
    const deployment = group === PUBLIC_GROUP ? " In a private deployment" : "";
    terminal.warn(
      `Warning:${deployment} this key does not see ${listed.map(shown).join(", ")}: the access group ${group} opens to keys that list all of it, and ${missing.map(shown).join(", ")} is missing.`,
    );
  }
}

function refuseOptions(input: CommandInput, options: readonly string[], action: string): void {
  const given = options.find((option) => input.has(option) || input.text(option) !== undefined);
  if (given !== undefined) throw new UsageError(`${action} takes no --${given}`);
}

const ID_BYTES = 4;

/** Makes a key out of 256 random bits: its text, and the SHA-256 of it in hex, which may be kept. */
export function makeKey() {
  const id = randomBytes(ID_BYTES).toString("hex");
  const text = `tl_${id}_${randomBytes(KEY_SECRET_BYTES).toString("base64url")}`;
  return { id, text, hash: createHash("sha256").update(text).digest("hex") };
}

const DAY_MS = 86_400_000;
const EXAMPLE = "treeline keys add ci-bot --expires 90d";
const DATE_LENGTH = 10;

/** What a new key opens, and until when. */
type KeyWish = Pick<AccessKey, "consumer" | "collections" | "admin" | "expiresAt">;

/** A key that opens something, or why it does not. */
type KeyState = "active" | "expired" | "revoked";

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
export function revokeKeys(file: AccessFile, name: string, now: number) {
  const meant = (key: AccessKey): boolean => key.id === name || key.consumer === name;
  if (!file.keys.some(meant)) {
    const names = [...new Set(file.keys.flatMap(({ id, consumer }) => [consumer, id]))];
    throw new InputError(`no key and no consumer is called ${quoteName(name)}`, nearestNames(name, names));
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

const TRIES = 8;
/** Bytes of randomness in a key: 256 bits. */
const KEY_SECRET_BYTES = 32;
/** Long enough that of two who met, one is done. */
const PAUSE_MS = 50;
const JSON_TYPE = "application/json";

/** Changes the keys of a place; once more where somebody else did meanwhile. The result is what the last change gave. */
export async function changeKeys<T extends { readonly file: AccessFile }>(
  store: ObjectStore,
  change: (file: AccessFile) => T,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const { file, etag } = await readKeys(store);
    const changed = change(file);
    if (changed.file === file) return changed;
    const bytes = new TextEncoder().encode(formatAccessFile(changed.file));
    if (await store.put(ACCESS_FILE, bytes, JSON_TYPE, etag)) return changed;
    if (tries === TRIES)
      throw new Error(`${ACCESS_FILE} of ${store.place} was changed by others all the time; try again`);
    await sleep(PAUSE_MS * tries * Math.random());
  }
}

/** The keys of a place, and their tag where there are some. @throws {InputError} where they cannot be read as keys. */
export async function readKeys(
  store: ObjectStore,
): Promise<{ readonly file: AccessFile; readonly etag: string | undefined }> {
  const object = await store.get(ACCESS_FILE);
  if (object === undefined) return { file: NO_KEYS, etag: undefined };
  return { file: parseAccessFile(new TextDecoder().decode(object.bytes)), etag: object.etag };
}

/**
 * Collections of an index beside the keys; undefined where there is none yet.
 *
 * @param corpus Name of its corpus; `""` for the one at the root.
 * @throws {FormatError} on damage.
 */
export async function readCollections(
  store: ObjectStore,
  corpus: string,
): Promise<readonly CollectionInfo[] | undefined> {
  const pointer = await store.get(corpus === "" ? POINTER_FILE : `${corpus}/${POINTER_FILE}`);
  if (pointer === undefined) return undefined;
  return (await readRootHeader(decodePointer(pointer.bytes).rootBytes, inflateRaw)).collections;
}
