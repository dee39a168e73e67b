/**
 * Manifests as linking sees them, and reading their formats: JSON and TOML.
 *
 * Nothing of a manifest is run. One with a fault gives what can still be read past it, and a diagnostic that says where the
 * fault is.
 */

import { isRecord } from "../../../src/core/parse-text.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { readJson } from "../../base/file-system.ts";

/** A finding of linking, with the collection of its file. */
export type LinkDiagnostic = Diagnostic & { readonly collection: string };

/** Text of a manifest or a configuration file. */
export interface ManifestText {
  readonly collection: string;
  readonly path: string;
  readonly root?: string;
  readonly text: string;
}

/** Facts of a manifest, as far as linking asks. */
export interface Manifest extends ManifestFacts {
  readonly kind: string;
  readonly collection: string;
  /** Path in its collection. */
  readonly path: string;
  /** Folder it stands in, from the configuration's folder; `""` for the top. */
  readonly folder: string;
}

/** Facts that the text of a manifest gives. */
export interface ManifestFacts {
  /** Name of the package; `""` where it gives none. */
  readonly name: string;
  /** The manifest itself, where it is JSON. */
  readonly json?: JsonObject;
  /** Folders, relative to that of the manifest, below which modules lie. */
  readonly sourceRoots?: readonly string[];
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A configuration file that says how imports resolve. */
export interface ConfigFile {
  readonly collection: string;
  /** Path in its collection. */
  readonly path: string;
  readonly json: JsonObject;
}

/** Manifests and configuration files of all collections. */
export interface Manifests {
  /** In the order of their places. */
  readonly list: readonly Manifest[];
  /** By place. */
  readonly configs: ReadonlyMap<string, ConfigFile>;
  readonly diagnostics: LinkDiagnostic[];
}

/** A manifest being read: its text, and where faults go. */
export interface ManifestSource extends ManifestText {
  readonly folder: string;
  readonly diagnostics: LinkDiagnostic[];
}

/** Manifests of one package manager. */
export interface ManifestFormat {
  readonly kind: string;
  /** Names of its files; a name that begins with `*` stands for all that end so. */
  readonly files: readonly string[];
  /** Whether the folder of a glob that spells it out may have one though it is ignored. */
  readonly isReadBesideGlobs?: true;
  /** Whether a file without a name is none of a package. */
  readonly isOnlyNamed?: true;
  readonly read: (source: ManifestSource) => ManifestFacts;
}

/** As much of a JSON text as can be read. */
export function parseJsonObject(text = ""): JsonObject {
  const { value } = readJson(text.replace(/^\uFEFF/, ""));
  return isRecord(value) ? value : {};
}

/** A JSON manifest; a text that is none gives an empty object and a diagnostic. `lost` is what may be missing then. */
export function readJsonObject(source: ManifestSource, lost = "its packages and names"): JsonObject {
  const { value, fault } = readJson(source.text);
  reportFault(source, "JSON object", isRecord(value) ? fault : (fault ?? 0), lost);
  return isRecord(value) ? value : {};
}

/** A JSON manifest with its name. */
export function readJsonManifest(source: ManifestSource): ManifestFacts {
  const json = readJsonObject(source);
  return { name: typeof json.name === "string" ? json.name : "", json };
}

export function readTomlManifest(source: ManifestSource): TomlStrings {
  const { strings, fault } = readToml(source.text);
  reportFault(source, "TOML", fault, "its package");
  return strings;
}

/** `fault` is the offset of the first fault in the text; undefined without one. */
export function reportFault(
  { collection, path, text, diagnostics }: ManifestSource,
  format: string,
  fault: number | undefined,
  lost: string,
): void {
  if (fault === undefined) return;
  const message = `is no valid ${format} from this line on, so ${lost} may not be known; correct it`;
  const line = text.slice(0, fault).split("\n").length;
  diagnostics.push({ severity: "warning", code: "invalid-manifest", message, path, line, collection });
}

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

/** Strings and lists of strings by table and key: `package.name`. Tables in double brackets keep their first value. */
type TomlStrings = ReadonlyMap<string, readonly string[]>;

/**
 * The strings of a TOML text, also past faults, and where the first fault is: an open string or bracket, a line that is neither
 * a table nor a key with a value.
 */
export function readToml(text: string): { readonly strings: TomlStrings; readonly fault: number | undefined } {
  const strings = new Map<string, readonly string[]>();
  let fault: number | undefined;
  let table = "";
  const reader = { text: text.slice(0, MAX_LENGTH), at: 0 };
  for (take(reader, BLANK); reader.at < reader.text.length; take(reader, BLANK)) {
    const start = reader.at;
    const found: string[] = [];
    const header = take(reader, HEADER);
    const key = header === undefined ? take(reader, ASSIGNED) : undefined;
    if (header !== undefined) table = `${header.replace(/[[\]"]/g, "").trim()}.`;
    const isWhole = header !== undefined || (key !== undefined && takeValue(reader, 0, found));
    const name = table + (key ?? "").replace(/\s*=\s*$|"/g, "");
    if (key !== undefined && !strings.has(name)) strings.set(name, found);
    if (isWhole && take(reader, END_OF_LINE) !== undefined) continue;
    fault ??= reader.at;
    const end = reader.text.indexOf("\n", start);
    reader.at = end < 0 ? reader.text.length : end;
  }
  return { strings, fault };
}

interface Reader {
  readonly text: string;
  at: number;
}

/** Goes behind what the sticky pattern matches here, and gives that; undefined where it does not match. */
function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.text)?.[0];
  reader.at += match?.length ?? 0;
  return match;
}

/** Adds the strings in a value to those that were found. False for a fault. */
function takeValue(reader: Reader, depth: number, found: string[]): boolean {
  if (depth > MAX_DEPTH) return false;
  const open = reader.text[reader.at];
  if (open === "[") return takeMembers(reader, "]", () => takeValue(reader, depth + 1, found));
  if (open === "{")
    return takeMembers(reader, "}", () => take(reader, ASSIGNED) !== undefined && takeValue(reader, depth + 1, found));
  const string = take(reader, STRING);
  if (string !== undefined) found.push(string.replace(/^(?:"""|'''|["'])|(?:"""|'''|["'])$/g, ""));
  return string !== undefined || take(reader, BARE) !== undefined;
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
