/** A folder with a configuration and pages that is built again and again, for tests of builds on a base. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type BuildRequest, type BuildSummary, buildCorpus } from "../../indexer/index/build.ts";
import { type OpenReader, openFiles, type Pages } from "./build-index.ts";
import { makeFolder, readFolder, writeFiles } from "./temporary-folder.ts";

/** The folder, and what is done with it. Names of indexes are folders in it. */
export interface SmallCorpus {
  readonly dir: string;
  /** Write pages and other files; `undefined` takes one away. */
  readonly edit: (files: Readonly<Record<string, string | undefined>>) => Promise<void>;
  readonly build: (index: string, more?: Partial<BuildRequest>) => Promise<BuildSummary>;
  /** Build on the index `base`, which is a folder in the corpus. */
  readonly buildOn: (base: string, index: string, more?: Partial<BuildRequest>) => Promise<BuildSummary>;
  readonly files: (index: string) => Promise<Map<string, Uint8Array>>;
  readonly open: (index: string, groups?: readonly string[] | "all") => Promise<OpenReader>;
}

/** A corpus with these files. Pages of the default collection stand in `docs`. No checker is asked unless a build says so. */
export async function makeCorpus(files: Pages, config?: object): Promise<SmallCorpus> {
  const dir = await makeFolder();
  const place = (index: string): string => join(dir, "indexes", index);
  const edit: SmallCorpus["edit"] = async (changed) => {
    for (const [path, text] of Object.entries(changed)) {
      if (text === undefined) await rm(join(dir, "docs", path));
      else await writeFiles(join(dir, "docs"), { [path]: text });
    }
  };
  const build: SmallCorpus["build"] = (index, more) =>
    buildCorpus({ precise: "off", dir: join(dir, "docs"), outDir: place(index), ...more });
  await edit(files);
  if (config !== undefined) await edit({ "treeline.config.json": JSON.stringify(config) });
  return {
    dir,
    edit,
    build,
    buildOn: (base, index, more) => build(index, { base: place(base), ...more }),
    files: (index) => readFolder(place(index)),
    open: async (index, groups = "all") => openFiles(await readFolder(place(index)), groups),
  };
}
