/**
 * Options that name a bucket or a folder where indexes are published, and the progress of transfers there.
 */

import { join, resolve } from "node:path";
import { MAX_CORPORA, namesNotServed } from "../../../src/core/corpus-order.ts";
import { InputError } from "../../../src/core/errors.ts";
import { nearestNames } from "../../../src/core/text/nearest.ts";
import { checkCorpusName } from "../../../src/surface/access/corpus-name.ts";
import { formatBytes } from "../../base/printable.ts";
import { UsageError } from "../../base/usage-error.ts";
import { listNames } from "../../publish/corpora.ts";
import { openFolder } from "../../publish/folder-store.ts";
import type { ObjectStore } from "../../publish/object-store.ts";
import { NothingPublished } from "../../publish/published.ts";
import { openBucket, readCredentials } from "../../publish/s3.ts";
import type { TransferProgress } from "../../publish/transfer.ts";
import type { CommandInput, CommandOption, Terminal } from "../run-cli.ts";

const MAX_NEAREST = 3;
const SHOWN_CORPORA = 20;

/** `--bucket URL` or `--folder DIR`. */
export const placeOptions = {
  bucket: {
    kind: "text",
    placeholder: "URL",
    description: "Bucket of a deployment: its S3 endpoint with the bucket's name behind it.",
  },
  folder: { kind: "text", placeholder: "DIR", description: "Folder that a web host serves, in place of a bucket." },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** A place, and the corpus there. */
export const storeOptions = {
  ...placeOptions,
  corpus: {
    kind: "text",
    placeholder: "NAME",
    description: "Corpus there, one of several, such as v2: served below /NAME. Default: that of the root.",
  },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** What help says of the credentials of a bucket. */
export const STORE_DETAILS = "A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.";

/** The place that was named. @throws {UsageError} @throws {InputError} for an address that is none. */
export function openPlace(input: CommandInput): ObjectStore {
  const bucket = input.text("bucket");
  const folder = input.text("folder");
  if ((bucket === undefined) === (folder === undefined)) {
    throw new UsageError("say where the index is published: --bucket URL or --folder DIR");
  }
  if (bucket !== undefined) return openBucket(bucket, readCredentials());
  if (folder === undefined || folder === "") throw new UsageError("--folder needs a folder");
  return openFolder(resolve(folder));
}

/**
 * Do work in the store of the corpus that was named. Where nothing is published there, the error says what else is.
 *
 * @throws {UsageError} @throws {InputError} for a name or an address that is none.
 */
export async function inStore<T>(
  input: CommandInput,
  work: (store: ObjectStore, isNamed: boolean) => Promise<T>,
): Promise<T> {
  const corpus = input.text("corpus");
  if (corpus !== undefined) checkCorpusName(corpus);
  const place = openPlace(input);
  return nameOthers(place, corpus, () =>
    work(corpus === undefined ? place : place.within(corpus), corpus !== undefined),
  );
}

/** Do work on a corpus; where nothing is published there, the error says what else is at the place. */
export async function nameOthers<T>(
  place: ObjectStore,
  corpus: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NothingPublished)) throw error;
    const names = (await listNames(place)).filter((name) => name !== corpus);
    if (names.length === 0) throw error;
    const shown = names.slice(0, SHOWN_CORPORA).join(", ");
    const more = names.length > SHOWN_CORPORA ? ` and ${names.length - SHOWN_CORPORA} more` : "";
    throw new InputError(
      `${error.message}; corpora there: ${shown}${more}`,
      nearestNames(corpus ?? "", names, MAX_NEAREST),
    );
  }
}

/** A warning where a place has more corpora than a deployment serves, this one among them; undefined where it has not. */
export async function warnOfTooMany(place: ObjectStore, corpus?: string): Promise<string | undefined> {
  const names = [...(await listNames(place)), ...(corpus === undefined ? [] : [corpus])];
  const left = namesNotServed(names);
  if (left.length === 0) return undefined;
  const shown = left.slice(0, SHOWN_CORPORA).join(", ");
  const more = left.length > SHOWN_CORPORA ? ` and ${left.length - SHOWN_CORPORA} more` : "";
  return `Warning: a deployment serves ${MAX_CORPORA} corpora with a name at most, so it does not serve ${shown}${more}; \`treeline corpora remove NAME\` makes room.`;
}

/** The folder that was named, where the corpus lies in it; undefined where a bucket was. */
export function readStoreFolder(input: CommandInput): string | undefined {
  const folder = input.text("folder");
  return folder === undefined ? undefined : resolve(join(folder, input.text("corpus") ?? ""));
}

const PROGRESS_EVERY_MS = 200;

/** What shows progress on a terminal where a person sits, now and then. */
export function showTransfer(terminal: Terminal, isQuiet: boolean): (progress: TransferProgress) => void {
  let shown = performance.now();
  return ({ files, allFiles, bytes, allBytes }) => {
    const now = performance.now();
    if (isQuiet || !terminal.interactive || now - shown < PROGRESS_EVERY_MS) return;
    shown = now;
    terminal.warn(`${files} of ${allFiles} files, ${formatBytes(bytes)} of ${formatBytes(allBytes)}`);
  };
}
