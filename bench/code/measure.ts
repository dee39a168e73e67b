/**
 * How well source code is parsed, held against a truth that was made without our parsers.
 *
 *   npm run bench:code -- LANGUAGE DIR...
 *
 * LANGUAGE is `typescript` (TypeScript and JavaScript; the truth is TypeScript's checker). Each DIR holds source files,
 * such as a package that ships its sources, unpacked. Printed are precision and recall of symbols and of plain names,
 * examples of every kind of difference, and the CPU beside that of the bare parser.
 */
import { globSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { measureTypeScript } from "./typescript.ts";

type Measure = (dir: string, paths: readonly string[]) => void;

const MEASURES: ReadonlyMap<string, { readonly languages: readonly string[]; readonly measure: Measure }> = new Map([
  ["typescript", { languages: ["typescript", "tsx", "javascript", "jsx"], measure: measureTypeScript }],
]);

const [language = "", ...dirs] = process.argv.slice(2);
const chosen = MEASURES.get(language);
if (chosen === undefined || dirs.length === 0) {
  console.error(`usage: npm run bench:code -- ${[...MEASURES.keys()].join("|")} DIR...`);
  process.exit(2);
}
for (const dir of dirs) {
  const root = resolve(dir);
  const paths = globSync("**/*", { cwd: root, exclude: ["**/node_modules/**"] })
    .filter((path) => chosen.languages.includes(codeLanguageOf(path) ?? ""))
    .map((path) => `${root}/${path}`)
    // A folder can be called `src.ts`.
    .filter((path) => statSync(path).isFile())
    .sort();
  chosen.measure(root, paths);
}
