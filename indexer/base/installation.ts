/**
 * The installation of Treeline: a clone with its sources, or the package as users install it, which holds the same modules as
 * JavaScript below `dist/`, the Worker bundled, and the grammars beside them (`indexer/package`). And the folders that a build
 * writes unless it is told otherwise.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { createRequire, getCompileCacheDir } from "node:module";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { isRecord } from "../../src/core/parse-text.ts";

/** Folder above `indexer/` and `src/`. */
export const codeRoot: string = resolve(import.meta.dirname, "..", "..");

/** Whether this is the package; else a clone. */
export const isPackaged: boolean = import.meta.filename.endsWith(".js");

/** Folder of `package.json`. */
export const packageRoot: string = isPackaged ? dirname(codeRoot) : codeRoot;

/** The Worker's entry: sources in a clone, one file in the package. */
export const workerFile: string = join(codeRoot, isPackaged ? "worker.js" : join("src", "worker", "worker.ts"));

/** The Worker's static assets: written when they are needed in a clone, part of the package. */
export const assetsFolder: string = join(codeRoot, isPackaged ? "assets" : join(".treeline", "assets"));

/** Settings of the Worker that come with Treeline. */
export const workerConfig: string = join(codeRoot, "wrangler.toml");

/** Grammars of the package, by name of the file. A clone has them in the packages that they come from. */
const GRAMMARS = join(codeRoot, "grammars");

/** Which packages the grammars were copied from, in which versions; only the package has the file. */
export const grammarNotice: string = join(GRAMMARS, "NOTICE.md");

/** The release that repositories can name, `0.2.0`: a tag, and a version on npm. `""` until there is one; `npm run release` sets it. */
export const RELEASE: string = "";

/**
 * How a user calls a command: what stands before its name. A clone's script is named so that output has only what was
 * asked for.
 */
export const commandPrefix: string = isPackaged ? "npx treeline" : "npm run -s treeline --";

export function readVersion(): string {
  return readInstalledVersion(join(packageRoot, "package.json"));
}

/** Path of a grammar's file. @param specifier Package and path in it. */
export function findGrammar(specifier: string): string {
  const copied = join(GRAMMARS, basename(specifier));
  return isPackaged && existsSync(copied) ? copied : createRequire(import.meta.url).resolve(specifier);
}

/**
 * Folder for what can be made anew: in a clone one that git ignores, else the user's, since a package may stand where
 * nobody can write.
 */
export function workFolder(): string {
  if (!isPackaged) return join(packageRoot, ".treeline");
  return join(cacheHome(process.env), "treeline");
}

/** Digits of the hash that tells served folders apart. */
const HASH_DIGITS = 12;

/** Places for serving one folder: in a clone of Treeline under its `.treeline/`, which git ignores, else in the user's cache. */
export function findPlaces(dir: string, server: "dev" | "mcp" = "dev") {
  const hash = createHash("sha256").update(resolve(dir)).digest("hex").slice(0, HASH_DIGITS);
  const base = join(workFolder(), server, hash);
  return {
    base,
    /** Index files of the last build. */
    index: join(base, "index"),
    /** Parse cache. */
    cache: join(base, "cache"),
    /** State of the local R2 and whatever else the runtime keeps. */
    state: join(base, "state"),
    /** Output of the Worker's process. */
    log: join(base, "worker.log"),
    /** Settings of the Worker on this machine. */
    config: join(base, "wrangler.toml"),
    /** Secrets of the Worker, made anew at each start. */
    secrets: join(base, "worker.env"),
  };
}
export type Places = Readonly<ReturnType<typeof findPlaces>>;

/**
 * Folder for caches of a user: as the XDG Base Directory Specification 0.8 has it, where a setting that is empty or relative counts
 * for nothing, else as the system has it.
 */
export function cacheHome(
  { XDG_CACHE_HOME = "", LOCALAPPDATA = "" }: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  if (isAbsolute(XDG_CACHE_HOME)) return XDG_CACHE_HOME;
  if (platform === "win32" && LOCALAPPDATA !== "") return LOCALAPPDATA;
  return platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
}

/** The environment of a thread: it reads compiled modules where this one does, which it would not by itself. */
export function threadEnvironment(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  // The folder that is asked for has one of its own for each version of Node.
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: dirname(folder) };
}

/**
 * The version.
 *
 * @param file Path of the `package.json`.
 * @throws {Error} where it names none: the package is not whole.
 */
export function readInstalledVersion(file: string): string {
  const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (isRecord(manifest) && typeof manifest["version"] === "string") return manifest["version"];
  throw new Error(`${file} names no version`);
}

export const DEFAULT_OUT = join(".treeline", "index");
export const CACHE_FOLDER = join(".treeline", "cache");
