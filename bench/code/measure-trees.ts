/**
 * Symbols of a folder as the indexer finds them, held against a parser that is not ours: CPython's `ast` for Python,
 * universal-ctags for what both know. Prints recall, precision, agreement on kinds and last lines, and files a second.
 *
 * usage: npm run bench:code-trees -- LANGUAGE DIR [--misses N]
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cpuUsage } from "node:process";
import { TREE_DIALECTS } from "../../indexer/languages/languages.ts";
import { loadGrammar } from "../../indexer/parse/code/grammars.ts";
import { parseWithTreeSitter } from "../../indexer/parse/code/parse-tree.ts";
import { normalizeSource } from "../../indexer/parse/markdown/page-text.ts";
import { CODE_LANGUAGES, type CodeLanguage } from "../../src/core/text/code-languages.ts";
import { readCtags, readPython, type TrueSymbol, type Truth } from "./symbol-truth.ts";

interface Found extends TrueSymbol {
  readonly inner: boolean;
}

/** What our parser finds in a file, and the CPU milliseconds it takes. */
function parse(
  folder: string,
  file: string,
  language: CodeLanguage,
): { found: Found[]; errors: number; ms: number; uses: number } {
  const text = normalizeSource(readFileSync(join(folder, file), "utf8"));
  const before = cpuUsage();
  const parsed = parseWithTreeSitter({ path: file, text, language });
  const { user, system } = cpuUsage(before);
  return {
    errors: parsed.errors,
    ms: (user + system) / 1000,
    uses: parsed.uses.length,
    found: parsed.symbols.map((symbol) => ({
      file,
      kind: symbol.kind,
      name: symbol.name,
      line: symbol.at.line,
      endLine: symbol.end.column === 1 ? symbol.end.line - 1 : symbol.end.line,
      inner: symbol.flags.includes("inner"),
    })),
  };
}

/** By line and name; ctags leaves out the `?` and `!` of aliases in Ruby. */
function keyOf({ name, line }: TrueSymbol): string {
  return `${line} ${name.replace(/[?!]$/, "")}`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? "-" : (part / whole).toFixed(4);
}

const [named, folder = "", option, count] = process.argv.slice(2);
const language = CODE_LANGUAGES.find((one) => one === named && TREE_DIALECTS.has(one));
if (language === undefined || folder === "") {
  console.error("usage: npm run bench:code-trees -- LANGUAGE DIR [--misses N]");
  process.exit(2);
}
const shown = option === "--misses" ? Number(count ?? 20) : 0;
await loadGrammar(language);
const truth: Truth = language === "python" ? readPython(folder) : readCtags(language, folder);

const kinds = new Map<string, { truth: number; hit: number; sameKind: number; ends: number; sameEnd: number }>();
const misses: string[] = [];
const extras: string[] = [];
let found = 0;
let wrong = 0;
let cpuMs = 0;
let errors = 0;
let uses = 0;
for (const [file, symbols] of truth.files) {
  const result = parse(folder, file, language);
  cpuMs += result.ms;
  errors += result.errors > 0 ? 1 : 0;
  uses += result.uses;
  const byKey = new Map<string, Found[]>();
  for (const symbol of result.found) byKey.set(keyOf(symbol), [...(byKey.get(keyOf(symbol)) ?? []), symbol]);
  for (const symbol of symbols) {
    const row = kinds.get(symbol.kind) ?? { truth: 0, hit: 0, sameKind: 0, ends: 0, sameEnd: 0 };
    kinds.set(symbol.kind, row);
    row.truth++;
    const same = byKey.get(keyOf(symbol));
    const hit = same?.find((it) => truth.isSameKind(symbol.kind, it.kind)) ?? same?.[0];
    if (hit === undefined) {
      misses.push(`${file}:${symbol.line} ${symbol.kind} ${symbol.name}`);
      continue;
    }
    row.hit++;
    if (truth.isSameKind(symbol.kind, hit.kind)) row.sameKind++;
    else misses.push(`${file}:${symbol.line} ${symbol.kind} ${symbol.name} is ${hit.kind}`);
    if (symbol.endLine > 0) {
      row.ends++;
      if (symbol.endLine === hit.endLine) row.sameEnd++;
      else
        misses.push(`${file}:${symbol.line} ${symbol.kind} ${symbol.name} ends ${symbol.endLine}, not ${hit.endLine}`);
    }
  }
  if (!truth.isComplete) continue;
  const known = new Set(symbols.map(keyOf));
  for (const symbol of result.found) {
    found++;
    if (known.has(keyOf(symbol))) continue;
    wrong++;
    extras.push(`${file}:${symbol.line} ${symbol.kind} ${symbol.name}`);
  }
}
const all = { truth: 0, hit: 0, sameKind: 0, ends: 0, sameEnd: 0 };
for (const [kind, row] of [...kinds].sort(([a], [b]) => (a < b ? -1 : 1))) {
  for (const name of Object.keys(all) as (keyof typeof all)[]) all[name] += row[name];
  console.log(
    `${kind}: ${row.truth}, recall ${share(row.hit, row.truth)}, kind ${share(row.sameKind, row.hit)}, end ${share(row.sameEnd, row.ends)}`,
  );
}
console.log(
  `all: ${all.truth}, recall ${share(all.hit, all.truth)}, kind ${share(all.sameKind, all.hit)}, end ${share(all.sameEnd, all.ends)}`,
);
if (truth.isComplete) console.log(`precision ${share(found - wrong, found)} of ${found}`);
console.log(
  `${truth.files.size} files, ${errors} with syntax errors, ${uses} uses, ${(truth.files.size / (cpuMs / 1000)).toFixed(0)} files/s of CPU`,
);
for (const miss of misses.slice(0, shown)) console.log("miss", miss);
for (const extra of extras.slice(0, shown)) console.log("extra", extra);
