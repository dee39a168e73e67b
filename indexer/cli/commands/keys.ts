/**
 * Command `keys`: who may use a deployment. A key is printed once, alone on standard output; all that is said about it goes
 * to standard error, so that `treeline keys add NAME > file` holds the key and nothing else.
 */
import { resolve } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import type { CollectionInfo } from "../../../src/core/format/root.ts";
import { nearestNames, quoteName } from "../../../src/core/text/nearest.ts";
import { type AccessKey, ADMIN_SEES_ALL, checkConsumer } from "../../../src/surface/access/access-file.ts";
import { PUBLIC_GROUP, partlyListed, readListed } from "../../../src/surface/access/caller.ts";
import { checkCorpusName, isCorpusName } from "../../../src/surface/access/corpus-name.ts";
import { expectFolder } from "../../base/file-system.ts";
import { toPrintable } from "../../base/printable.ts";
import { UsageError } from "../../base/usage-error.ts";
import { openBucket, readCredentials } from "../../publish/s3.ts";
import {
  addKey,
  bucketStore,
  changeKeys,
  folderStore,
  type KeyStore,
  makeKey,
  readCollections,
  readExpiry,
  readKeys,
  revokeKeys,
  stateOf,
} from "../keys/key-store.ts";
import { type Command, type CommandInput, EXIT, printJson, type Terminal } from "../run-cli.ts";
import { indexFolderOption, readIndexFolder } from "./index-option.ts";

const ACTIONS = ["add", "list", "revoke"] as const;
const MAX_NEAREST = 3;
export const keysCommand: Command = {
  name: "keys",
  summary: "Make, list and revoke the keys of a deployment.",
  positionals: [ACTIONS.join("|"), "[consumer|id]"],
  options: {
    index: indexFolderOption("Folder of an index; access.json lies in it"),
    bucket: {
      kind: "text",
      placeholder: "URL",
      description: "Bucket of a deployment: its S3 endpoint with the bucket's name behind it.",
    },
    collections: {
      kind: "text",
      placeholder: "NAMES",
      description:
        "Collections that the key opens, separated by commas; v2/guide or v2/* of the corpus v2; * for all of the root. Default: all, and those that come later.",
    },
    admin: { kind: "flag", description: "The key also opens what is for maintainers. Not with --collections." },
    expires: { kind: "text", placeholder: "90d|DATE", description: "When the key ends. Default: never." },
    json: { kind: "flag", description: "Print one JSON object." },
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

async function add(store: KeyStore, consumer: string, input: CommandInput, terminal: Terminal): Promise<number> {
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
  if (input.has("json")) terminal.print(JSON.stringify({ id: key.id, key: key.text, ...wish }));
  else terminal.print(key.text);
  terminal.warn(
    `Key ${key.id} for ${consumer}: ${describeScope(wish)}. It is shown this once; ${store.place} keeps its hash alone.`,
  );
  return EXIT.done;
}

async function revoke(store: KeyStore, name: string, input: CommandInput, terminal: Terminal): Promise<number> {
  const { revoked } = await changeKeys(store, (file) => {
    const changed = revokeKeys(file, name, Date.now());
    return changed.revoked.length === 0 ? { ...changed, file } : changed;
  });
  if (input.has("json")) terminal.print(JSON.stringify({ revoked }));
  terminal.warn(
    revoked.length === 0
      ? `All keys of ${name} were revoked before.`
      : `Revoked ${revoked.join(", ")}. Deployments know it after a minute.`,
  );
  return EXIT.done;
}

async function listKeys(store: KeyStore, input: CommandInput, terminal: Terminal): Promise<number> {
  const { file } = await readKeys(store);
  const now = Date.now();
  // Hashes are of no use to people.
  const rows = file.keys.map(({ hash: _, ...key }) => ({ ...key, state: stateOf({ ...key, hash: "" }, now) }));
  if (printJson(input, terminal, { keys: rows })) return EXIT.done;
  if (rows.length === 0) terminal.warn(`There are no keys in ${store.place}.`);
  for (const key of rows) {
    const scope = toPrintable(describeScope(key));
    terminal.print(`${key.id}  ${key.state.padEnd(7)}  ${key.consumer}: ${scope}, made ${key.createdAt}`);
  }
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

function openStore(input: CommandInput): KeyStore {
  const bucket = input.text("bucket");
  if (bucket === undefined) {
    return folderStore(resolve(readIndexFolder(input, "; name a bucket with --bucket")));
  }
  if (input.text("index") !== undefined) throw new UsageError("give --index or --bucket, not both");
  return bucketStore(openBucket(bucket, readCredentials()), bucket);
}

function readCollectionNames(text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return undefined;
  const names = [...new Set(text.split(",").map((name) => name.trim()))];
  if (names.includes("")) throw new UsageError("--collections takes names, separated by commas");
  return names;
}

/** Refuses names that no index knows, and says which groups stay closed. */
async function checkCollections(entries: readonly string[], store: KeyStore, terminal: Terminal): Promise<void> {
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
  store: KeyStore,
): Promise<void> {
  for (const name of names) {
    const isCollection = known?.some((one) => one.name === name) === true;
    if (isCollection || !isCorpusName(name) || (await readCollections(store, name)) === undefined) continue;
    throw new InputError(`${quoteName(name)} is a corpus and no collection of the root`, [`${name}/*`]);
  }
}

/** The same for the collections of one corpus. */
function checkCorpus(
  corpus: string,
  names: readonly string[],
  opensAll: boolean,
  known: readonly CollectionInfo[] | undefined,
  { place }: KeyStore,
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
      nearestNames(unknown, all, MAX_NEAREST).map(shown),
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
