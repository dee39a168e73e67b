/**
 * Files that other tools wrote about a corpus, as `build` is given them: reports of linters, indexes of compilers.
 *
 * I/O: reads files.
 */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { createReadError, describeFsError, isFsError } from "../base/file-system.ts";
import type { ToolFiles } from "./read-corpus.ts";

/** Where those files are. */
export interface ToolPaths {
  /** Reports of compilers and linters (SARIF), whose findings become diagnostics. */
  readonly reports?: readonly string[];
  /** SCIP indexes, whose places become edges of the tier `precise`. */
  readonly scip?: readonly string[];
}

/** Read all that a build is given. @throws {InputError} when one cannot be read. */
export async function readToolFiles({ reports = [], scip = [] }: ToolPaths): Promise<Required<ToolFiles>> {
  return {
    reports: await Promise.all(
      reports.map(async (path) => ({ name: path, text: (await readGiven("report", path)).toString("utf8") })),
    ),
    // Diagnostics name it, and where it lies is of the machine: that must not reach the index.
    scip: await Promise.all(
      scip.map(async (path) => ({ name: basename(path), bytes: await readGiven("SCIP index", path) })),
    ),
  };
}

async function readGiven(what: string, path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (!isFsError(error)) throw error;
    throw createReadError(`${what} ${JSON.stringify(path)} cannot be read: ${describeFsError(error)}`, error);
  }
}
