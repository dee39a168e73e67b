/**
 * Addresses of the explorer's pages, links to them, and links to a file's repository at the commit that was indexed.
 *
 * Every link out of an index goes through `safeLink`.
 */

import type { CollectionInfo } from "../../core/format/root.ts";
import { isWebAddress } from "../../core/text/addresses.ts";
import { escapeId, ownPage } from "../addresses.ts";

/** Where the explorer's pages and files stand. */
export const EXPLORER_PATH = "/explorer";
/** Search page, where the search form leads. */
export const SEARCH_PATH = `${EXPLORER_PATH}/search`;
export const TREE_PATH = `${EXPLORER_PATH}/tree`;
export const CONNECT_PATH = `${EXPLORER_PATH}/connect`;
/** Logo of the project, and the style sheet of its colour. */
export const LOGO_PATH = `${EXPLORER_PATH}/logo`;
export const ACCENT_PATH = `${EXPLORER_PATH}/accent.css`;
/** Outline of a document, before its id. */
export const OUTLINE_PATH = `${EXPLORER_PATH}/outline/`;

/** A page that is led to from all others. */
interface NavigationEntry {
  readonly path: string;
  readonly name: string;
  /** Only shown to callers who may read it. */
  readonly isForAdmins?: boolean;
}

/** In the order in which they are shown. */
export const NAVIGATION = [
  { path: "/", name: "Overview" },
  { path: SEARCH_PATH, name: "Search" },
  { path: TREE_PATH, name: "Documents" },
  { path: `${EXPLORER_PATH}/graph`, name: "Graph" },
  { path: `${EXPLORER_PATH}/categories`, name: "Categories" },
  { path: `${EXPLORER_PATH}/diagnostics`, name: "Diagnostics" },
  { path: `${EXPLORER_PATH}/insights`, name: "Insights", isForAdmins: true },
  { path: CONNECT_PATH, name: "Connect" },
] as const satisfies readonly NavigationEntry[];

/** Path of such a page, as it stands behind the name of a corpus. */
export type NavigationPath = (typeof NAVIGATION)[number]["path"];

export type Parameters = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A link to a page of this server. @param base Start of the corpus's addresses: `""` at the root, `/v2` of the corpus v2. */
export function linkTo(base: string, path: string, parameters: Parameters = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value ?? []].flat()) if (one !== "") search.append(name, `${one}`);
  }
  const query = search.size === 0 ? "" : `?${search}`;
  return `${path === "/" && base !== "" ? base : `${base}${path}`}${query}`;
}

/** Lines of a source file that one page shows. */
export const LINES_SHOWN = 600;

/** A link to this server's page of a document. @param place Id of a section of it, or the number of a line. */
export function linkToDocument(base: string, documentId: string, place?: string | number): string {
  if (typeof place !== "number") return ownPage(base, documentId, place);
  const first = place - ((place - 1) % LINES_SHOWN);
  return `${ownPage(base, documentId)}${first > 1 ? `?from=${first}` : ""}#L${place}`;
}

/**
 * An address out of an index as a link may have it, or undefined: only what leads to the web or stands on the same server. A
 * `javascript:` address would run.
 */
export function safeLink(address: string): string | undefined {
  const isLink = address !== "" && isWebAddress(address) && URL.canParse(address, "https://relative.invalid");
  return isLink ? address : undefined;
}

/** Schemes of links by which this server's own guides are opened in a client. */
const CLIENT_SCHEMES: ReadonlySet<string> = new Set(["https:", "cursor:", "vscode:"]);

/** A link of a guide that opens a client, or undefined for an address of another scheme. */
export function clientLink(address: string): string | undefined {
  return URL.canParse(address) && CLIENT_SCHEMES.has(new URL(address).protocol) ? address : undefined;
}

export function linkToOutline(base: string, documentId: string, parameters: Parameters = {}): string {
  return linkTo(base, `${OUTLINE_PATH}${escapeId(documentId)}`, parameters);
}

/** Lines of a file, 1-based and inclusive. */
interface LineRange {
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
