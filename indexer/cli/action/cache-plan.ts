/**
 * What the Action keeps between runs, and under which key: the parse cache and the index, or the part of a matrix job.
 *
 * Keys are of one version of the code and one corpus. Caches never change once they are written, so each run has a key
 * of its own and takes what begins like it: of the same branch, else of any other that GitHub lets it see. Pure.
 */
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { CACHE_FOLDER, DEFAULT_OUT } from "../../base/installation.ts";
import type { ActionEvent } from "./action-event.ts";
import type { ActionInputs } from "./action-inputs.ts";

/** Folder of a part, in the workspace: where steps that keep artifacts find it, which leave out hidden folders. */
export const PART_FOLDER = "treeline-part";

/** What to keep. */
export interface CachePlan {
  /** From the workspace; none where they cannot be named to the cache. */
  readonly paths: readonly string[];
  readonly key: string;
  /** Beginnings of keys to take instead, the best first. */
  readonly restoreKeys: readonly string[];
}

/** Facts of a run that a key is made of. */
export interface RunFacts {
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

/** See the header. */
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
