/**
 * Whether the table of exports has the names that TypeScript's `getExportsOfModule` gives for each module of a package.
 *
 *   npm run bench:exports -- DIR...
 *
 * Builds an index of the sources in each DIR (a package that ships them, or a repository) and compares, for every name under which
 * something can be imported, the names that the index and the checker give, and where they are declared. Which file a name of
 * a module means is the index's word; it is printed with `--modules`. Packages of a workspace import one another by name: the
 * checker is led to `src/index`, or the file of the subpath in `src`. Exit code 1 where precision or recall is below .99.
 */
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import ts from "typescript";
import { openIndexAt } from "../../indexer/open/open-index.ts";
import { loadFiles } from "../../src/core/code/load-files.ts";
import { readGiven, readModules } from "../../src/core/code/packages.ts";
import { pathOf } from "../../src/core/docs/node-id.ts";
import { IndexReader } from "../../src/core/index/index-reader.ts";
import { makeTable } from "../tables.ts";

const LEAST = 0.99;
const MAX_EXAMPLES = 12;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { modules: { type: "boolean", default: false } },
});
if (positionals.length === 0) {
  console.error("usage: npm run bench:exports -- [--modules] DIR...");
  process.exit(2);
}
const rows: string[][] = [];
const examples: string[] = [];
for (const dir of positionals) await measure(realpathSync(resolve(dir)));
console.log(makeTable(["package", "modules", "names", "P", "R", "same declaration"], rows));
for (const line of examples) console.log(line);
if (rows.some(([, , , precision, recall]) => Number(precision) < LEAST || Number(recall) < LEAST)) process.exitCode = 1;

async function measure(folder: string): Promise<void> {
  const out = mkdtempSync(join(tmpdir(), "treeline-exports-"));
  try {
    const program = [
      "--max-semi-space-size=8",
      "indexer/cli/main.ts",
      "build",
      folder,
      "--out",
      out,
      "--no-cache",
      "--precise",
      "off",
    ];
    execFileSync(process.execPath, program, { stdio: "pipe" });
    await compare(folder, out);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

async function compare(folder: string, out: string): Promise<void> {
  const { index } = await openIndexAt(out);
  const reader = new IndexReader(index, "all");
  const modules = (await readModules(reader)).filter(({ file }) => /\.[cm]?[jt]sx?$/.test(file));
  const given = await readGivenPlaces(reader, modules);
  // What one package adds to the module of another is seen by those who import both.
  const packages = Map.groupBy(modules, ({ name }) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0]);
  const truth = new Map(
    [...packages.values()].flatMap((own) => [
      ...askChecker(folder, [...new Set(own.map(({ file }) => join(folder, pathOf(file))))]),
    ]),
  );
  const sums = { names: 0, given: 0, both: 0, placed: 0, same: 0 };
  const first = examples.length;
  const note = (what: string): void => {
    if (examples.length < first + MAX_EXAMPLES) examples.push(what);
  };
  for (const { name, file } of modules) {
    if (values.modules) console.log(`${name} ${pathOf(file)}`);
    const own = given.get(file) ?? new Map<string, string>();
    const told = truth.get(join(folder, pathOf(file))) ?? new Map<string, readonly string[]>();
    sums.names += told.size;
    sums.given += own.size;
    for (const [one, places] of told) {
      const place = own.get(one);
      if (place === undefined) note(`  ${name} lacks ${one} (${places[0] ?? "unresolved"})`);
      else sums.both++;
      if (place === undefined || place === "" || places.length === 0) continue;
      sums.placed++;
      if (places.includes(place)) sums.same++;
      else note(`  ${name} has ${one} at ${place}, not ${places.join(", ")}`);
    }
    for (const [one, place] of own) if (!told.has(one)) note(`  ${name} has ${one} (${place}) too many`);
  }
  rows.push([
    relative(process.cwd(), folder).split("/").at(-1) ?? folder,
    `${modules.length}`,
    `${sums.names}`,
    (sums.both / sums.given).toFixed(4),
    (sums.both / sums.names).toFixed(4),
    (sums.same / Math.max(1, sums.placed)).toFixed(4),
  ]);
}

/** By document id: of each name where its symbol stands, `""` for what is none. */
async function readGivenPlaces(reader: IndexReader, modules: Awaited<ReturnType<typeof readModules>>) {
  const ids = [...new Set(modules.map(({ file }) => file))];
  const given = await readGiven(reader, ids);
  const files = await loadFiles(reader, [
    ...new Set(given.flatMap((one) => one?.names.map(({ target }) => target) ?? [])),
  ]);
  const records = new Map(files.flatMap((file) => (file === undefined ? [] : [[file.record.id, file.record]])));
  return new Map(
    ids.map((id, at) => [
      id,
      new Map(
        given[at]?.names.map(({ name, target, path }) => {
          const symbol = records.get(target)?.symbols.find((one) => one.path === (path === "" ? name : path));
          return [name, symbol === undefined ? "" : `${pathOf(target)}:${symbol.at.line}`] as const;
        }),
      ),
    ]),
  );
}

/** By file: the names that the checker gives, with the lines of their declarations in the folder. */
function askChecker(folder: string, files: readonly string[]): Map<string, Map<string, readonly string[]>> {
  const options: ts.CompilerOptions = {
    allowJs: true,
    noLib: true,
    jsx: ts.JsxEmit.Preserve,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const workspace = findWorkspace(folder);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const found = ts.resolveModuleName(text, from, options, host);
      if (found.resolvedModule !== undefined) return found;
      const file = workspace(text);
      if (file === undefined) return found;
      return { resolvedModule: { resolvedFileName: file, extension: ts.Extension.Ts, isExternalLibraryImport: false } };
    });
  const program = ts.createProgram({ rootNames: [...files], options, host });
  const checker = program.getTypeChecker();
  return new Map(
    files.map((file) => {
      const source = program.getSourceFile(file) as ts.SourceFile;
      const module = checker.getSymbolAtLocation(source);
      const exported = module === undefined ? [] : checker.getExportsOfModule(module);
      const whole = exported.find(({ name }) => name === "export=");
      const all =
        whole === undefined
          ? exported
          : [
              ...exported,
              ...checker.getExportsOfModule(
                whole.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(whole) : whole,
              ),
            ];
      return [
        file,
        new Map(
          all.map((symbol) => [symbol.name === "export=" ? "default" : symbol.name, placesOf(checker, symbol, folder)]),
        ),
      ];
    }),
  );
}

function placesOf(checker: ts.TypeChecker, symbol: ts.Symbol, folder: string): string[] {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return (target.declarations ?? []).flatMap((node) => {
    if (ts.isSourceFile(node)) return [];
    const source = node.getSourceFile();
    const name = ts.getNameOfDeclaration(node as ts.Declaration) ?? node;
    const { line } = source.getLineAndCharacterOfPosition(name.getStart(source));
    return [`${relative(folder, source.fileName)}:${line + 1}`];
  });
}

/** Finds sources of packages of a workspace by their names. */
function findWorkspace(folder: string): (specifier: string) => string | undefined {
  const folders = new Map<string, string>();
  for (const path of globSync("**/package.json", { cwd: folder, exclude: ["**/node_modules/**"] }).sort()) {
    const { name } = JSON.parse(readFileSync(join(folder, path), "utf8")) as { readonly name?: string };
    if (name !== undefined && !folders.has(name)) folders.set(name, join(folder, dirname(path)));
  }
  return (specifier) => {
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? "";
    const own = folders.get(name);
    if (own === undefined) return undefined;
    const part = specifier.slice(name.length + 1);
    const candidates =
      part === ""
        ? ["src/index.ts", "src/public/index.ts", "index.ts"]
        : [`src/${part}.ts`, `src/${part}/index.ts`, `src/public/${part}.ts`, `${part}.ts`, `${part}.d.ts`];
    return candidates.map((one) => join(own, one)).find((one) => existsSync(one));
  };
}
