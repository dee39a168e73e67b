/**
 * Errors that a person can mend, as a run of the Action says them. Pure.
 */
import { InputError } from "../../src/core/errors.ts";
import { UsageError } from "../command.ts";

/** The sentences of an error that a person can mend; undefined for others. */
export function describeMendable(error: unknown): string[] | undefined {
  if (error instanceof UsageError) return [error.message];
  if (!(error instanceof InputError)) return undefined;
  const { message, nearest, example } = error;
  return [
    ...message.split("\n"),
    ...(nearest.length > 0 ? [`did you mean: ${nearest.join(", ")}?`] : []),
    ...(example !== undefined ? [`example: ${example}`] : []),
  ];
}
