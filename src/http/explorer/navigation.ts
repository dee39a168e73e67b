/**
 * Pages of the explorer that the head of each one leads to, and addresses inside of it.
 *
 * Pure: constants, and texts in and out.
 */
import { isWebAddress } from "../../core/text/web-address.ts";
import { ownPage } from "../addresses.ts";

/** Where the explorer's pages and files stand. */
export const EXPLORER_PATH = "/explorer";
/** Search page, where the search form leads. */
export const SEARCH_PATH = `${EXPLORER_PATH}/search`;
/** List of folders and documents. */
export const TREE_PATH = `${EXPLORER_PATH}/tree`;
/** Guides for clients. */
export const CONNECT_PATH = `${EXPLORER_PATH}/connect`;
/** Outline of a document, before its id. */
export const OUTLINE_PATH = `${EXPLORER_PATH}/outline/`;

/** A page that is led to from all others. */
export interface NavigationEntry {
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

/** Parameters of an address; those without a value are left out. */
export type Parameters = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/**
 * A link to a page of this server.
 *
 * @param base What the addresses of the corpus begin with: `""` at the root, `/v2` of the corpus v2.
 */
export function linkTo(base: string, path: string, parameters: Parameters = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of [value ?? []].flat()) if (one !== "") search.append(name, `${one}`);
  }
  const query = search.size === 0 ? "" : `?${search}`;
  return `${path === "/" && base !== "" ? base : `${base}${path}`}${query}`;
}

/** A link to this server's page of a document, with a section of it where its id is given. */
export function linkToDocument(base: string, documentId: string, nodeId?: string): string {
  return ownPage(base, documentId, nodeId);
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
