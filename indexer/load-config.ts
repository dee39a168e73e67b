/**
 * The configuration of a folder, its collections chosen by what the folder holds where it names none.
 */
import { codeLanguageOf } from "../src/core/text/code-languages.ts";
import { checkRoots } from "./check-roots.ts";
import {
  CODE_INCLUDE,
  CODE_WEIGHT,
  type CollectionConfig,
  defaultConfig,
  readConfig,
  type TreelineConfig,
} from "./config.ts";
import { discoverFiles } from "./sources/discover.ts";
import { isMinified } from "./sources/skipped-file.ts";

/**
 * Load the configuration in `dir`, or the default one. Without collections of its own it gets one of pages, one of
 * source files, or both: those that have files.
 *
 * @throws {InputError} with one line `file:line:column: message` for every problem.
 */
export async function loadConfig(dir: string): Promise<TreelineConfig> {
  const { config, isChosen } = await readConfig(dir);
  if (!isChosen) await checkRoots(dir, config.collections);
  const collections = isChosen ? await chooseCollections(dir, config) : config.collections;
  if (!collections.some(({ kind }) => kind === "code")) return { ...config, collections };
  return { ...config, collections: collections.map((collection) => ({ ...collection, namesSymbols: true })) };
}

/** A collection of pages, one of source files, or both. */
async function chooseCollections(dir: string, config: TreelineConfig): Promise<readonly CollectionConfig[]> {
  const [docs] = defaultConfig().collections as [CollectionConfig];
  const code: CollectionConfig = {
    ...docs,
    name: "code",
    kind: "code",
    weight: CODE_WEIGHT,
    include: CODE_INCLUDE,
    skipsMinified: true,
  };
  // One walk for both: a running server goes this way at every change.
  const both = { ...docs, include: [...docs.include, ...CODE_INCLUDE] };
  const { files } = await discoverFiles(both, dir, { ...config.limits, maxFiles: Number.POSITIVE_INFINITY });
  const isSource = files.filter(({ path }) => !isMinified(path)).map(({ path }) => codeLanguageOf(path) !== undefined);
  const filled = [...(isSource.includes(false) ? [docs] : []), ...(isSource.includes(true) ? [code] : [])];
  return filled.length === 0 ? [docs] : filled;
}
