/**
 * Make a corpus of many real pages: copy the Markdown files of some folders into one tree.
 *
 *   node bench/make-corpus.ts OUT DIR… [--pages N]
 *
 * Folders are taken in the order given, files in the order of their paths, each below a folder of its own
 * (`1-docs/…`, `2-node_modules/…`), until there are N pages (10,000). A text that was copied before is left out, an
 * empty one too, so the pages are all different. The same folders give the same tree. OUT must not exist.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { comparePaths } from "../indexer/sources/path-order.ts";

const DEFAULT_PAGES = "10000";
const MARKDOWN = /\.(?:md|mdx|markdown)$/i;
/** Some packages ship their documentation as one file of megabytes; a page is no larger than this. */
const MAX_PAGE_BYTES = 500_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: "string", default: DEFAULT_PAGES } },
});
const [out, ...dirs] = positionals;
const wanted = Number(values.pages);
if (out === undefined || dirs.length === 0 || !(wanted >= 1) || existsSync(out)) {
  console.error("usage: make-corpus.ts OUT DIR… [--pages N]      (OUT must not exist)");
  process.exit(2);
}
const seen = new Set<string>();
for (const [at, dir] of dirs.entries()) {
  const before = seen.size;
  const folder = `${at + 1}-${basename(resolve(dir))}`;
  for (const path of listMarkdown(dir)) {
    if (seen.size >= wanted) break;
    copyPage(join(dir, path), join(out, indexable(`${folder}/${path}`)));
  }
  console.log(`${seen.size - before} pages of ${dir}`);
}
console.log(`${seen.size} different pages in ${out}`);
if (seen.size < wanted) {
  console.error(`the folders hold ${wanted - seen.size} pages too few`);
  process.exitCode = 1;
}

function listMarkdown(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && MARKDOWN.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(dir, "/").length).replaceAll("\\", "/"))
    .sort(comparePaths);
}

/** A build leaves out folders of these names, and those that begin with a dot. */
function indexable(path: string): string {
  return path.replaceAll(/(^|\/)\.(?=[^/])/g, "$1dot-").replaceAll("node_modules", "modules");
}

/** Copies a page unless its text was copied before, is empty or too long. */
function copyPage(from: string, to: string): void {
  const bytes = readFileSync(from);
  if (bytes.length > MAX_PAGE_BYTES || bytes.toString("utf8").trim() === "") return;
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (seen.has(hash)) return;
  seen.add(hash);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, bytes);
}
