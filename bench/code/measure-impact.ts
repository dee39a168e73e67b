/**
 * Whether `analyze_impact` names every file that TypeScript's checker finds as a direct user.
 *
 *   npm run bench:impact -- DIR [SYMBOLS] [SEED]
 *
 * Builds an index of the sources in DIR (an unpacked npm package that ships them), draws SYMBOLS (20) symbols with SEED (1)
 * out of those that other files use, and asks for what a change of each may break one step away. Prints Markdown: a row a
 * symbol, then each file that was missed with the first place of a use there and the cause. A member of a value whose type has
 * to be inferred or computed is beyond what is read without a compiler; every other miss is a fault of linking, and the exit
 * code 1.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { openIndexAt } from "../../indexer/open/open-index.ts";
import type { LoadedSymbol } from "../../src/core/code/model.ts";
import { findImpact } from "../../src/core/code/walks.ts";
import { splitDocumentId } from "../../src/core/docs/node-id.ts";
import { SYMBOL_KINDS } from "../../src/core/format/code-model.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { findTargets, listFiles, reachOf, type Target } from "../../src/mcp/find-target.ts";
import { listSymbols } from "../../test/support/rename-proof.ts";
import { makeRandom, shuffle } from "../random.ts";
import { makeTable } from "../tables.ts";
import { askChecker, type Place, type TrueUse } from "./link-truth.ts";

/** Why a use was missed, by what stands before the name. */
const CAUSES = {
  none: "a plain name",
  module: "a name of a module",
  declared: "a member of a value whose type is declared",
  computed: "a member of a value of a union, an intersection or a computed type",
  inferred: "a member of a value whose type has to be inferred",
} as const satisfies Readonly<Record<TrueUse["receiver"], string>>;

/** What only a checker knows. */
const OUT_OF_REACH: ReadonlySet<TrueUse["receiver"]> = new Set(["computed", "inferred"]);

const [dir, count = "20", seed = "1"] = process.argv.slice(2);
if (dir === undefined) {
  console.error("usage: npm run bench:impact -- DIR [SYMBOLS] [SEED]");
  process.exit(2);
}
const folder = resolve(dir);
const out = mkdtempSync(join(tmpdir(), "treeline-impact-"));
try {
  execFileSync(process.execPath, ["indexer/cli/main.ts", "build", folder, "--out", out, "--no-cache"], {
    stdio: "pipe",
  });
  await measure();
} finally {
  rmSync(out, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const { index } = await openIndexAt(out);
  const symbols = await listSymbols(new IndexReader(index, "all"), SYMBOL_KINDS);
  const paths = [...new Set(symbols.map(pathOf))].filter((path) => /\.[cm]?[tj]sx?$/.test(path));
  const truth = askChecker(folder, paths);
  const users = groupByDeclaration([...truth.uses, ...truth.bindings]);
  const known = new Set(paths);
  const usersOf = (symbol: LoadedSymbol): TrueUse[] => {
    const { line, column } = symbol.record.at;
    const own = pathOf(symbol);
    const uses = users.get(`${own}:${line}:${column}`) ?? [];
    return uses.filter(({ place }) => fileOf(place) !== own && known.has(fileOf(place)));
  };
  const used = symbols.filter((symbol) => usersOf(symbol).length > 0);
  const drawn = shuffle(used, makeRandom(Number(seed))).slice(0, Number(count));
  const rows: string[][] = [];
  const misses: string[] = [];
  let faults = 0;
  const sums = { truth: 0, found: 0, inferred: 0, given: 0 };
  for (const symbol of drawn) {
    const uses = usersOf(symbol);
    const files = new Set(uses.map(({ place }) => fileOf(place)));
    const { given, waves } = await askImpact(new IndexReader(index, "all"), symbol.id);
    const missed = [...files].filter((file) => !given.has(file));
    let inferred = 0;
    for (const file of missed) {
      const own = uses.filter(({ place }) => fileOf(place) === file);
      const isInferred = own.every(({ receiver }) => OUT_OF_REACH.has(receiver));
      if (isInferred) inferred++;
      else faults++;
      const worst = own.find(({ receiver }) => !OUT_OF_REACH.has(receiver)) ?? own[0];
      misses.push(`- ${symbol.id}: ${worst?.place}, ${CAUSES[worst?.receiver ?? "none"]}`);
    }
    sums.truth += files.size;
    sums.found += files.size - missed.length;
    sums.inferred += inferred;
    sums.given += given.size;
    rows.push([
      symbol.id,
      symbol.record.kind,
      String(files.size),
      String(files.size - missed.length),
      String(inferred),
      String(given.size),
      String(waves),
    ]);
  }
  console.log(`${paths.length} files, ${symbols.length} symbols, ${used.length} of them used by other files\n`);
  console.log(
    makeTable(["symbol", "kind", "files of users", "named", "out of reach", "files in the answer", "waves"], rows),
  );
  const reachable = sums.truth - sums.inferred;
  console.log(
    `\nrecall ${ratio(sums.found, reachable)} of ${reachable} files within reach, ${ratio(sums.found, sums.truth)} of all ${sums.truth}; ${sums.given} named\n`,
  );
  if (misses.length > 0) console.log(misses.join("\n"));
  if (faults > 0) process.exitCode = 1;
}

/** Files that a change of a symbol may break one step away, and in how many waves that was known, records of symbols aside. */
async function askImpact(reader: IndexReader, id: string): Promise<{ given: ReadonlySet<string>; waves: number }> {
  const { targets } = await findTargets(reader, [id], (name) => name);
  const target = targets[0] as Exclude<Target, { kind: "package" }>;
  const reach = await reachOf(reader, target);
  const places = target.kind === "file" ? [-1] : target.symbols;
  const changed = places.map((symbol) => ({ file: target.file, symbol }));
  const { affected } = findImpact(reach, changed, 1);
  const list = await listFiles(reader, reach.shard);
  const given = affected.map(({ file }) => splitDocumentId(list[file]?.id ?? "").path);
  return { given: new Set(given), waves: reader.cost.waves };
}

function groupByDeclaration(uses: readonly TrueUse[]): ReadonlyMap<Place, TrueUse[]> {
  const groups = new Map<Place, TrueUse[]>();
  for (const use of uses) {
    for (const declaration of use.declarations) {
      const group = groups.get(declaration);
      if (group === undefined) groups.set(declaration, [use]);
      else group.push(use);
    }
  }
  return groups;
}

function pathOf({ inFile }: LoadedSymbol): string {
  return splitDocumentId(inFile.id).path;
}

function fileOf(place: Place): string {
  return place.split(":")[0] ?? "";
}

function ratio(part: number, whole: number): string {
  return whole === 0 ? "1.000" : (part / whole).toFixed(3);
}
