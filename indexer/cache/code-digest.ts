/**
 * Digest of Treeline's own code as far as it bears on what is made of a document: a parse cache is for one version of it.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..", "..");
const FOLDERS = ["indexer", "src/core"];

let known: string | undefined;

/** The digest; worked out once a process. */
export function codeDigest(): string {
  if (known !== undefined) return known;
  const hash = createHash("sha1");
  for (const folder of FOLDERS) {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).sort();
    for (const name of names) {
      if (/\.[jt]s$/.test(name)) hash.update(name).update(readFileSync(join(ROOT, folder, name)));
    }
  }
  // Texts are deflated, and not every zlib deflates alike.
  hash.update(process.versions.zlib).update(readFileSync(join(ROOT, "package.json")));
  known = hash.digest("base64");
  return known;
}
