/** The TypeScript and JavaScript files of a folder, parsed and linked. I/O: reads the folder. */

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { LinkFile } from "../../indexer/languages/base/language.ts";
import { parseTypeScript } from "../../indexer/languages/typescript/parse.ts";
import { type LinkedCode, linkCode } from "../../indexer/link/code/link-files.ts";
import { isCodeManifest } from "../../indexer/link/code/read-manifests.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";

/** Paths in the folder in the order of their numbers, and what linking makes of them. */
export function linkScripts(folder: string): { readonly paths: readonly string[]; readonly linked: LinkedCode } {
  const all = listSources(folder);
  const paths = all.filter((path) => codeLanguageOf(path) !== undefined && /\.[cm]?[tj]sx?$/.test(path));
  const textOf = (path: string): string => readFileSync(join(folder, path), "utf8");
  const files = paths.map((path): LinkFile => {
    const code = parseTypeScript({ path, text: textOf(path) });
    return { collection: "code", id: `code:${path}`, path, hash: "", code, sectionOf: () => 0 };
  });
  const manifests = all.filter(isCodeManifest).map((path) => ({ collection: "code", path, text: textOf(path) }));
  return { paths, linked: linkCode({ files, manifests }) };
}

/** All files of a folder, sorted, but for what is installed or built. */
export function listSources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !/(?:^|\/)(?:node_modules|_cjs|_esm|_types|dist)\//.test(path))
    .sort();
}
