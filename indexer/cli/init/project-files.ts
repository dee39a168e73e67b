/**
 * Files of a project as `treeline init` reads them: through an interface, so that rules for tools are pure functions over it
 * and tests give them folders in memory; as data, as far as it is written out in JSON, YAML, TOML, JavaScript and TypeScript.
 *
 * Nothing is run, nothing is read through a link that leads out of the folder, and nothing throws: what cannot be read is
 * not there.
 */

import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { isAlias, parseDocument, visit } from "yaml";
import { isFsError } from "../../base/file-system.ts";
import { isRecord, readJson } from "../../base/read-json.ts";
import { normaliseFolder } from "../../config/config.ts";
import { readToml } from "../../languages/base/manifests.ts";
import { isInside } from "../../sources/collection-root.ts";
import { readLiterals, type Settings } from "./read-literals.ts";

/** Largest file that is read as settings; what is larger was not written by a person. */
export const MAX_SETTINGS_BYTES = 1024 * 1024;
/** Names looked at in one folder. */
const MAX_NAMES = 10_000;

/** A project's files, by paths with `/` that start at its folder; `""` is that folder. */
export interface ProjectFolder {
  /** Text of a file; undefined where there is none that can be a file of settings. */
  readonly read: (path: string) => string | undefined;
  /** Names in a folder, sorted; none where there is no such folder. */
  readonly names: (path: string) => readonly string[];
  readonly isFolder: (path: string) => boolean;
}

/** The folder on the disk. */
export function openProjectFolder(dir: string): ProjectFolder {
  const top = realpathSync(dir);
  /** Absolute path without links, if it is inside. */
  const locate = (path: string): string | undefined => {
    const real = realpathSync(join(top, path));
    return isInside(real, top) ? real : undefined;
  };
  return {
    read: (path) =>
      orAbsent(() => {
        const file = locate(path);
        if (file === undefined) return undefined;
        const status = statSync(file);
        if (!status.isFile() || status.size > MAX_SETTINGS_BYTES) return undefined;
        const bytes = readFileSync(file);
        return isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined;
      }),
    names: (path) =>
      orAbsent(() => {
        const folder = locate(path);
        return folder === undefined ? [] : readdirSync(folder).sort().slice(0, MAX_NAMES);
      }) ?? [],
    isFolder: (path) =>
      orAbsent(() => {
        const folder = locate(path);
        return folder !== undefined && statSync(folder).isDirectory();
      }) ?? false,
  };
}

/** A path below a folder of a project. */
export function below(folder: string, path: string): string {
  if (path === "" || path === ".") return folder;
  return folder === "" ? path : `${folder}/${path}`;
}

function orAbsent<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isFsError(error)) return undefined;
    throw error;
  }
}

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
    [...readToml(text).strings].flatMap(([key, [value]]) => (value === undefined ? [] : [[key, value]])),
  );
}

/** Settings of a file by its ending: of a script, what it exports. */
export function readSettings(folder: ProjectFolder, path: string): Settings {
  if (/\.[cm]?[jt]s$/.test(path)) return readLiterals(folder.read(path) ?? "").exported;
  if (path.endsWith(".toml")) return readTomlSettings(folder, path);
  if (path.endsWith(".json")) return readJsonSettings(folder, path);
  return /\.ya?ml$/.test(path) ? readYamlSettings(folder, path) : {};
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
