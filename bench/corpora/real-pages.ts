/**
 * Real pages: the documentation of pinned packages, copied into one tree.
 *
 * Packages are taken in their order, pages in the order of their paths, each package below a folder of its own, until
 * there are enough. A text that another package had before is left out, and so are empty and overlong files. The same
 * packages give the same tree.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { comparePaths } from "../../indexer/base/globs.ts";
import { fetchPackage } from "./fetch-package.ts";
import type { DocumentedPackage, RealCorpus } from "./packages.ts";
import { makeReferencePages } from "./reference-pages.ts";

/** Some packages ship their documentation as one file of megabytes; a page is no larger than this. */
const MAX_PAGE_BYTES = 500_000;

/**
 * Write the corpus into `out`, with packages kept in `cache`; the number of pages of each package by its name.
 *
 * @throws {Error} when the packages have too few.
 */
export async function writeRealCorpus(
  corpus: RealCorpus,
  out: string,
  cache: string,
): Promise<ReadonlyMap<string, number>> {
  const packageOf = new Map<string, string>();
  const counts = new Map<string, number>();
  let pages = 0;
  for (const documented of corpus.packages) {
    const before = pages;
    const root = join(await fetchPackage(documented.name, documented.version, cache), documented.under ?? "");
    for (const [path, text] of listPages(root, documented)) {
      if (pages >= corpus.pages) break;
      if (text.length > MAX_PAGE_BYTES || text.trim() === "") continue;
      const hash = createHash("sha256").update(text).digest("hex");
      const owner = packageOf.get(hash) ?? documented.name;
      if (owner !== documented.name) continue;
      packageOf.set(hash, owner);
      const to = join(out, indexable(`${documented.name.replace("@", "").replaceAll("/", "-")}/${path}`));
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, text);
      pages++;
    }
    counts.set(documented.name, pages - before);
  }
  if (pages < corpus.pages) throw new Error(`the packages hold ${corpus.pages - pages} pages too few`);
  return counts;
}

/** Path and text of each page of a package, in the order of the paths. */
function* listPages(root: string, { kind }: DocumentedPackage): Generator<readonly [path: string, text: string]> {
  const wanted = kind === "markdown" ? /\.(?:md|mdx|markdown)$/i : /\.d\.ts$/;
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "/").length).replaceAll("\\", "/"))
    .sort(comparePaths);
  for (const path of paths) {
    const text = readFileSync(join(root, path), "utf8");
    if (kind === "markdown") yield [path, text];
    else
      for (const page of makeReferencePages(text)) yield [`${path.replace(/\.d\.ts$/, "")}/${page.name}.md`, page.text];
  }
}

/** A build leaves out folders of these names, and those that begin with a dot. */
function indexable(path: string): string {
  return path.replaceAll(/(^|\/)\.(?=[^/])/g, "$1dot-").replaceAll("node_modules", "modules");
}
