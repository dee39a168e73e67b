/**
 * Files of settings as data: JSON, YAML, TOML, and what stands literally in JavaScript and TypeScript. Nothing is run.
 * What cannot be read is an empty object: a tool is recognised by its file, not by what is in it.
 */
import { isAlias, parseDocument, visit } from "yaml";
import { isRecord, readJson } from "../../base/read-json.ts";
import { normaliseFolder } from "../../config/config-checks.ts";
import { readTomlStrings } from "../../languages/base/manifests.ts";
import { below, type ProjectFolder } from "./project-folder.ts";

/** Settings by their keys. */
export type Settings = Readonly<Record<string, unknown>>;

/** Aliases in a file of settings; one with more was made to take memory. */
const MAX_ALIASES = 100;

/** Settings of a JSON file, comments allowed. */
export function readJsonSettings(folder: ProjectFolder, path: string): Settings {
  return toSettings(readJson(folder.read(path) ?? "").value);
}

/** Settings of a YAML file. Values with tags of a tool's own (`!!python/name:…`) are read as if they had none. */
export function readYamlSettings(folder: ProjectFolder, path: string): Settings {
  const text = folder.read(path);
  if (text === undefined) return {};
  try {
    const document = parseDocument(text, { logLevel: "silent", merge: true, uniqueKeys: false });
    let aliases = 0;
    visit(document, (_, node) => {
      if (isAlias(node)) aliases++;
    });
    return aliases > MAX_ALIASES ? {} : toSettings(document.toJS({ maxAliasCount: MAX_ALIASES }));
  } catch (error) {
    // Aliases that lead nowhere, values nested too deeply.
    if (error instanceof ReferenceError || error instanceof RangeError || error instanceof TypeError) return {};
    throw error;
  }
}

/** Texts of a TOML file, by keys such as `output.html.site-url`. */
export function readTomlSettings(folder: ProjectFolder, path: string): Settings {
  const text = folder.read(path);
  if (text === undefined) return {};
  return Object.fromEntries(
    [...readTomlStrings(text)].flatMap(([key, [value]]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** The value at a path of keys; undefined where a step is missing. */
export function pick(value: unknown, ...keys: readonly string[]): unknown {
  let at = value;
  for (const key of keys) {
    if (!isRecord(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** A value as a text that is not empty; undefined where it is none. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** The texts in a value that is one or a list. */
export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => textOf(one) ?? []);
}

/** A folder that settings in `folder` name, as a path of the project; `usual` where they name none inside of it. */
export function folderAt(folder: string, value: unknown, usual: string): string {
  const text = textOf(value);
  const isRelative = text !== undefined && !/^\/|[\\\0]|^[A-Za-z]:/.test(text);
  const path = normaliseFolder(isRelative ? `${folder}/${text}` : `${folder}/${usual}`);
  if (path.split("/")[0] === "..") return below(folder, usual);
  return path === "." ? "" : path;
}

/** Names of the packages that a `package.json` asks for. */
export function dependenciesOf(manifest: Settings): ReadonlySet<string> {
  const lists = [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies];
  return new Set(lists.flatMap((list) => (isRecord(list) ? Object.keys(list) : [])));
}

/** A value as settings; none where it is no object. */
export function toSettings(value: unknown): Settings {
  return isRecord(value) ? value : {};
}
