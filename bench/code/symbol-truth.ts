/** Symbols of a folder by parsers that are not ours, for `measure-trees.ts`. */
import { spawnSync } from "node:child_process";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Output of a parser for a large folder. */
const MAX_OUTPUT_BYTES = 2 ** 30;

export interface TrueSymbol {
  readonly file: string;
  /** One of our kinds for Python, a kind of ctags for the others. */
  readonly kind: string;
  readonly name: string;
  readonly line: number;
  /** 0 where it is not known. */
  readonly endLine: number;
}

export interface Truth {
  /** By path inside the folder. */
  readonly files: ReadonlyMap<string, readonly TrueSymbol[]>;
  /** Whether what is not here is no symbol, so that precision can be measured. */
  readonly isComplete: boolean;
  readonly isSameKind: (kind: string, ours: string) => boolean;
}

/** Kinds of ctags that we index too, with ours that mean the same. */
const SHARED_KINDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  go: {
    func: ["function", "method"],
    methodSpec: ["method"],
    struct: ["struct"],
    interface: ["interface"],
    type: ["typeAlias", "class"],
    talias: ["typeAlias"],
    const: ["constant"],
    var: ["variable"],
    member: ["field"],
    anonMember: ["field"],
  },
  java: {
    class: ["class", "record"],
    interface: ["interface"],
    enum: ["enum"],
    enumConstant: ["enumMember"],
    method: ["method", "constructor"],
    field: ["field", "constant"],
    annotation: ["interface"],
  },
  rust: {
    // To ctags a method of a generic `impl` is a function.
    function: ["function", "method"],
    method: ["method"],
    struct: ["struct", "union"],
    enum: ["enum"],
    enumerator: ["enumMember"],
    interface: ["trait"],
    module: ["module"],
    macro: ["macro"],
    typedef: ["typeAlias"],
    field: ["field"],
    variable: ["variable", "constant"],
    constant: ["constant"],
  },
  c: {
    function: ["function"],
    prototype: ["function"],
    struct: ["struct"],
    union: ["union"],
    enum: ["enum"],
    enumerator: ["enumMember"],
    typedef: ["typeAlias", "struct", "enum", "union"],
    macro: ["macro"],
    variable: ["variable", "constant"],
    externvar: ["variable", "constant"],
    member: ["field"],
  },
  cpp: {
    function: ["function", "method", "constructor", "operator"],
    prototype: ["function", "method", "constructor", "operator"],
    class: ["class"],
    struct: ["struct"],
    union: ["union"],
    enum: ["enum"],
    enumerator: ["enumMember"],
    namespace: ["namespace"],
    typedef: ["typeAlias"],
    macro: ["macro"],
    member: ["field"],
    variable: ["variable", "constant"],
  },
  csharp: {
    class: ["class", "record"],
    struct: ["struct"],
    interface: ["interface"],
    enum: ["enum"],
    enumerator: ["enumMember"],
    method: ["method", "constructor"],
    property: ["property"],
    field: ["field", "constant"],
    namespace: ["namespace"],
  },
  ruby: {
    class: ["class"],
    module: ["module"],
    method: ["method", "function", "constructor"],
    singletonMethod: ["method", "function"],
    constant: ["constant", "class"],
    accessor: ["property"],
    alias: ["method", "function"],
  },
  php: {
    class: ["class"],
    interface: ["interface"],
    trait: ["trait"],
    function: ["function", "method", "constructor"],
    constant: ["constant"],
    define: ["constant"],
    namespace: ["namespace"],
    variable: ["property", "field"],
  },
  kotlin: {
    class: ["class", "enum", "record"],
    interface: ["interface"],
    object: ["class"],
    method: ["method", "function"],
    typealias: ["typeAlias"],
  },
  bash: { function: ["function"] },
};

const CTAGS_NAMES: Readonly<Record<string, string>> = {
  go: "Go",
  java: "Java",
  rust: "Rust",
  c: "C",
  cpp: "C++",
  csharp: "C#",
  ruby: "Ruby",
  php: "PHP",
  kotlin: "Kotlin",
  bash: "Sh",
};

const ENDINGS: Readonly<Record<string, RegExp>> = {
  go: /\.go$/,
  java: /\.java$/,
  rust: /\.rs$/,
  c: /\.[ch]$/,
  cpp: /\.(?:cc|cpp|cxx|hh|hpp|hxx)$/,
  csharp: /\.cs$/,
  ruby: /\.rb$/,
  php: /\.php$/,
  kotlin: /\.kts?$/,
  bash: /\.(?:sh|bash)$/,
};

/** Symbols of Python files by CPython's `ast`; files that it does not parse are left out. */
export function readPython(folder: string): Truth {
  const script = fileURLToPath(new URL("python-symbols.py", import.meta.url));
  const files = new Map<string, TrueSymbol[]>();
  for (const row of runJsonLines("python3", [script, folder])) {
    const file = row["file"] as string;
    if (row["name"] === undefined) files.set(file, []);
    else files.get(file)?.push(row as unknown as TrueSymbol);
  }
  return { files, isComplete: true, isSameKind: (kind, ours) => kind === ours };
}

/** Symbols of files in a language that ctags knows, of the kinds that we index, too. @throws {Error} for other languages. */
export function readCtags(language: string, folder: string): Truth {
  const shared = SHARED_KINDS[language];
  const name = CTAGS_NAMES[language];
  const ending = ENDINGS[language];
  if (shared === undefined || name === undefined || ending === undefined)
    throw new Error(`ctags is not asked about ${language}`);
  const files = new Map<string, TrueSymbol[]>();
  const languages = language === "c" ? "--langmap=C:.c.h" : `--languages=${name}`;
  const options = [
    "-R",
    "--sort=no",
    "--links=no",
    `--languages=${name}`,
    languages,
    `--kinds-${name}=*`,
    "--fields=+neKE",
    "--extras=-{anonymous}{qualified}{subword}",
  ];
  for (const row of runJsonLines("ctags", [...options, "--output-format=json", "-f", "-", folder])) {
    const kind = row["kind"] as string;
    const path = row["path"] as string;
    if (row["_type"] !== "tag" || !ending.test(path)) continue;
    const file = relative(folder, path);
    const rows = files.get(file) ?? [];
    files.set(file, rows);
    // What stands in a function is local, whatever ctags calls it.
    if (!Object.hasOwn(shared, kind) || isLocal(row)) continue;
    const tag = String(row["name"]).replace(/^operator (?=\W)/, "operator");
    if (tag.startsWith("__anon") || tag.startsWith("<")) continue;
    // An accessor of Ruby is one symbol to us, with and without `=`.
    if (kind === "accessor" && tag.endsWith("=")) continue;
    // ctags calls local variables of PHP the same as properties.
    if (
      language === "php" &&
      kind === "variable" &&
      !/\b(?:private|protected|public|var|static)\b/.test(String(row["pattern"]))
    )
      continue;
    rows.push({ file, kind, name: tag, line: Number(row["line"]), endLine: Number(row["end"] ?? 0) });
  }
  return { files, isComplete: false, isSameKind: (kind, ours) => shared[kind]?.includes(ours) === true };
}

function isLocal(row: Readonly<Record<string, unknown>>): boolean {
  return /^(?:func|function|method|singletonMethod|prototype)$/.test(String(row["scopeKind"] ?? ""));
}

function runJsonLines(command: string, args: readonly string[]): Record<string, unknown>[] {
  const { stdout, status, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: MAX_OUTPUT_BYTES });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
