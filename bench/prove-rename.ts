/**
 * Prove that the certain edits of `rename` leave real code standing.
 *
 *   npm run prove:rename -- [PER_KIND] [SEED] [PACKAGE…]
 *
 * Fetches packages that ship their sources, TypeScript or JavaScript, in `src` or `lib`, builds an index of each, draws PER_KIND (6) symbols of each kind with
 * SEED (1), makes the certain edits of each plan in memory and compiles as `tsc --noEmit` does, before and after. A rename
 * stands when no error is new. Plans that say themselves
 * that they are not whole, or that something stands against the name, are counted apart.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openIndexAt } from "../indexer/open/open-index.ts";
import { IndexReader } from "../src/core/index/index-reader.ts";
import {
  createCompiler,
  type FindErrors,
  listFiles,
  listSymbols,
  RENAMED_KINDS,
  tryRename,
} from "../test/support/rename-proof.ts";
import { createPythonCheck } from "../test/support/rename-python.ts";
import { makeRandom, shuffle } from "./random.ts";

const PACKAGES = [
  "zod@4.6.7",
  "rxjs@7.8.2",
  "mobx@7.1.3",
  "immer@11.2.10",
  "@tanstack/query-core@5.108.0",
  "commander@14.0.3",
  "ajv@8.20.0",
];
/** Packages of Python's own library. */
const PYTHON = ["email", "xml", "unittest", "asyncio", "wsgiref", "xmlrpc", "tomllib"];
/** Tests need packages that are not there. */
const TESTS = /(?:^|\/)(?:tests?|__tests__|benchmarks?)(?:\/|$)|\.test\.tsx?$|\.test-d\.ts$/;
const SOURCE = /(?<!\.d)\.[mc]?[jt]sx?$/;
const SHOWN_ERRORS = 3;

interface Tally {
  whole: number;
  wholeStands: number;
  open: number;
  openStands: number;
}

const [perKind = "6", seed = "1", ...only] = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), "treeline-rename-"));
const sums = new Map<string, Tally>();
try {
  for (const name of only.length > 0 ? only : [...PACKAGES, "python"]) {
    const root = join(dir, name.replace(/\W+/g, "-"));
    mkdirSync(root, { recursive: true });
    if (name === "python") {
      copyPython(root);
      await proveAll(name, root, createPythonCheck(root));
    } else {
      copyPackage(name, root);
      const paths = listFiles(root, "").filter((path) => SOURCE.test(path));
      await proveAll(name, root, createCompiler(root, paths));
    }
  }
  console.log("\nstands / tried, by kind: plans that are whole and without conflicts; others");
  const total: Tally = { whole: 0, wholeStands: 0, open: 0, openStands: 0 };
  for (const [kind, tally] of sums) {
    console.log(`  ${kind.padEnd(22)} ${tally.wholeStands}/${tally.whole}  ${tally.openStands}/${tally.open}`);
    for (const key of Object.keys(total) as (keyof Tally)[]) total[key] += tally[key];
  }
  console.log(`  ${"all".padEnd(22)} ${total.wholeStands}/${total.whole}  ${total.openStands}/${total.open}`);
  if (total.wholeStands < total.whole) process.exitCode = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}

async function proveAll(name: string, root: string, findErrors: FindErrors): Promise<void> {
  const out = `${root}-index`;
  execFileSync(process.execPath, ["indexer/cli/main.ts", "build", root, "--out", out, "--no-cache"], { stdio: "pipe" });
  const { index } = await openIndexAt(out);
  const openReader = (): IndexReader => new IndexReader(index, "all");
  const random = makeRandom(Number(seed));
  const symbols = await listSymbols(openReader(), RENAMED_KINDS);
  console.log(`\n${name}: ${symbols.length} symbols`);
  for (const kind of RENAMED_KINDS) {
    const drawn = shuffle(
      symbols.filter(({ record }) => record.kind === kind),
      random,
    ).slice(0, Number(perKind));
    for (const symbol of drawn) {
      const newName = makeName(symbol.record.name);
      const { plan, edits, errors } = await tryRename(openReader(), symbol, newName, root, findErrors);
      const key = `${name === "python" ? "python" : "typescript"} ${kind}`;
      const tally = sums.get(key) ?? { whole: 0, wholeStands: 0, open: 0, openStands: 0 };
      sums.set(key, tally);
      const isWhole = plan.gaps.length === 0 && plan.conflicts.length === 0;
      const stands = errors.length === 0;
      tally[isWhole ? "whole" : "open"]++;
      if (stands) tally[isWhole ? "wholeStands" : "openStands"]++;
      if (stands) continue;
      console.log(
        `  ${isWhole ? "BROKEN" : "not whole"} ${kind} ${symbol.id}: ${edits} edits, ${errors.length} errors`,
      );
      for (const error of errors.slice(0, SHOWN_ERRORS)) console.log(`    ${error.slice(0, 260)}`);
    }
  }
}

/** A name that nothing else has. */
function makeName(name: string): string {
  const bare = name.replace(/^#/, "");
  return `${name.startsWith("#") ? "#" : ""}${bare}Qz7`;
}

function copyPackage(name: string, root: string): void {
  const packed = execFileSync("npm", ["pack", name, "--silent", "--pack-destination", dir], { encoding: "utf8" });
  const unpacked = `${root}-unpacked`;
  mkdirSync(unpacked, { recursive: true });
  execFileSync("tar", ["xzf", join(dir, packed.trim().split("\n").at(-1) as string), "-C", unpacked]);
  const [top = "package"] = readdirSync(unpacked);
  cpSync(join(unpacked, top, "package.json"), join(root, "package.json"));
  const folder = ["src", "lib"].find((one) => existsSync(join(unpacked, top, one)));
  if (folder === undefined) throw new Error(`${name} ships no sources in src or lib`);
  const source = join(unpacked, top, folder);
  const isSource = (path: string): boolean => statSync(path).isDirectory() || SOURCE.test(path);
  cpSync(source, join(root, folder), {
    recursive: true,
    filter: (path) => !TESTS.test(path.slice(source.length + 1)) && isSource(path),
  });
}

function copyPython(root: string): void {
  const library = execFileSync("python3", ["-c", "import os; print(os.path.dirname(os.__file__))"], {
    encoding: "utf8",
  }).trim();
  for (const name of PYTHON) {
    cpSync(join(library, name), join(root, name), {
      recursive: true,
      filter: (path) => !/__pycache__|\.pyc$/.test(path) && !/\/tests?(?:\/|$)/.test(path.slice(library.length)),
    });
  }
}
