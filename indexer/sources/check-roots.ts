/**
 * The folders that collections name, looked up before a build begins: one that is not there is a mistake in the
 * configuration, and told with its line like all others.
 *
 * I/O: looks folders up, and reads the configuration again where one is missing.
 */
import { findNodeAtLocation } from "jsonc-parser";
import { InputError } from "../../src/core/errors.ts";
import { nodeFileSystem } from "../base/file-system.ts";
import type { CollectionConfig } from "../config/config.ts";
import { CONFIG_FILE_NAME, type ConfigProblem, createConfigError } from "../config/config-problems.ts";
import { parseConfigSyntax } from "../config/config-syntax.ts";
import { readNamedConfig, readSettingsFile } from "../config/settings-file.ts";
import { openCollectionRoot } from "./collection-root.ts";

/**
 * @param file The configuration, where it is not that of the folder.
 * @throws {InputError} with one line `file:line:column: message` for every root that cannot be read.
 */
export async function checkRoots(dir: string, collections: readonly CollectionConfig[], file?: string): Promise<void> {
  const faults = new Map<number, InputError>();
  for (const [index, collection] of collections.entries()) {
    // Without the folder of the configuration itself there is nothing to say about what it names.
    if (collection.root === ".") continue;
    try {
      await openCollectionRoot(collection, dir, nodeFileSystem);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      faults.set(index, error);
    }
  }
  if (faults.size === 0) return;
  const source =
    file === undefined ? ((await readSettingsFile(dir, CONFIG_FILE_NAME)) ?? "") : await readNamedConfig(file);
  const text = source.startsWith("\uFEFF") ? source.slice(1) : source;
  const tree = parseConfigSyntax(text, file);
  const problems = [...faults].map(([index, { message, nearest }]): ConfigProblem => {
    const node = findNodeAtLocation(tree, ["collections", index, "root"]) ?? tree;
    const [near] = nearest;
    const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
    return { offset: node.offset, message: `collections[${index}].root: ${message}${hint}` };
  });
  throw createConfigError(text, problems, file);
}
