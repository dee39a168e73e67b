/**
 * Which part of a build a machine makes. Pure.
 */
import { UsageError } from "../base/usage-error.ts";

/** File that says what a folder is a part of. */
export const PART_FILE = "part.json";

/** Which part of how many; from 1 on. */
export interface Part {
  readonly index: number;
  readonly of: number;
}

/** `2/4` as a part; undefined where none was named. @throws {UsageError} */
export function readPart(text: string | undefined): Part | undefined {
  if (text === undefined) return undefined;
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const part = { index: Number(index), of: Number(of) };
  if (part.index >= 1 && part.index <= part.of) return part;
  throw new UsageError(`--shard is ${JSON.stringify(text)}; it must be I/N with I from 1 to N, such as 2/4`);
}
