/** Errors for texts that name no target. */
import { InputError } from "../core/errors.ts";
import { type FileList, findFiles } from "../core/graph/file-list.ts";
import type { PlacedPackage } from "../core/graph/packages.ts";
import type { IndexReader } from "../core/index/index-reader.ts";
import { nearestNames } from "../core/text/nearest.ts";
import { quoteName } from "../core/text/quote-value.ts";
import { resolveDocumentId } from "../core/tree/documents.ts";
import { splitDocumentId } from "../core/tree/node-id.ts";
import { cutList } from "../render/cut-list.ts";
import { formatExample } from "./arguments.ts";
import { type ExampleOf, nameOfPackage } from "./find-package.ts";
import { findImportedAsset } from "./imported-asset.ts";

const MAX_NEAREST = 5;
const MAX_IMPORTERS = 10;

/** What was looked for, and the names there are. */
export interface Sought {
  readonly text: string;
  readonly packages: readonly PlacedPackage[];
  /** By shard, where they are in memory. */
  readonly lists: ReadonlyMap<number, FileList> | undefined;
  readonly exampleOf: ExampleOf;
}

/** The error where a text names a page; undefined where it does not. One wave, two where lists of files are not in memory. */
export async function pageTarget(reader: IndexReader, text: string): Promise<InputError | undefined> {
  const id = await resolveDocumentId(reader, text);
  const [source] = id === undefined ? [] : await findFiles(reader, [id]);
  if (id === undefined || source !== undefined) return undefined;
  return new InputError(
    `${quoteName(id)} is a page; this tool takes source files, symbols and packages. get_tree outlines it.`,
    [],
    formatExample({ name: "get_tree", example: { doc_id: id } }),
  );
}

/** The error where a text names what sources import and what is none; undefined where it does not. Two waves at most. */
export async function assetTarget(
  reader: IndexReader,
  text: string,
  exampleOf: ExampleOf,
): Promise<InputError | undefined> {
  const found = await findImportedAsset(reader, text);
  if (found === undefined) return undefined;
  const { id, importers } = found;
  const names = cutList(
    importers.map((one) => splitDocumentId(one).path),
    MAX_IMPORTERS,
  );
  return new InputError(
    `${quoteName(id)} is an imported asset and no source file: nothing of it is read. It is imported by ${names.join(", ")}.`,
    [],
    exampleOf(importers[0] ?? id),
  );
}

/** The error with files, packages and `symbols` whose names are like a text. */
export function unknownTarget({ text, packages, lists, exampleOf }: Sought, symbols: readonly string[]): InputError {
  const names = packages.map((entry) => nameOfPackage(packages, entry));
  const files = /[./]/.test(text) ? nearestFiles(text, lists) : [];
  const nearest = [...new Set([...files, ...nearestNames(text, names, MAX_NEAREST), ...symbols])].slice(0, MAX_NEAREST);
  return new InputError(
    `There is no source file, package or symbol ${quoteName(text)}; find_symbol looks for parts of names.`,
    nearest,
    // The text itself would fail again.
    nearest[0] === undefined ? formatExample({ name: "find_symbol", example: { query: "*" } }) : exampleOf(nearest[0]),
  );
}

/** Paths that are like a text, then those whose last segments are. */
function nearestFiles(text: string, lists: Sought["lists"]): string[] {
  const paths = [...(lists?.values() ?? [])].flatMap((list) => list.map(({ id }) => splitDocumentId(id).path));
  const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
  const bases = new Set(nearestNames(baseOf(text), new Set(paths.map(baseOf)), MAX_NEAREST));
  return [...nearestNames(text, paths, MAX_NEAREST), ...paths.filter((path) => bases.has(baseOf(path)))];
}
