/**
 * Digests that say if something can be used again: a parsed document of the cache, an index to build on.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { FORMAT_VERSION } from "../../src/core/format/root.ts";
import { codeRoot, grammarNotice, packageRoot, readVersion } from "../base/installation.ts";
import type { CollectionConfig, TreelineConfig } from "../config/config.ts";
import type { GlossaryEntry } from "../config/topic-files.ts";

const DIGITS = 16;

/** The digest, in hex digits. */
export function digestSettings(config: TreelineConfig, glossary: readonly GlossaryEntry[]): string {
  const { collections, facets, thesaurus, expand, commandsAllowed } = config;
  // What no page of a collection is read by makes no other tables of it.
  const used = collections.map(({ site, ...collection }) =>
    collection.kind === "site" ? { ...collection, site } : collection,
  );
  const everything = [readVersion(), FORMAT_VERSION, used, facets, glossary, thesaurus, commandsAllowed && expand];
  return createHash("sha256").update(JSON.stringify(everything)).digest("hex").slice(0, DIGITS);
}

/** Digest of settings under which a stage failed: no index is built on one that lacks what the stage makes. */
export function afterFailure(settings: string): string {
  return `${settings}-failed`;
}

const FOLDERS = ["indexer", "src/core"];

let known: string | undefined;

/** The digest; worked out once a process. */
export function codeDigest(): string {
  if (known !== undefined) return known;
  const hash = createHash("sha1");
  for (const folder of FOLDERS) {
    const names = readdirSync(join(codeRoot, folder), { recursive: true, encoding: "utf8" }).sort();
    for (const name of names) {
      if (/\.(?:[jt]s|json)$/.test(name)) hash.update(name).update(readFileSync(join(codeRoot, folder, name)));
    }
  }
  // V8 writes the parse cache.
  hash.update(process.versions.v8).update(listPackages().join());
  // Of grammars that were copied into the package, this names the versions.
  if (existsSync(grammarNotice)) hash.update(readFileSync(grammarNotice));
  known = hash.digest("base64");
  return known;
}

/** The packages that this one uses, as they are installed: what a manifest allows is not always what stands there. */
function listPackages(): string[] {
  const manifest = join(packageRoot, "package.json");
  const require = createRequire(manifest);
  return Object.keys(readManifest(manifest).dependencies ?? {}).map((name) => {
    const folders = require.resolve.paths(name) ?? [];
    const file = folders.map((folder) => join(folder, name, "package.json")).find((path) => existsSync(path));
    return `${name}@${file === undefined ? "" : readManifest(file).version}`;
  });
}

function readManifest(file: string): { readonly version?: string; readonly dependencies?: object } {
  return JSON.parse(readFileSync(file, "utf8")) as ReturnType<typeof readManifest>;
}

/** Digest of all that bears on what is made of a document of a collection, beside its content and path. */
export function digestCollection(collection: CollectionConfig): string {
  return createHash("sha1")
    .update(JSON.stringify([codeDigest(), collection]))
    .digest("base64");
}

/** Key of a document: names its content and, by the digest of its collection, everything else that bears on what is made of it. */
export function cacheKey({ hash, path, settings }: Readonly<Record<"hash" | "path" | "settings", string>>): string {
  return createHash("sha1").update(`${settings}\0${hash}\0${path}`).digest("base64");
}
