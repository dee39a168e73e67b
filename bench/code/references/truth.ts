/**
 * What compilers and language servers say of a place, one way for each language.
 *
 * What they need: `apt-get install golang-go gopls clangd-14 default-jdk-headless rustc cargo`, `npm install @sourcegraph/scip-python
 * intelephense` in a folder that `--tools` names. `--flags` has what a tree of C or C++ is compiled with; one of Go lies in a GOPATH (`GOPATH=… GO111MODULE=off`), unless its modules are there.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import process from "node:process";
import { nameOfSymbol, placeDocument, readScip } from "../../../indexer/link/scip/place-scip.ts";
import { normalizeSource } from "../../../indexer/parse/markdown/page-text.ts";
import { type ServerSetup, startServer } from "./language-server.ts";
import type { Place, ReferenceTruth } from "./places.ts";

interface TruthInput {
  /** Folder with what npm installed. */
  readonly tools: string;
  /** Files to ask about. */
  readonly paths: readonly string[];
  /** For compilers of C and C++. */
  readonly flags: readonly string[];
}

type MakeTruth = (folder: string, input: TruthInput) => Promise<ReferenceTruth>;

/** Ways to the truth, by language. */
export const TRUTHS: Readonly<Record<string, MakeTruth>> = {
  go: (folder) =>
    startServer(folder, {
      name: "gopls",
      command: ["gopls"],
      languageId: "go",
      readyAfterWork: "Setting up workspace",
    }),
  c: (folder, input) => startServer(folder, clangd(folder, "c", input)),
  cpp: (folder, input) => startServer(folder, clangd(folder, "cpp", input)),
  php: (folder, { tools }) =>
    startServer(folder, {
      name: "intelephense",
      command: [process.execPath, join(tools, "node_modules/intelephense/lib/intelephense.js"), "--stdio"],
      languageId: "php",
      readyAfter: "indexingEnded",
      initializationOptions: { storagePath: mkdtempSync(join(tmpdir(), "intelephense-")), clearCache: true },
    }),
  java: (folder) => Promise.resolve(askJavac(folder)),
  python: (folder, { tools }) => Promise.resolve(askScipPython(folder, tools)),
  rust: (folder) => Promise.resolve(askRustc(folder)),
};

/** clangd indexes what a list of commands names, so it gets one: each source file with the same flags. */
function clangd(folder: string, languageId: string, { paths, flags }: TruthInput): ServerSetup {
  const sources = paths.filter((path) => /\.c(?:c|pp|xx)?$/.test(path));
  const scratch = mkdtempSync(join(tmpdir(), "clangd-"));
  const compiler = languageId === "c" ? "clang" : "clang++";
  const commands = sources.map((path) => {
    const file = join(folder, path);
    return { directory: folder, file, arguments: [compiler, ...flags, "-c", file] };
  });
  writeFileSync(join(scratch, "compile_commands.json"), JSON.stringify(commands));
  const options = [
    `--compile-commands-dir=${scratch}`,
    "--background-index",
    "-j=2",
    "--limit-results=0",
    "--log=error",
  ];
  const firstFile = sources[0] as string;
  return {
    name: "clangd",
    command: ["clangd-14", ...options],
    languageId,
    readyAfterWork: "indexing",
    firstFile,
    severalIsGuess: true,
  };
}

const keyOf = ({ path, line, column }: Place): string => `${path}:${line}:${column}`;

function makeTable(name: string, table: ReadonlyMap<string, Place[]>): ReferenceTruth {
  const ask: ReferenceTruth["ask"] = (places) => Promise.resolve(places.map((place) => table.get(keyOf(place))));
  return { name, isTable: true, ask, close: () => undefined };
}

function add(table: Map<string, Place[]>, from: Place, to: Place): void {
  const known = table.get(keyOf(from));
  if (known === undefined) table.set(keyOf(from), [to]);
  else known.push(to);
}

/** `JavaReferences.java` prints a line for each use: where, and the place of the declaration. */
function askJavac(folder: string): ReferenceTruth {
  const program = join(import.meta.dirname, "JavaReferences.java");
  const exported = ["com.sun.tools.javac.tree", "com.sun.tools.javac.api"].map(
    (name) => `jdk.compiler/${name}=ALL-UNNAMED`,
  );
  const flags = exported.flatMap((name) => ["--add-exports", name]);
  const printed = execFileSync("java", [...flags, program, folder], { maxBuffer: 2 ** 30, encoding: "utf8" });
  const table = new Map<string, Place[]>();
  for (const line of printed.split("\n")) {
    const [from, to] = line.split("\t");
    if (to !== undefined) add(table, readPlace(from as string), readPlace(to));
  }
  return makeTable("javac", table);
}

function readPlace(text: string): Place {
  const [column = "", line = "", ...path] = text.split(":").reverse();
  return { path: path.reverse().join(":"), line: Number(line), column: Number(column) };
}

function askScipPython(folder: string, tools: string): ReferenceTruth {
  const scratch = mkdtempSync(join(tmpdir(), "scip-"));
  const output = join(scratch, "index.scip");
  const program = join(tools, "node_modules/@sourcegraph/scip-python/index.js");
  const options = ["index", "--project-name", "tree", "--project-version", "0", "--output", output];
  execFileSync(process.execPath, [program, ...options], { cwd: folder, stdio: "ignore" });
  const { documents } = readScip(readFileSync(output), output);
  rmSync(scratch, { recursive: true });
  const definitions = new Map<string, Place[]>();
  const references: { readonly symbol: string; readonly from: Place }[] = [];
  /** Where scip-python gives a type in place of an attribute: slots, and attributes named like a type of Python's own. */
  const isMistaken = (symbol: string, before: string, word: string): boolean =>
    before.endsWith(".") &&
    ((nameOfSymbol(symbol) ?? word) !== word || / python-stdlib \S+ builtins\/\w+#$/.test(symbol));
  for (const document of documents) {
    const { path } = document;
    const text = normalizeSource(readFileSync(join(folder, path), "utf8"));
    const placed = placeDocument(document, path, text, path);
    if ("reason" in placed) {
      process.stderr.write(`${path}:${placed.line}: ${placed.reason}\n`);
      continue;
    }
    for (const { symbol, start } of placed.definitions) {
      definitions.set(symbol, [...(definitions.get(symbol) ?? []), { path, ...start }]);
    }
    const lines = text.split("\n");
    for (const { symbol, at } of placed.references) {
      const line = lines[at.line - 1] as string;
      const before = line.slice(0, at.column - 1);
      const word = /^\w*/.exec(line.slice(at.column - 1))?.[0] as string;
      if (!isMistaken(symbol, before, word)) references.push({ symbol, from: { path, ...at } });
    }
  }
  const table = new Map<string, Place[]>();
  for (const { symbol, from } of references) {
    const places = definitions.get(symbol) ?? [{ path: "../elsewhere", line: 1, column: 1 }];
    // Modules as a whole have no definitions, and what is of this tree but without one is not known.
    if (!definitions.has(symbol) && /^local | tree 0 |\/__init__:$/.test(symbol)) continue;
    for (const place of places) add(table, from, place);
  }
  return makeTable("scip-python", table);
}

interface Saved {
  readonly prelude: {
    readonly crate_id: { readonly name: string };
    readonly external_crates: readonly { readonly num: number; readonly id: { readonly name: string } }[];
  };
  readonly defs: readonly { readonly id: SavedId; readonly span: SavedSpan }[];
  readonly refs: readonly { readonly ref_id: SavedId; readonly span: SavedSpan }[];
}
interface SavedId {
  readonly krate: number;
  readonly index: number;
}
interface SavedSpan {
  readonly file_name: string | readonly number[];
  readonly line_start: number;
  readonly column_start: number;
}

/** rustc's save-analysis, which versions before 1.66 have. `RUSTC` names one; dependencies are those of Debian or vendored. */
function askRustc(folder: string): ReferenceTruth {
  const target = mkdtempSync(join(tmpdir(), "rust-"));
  const vendored = ["--config", 'source.crates-io.replace-with="debian"'];
  const from = ["--config", 'source.debian.directory="/usr/share/cargo/registry"'];
  const env = {
    ...process.env,
    RUSTC: process.env["RUSTC"] ?? "/usr/bin/rustc",
    RUSTC_BOOTSTRAP: "1",
    RUSTFLAGS: "-Zsave-analysis --cap-lints allow",
    CARGO_TARGET_DIR: target,
  };
  const cargo = process.env["CARGO"] ?? "/usr/bin/cargo";
  execFileSync(cargo, ["check", "--offline", "--all-features", ...vendored, ...from], {
    cwd: folder,
    env,
    stdio: "ignore",
  });
  const analyses = join(target, "debug/deps/save-analysis");
  const table = new Map<string, Place[]>();
  const all = readdirSync(analyses).map((file) => JSON.parse(readFileSync(join(analyses, file), "utf8")) as Saved);
  const placeOf = ({ file_name: name, line_start: line, column_start: column }: SavedSpan): Place => {
    const path = typeof name === "string" ? name : Buffer.from(name).toString();
    return { path: isAbsolute(path) ? relative(folder, path) : path, line, column };
  };
  for (const { defs, refs } of all) {
    const declared = new Map(defs.map(({ id, span }) => [`${id.krate} ${id.index}`, placeOf(span)]));
    for (const { ref_id: id, span } of refs) {
      const at = placeOf(span);
      if (at.path.startsWith("..")) continue;
      const to = declared.get(`${id.krate} ${id.index}`);
      if (to !== undefined) add(table, at, to);
      else if (id.krate !== 0) add(table, at, { path: "../elsewhere", line: 1, column: 1 });
    }
  }
  rmSync(target, { recursive: true });
  return makeTable("rustc", table);
}
