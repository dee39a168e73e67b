/**
 * The grammars of tree-sitter as files of the package. The packages that they come from hold sources and builds for
 * every platform as well, 140 MB of them.
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { GRAMMAR_FILES } from "../parse/code/tree-sitter/grammars.ts";
import { packageFolders, writeNotice } from "./licence-notice.ts";

const HEADER = `# Grammars

The files of this folder are parsers of [tree-sitter](https://tree-sitter.github.io), compiled to WebAssembly. They were copied
out of these packages, whose licences follow. Those of \`@repomix/tree-sitter-wasms\` were compiled from the packages
\`tree-sitter-LANGUAGE\` of their languages, which are under the MIT licence.
`;

/** Copies all of them, with a notice of where they come from. @param folder Gets them. */
export function copyGrammars(folder: string): void {
  const require = createRequire(import.meta.url);
  mkdirSync(folder, { recursive: true });
  const filesOf = new Map<string, string[]>();
  for (const specifier of Object.values(GRAMMAR_FILES)) {
    const file = require.resolve(specifier);
    copyFileSync(file, join(folder, basename(file)));
    const [source = ""] = packageFolders([file.replaceAll("\\", "/")]).keys();
    filesOf.set(source, [...(filesOf.get(source) ?? []), basename(file)]);
  }
  writeFileSync(join(folder, "NOTICE.md"), writeNotice(HEADER, filesOf));
}
