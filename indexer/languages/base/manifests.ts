/**
 * Manifests: which folders are packages, and what each manifest says about its sources.
 *
 * Nothing of a manifest is run. One with a fault gives what can still be read past it, and a diagnostic that says where the
 * fault is.
 */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { isOneLine } from "../../base/printable.ts";
import { isRecord, readJson } from "../../base/read-json.ts";
import { baseName, folderOfPlace, type ManifestText, placeOf } from "./world.ts";

/**
 * Whether a manifest in TOML or XML is written as its format wants it. What is read of manifests is read past faults;
 * this is what tells a person why a package is missing.
 *
 * Pure. Each gives where the first fault stands, in units of UTF-16, or undefined.
 */
/** Deeper than any manifest. */
const MAX_DEPTH = 200;

const KEY = String.raw`(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')`;

const KEYS = String.raw`${KEY}(?:[ \t]*\.[ \t]*${KEY})*`;

const HEADER = new RegExp(String.raw`\[[ \t]*${KEYS}[ \t]*\]|\[\[[ \t]*${KEYS}[ \t]*\]\]`, "y");

const ASSIGNED = new RegExp(String.raw`${KEYS}[ \t]*=[ \t]*`, "y");

const STRING = /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}|'''(?:[^']|'(?!''))*'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;

const BARE = /(?:true|false|[+-]?(?:inf|nan)|[+-]?\d[\w.:+-]*(?: \d[\d.:Z+-]*)?)(?=[\s,\]}#]|$)/y;

/** Space, ends of lines and comments. */
const BLANK = /(?:\s|#[^\n]*)*/y;

const END_OF_LINE = /[ \t]*(?:#[^\n]*)?(?:\r?\n|\r?$)/y;

/** What is longer is not looked at: a manifest is not, and patterns use memory with the length. */
const MAX_LENGTH = 1_000_000;

const MARKUP =
  /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<![A-Za-z][^>]*>|<(?<close>\/?)(?<name>[^\s<>/!?"'=]+)(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/y;

/** A finding of linking, with the collection of its file. */
export type LinkDiagnostic = Diagnostic & { readonly collection: string };

export type ManifestKind = "npm" | "python" | "go" | "cargo" | "maven" | "gradle" | "composer" | "dotnet" | "swift";

/** What a manifest says, as far as linking asks. */
export interface Manifest {
  readonly kind: ManifestKind;
  readonly collection: string;
  /** Path in its collection. */
  readonly path: string;
  /** Folder it stands in, from the configuration's folder; `""` for the top. */
  readonly folder: string;
  /** Name of the package; `""` where it gives none. */
  readonly name: string;
  /** The parsed `package.json` or `composer.json`; undefined for other kinds. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** Folders, relative to `folder`, below which Python modules lie. */
  readonly sourceRoots: readonly string[];
}

/** A configuration file of TypeScript, as far as it can be read. */
export interface ConfigFile {
  readonly collection: string;
  /** Path in its collection. */
  readonly path: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** Manifests of all collections and the configuration files of TypeScript, by place. */
export interface Manifests {
  /** In the order of their places. */
  readonly list: readonly Manifest[];
  /** `tsconfig*.json`, `jsconfig*.json` and the files that one extends. */
  readonly configs: ReadonlyMap<string, ConfigFile>;
  readonly diagnostics: LinkDiagnostic[];
}

const NAMES: Readonly<Record<string, ManifestKind>> = {
  "package.json": "npm",
  "pyproject.toml": "python",
  "setup.cfg": "python",
  "setup.py": "python",
  "go.mod": "go",
  "Cargo.toml": "cargo",
  "pom.xml": "maven",
  "build.gradle": "gradle",
  "build.gradle.kts": "gradle",
  "composer.json": "composer",
  "Package.swift": "swift",
};
const CONFIG = /(?:^|\/)(?:[tj]sconfig[^/]*\.json|[^/]*tsconfig[^/]*\.json)$/;

/** Globs of the files for which `isCodeManifest` may hold. */
export const MANIFEST_GLOBS: readonly string[] = [
  ...Object.keys(NAMES).map((name) => `**/${name}`),
  "**/*.csproj",
  "**/*tsconfig*.json",
  "**/jsconfig*.json",
];

/** Whether linking wants the text of the file with this path. */
export function isCodeManifest(path: string): boolean {
  return kindOf(path) !== undefined || isConfig(path);
}

/** Whether a file is a configuration of TypeScript by its name. */
export function isConfig(path: string): boolean {
  return CONFIG.test(path);
}

/** Read all manifests; of several Python manifests in a folder the one that gives a name stands. */
export function readManifests(texts: readonly ManifestText[]): Manifests {
  const list: Manifest[] = [];
  const configs = new Map<string, ConfigFile>();
  const diagnostics: LinkDiagnostic[] = [];
  for (const given of texts) {
    const text = { ...given, text: given.text.replace(/^\uFEFF/, "") };
    const place = placeOf(text.root, text.path);
    const kind = kindOf(text.path);
    if (kind === undefined) {
      if (!configs.has(place)) configs.set(place, readConfigFile(text, diagnostics));
      continue;
    }
    const read = readManifest(kind, text, place, diagnostics);
    // What has a line feed in it is no package's name, and would write lines of its own into answers.
    const manifest = isOneLine(read.name) ? read : { ...read, name: "" };
    const twin = list.findIndex((other) => other.kind === kind && other.folder === manifest.folder);
    if (twin < 0) list.push(manifest);
    else if ((list[twin] as Manifest).name === "") list[twin] = manifest;
  }
  list.sort((a, b) => (a.folder < b.folder ? -1 : a.folder > b.folder ? 1 : a.kind < b.kind ? -1 : 1));
  reportTwins(list, diagnostics);
  return { list, configs, diagnostics };
}

function kindOf(path: string): ManifestKind | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return Object.hasOwn(NAMES, name) ? NAMES[name] : name.endsWith(".csproj") ? "dotnet" : undefined;
}

function readManifest(
  kind: ManifestKind,
  source: ManifestText,
  place: string,
  diagnostics: LinkDiagnostic[],
): Manifest {
  const { collection, path, text } = source;
  const base = { kind, collection, path, folder: folderOfPlace(place), sourceRoots: [] };
  switch (kind) {
    case "npm":
    case "composer": {
      const json = readObject(source, "its packages and names", diagnostics);
      return { ...base, name: typeof json.name === "string" ? json.name : "", json };
    }
    case "cargo":
      reportFault(source, "TOML", findTomlFault(text), "its package", diagnostics);
      return { ...base, name: readTomlStrings(text).get("package.name")?.[0] ?? "" };
    case "python":
      if (!path.endsWith(".toml")) return readSetup(text, base);
      reportFault(source, "TOML", findTomlFault(text), "its package", diagnostics);
      return readPyproject(text, base);
    case "go":
      return { ...base, name: /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? "" };
    case "maven":
      reportFault(source, "Maven project", findXmlFault(text, "project"), "its package", diagnostics);
      return { ...base, name: /<artifactId>\s*([^<]+?)\s*</.exec(withoutParent(text))?.[1] ?? "" };
    case "gradle":
      return { ...base, name: baseName(base.folder) };
    case "dotnet":
      return { ...base, name: baseName(path).replace(/\.csproj$/, "") };
    case "swift":
      return { ...base, name: /Package\s*\(\s*name:\s*"([^"]+)"/.exec(text)?.[1] ?? "" };
  }
}

/** An empty configuration is one that says nothing. */
function readConfigFile(source: ManifestText, diagnostics: LinkDiagnostic[]): ConfigFile {
  const { collection, path, text } = source;
  return { collection, path, json: text.trim() === "" ? {} : readObject(source, "the paths it maps", diagnostics) };
}

function readObject(source: ManifestText, lost: string, diagnostics: LinkDiagnostic[]): ConfigFile["json"] {
  const { value, fault } = readJson(source.text);
  reportFault(source, "JSON object", isRecord(value) ? fault : (fault ?? 0), lost, diagnostics);
  return isRecord(value) ? value : {};
}

/** `fault` is where it stands in the text; undefined where there is none. `lost` is what may be missing then. */
function reportFault(
  { collection, path, text }: ManifestText,
  format: string,
  fault: number | undefined,
  lost: string,
  diagnostics: LinkDiagnostic[],
): void {
  if (fault === undefined) return;
  const message = `is no valid ${format} from this line on, so ${lost} may not be known; correct it`;
  const line = text.slice(0, fault).split("\n").length;
  diagnostics.push({ severity: "warning", code: "invalid-manifest", message, path, line, collection });
}

type Base = Omit<Manifest, "name">;

function readPyproject(text: string, base: Base): Manifest {
  const values = readTomlStrings(text);
  const name = values.get("project.name") ?? values.get("tool.poetry.name");
  const sourceRoots = [
    ...(values.get("tool.setuptools.packages.find.where") ?? []),
    ...(/package-dir\s*=\s*\{\s*""\s*=\s*"([^"]+)"/.exec(text)?.slice(1, 2) ?? []),
  ];
  return { ...base, name: name?.[0] ?? "", sourceRoots };
}

function readSetup(text: string, base: Base): Manifest {
  const name = /^\s*name\s*=\s*["']?([\w.-]+)["']?\s*,?\s*$/m.exec(text)?.[1] ?? "";
  const root = /package_dir\s*=\s*(?:\{\s*["']["']\s*:\s*["']([^"']+)|\s*=\s*(\S+))/.exec(text);
  const sourceRoots = [root?.[1] ?? root?.[2]].filter((folder) => folder !== undefined);
  return { ...base, name, sourceRoots };
}

/** Names of packages are keys; two of one name would make every answer about them a guess. */
function reportTwins(list: readonly Manifest[], diagnostics: LinkDiagnostic[]): void {
  const known = new Map<string, Manifest>();
  for (const manifest of list) {
    if (manifest.name === "") continue;
    const key = `${manifest.kind} ${manifest.name}`;
    const other = known.get(key);
    if (other === undefined) {
      known.set(key, manifest);
      continue;
    }
    const { collection, path, name } = manifest;
    const message = `names its package "${name}", as ${other.path} does; imports of that name lead to ${other.path}`;
    diagnostics.push({ severity: "warning", code: "duplicate-package", message, path, line: 0, collection });
  }
}

function withoutParent(xml: string): string {
  return xml.replace(/<parent>[\s\S]*?<\/parent>/, "");
}

/**
 * Whether a manifest in TOML or XML is written as its format wants it. What is read of manifests is read past faults;
 * this is what tells a person why a package is missing.
 *
 * Pure. Each gives where the first fault stands, in units of UTF-16, or undefined.
 */

/** First fault of a TOML text: an open string or bracket, a line that is neither a table nor a key with a value. */
export function findTomlFault(text: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const reader = { text, at: 0 };
  for (take(reader, BLANK); reader.at < text.length; take(reader, BLANK)) {
    const isWhole = take(reader, HEADER) || (take(reader, ASSIGNED) && takeValue(reader, 0));
    if (!isWhole || !take(reader, END_OF_LINE)) return reader.at;
  }
  return undefined;
}

interface Reader {
  readonly text: string;
  at: number;
}

/** Go behind what the sticky pattern matches here; false where it does not. */
function take(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  if (!pattern.test(reader.text)) return false;
  reader.at = pattern.lastIndex;
  return true;
}

function takeValue(reader: Reader, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  const open = reader.text[reader.at];
  if (open === "[") return takeMembers(reader, "]", () => takeValue(reader, depth + 1));
  if (open === "{") return takeMembers(reader, "}", () => take(reader, ASSIGNED) && takeValue(reader, depth + 1));
  return take(reader, STRING) || take(reader, BARE);
}

/** A list or an inline table; newer TOML allows both to go over several lines and to end in a comma. */
function takeMembers(reader: Reader, close: string, takeMember: () => boolean): boolean {
  reader.at++;
  for (;;) {
    take(reader, BLANK);
    if (reader.text[reader.at] === close) break;
    if (!takeMember()) return false;
    take(reader, BLANK);
    if (reader.text[reader.at] === ",") reader.at++;
    else if (reader.text[reader.at] !== close) return false;
  }
  reader.at++;
  return true;
}

/** First fault of an XML text: an element that is not closed, or closed by another name; something without `root`. */
export function findXmlFault(text: string, root: string): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const open: string[] = [];
  let roots = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", MARKUP.lastIndex)) {
    MARKUP.lastIndex = at;
    const match = MARKUP.exec(text);
    if (match === null) return at;
    const { close, name } = match.groups as { readonly close?: string; readonly name?: string };
    if (name === undefined) continue;
    if (close === "/") {
      if (open.pop() !== name) return at;
      continue;
    }
    if (open.length === 0 && (roots++ > 0 || name !== root)) return at;
    if (!match[0].endsWith("/>")) open.push(name);
  }
  return open.length > 0 || roots === 0 ? text.length : undefined;
}

/** Strings and lists of strings by table and key: `package.name`. Tables in double brackets keep their first value. */
export type TomlStrings = ReadonlyMap<string, readonly string[]>;

/** Read the strings of a TOML text; keys stand behind the name of their table and a dot. */
export function readTomlStrings(text: string): TomlStrings {
  const values = new Map<string, readonly string[]>();
  const lines = text.split(/\r?\n/);
  let table = "";
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] as string).trim();
    const header = /^\[\[?\s*([^\]]+?)\s*\]\]?/.exec(line);
    if (header !== null) {
      table = `${unquote(header[1] as string)}.`;
      continue;
    }
    const pair = /^("[^"]*"|[\w.-]+)\s*=\s*(.*)$/.exec(line);
    if (pair === null) continue;
    let value = pair[2] as string;
    if (value.startsWith("[")) {
      while (!closesList(value) && at + 1 < lines.length) value += `\n${lines[++at]}`;
    }
    const key = table + unquote(pair[1] as string);
    if (!values.has(key)) values.set(key, stringsOf(value));
  }
  return values;
}

function closesList(value: string): boolean {
  return value
    .replace(/"[^"\n]*"|'[^'\n]*'/g, "")
    .replace(/#.*$/gm, "")
    .includes("]");
}

function stringsOf(value: string): string[] {
  const found: string[] = [];
  const isList = value.startsWith("[");
  for (const match of value.matchAll(/"([^"\n]*)"|'([^'\n]*)'|#.*$/gm)) {
    const text = match[1] ?? match[2];
    if (text === undefined) continue;
    found.push(text);
    if (!isList) break;
  }
  return found;
}

function unquote(key: string): string {
  return key.replace(/"/g, "").trim();
}
