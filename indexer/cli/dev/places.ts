/**
 * Where things lie: Treeline itself, and what serving a folder keeps on disk. Never in the folder that is served.
 */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { workFolder } from "../../base/installation.ts";

/** Digits of the hash that tells served folders apart. */
const HASH_DIGITS = 12;

/** Folders that serving one folder uses. */
export interface DevPlaces {
  /** Index files of the last build. */
  readonly index: string;
  /** Parse cache. */
  readonly cache: string;
  /** State of the local R2 and whatever else the runtime keeps. */
  readonly state: string;
  /** Output of the Worker's process. */
  readonly log: string;
  /** Settings of the Worker on this machine. */
  readonly config: string;
  /** Secrets of the Worker, made anew at each start. */
  readonly secrets: string;
}

/** Places for serving one folder: in a clone under its `.treeline/`, which git ignores, else in the user's cache. */
export function findPlaces(dir: string): DevPlaces {
  const hash = createHash("sha256").update(resolve(dir)).digest("hex").slice(0, HASH_DIGITS);
  const base = join(workFolder(), "dev", hash);
  return {
    index: join(base, "index"),
    cache: join(base, "cache"),
    state: join(base, "state"),
    log: join(base, "worker.log"),
    config: join(base, "wrangler.toml"),
    secrets: join(base, "worker.env"),
  };
}
