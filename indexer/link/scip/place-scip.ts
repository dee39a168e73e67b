/**
 * SCIP indexes against the files that are indexed: which document is which file, and whether it still is of that text.
 *
 * I/O: reads the files that a SCIP index covers once more, as parsing keeps no texts.
 */

import { posix } from "node:path";
import { unescapeText } from "../../../src/core/parse-text.ts";
import type { LimitsConfig } from "../../config/config.ts";
import type { LinkFile, PreciseDocument, PreciseFacts } from "../../languages/base/language.ts";
import type { LinkDiagnostic } from "../../languages/base/manifests.ts";
import { folderOfPlace, foldersAround } from "../../languages/base/world.ts";
import { readSourceFile } from "../../sources/read-file.ts";
import { placeDocument, readScip, SCIP_ROLE, type ScipDocument } from "./place-document.ts";

/** A SCIP index, as it was read. */
export interface ScipFile {
  /** What to call it in errors. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A source file that was parsed; the path of the collection's folder is absolute. */
export type SourceFile = Required<Pick<LinkFile, "id" | "collection" | "path" | "root" | "hash">>;

/** What compilers know of the files that are indexed, and what of it was left out. */
export interface PlacedScip extends PreciseFacts {
  readonly diagnostics: readonly LinkDiagnostic[];
}

const SHOWN_PATHS = 3;
/** Folders of an index's address that are tried in front of its documents. */
const MAX_DEPTH = 12;

/**
 * Place the documents of all indexes.
 *
 * @param findSource Finds a source file by its path from the configuration's folder.
 * @param collection To whom findings about no file are said.
 * @throws {InputError} where a file is no SCIP index.
 */
export async function placeScip(
  files: readonly ScipFile[],
  findSource: (path: string) => SourceFile | undefined,
  limits: Pick<LimitsConfig, "maxFileBytes">,
  collection: string,
): Promise<PlacedScip> {
  const documents: PreciseDocument[] = [];
  const diagnostics: LinkDiagnostic[] = [];
  const leftOut = new Set<string>();
  for (const [number, { name, bytes }] of files.entries()) {
    const index = readScip(bytes, name);
    const toPath = chooseFolder(index.projectRoot, index.documents, (path) => findSource(path) !== undefined);
    const elsewhere: string[] = [];
    for (const document of index.documents) {
      const path = isPlainPath(document.path) ? toPath(document.path) : undefined;
      const source = path === undefined ? undefined : findSource(path);
      if (source === undefined) {
        elsewhere.push(document.path);
        continue;
      }
      const placed = await placeSource(document, source, limits, `${number} ${source.id}`);
      if ("id" in placed) {
        documents.push(placed);
        continue;
      }
      for (const { symbol, roles } of document.occurrences) {
        if ((roles & SCIP_ROLE.definition) !== 0) leftOut.add(symbol);
      }
      const message = `${name} is not of this text: ${placed.reason}; its edges are left out until the SCIP index is made again`;
      const { collection: own, path: ownPath } = source;
      const place = { path: ownPath, line: placed.line, collection: own };
      diagnostics.push({ severity: "warning", code: "stale-scip", message, ...place });
    }
    if (elsewhere.length > 0) {
      const message = describeElsewhere(name, elsewhere, index.documents.length);
      diagnostics.push({ severity: "info", code: "scip-elsewhere", message, path: "", line: 0, collection });
    }
  }
  return { documents, leftOut, diagnostics };
}

async function placeSource(
  document: ScipDocument,
  { id, root, path, hash }: SourceFile,
  limits: Pick<LimitsConfig, "maxFileBytes">,
  scope: string,
): Promise<ReturnType<typeof placeDocument>> {
  const source = await readSourceFile(root, path, limits);
  // Symbols and texts must be of one state of the file.
  if (!source.ok || source.contentHash !== hash) return { reason: "the file changed during this build", line: 0 };
  return placeDocument(document, id, source.text, scope);
}

function describeElsewhere(name: string, paths: readonly string[], total: number): string {
  const shown = paths.slice(0, SHOWN_PATHS).map((path) => JSON.stringify(path));
  const more = paths.length > SHOWN_PATHS ? ", …" : "";
  return `${paths.length} of ${total} documents of ${name} are no indexed source files: ${shown.join(", ")}${more}`;
}

/** Whether a document's path is as the format demands: relative, with `/`, leading nowhere else. */
function isPlainPath(path: string): boolean {
  const isNormal = posix.normalize(path) === path && !posix.isAbsolute(path) && !path.startsWith("..");
  return path !== "" && isNormal && !/^[a-z]:|\\/i.test(path);
}

/**
 * From paths of an index to paths from the configuration's folder. The index may be of a folder below that or above, and
 * made on another machine: of the last folders of its address in front and of the first folders of its documents taken
 * away, that way is used in which most documents are found; the least change of several.
 */
function chooseFolder(
  projectRoot: string,
  documents: readonly ScipDocument[],
  isFound: (path: string) => boolean,
): (path: string) => string | undefined {
  const plain = documents.map(({ path }) => path).filter(isPlainPath);
  const above = unescapeText(projectRoot.replace(/^[a-z][a-z0-9+.-]+:\/\/[^/]*/i, ""))
    .split("/")
    .filter((part) => part !== "")
    .slice(-MAX_DEPTH);
  const fronts = above.map((_, at) => `${above.slice(at).join("/")}/`).reverse();
  const offs = new Set(plain.flatMap((path) => [...foldersAround(folderOfPlace(path))].slice(0, -1)));
  // Each way from the paths of the SCIP index to ours either puts folders in front or takes folders off.
  const ways = [
    { front: "", off: "" },
    ...fronts.map((front) => ({ front, off: "" })),
    ...[...offs].sort((a, b) => a.length - b.length).map((off) => ({ front: "", off: `${off}/` })),
  ].map(({ front, off }) => ({
    front,
    off,
    found: plain.filter((path) => path.startsWith(off) && isFound(front + path.slice(off.length))).length,
  }));
  const { front, off } = ways.reduce((best, next) => (next.found > best.found ? next : best));
  return (path) => (path.startsWith(off) ? front + path.slice(off.length) : undefined);
}
