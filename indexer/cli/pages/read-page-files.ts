/**
 * The files for pages, wherever Treeline stands: the package brings them, a clone bundles them out of its sources.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { assetsFolder, codeRoot, isPackaged } from "../../base/installation.ts";

/** A file for a browser. */
export interface PageFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Folder of the package that holds them. */
const PACKAGED = "engine";

/** All files that lie beside an index for pages to load. */
export async function readPageFiles(): Promise<readonly PageFile[]> {
  if (!isPackaged) return (await loadBundler<PageBundler>("bundle-pages.ts")).bundleForFiles();
  const folder = join(codeRoot, PACKAGED);
  const names = (await readdir(folder)).sort();
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
}

/** Makes sure that the Worker's static assets are those of the sources. The result is their folder. */
export async function readyAssets(): Promise<string> {
  if (!isPackaged) await (await loadBundler<AssetWriter>("write-assets.ts")).writeAssets();
  return assetsFolder;
}

interface PageBundler {
  readonly bundleForFiles: () => Promise<readonly PageFile[]>;
}

interface AssetWriter {
  readonly writeAssets: () => Promise<unknown>;
}

/** The bundler is for developers: the package has none, so nothing in it may name the module. */
function loadBundler<T>(module: string): Promise<T> {
  return import(join(codeRoot, "indexer", "engine", module)) as Promise<T>;
}
