/**
 * The `package.json` that is published, out of the one of a clone, and how it takes that one's place while `npm pack` runs. Packing that is
 * interrupted leaves it there; the next one begins by putting the clone's back. And licences of packages that are bundled, as one text:
 * bundling drops what they say of themselves.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isRecord } from "../../src/core/parse-text.ts";
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

/** The clone's manifest while another one has its place, and what was put there: both where git does not look. */
function placesIn(root: string) {
  const folder = join(root, ".treeline", "package");
  return {
    manifest: join(root, "package.json"),
    kept: join(folder, "package.json"),
    published: join(folder, "published.json"),
  };
}

/** Puts a manifest in the place of the clone's. */
export function swapManifest(root: string, text: string): void {
  const { manifest, kept, published } = placesIn(root);
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(published, text);
  // The copy is whole before the original goes.
  replace(kept, readFileSync(manifest, "utf8"));
  replace(manifest, text);
}

/**
 * Puts the clone's manifest back, where another one has its place; true where it had.
 *
 * @throws {Error} where somebody changed the one that was put there: the change would be lost.
 */
export function restoreManifest(root: string): boolean {
  const { manifest, kept, published } = placesIn(root);
  if (!existsSync(kept)) return false;
  const now = readFileSync(manifest, "utf8");
  const original = readFileSync(kept, "utf8");
  if (now !== original && now !== readFileSync(published, "utf8")) {
    throw new Error(
      `package.json changed while a package was made; the one from before is ${kept}: join the two, then remove it`,
    );
  }
  replace(manifest, original);
  rmSync(dirname(kept), { recursive: true });
  return now !== original;
}

/** In one step: whoever reads the file meanwhile sees the old text or the new one. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/**
 * The licences of the packages that files belong to.
 *
 * @param header First lines.
 * @param files By the folder of each package, what was taken out of it.
 * @throws {Error} where a package has neither a licence nor a text of one.
 */
export function writeNotice(header: string, files: ReadonlyMap<string, readonly string[]>): string {
  return [header, ...[...files].map(([folder, names]) => describe(folder, names)).sort()].join("\n");
}

/** Folders of packages that paths of modules lie in. */
export function packageFolders(paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const folders = paths.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return new Map(folders.map((folder) => [folder, []]));
}

function describe(folder: string, files: readonly string[]): string {
  const { name, version, license } = readManifest(folder);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (file === undefined && license === undefined) throw new Error(`${name} says nothing about its licence`);
  const text = file === undefined ? "" : indent(readFileSync(join(folder, file), "utf8").trim());
  const parts = [`## ${name} ${version} (${license})`, files.join(", "), text];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function readManifest(folder: string): { readonly name: string; readonly version: string; readonly license?: string } {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const said = (key: string): string | undefined => {
    const value: unknown = isRecord(manifest) ? manifest[key] : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const license = said("license");
  return {
    name: said("name") ?? basename(folder),
    version: said("version") ?? "",
    ...(license !== undefined && { license }),
  };
}

function indent(text: string): string {
  return text.replace(/^/gm, "    ").replace(/[ \r]+$/gm, "");
}
