/**
 * Imports of what is no source file: styles, data, pictures, single-file components. Nothing of such a file is read; that a
 * source imports it is known. Pure.
 */

import { isAssetPath, pathOfSpecifier } from "../../../src/core/code/source-paths.ts";
import { makeDocumentId } from "../../../src/core/docs/node-id.ts";
import type { CodeWorld, LinkFile } from "./code-world.ts";
import { folderOfPlace, joinPlace } from "./places.ts";

/** A source file's import of another one that is no source file. */
export interface AssetImport {
  /** Number of the source file. */
  readonly from: number;
  /** Id that the imported file has, or would have as a document. */
  readonly id: string;
}

/** Id of the asset that a path leads to from a file; undefined for what is none, or lies outside of the file's collection. */
export function assetOf(world: CodeWorld, file: number, specifier: string): string | undefined {
  if (world.families[file] !== "script") return undefined;
  const name = pathOfSpecifier(specifier);
  if (!/^\.{1,2}\//.test(name) || !isAssetPath(name)) return undefined;
  const { collection, path } = world.files[file] as LinkFile;
  const place = joinPlace(folderOfPlace(path), name);
  return place.startsWith("../") ? undefined : makeDocumentId(collection, place);
}
