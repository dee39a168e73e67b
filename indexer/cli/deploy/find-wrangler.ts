/**
 * Where wrangler is: the program that runs the Worker on this machine and brings it to Cloudflare. It is an optional peer
 * of the package, since neither builds nor publishing need it.
 */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { InputError } from "../../../src/core/errors.ts";
import { readInstalledVersion } from "../../base/installation.ts";

/** The command that adds it, as messages show it. */
export const INSTALL_WRANGLER = "npm install --save-dev wrangler";

/** The first major version that does what is asked of it, and the one whose options are known. */
const WRANGLER_MAJOR = 4;

/** An installed wrangler. */
export interface Wrangler {
  /** Folder of its package: what it depends on (miniflare) is resolved from there. */
  readonly folder: string;
  /** Its program, to be run by Node. */
  readonly program: string;
  readonly version: string;
}

/**
 * The wrangler of the project in a folder, else the one that stands beside Treeline. The project's goes first: it is the version
 * that the project chose for its Workers.
 *
 * @throws {InputError} where there is none, or one that is too old.
 */
export function findWrangler(folder: string = process.cwd()): Wrangler {
  const file = resolveIn(join(folder, "package.json")) ?? resolveIn(import.meta.url);
  if (file === undefined)
    throw new InputError(`this needs wrangler, which is not installed; add it: ${INSTALL_WRANGLER}`);
  const version = readInstalledVersion(file);
  if (Number.parseInt(version, 10) < WRANGLER_MAJOR) {
    throw new InputError(
      `this needs wrangler ${WRANGLER_MAJOR} or newer, and ${version} is installed; renew it: ${INSTALL_WRANGLER}@latest`,
    );
  }
  return { folder: dirname(file), program: join(dirname(file), "bin", "wrangler.js"), version };
}

function resolveIn(from: string): string | undefined {
  try {
    return createRequire(from).resolve("wrangler/package.json");
  } catch (error) {
    // Anything else is a wrangler that is there and broken: worth its own message.
    if (error instanceof Error && "code" in error && error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
