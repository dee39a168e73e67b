/**
 * The step of the Action before its cache: folders to restore, and their keys. It removes these folders first, so what lies
 * there afterwards was restored. It loads little: no parser, no store.
 *
 * Whoever sends a pull request decides what a checkout brings to these folders. A link there would lead what is written and removed
 * out of the workspace; an index or a parse cache there would pass for one that an earlier run left.
 *
 * A cache never changes once it is written, so each run has a key of its own and takes the newest that begins like it: of its branch,
 * else of any other that GitHub lets it see.
 */

import { createHash } from "node:crypto";
import { lstat, readdir, realpath, rm } from "node:fs/promises";
import { dirname, join, posix, resolve } from "node:path";
import process from "node:process";
import { InputError } from "../../../src/core/errors.ts";
import { quoteName } from "../../../src/core/text/nearest.ts";
import { describeFsError, onFsError, orAbsent } from "../../base/file-system.ts";
import { CACHE_FOLDER, DEFAULT_OUT } from "../../base/installation.ts";
import { codeDigest } from "../../index/digests.ts";
import { PART_FILE } from "../../index/split-build.ts";
import { isInside, relativePath } from "../../sources/discover.ts";
import { EXIT } from "../run-cli.ts";
import { type ActionEvent, type ActionInputs, readEvent, readInputs, takesCache } from "./inputs.ts";
import { appendTo, createSpeaker, describeMendable, formatOutputs, sayCrash, workspaceOf } from "./runner.ts";

/** The step before the cache: its outputs are paths and keys. The result is the exit code. */
export async function prepareRun(environment: NodeJS.ProcessEnv, write: (line: string) => void): Promise<number> {
  try {
    const workspace = workspaceOf(environment);
    const inputs = readInputs(environment, workspace);
    await clearPlaces(findActionPlaces(inputs, workspace));
    const event = await readEvent(environment);
    const { RUNNER_OS: os = process.platform, RUNNER_ARCH: arch = process.arch } = environment;
    const { GITHUB_RUN_ID: run = "0", GITHUB_RUN_ATTEMPT: attempt = "1" } = environment;
    const facts = { platform: `${os}-${arch}`, code: codeDigest(), run: `${run}-${attempt}` };
    const plan = planCache(inputs, event, facts);
    const outputs = {
      "cache-path": plan.paths.join("\n"),
      "cache-key": plan.key,
      "restore-keys": plan.restoreKeys.join("\n"),
      "restore-cache": String(takesCache(inputs, event)),
    };
    await appendTo(environment["GITHUB_OUTPUT"], formatOutputs(outputs));
    return EXIT.done;
  } catch (error) {
    // Inputs that cannot be used: the step that does the work says so, with all that belongs to it.
    if (describeMendable(error) !== undefined) return EXIT.done;
    const speaker = createSpeaker(write);
    sayCrash(speaker, error);
    speaker.end();
    return EXIT.failed;
  }
}

/** The folders of a run in a workspace: what is indexed, what is written, and `own`, those that this run writes and nobody else. */
export function findActionPlaces({ root, shard }: Pick<ActionInputs, "root" | "shard">, workspaceFolder: string) {
  const workspace = resolve(workspaceFolder);
  const dir = resolve(workspace, root);
  const [index, cache, part] = [join(dir, DEFAULT_OUT), join(dir, CACHE_FOLDER), join(workspace, PART_FOLDER)];
  return { workspace, root: dir, index, cache, part, own: shard === undefined ? [index, cache] : [part] };
}
export type ActionPlaces = Readonly<ReturnType<typeof findActionPlaces>>;

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
async function clearPlaces(places: ActionPlaces): Promise<void> {
  await checkPlaces(places);
  for (const folder of places.own) {
    const fail = onFsError((error): never => {
      const shown = quoteName(relativePath(places.workspace, folder));
      // No error in an input: the run must not go on with what is there.
      throw new Error(`the folder ${shown} cannot be removed: ${describeFsError(error)}`, { cause: error });
    });
    await rm(folder, { recursive: true, force: true }).catch(fail);
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
    const real = await realpath(at).catch(onFsError(() => undefined));
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
  const found = await lstat(path).catch(orAbsent);
  return found && (found.isSymbolicLink() ? "link" : found.isDirectory() ? "folder" : "file");
}

async function isPartOrEmpty(folder: string): Promise<boolean> {
  if ((await kindOf(folder)) === undefined) return true;
  const names = await readdir(folder);
  return names.length === 0 || names.includes(PART_FILE);
}

/** Folder of a part, in the workspace: where steps that keep artifacts find it, which leave out hidden folders. */
const PART_FOLDER = "treeline-part";

const MAX_REF_LENGTH = 120;
const DIGEST_DIGITS = 12;
/** The cache takes paths as patterns. */
const PATTERN = /[*?[\]!{}~#\\]/;

/**
 * What the cache is to keep: paths, none where they cannot be named to it; a key; beginnings of keys to take instead, the best first.
 *
 * @param facts The machine (`Linux-X64`), Treeline's code, and the run, which differs for each attempt.
 */
export function planCache(
  { root, config, corpus, shard }: Pick<ActionInputs, "root" | "config" | "corpus" | "shard">,
  { ref, baseBranch }: ActionEvent,
  { platform, code, run }: Readonly<Record<"platform" | "code" | "run", string>>,
) {
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
