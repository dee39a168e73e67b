/**
 * The option that names an index, shared by the commands that read or write one.
 */

import { UsageError } from "../../base/diagnostic.ts";
import { isAddress } from "../../base/index-source.ts";
import { DEFAULT_OUT } from "../../base/installation.ts";
import { type CommandInput, type CommandOption, option } from "../run-cli.ts";

export const indexOption: CommandOption = option.text(
  "PLACE",
  `Folder that \`treeline build\` wrote, or the web address of its files. Default ${DEFAULT_OUT}.`,
  "i",
);

/** `--index DIR`, of a command that takes no address. @param what What the folder is, as a sentence without its end. */
export function indexFolderOption(what: string): CommandOption {
  return option.text("DIR", `${what}. Default ${DEFAULT_OUT}.`, "i");
}

/** The folder or address that was named. */
export function readIndexOption(input: CommandInput): string {
  return input.text("index") ?? DEFAULT_OUT;
}

/** The folder that was named. @throws {UsageError} for an address. @param remedy What to do then. */
export function readIndexFolder(input: CommandInput, remedy = ""): string {
  const folder = readIndexOption(input);
  if (isAddress(folder) || folder === "") throw new UsageError(`--index takes a folder here${remedy}`);
  return folder;
}

/** A whole number ≥ 1, or the default. @throws {UsageError}. */
export function readCount(input: CommandInput, option: string, fallback: number): number {
  const text = input.text(option);
  if (text === undefined) return fallback;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--${option} must be a whole number from 1 to 999999, got ${JSON.stringify(text)}`);
}
