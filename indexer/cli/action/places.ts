/**
 * Folders of a run of the Action, and what the cache keeps of them between runs.
 *
 * Whoever sends a pull request decides what a checkout brings to these folders. A link there would lead what is written and
 * removed out of the workspace, and an index or a parse cache that lies there would pass for what an earlier run left.
 *
 * Keys of the cache are of one version of the code and one corpus. Caches never change once they are written, so each run has
 * a key of its own and takes what begins like it: of the same branch, else of any other that GitHub lets it see.
 */

import { createHash } from "node:crypto";
import { lstat, readdir, realpath, rm } from "node:fs/promises";
import { dirname, join, posix, resolve } from "node:path";
import { InputError } from "../../../src/core/errors.ts";
import { quoteName } from "../../../src/core/text/nearest.ts";
import { describeFsError, isFsError } from "../../base/file-system.ts";
import { CACHE_FOLDER, DEFAULT_OUT } from "../../base/installation.ts";
import { PART_FILE } from "../../index/split-build.ts";
import { isInside, relativePath } from "../../sources/collection-root.ts";
import type { ActionInputs } from "./inputs.ts";
import type { ActionEvent } from "./task.ts";

/** Folders of a run. */
export interface ActionPlaces {
  readonly workspace: string;
  /** What is indexed. */
  readonly root: string;
  /** Index files. */
  readonly index: string;
  readonly cache: string;
  /** Of a part. */
  readonly part: string;
  /** Those that this run writes, and nobody else. */
  readonly own: readonly string[];
}

/** The folders of a run in a workspace. */
export function findActionPlaces(
  { root, shard }: Pick<ActionInputs, "root" | "shard">,
  workspaceFolder: string,
): ActionPlaces {
  const workspace = resolve(workspaceFolder);
  const dir = resolve(workspace, root);
  const [index, cache, part] = [join(dir, DEFAULT_OUT), join(dir, CACHE_FOLDER), join(workspace, PART_FOLDER)];
  return { workspace, root: dir, index, cache, part, own: shard === undefined ? [index, cache] : [part] };
}

/**
 * Refuse places that lead elsewhere, or that somebody else uses, before anything is read or written.
 *
 * @throws {InputError}
 */
export async function checkPlaces(places: ActionPlaces): Promise<void> {
  const { workspace, root, part, own } = places;
  await expectInside(root, workspace, "the input root is");
  const parents = own.map((folder) => dirname(folder)).filter((folder) => folder !== workspace && folder !== root);
  for (const folder of new Set([...parents, ...own])) {
    const kind = await kindOf(folder);
    if (kind === "folder" || kind === undefined) continue;
    throw new InputError(
      `${quoteName(relativePath(workspace, folder))} in the repository is a ${kind}, and Treeline writes a folder there: remove it from the repository`,
    );
  }
  if (own.includes(part) && !(await isPartOrEmpty(part))) {
    throw new InputError(
      `the folder ${quoteName(PART_FOLDER)} at the top of the workspace is no part of a build, and Treeline would write one there: give it another name`,
    );
  }
}

/**
 * Remove what lies at the places that a run writes: only a cache that is restored afterwards is one.
 *
 * @throws {InputError} as `checkPlaces` does.
 * @throws {Error} where something cannot be removed.
 */
export async function clearPlaces(places: ActionPlaces): Promise<void> {
  await checkPlaces(places);
  for (const folder of places.own) {
    try {
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      if (!isFsError(error)) throw error;
      const shown = quoteName(relativePath(places.workspace, folder));
      // No error in an input: the run must not go on with what is there.
      throw new Error(`the folder ${shown} cannot be removed: ${describeFsError(error)}`, { cause: error });
    }
  }
}

/**
 * Refuse a path that stands in the workspace and that links lead out of it. Paths elsewhere are as somebody wrote them.
 *
 * @param path Absolute, as `workspace`, and both without `.` and `..`.
 * @param what The beginning of the error's sentence.
 * @throws {InputError}
 */
export async function expectInside(path: string, workspace: string, what: string): Promise<void> {
  if (!isInside(path, workspace)) return;
  const top = await realpath(workspace);
  for (let at = path; at !== workspace; at = dirname(at)) {
    const real = await realpath(at).catch((error: unknown) => {
      if (isFsError(error)) return undefined;
      throw error;
    });
    // What is not there yet is made in the folder above it; a link that leads nowhere yet is a link still.
    if (real === undefined && (await kindOf(at)) !== "link") continue;
    if (real !== undefined && isInside(real, top)) return;
    throw new InputError(
      `${what} ${quoteName(relativePath(workspace, path))}, which leads out of the workspace through a link`,
    );
  }
}

/** What stands at a path itself; undefined for nothing. */
async function kindOf(path: string): Promise<"folder" | "link" | "file" | undefined> {
  try {
    const found = await lstat(path);
    return found.isSymbolicLink() ? "link" : found.isDirectory() ? "folder" : "file";
  } catch (error) {
    if (isFsError(error) && (error.code === "ENOENT" || error.code === "ENOTDIR")) return undefined;
    throw error;
  }
}

async function isPartOrEmpty(folder: string): Promise<boolean> {
  if ((await kindOf(folder)) === undefined) return true;
  const names = await readdir(folder);
  return names.length === 0 || names.includes(PART_FILE);
}

/** Folder of a part, in the workspace: where steps that keep artifacts find it, which leave out hidden folders. */
const PART_FOLDER = "treeline-part";

/** What to keep. */
export interface CachePlan {
  /** From the workspace; none where they cannot be named to the cache. */
  readonly paths: readonly string[];
  readonly key: string;
  /** Beginnings of keys to take instead, the best first. */
  readonly restoreKeys: readonly string[];
}

/** Facts of a run that a key is made of. */
interface RunFacts {
  /** Of the machine: `Linux-X64`. */
  readonly platform: string;
  /** Of Treeline's code: caches of another are of no use. */
  readonly code: string;
  /** Different for each run and each attempt. */
  readonly run: string;
}

const MAX_REF_LENGTH = 120;
const DIGEST_DIGITS = 12;
/** The cache takes paths as patterns. */
const PATTERN = /[*?[\]!{}~#\\]/;
export function planCache(
  { root, config, corpus, shard }: Pick<ActionInputs, "root" | "config" | "corpus" | "shard">,
  { ref, baseBranch }: ActionEvent,
  { platform, code, run }: RunFacts,
): CachePlan {
  const what = [root, config, shard === undefined ? "" : `${shard.index}/${shard.of}`, code];
  const digest = createHash("sha256").update(JSON.stringify(what)).digest("hex").slice(0, DIGEST_DIGITS);
  const prefix = ["treeline", platform, corpus || "root", digest].map(toKey).join("-");
  const refs = [...new Set([ref, baseBranch === "" ? ref : `refs/heads/${baseBranch}`])];
  const folders =
    shard === undefined ? [CACHE_FOLDER, DEFAULT_OUT].map((path) => posix.join(root, path)) : [PART_FOLDER];
  return {
    paths: PATTERN.test(root) ? [] : folders,
    key: `${prefix}-${toKey(ref)}-${toKey(run)}`,
    restoreKeys: [...refs.map((one) => `${prefix}-${toKey(one)}-`), `${prefix}-`],
  };
}

/** Keys take no comma, and are read by people. */
function toKey(text: string): string {
  return text.replace(/[^A-Za-z0-9._/-]/g, "_").slice(0, MAX_REF_LENGTH);
}
