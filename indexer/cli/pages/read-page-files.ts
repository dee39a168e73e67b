/**
 * The files for pages, wherever Treeline stands: the package brings them, a clone bundles them out of its sources.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeRoot, isPackaged } from "../../base/installation.ts";

/** A file for a browser. */
export interface PageFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Folder of the package that holds them. */
const PACKAGED = "engine";

/** All files that lie beside an index for pages to load. */
export async function readPageFiles(): Promise<readonly PageFile[]> {
  if (!isPackaged) return (await loadBundler()).bundleForFiles();
  const folder = join(codeRoot, PACKAGED);
  const names = (await readdir(folder)).sort();
  return Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })));
}

/** What is used of the bundler. */
interface Bundler {
  readonly bundleForFiles: () => Promise<readonly PageFile[]>;
}

/** The bundler is for developers: the package has none, so that nothing in it may name the module. */
function loadBundler(): Promise<Bundler> {
  const path = join(codeRoot, "indexer", "engine", "bundle-pages.ts");
  return import(path) as Promise<Bundler>;
}
