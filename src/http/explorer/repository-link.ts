/**
 * Addresses of files and folders in their repository, at the commit that was indexed: as hosts of repositories write them.
 *
 * Pure: texts in and out.
 */
import type { CollectionInfo } from "../../core/format/root.ts";
import { safeLink } from "./navigation.ts";

/** Lines of a file, 1-based and inclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** What of a collection says where its files are from. */
type Origin = Pick<CollectionInfo, "name" | "kind" | "repository" | "commit" | "folder">;

interface Host {
  /** What stands before the commit in the address of a file, and of a folder. */
  readonly file: string;
  readonly folder: string;
  /** What asks for the text of a file that is shown rendered otherwise, without lines. */
  readonly plain: string;
  readonly anchor: (lines: LineRange) => string;
}

const GITHUB: Host = {
  ...{ file: "blob", folder: "tree", plain: "?plain=1" },
  anchor: ({ start, end }) => `L${start}-L${end}`,
};
const HOSTS: readonly (readonly [RegExp, Host | undefined])[] = [
  [/gitlab/, { ...GITHUB, file: "-/blob", folder: "-/tree", anchor: ({ start, end }) => `L${start}-${end}` }],
  [/^bitbucket\.org$/, { file: "src", folder: "src", plain: "", anchor: ({ start, end }) => `lines-${start}:${end}` }],
  // Elsewhere it has addresses of another form.
  [/bitbucket/, undefined],
  [/codeberg|gitea|forgejo/, { ...GITHUB, file: "src/commit", folder: "src/commit", plain: "?display=source" }],
];
/** Files of which hosts show lines only where they are asked for the text. */
const RENDERED = /\.(?:md|mdx|markdown)$/i;

/** A file, with some of its lines; undefined where the index does not know where in which repository and commit it stands. */
export function linkToSource(
  collections: readonly Origin[],
  { collection: name, path }: { readonly collection: string; readonly path: string },
  lines?: LineRange,
): string | undefined {
  const collection = collections.find((one) => one.name === name);
  const host = hostOf(collection);
  if (collection === undefined || host === undefined) return undefined;
  const plain = RENDERED.test(path) ? host.plain : "";
  return makeAddress(collection, host.file, path, lines === undefined ? "" : `${plain}#${host.anchor(lines)}`);
}

/** A folder below that of a collection, `""` for that itself; undefined as above. */
export function linkToSourceFolder(collection: Origin | undefined, path: string): string | undefined {
  const host = hostOf(collection);
  return collection === undefined || host === undefined ? undefined : makeAddress(collection, host.folder, path, "");
}

/** Undefined also for built sites, of whatever index: their files are seldom committed. */
function hostOf(collection: Origin | undefined): Host | undefined {
  const { kind, repository = "", commit = "", folder } = collection ?? {};
  if (kind === "site" || folder === undefined || commit === "" || commit === "none" || !URL.canParse(repository))
    return undefined;
  const { hostname } = new URL(repository);
  const known = HOSTS.find(([name]) => name.test(hostname));
  return known === undefined ? GITHUB : known[1];
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
