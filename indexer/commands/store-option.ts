/**
 * The options that name where an index is published, shared by the commands that change it.
 */
import { resolve } from "node:path";
import { type CommandInput, type CommandOption, UsageError } from "../command.ts";
import { openFolder } from "../publish/folder-store.ts";
import type { ObjectStore } from "../publish/object-store.ts";
import { openBucket, readCredentials } from "../publish/s3.ts";

/** `--bucket URL` or `--folder DIR`. */
export const storeOptions = {
  bucket: {
    kind: "text",
    placeholder: "URL",
    description: "Bucket of a deployment: its S3 endpoint with the bucket's name behind it.",
  },
  folder: { kind: "text", placeholder: "DIR", description: "Folder that a web host serves, in place of a bucket." },
} as const satisfies Readonly<Record<string, CommandOption>>;

/** What help says of the credentials of a bucket. */
export const STORE_DETAILS = "A bucket needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment.";

/** The store that was named. @throws {UsageError} @throws {InputError} for an address that is none. */
export function openStore(input: CommandInput): ObjectStore {
  const bucket = input.text("bucket");
  const folder = input.text("folder");
  if ((bucket === undefined) === (folder === undefined)) {
    throw new UsageError("say where the index is published: --bucket URL or --folder DIR");
  }
  if (bucket !== undefined) return openBucket(bucket, readCredentials());
  if (folder === undefined || folder === "") throw new UsageError("--folder needs a folder");
  return openFolder(resolve(folder));
}
