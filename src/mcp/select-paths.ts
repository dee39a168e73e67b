/**
 * Paths that agents name: folders, files and globs, one or several, some to leave out. Generous: a path may be an ending, a glob
 * reaches into the folders below, and what fits nothing beside what does is said and passed over.
 */
import { findNearestDocuments, listDocumentNames } from "../core/docs/catalogue.ts";
import { InputError } from "../core/errors.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import type { Parameters } from "../surface/parameters.ts";
import { compilePathGlob } from "../surface/path-glob.ts";
import { foldLine } from "../surface/render/text.ts";

/** The parameter that names them. */
export const PATHS = {
  kind: "texts",
  description: "folders, files, globs; !glob excludes",
  aliases: ["glob", "folder", "paths"],
} as const satisfies Parameters[string];

const NEAREST = 3;
const MAX_SHOWN = 80;
/** Between several paths in one text; the commas in braces are part of a glob. */
const BETWEEN = /[\s,]+(?![^{}]*\})/;

type Accepts = (path: string) => boolean;

/** A test for the paths that are meant, and what fits nothing. @throws {InputError} where nothing fits. */
export async function selectPaths(
  reader: IndexReader,
  written: readonly string[] | undefined,
): Promise<{ readonly accepts: Accepts; readonly notes: readonly string[] }> {
  if (written === undefined) return { accepts: () => true, notes: [] };
  const names = await listDocumentNames(reader);
  const select = (entry: string): Accepts | undefined => selectPath(reader, names, entry);
  // A folder's name may have blanks in it.
  const entries = written.flatMap((text) => (select(text) === undefined ? text.split(BETWEEN) : [text]));
  const included: Accepts[] = [];
  const excluded: Accepts[] = [];
  const unknown: string[] = [];
  for (const entry of entries.filter((text) => text !== "")) {
    const isExcluded = entry.startsWith("!");
    const accepts = select(isExcluded ? entry.slice(1) : entry);
    // What is not there need not be left out.
    if (accepts !== undefined) (isExcluded ? excluded : included).push(accepts);
    else if (!isExcluded) unknown.push(entry);
  }
  const [first] = unknown;
  const describe = (entry: string): string =>
    `no indexed file is ${JSON.stringify(foldLine(entry, MAX_SHOWN))}, lies in it or fits it`;
  if (first !== undefined && included.length === 0) {
    const near = await findNearestDocuments(reader, first, NEAREST);
    const folders = [...new Set(names.map(({ path }) => path.slice(0, path.indexOf("/") + 1)))].filter(
      (top) => top !== "",
    );
    throw new InputError(`${describe(first)}.`.replace("n", "N"), near.length > 0 ? near : folders.slice(0, NEAREST));
  }
  return {
    accepts: (path) =>
      (included.length === 0 || included.some((accepts) => accepts(path))) &&
      !excluded.some((accepts) => accepts(path)),
    notes: unknown.map((entry) => `${describe(entry)}.`),
  };
}

/** Paths by a folder, a file or a glob: from the root on, else anywhere; undefined where it fits none. */
function selectPath(
  reader: IndexReader,
  names: readonly { readonly path: string }[],
  written: string,
): Accepts | undefined {
  const collection = reader.collections.find(({ name }) => written.startsWith(`${name}:`))?.name;
  const bare = (collection === undefined ? written : written.slice(collection.length + 1))
    .replaceAll("\\", "/")
    .replace(/^(?:\.?\/)+/, "")
    .replace(/\/+$/, "");
  if (bare === "" || bare === ".") return () => true;
  if (bare.startsWith("!")) return undefined;
  const inFolder = compilePathGlob(`${bare}/**`);
  const asGlob = compilePathGlob(
    bare.replace(/(?<!\*\*)\/([^/]*\*[^/]*)$/, (last, name: string) => (name === "**" ? last : `/**/${name}`)),
  );
  const choices: Accepts[] = [
    (path) => path === bare || path.startsWith(`${bare}/`),
    (path) => asGlob(path) || inFolder(path),
    (path) => path.endsWith(`/${bare}`) || path.includes(`/${bare}/`),
  ];
  return choices.find((accepts) => names.some(({ path }) => accepts(path)));
}
