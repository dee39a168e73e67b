/**
 * The option that names an index, shared by the commands that read one.
 */
import { type CommandInput, type CommandOption, UsageError } from "../command.ts";

/** `--index PLACE`. */
export const indexOption: CommandOption = {
  kind: "text",
  short: "i",
  placeholder: "PLACE",
  description: "Folder that `treeline build` wrote, or the web address of its files. Default .treeline/index.",
};

/** The folder or address that was named. */
export function readIndexOption(input: CommandInput): string {
  return input.text("index") ?? ".treeline/index";
}

/** A whole number ≥ 1, or the default. @throws {UsageError}. */
export function readCount(input: CommandInput, option: string, fallback: number): number {
  const text = input.text(option);
  if (text === undefined) return fallback;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--${option} must be a whole number from 1 to 999999, got ${JSON.stringify(text)}`);
}
