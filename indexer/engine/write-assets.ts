/**
 * The Worker's static assets as a folder: modules and files that pages load, and the description of the HTTP interface.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { transform } from "esbuild";
import { orAbsent } from "../base/file-system.ts";
import { assetsFolder, codeRoot } from "../base/installation.ts";
import { type EngineFile, TARGET } from "./bundle-engine.ts";
import { bundleForWorker } from "./bundle-pages.ts";

/** Writes the assets that changed and removes those that are no more. Programs that run at once write the same. */
export async function writeAssets(folder = assetsFolder): Promise<readonly Pick<EngineFile, "name" | "sources">[]> {
  const files = await bundleAssets();
  for (const { name, bytes } of files) await replace(join(folder, name), bytes, `${folder}.partial`);
  const names = new Set(files.map(({ name }) => name));
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1).replaceAll("\\", "/");
    if (entry.isFile() && !names.has(name)) await rm(path, { force: true });
  }
  return files;
}

async function bundleAssets(): Promise<readonly EngineFile[]> {
  const read = (path: string): Promise<string> => readFile(join(codeRoot, path), "utf8");
  // By its path, as all sources that are bundled.
  const { EXPLORER_STYLE } = (await import(join(codeRoot, "src/web/explorer/style.ts"))) as { EXPLORER_STYLE: string };
  const style = await transform(EXPLORER_STYLE, { loader: "css", minify: true, target: TARGET });
  const document: unknown = JSON.parse(await read("schemas/openapi.json"));
  const texts = {
    "explorer/style.css": style.code,
    "favicon.ico": await read("src/web/explorer/icon.svg"),
    "openapi.json": JSON.stringify(document),
  };
  const own = Object.entries(texts).map(([name, text]) => ({
    name,
    bytes: new TextEncoder().encode(text),
    sources: [],
  }));
  return [...(await bundleForWorker()), ...own];
}

/** In one step, and only where the bytes differ: a file that is rewritten is another version for browsers. */
async function replace(path: string, bytes: Uint8Array, beside: string): Promise<void> {
  if ((await readFile(path).catch(orAbsent))?.equals(bytes) === true) return;
  await mkdir(dirname(path), { recursive: true });
  const partial = `${beside}-${randomBytes(4).toString("hex")}`;
  await writeFile(partial, bytes);
  await rename(partial, path);
}

if (import.meta.main) await writeAssets();
