/**
 * The `package.json` that is published, out of the one of a clone. Pure.
 */

import { OLDEST_NODE } from "../cli/oldest-node.ts";

/** What is read of a manifest; the rest is passed on. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** Keys that are passed on as they are; all others are a clone's own. */
const KEPT = [
  "name",
  "version",
  "description",
  "keywords",
  "license",
  "repository",
  "homepage",
  "bugs",
  "type",
  "files",
  "publishConfig",
  "peerDependencies",
  "peerDependenciesMeta",
] as const;

/** Scripts that make the package: they stay, so that packing after one that was interrupted puts things right. */
const PACKING = ["prepack", "postpack"] as const;

/** What programs may import, and who runs the package from its command. */
const ENTRIES = {
  bin: { treeline: "dist/indexer/cli/main.js" },
  exports: {
    "./config": { types: "./dist/config.d.ts" },
    "./engine": { types: "./dist/engine.d.ts", default: "./dist/engine/engine.js" },
    "./engine/*": "./dist/engine/*",
    "./search": { types: "./dist/search.d.ts", default: "./dist/engine/search.js" },
    "./worker": { types: "./dist/worker.d.ts", default: "./dist/worker.js" },
    "./wrangler.toml": "./dist/wrangler.toml",
    "./schemas/*": "./schemas/*",
    "./package.json": "./package.json",
  },
} as const;

/**
 * The manifest of the package.
 *
 * @param packages Those that its modules import.
 * @throws {Error} for one that is no dependency: users would not get it.
 */
export function publishedManifest(manifest: Manifest, packages: readonly string[]): Record<string, unknown> {
  const lacking = packages.filter((name) => manifest.dependencies[name] === undefined);
  if (lacking.length > 0) throw new Error(`the command line imports ${lacking.join(", ")}, which are no dependencies`);
  return {
    ...pick(manifest, KEPT),
    engines: { node: `>=${OLDEST_NODE}` },
    ...ENTRIES,
    scripts: pick(manifest.scripts, PACKING),
    dependencies: pick(manifest.dependencies, [...packages].sort()),
  };
}

function pick(from: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.flatMap((key) => (from[key] === undefined ? [] : [[key, from[key]]])));
}
