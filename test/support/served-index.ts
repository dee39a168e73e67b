/**
 * The indexes that tests of the Worker's rooms read: the pages of `test/fixtures/served-docs` for the Worker itself,
 * those of `test/fixtures/handbook`, two collections with links and long sections, and of `test/fixtures/workshop`, source
 * code with pages that name it, and of `test/fixtures/nodes`, code as examples of calls have it, for the tools.
 *
 * The Workers runtime has no disk to build from, so the built files lie beside the pages as one JSON file (names to
 * base64). `test/served-index.test.ts` holds the two together; run it with `UPDATE_FIXTURES=1` after a change.
 */
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCorpus } from "../../indexer/index/build.ts";
import { projectRoot } from "./environment.ts";

/** The pages. */
export const SERVED_DOCS = join(projectRoot, "test", "fixtures", "served-docs");
/** Their index, built. */
const SERVED_INDEX = join(projectRoot, "test", "fixtures", "served-index.json");

/** Folders with pages, and the files that hold their indexes. */
export const FIXTURE_INDEXES: readonly { readonly pages: string; readonly index: string }[] = [
  { pages: SERVED_DOCS, index: SERVED_INDEX },
  ...["handbook", "workshop", "nodes"].map((name) => {
    const pages = join(projectRoot, "test", "fixtures", name);
    return { pages, index: `${pages}-index.json` };
  }),
];

/** The index files of a folder's pages, by name, in base64. */
export async function buildFixtureIndex(pages: string): Promise<Record<string, string>> {
  // A copy outside the checkout: inside, every commit of the project would be a new commit of the index.
  const dir = await mkdtemp(join(tmpdir(), "treeline-served-"));
  try {
    await cp(pages, join(dir, "docs"), { recursive: true });
    await buildCorpus({ dir: join(dir, "docs"), outDir: join(dir, "index") });
    const names = (await readdir(join(dir, "index"))).sort();
    const files = await Promise.all(names.map((name) => readFile(join(dir, "index", name), "base64")));
    return Object.fromEntries(names.map((name, at) => [name, files[at] as string]));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
