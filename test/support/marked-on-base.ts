/** The pages of `damage.ts` as an index that was built on another one: both access groups have two levels. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCorpus } from "../../indexer/index/build.ts";
import { type BuiltIndex, openFiles } from "./build-index.ts";
import { markedPages } from "./damage.ts";
import { readFolder, writeFiles } from "./temporary-folder.ts";

const COLLECTIONS = [
  { name: "docs", root: "docs" },
  { name: "team", root: "team", access: "team" },
];

/** Build pages, change some of each group, and build again on what was built before. */
export async function buildMarkedOnBase(mark: string): Promise<Pick<BuiltIndex, "files" | "open">> {
  const dir = await mkdtemp(join(tmpdir(), "treeline-marked-"));
  try {
    const outDir = join(dir, "index");
    await writeFiles(dir, { "treeline.config.json": JSON.stringify({ collections: COLLECTIONS }) });
    for (const [folder, part] of [
      ["docs", "public"],
      ["team", "hidden"],
    ] as const) {
      await writeFiles(join(dir, folder), markedPages(mark, part));
    }
    await buildCorpus({ dir, outDir });
    for (const folder of ["docs", "team"]) {
      const changed = `# Changed\n\nThe handler of ${mark} leads elsewhere, see [one](page-1.md).\n\n## Dynamic handlers\n\nKept.\n`;
      await writeFiles(join(dir, folder, "guide"), { "page-3.md": changed, "page-99.md": `${changed}\nAnd more.\n` });
      await rm(join(dir, folder, "guide", "page-7.md"));
    }
    const { base, notice } = await buildCorpus({ dir, outDir, base: outDir });
    if (base === "") throw new Error(`nothing was built on the base: ${notice}`);
    const files = await readFolder(outDir);
    return { files, open: (groups = ["public"]) => openFiles(files, groups) };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
