/**
 * Errors that a person can mend, as a run of the Action says them: options of the command line are inputs here. Pure.
 */
import { InputError } from "../../../src/core/errors.ts";
import { UsageError } from "../../base/usage-error.ts";

/** Inputs that are called like the options for the same. */
const SHARED = "bucket|config|corpus|fail-on|keep|shard|strict";
const CREDENTIALS: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: "the input access-key-id",
  AWS_SECRET_ACCESS_KEY: "the input secret-access-key",
};

/** The sentences of an error that a person can mend; undefined for others. */
export function describeMendable(error: unknown): string[] | undefined {
  if (error instanceof UsageError) return [nameInputs(error.message)];
  if (!(error instanceof InputError)) return undefined;
  const { message, nearest, example = "" } = error;
  return [
    ...nameInputs(message).split("\n"),
    ...(nearest.length > 0 ? [`did you mean: ${nearest.join(", ")}?`] : []),
    ...describeExample(example),
  ];
}

function nameInputs(message: string): string {
  return message
    .replace(new RegExp(`(?<![\\w-])--(${SHARED})(?![\\w-])`, "g"), "the input $1")
    .replace(/\bAWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY)\b/g, (name) => CREDENTIALS[name] ?? name);
}

/** Examples of commands say nothing here, and where `--bucket` takes an address the input takes a name. */
function describeExample(example: string): string[] {
  if (example === "" || example.startsWith("treeline ") || example.startsWith("--bucket ")) return [];
  return [`example: ${example.replace(new RegExp(`--(${SHARED}) `, "g"), "$1: ")}`];
}
