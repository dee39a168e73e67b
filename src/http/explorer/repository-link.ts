/**
 * Addresses of files and folders in their repository, at the commit that was indexed: as hosts of repositories write them.
 *
 * Pure: texts in and out.
 */
import type { CollectionInfo } from "../../core/format/collection.ts";
import { safeLink } from "./navigation.ts";

/** Lines of a file, 1-based and inclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** What of a collection says where its files are from. */
type Origin = Pick<CollectionInfo, "name" | "repository" | "commit" | "folder">;

interface Host {
  /** What stands before the commit in the address of a file, and of a folder. */
  readonly file: string;
  readonly folder: string;
  readonly anchor: (lines: LineRange) => string;
}

const GITHUB: Host = { file: "blob", folder: "tree", anchor: ({ start, end }) => `L${start}-L${end}` };
const HOSTS: readonly (readonly [RegExp, Host])[] = [
  [/gitlab/, { file: "-/blob", folder: "-/tree", anchor: ({ start, end }) => `L${start}-${end}` }],
  [/bitbucket/, { file: "src", folder: "src", anchor: ({ start, end }) => `lines-${start}:${end}` }],
  [/codeberg|gitea|forgejo/, { ...GITHUB, file: "src/commit", folder: "src/commit" }],
];
/** Files of which GitHub shows lines only where it is asked for the plain text. */
const RENDERED = /\.(?:md|mdx|markdown)$/i;

/** A file, with some of its lines; undefined where the index does not know its repository or commit. */
export function linkToSource(
  collections: readonly Origin[],
  { collection: name, path }: { readonly collection: string; readonly path: string },
  lines?: LineRange,
): string | undefined {
  const collection = collections.find((one) => one.name === name);
  const host = hostOf(collection);
  if (collection === undefined || host === undefined) return undefined;
  const plain = lines !== undefined && host === GITHUB && RENDERED.test(path) ? "?plain=1" : "";
  return makeAddress(collection, host.file, path, `${plain}${lines === undefined ? "" : `#${host.anchor(lines)}`}`);
}

/** A folder below that of a collection, `""` for that itself; undefined as above. */
export function linkToSourceFolder(collection: Origin | undefined, path: string): string | undefined {
  const host = hostOf(collection);
  return collection === undefined || host === undefined ? undefined : makeAddress(collection, host.folder, path, "");
}

function hostOf(collection: Origin | undefined): Host | undefined {
  const { repository = "", commit = "" } = collection ?? {};
  if (commit === "" || commit === "none" || !URL.canParse(repository)) return undefined;
  const { hostname } = new URL(repository);
  return HOSTS.find(([name]) => name.test(hostname))?.[1] ?? GITHUB;
}

function makeAddress(
  { repository, commit, folder = "" }: Origin,
  kind: string,
  path: string,
  end: string,
): string | undefined {
  const steps = `${folder}/${path}`.split("/").filter((step) => step !== "");
  const place = [commit, ...steps].map(encodeURIComponent).join("/");
  return safeLink(`${repository.replace(/\/+$/, "")}/${kind}/${place}${end}`);
}
