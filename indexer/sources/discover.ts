/**
 * Discovery: which files a collection holds.
 *
 * A file belongs to a collection when an include matches it, no exclude does, no ignore file ignores it, and no folder
 * on the way is one that is never indexed. What an include spells out is read all the same; from a folder that is
 * spelled out although ignored, only the ignore files inside it count, and only the includes that name it apply.
 *
 * Links inside the root are followed: a file appears under the link's path too, a folder under at most one link.
 * Nothing outside the root is ever opened. The result is in path order and does not depend on the order in which the
 * disk lists names.
 *
 * I/O: lists folders and reads ignore files through a `SourceFileSystem`.
 */
import { join } from "node:path";
import type { Diagnostic } from "../base/diagnostic.ts";
import { describeFsError, failWith, nodeFileSystem, onFsError, type SourceFileSystem } from "../base/file-system.ts";
import { compileGlobs, type Globs } from "../base/globs.ts";
import { comparePaths } from "../base/path-order.ts";
import type { CollectionConfig, LimitsConfig } from "../config/config.ts";
import { findNearest, openCollectionRoot } from "./collection-root.ts";
import type { SkippedFile } from "./read-file.ts";
import { type DiscoveredFile, walkCollection } from "./walk.ts";

/** What a collection holds. All lists are in path order. */
export interface Discovery {
  /** Absolute path of the collection root, for reading the files. Must not reach the index. */
  readonly root: string;
  readonly files: readonly DiscoveredFile[];
  /** What was meant to be read and is not, each with its reason; these are not repeated in `diagnostics`. */
  readonly skipped: readonly SkippedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The files of a collection.
 *
 * @param baseDir Absolute path of the folder of the configuration.
 * @throws {InputError} when the collection's root is no folder that can be listed.
 */
export async function discoverFiles(
  collection: Pick<CollectionConfig, "root" | "include" | "exclude">,
  baseDir: string,
  limits: LimitsConfig,
  fileSystem: SourceFileSystem = nodeFileSystem,
): Promise<Discovery> {
  const root = await openCollectionRoot(collection, baseDir, fileSystem);
  // A subfolder that cannot be listed is skipped; without the root itself there is nothing to go on with.
  await fileSystem.readdir(root.path).catch(failWith(`folder ${JSON.stringify(collection.root)} cannot be listed`));
  const globs = compileGlobs(collection.include, collection.exclude);
  const found = await walkCollection(root, globs, limits, fileSystem);
  const files = [...found.files].sort((a, b) => comparePaths(a.path, b.path));
  const skipped = [...found.skipped];
  const diagnostics = [...found.diagnostics];
  if (files.length > limits.maxFiles) {
    diagnostics.push(createLimitDiagnostic(files.length, limits.maxFiles));
    const message = `is beyond limits.maxFiles (${limits.maxFiles})`;
    for (const file of files.splice(limits.maxFiles)) {
      skipped.push({ path: file.path, reason: "too-many-files", message, bytes: file.bytes });
    }
  }
  diagnostics.push(...(await explainUnmatched(globs, root.path, fileSystem)));
  return {
    root: root.path,
    files,
    skipped: skipped.sort((a, b) => comparePaths(a.path, b.path)),
    diagnostics: diagnostics.sort((a, b) => comparePaths(a.path, b.path) || comparePaths(a.message, b.message)),
  };
}

function createLimitDiagnostic(count: number, maxFiles: number): Diagnostic {
  return {
    severity: "error",
    code: "too-many-files",
    message: `${count} files match, limits.maxFiles is ${maxFiles}: the last ${count - maxFiles} in path order are left out`,
    path: "",
    line: 0,
  };
}

/** A path that is spelled out and yields nothing is most often misspelt or a folder without a wildcard after it. */
async function explainUnmatched(globs: Globs, root: string, fileSystem: SourceFileSystem): Promise<Diagnostic[]> {
  const diagnostics: Diagnostic[] = [];
  for (const { glob, literal } of globs.unmatched()) {
    const shown = JSON.stringify(glob);
    diagnostics.push({
      severity: "warning",
      code: "include-matches-nothing",
      message: `include ${shown} matches no file: ${await describeLiteral(join(root, literal), literal, fileSystem)}`,
      path: "",
      line: 0,
    });
  }
  return diagnostics;
}

function describeLiteral(path: string, literal: string, fileSystem: SourceFileSystem): Promise<string> {
  return fileSystem.stat(path).then(
    (status) =>
      status.isDirectory()
        ? `nothing in folder ${JSON.stringify(literal)} fits it; everything in a folder is written ${JSON.stringify(`${literal}/**`)}`
        : "it is excluded or skipped",
    onFsError(async (error) => {
      const [near] = await findNearest(path.slice(0, path.length - literal.length), literal, fileSystem);
      const hint = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
      return `${JSON.stringify(literal)}: ${describeFsError(error)}${hint}`;
    }),
  );
}
