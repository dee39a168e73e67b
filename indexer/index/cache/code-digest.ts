/**
 * Digest of Treeline's own code as far as it bears on what is made of a document, and of the packages that it parses
 * with: a parse cache is for one version of both.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { codeRoot, grammarNotice, packageRoot } from "../../base/installation.ts";

const FOLDERS = ["indexer", "src/core"];

let known: string | undefined;

/** The digest; worked out once a process. */
export function codeDigest(): string {
  if (known !== undefined) return known;
  const hash = createHash("sha1");
  for (const folder of FOLDERS) {
    const names = readdirSync(join(codeRoot, folder), { recursive: true, encoding: "utf8" }).sort();
    for (const name of names) {
      if (/\.[jt]s$/.test(name)) hash.update(name).update(readFileSync(join(codeRoot, folder, name)));
    }
  }
  // Texts are deflated, and not every zlib deflates alike.
  hash.update(process.versions.zlib).update(listPackages(packageRoot).join());
  // Of grammars that were copied into the package, this names the versions.
  if (existsSync(grammarNotice)) hash.update(readFileSync(grammarNotice));
  known = hash.digest("base64");
  return known;
}

/**
 * The packages that a package's code uses, as they are installed: parsers and grammars are among them, and what a
 * manifest allows is not always what stands there.
 *
 * @param root Folder of the package.
 */
export function listPackages(root: string): string[] {
  const manifest = join(root, "package.json");
  const names = Object.keys(readManifest(manifest).dependencies ?? {});
  return names.map((name) => {
    const folders = createRequire(manifest).resolve.paths(name) ?? [];
    const file = folders.map((folder) => join(folder, name, "package.json")).find((path) => existsSync(path));
    return `${name}@${file === undefined ? "" : readManifest(file).version}`;
  });
}

function readManifest(file: string): { readonly version?: string; readonly dependencies?: object } {
  return JSON.parse(readFileSync(file, "utf8")) as ReturnType<typeof readManifest>;
}
