/**
 * Ids of documents and sections: `collection:path#slug/path`, for symbols `collection:path#Container.name`.
 *
 * `#` and `%` in paths are percent-encoded, so the first `#` always begins the section's part.
 */
import type { CollectionInfo } from "../format/root.ts";
import { codeLanguageOf } from "../text/code-languages.ts";

/**
 * Slug path of a section from the slugs of those above it and its own: `linux/apt`. In a source file the slug of a
 * symbol is its whole path, `Store.open`.
 */
export function joinSlugs(path: string, slugs: readonly string[]): string {
  return codeLanguageOf(path) === undefined ? slugs.join("/") : (slugs.at(-1) ?? "");
}

/** What of a collection decides the addresses of its pages. */
export type SiteAddress = Pick<CollectionInfo, "baseUrl"> & Partial<Pick<CollectionInfo, "kind" | "plain" | "slash">>;

/** The ending of a path that says how a page is written. */
export const PAGE_ENDING = /\.(?:mdx?|markdown|html?|rst(?:\.txt)?|adoc|asciidoc|ipynb)$/i;

export function makeDocumentId(collection: string, path: string): string {
  return `${collection}:${path.replace(/[%#]/g, (character) => (character === "#" ? "%23" : "%25"))}`;
}

/** Id of a section: the document's id for the root (empty slug path), else with `#slug/path`. */
export function makeNodeId(documentId: string, slugPath: string): string {
  return slugPath === "" ? documentId : `${documentId}#${slugPath}`;
}

/** Id of a section by its position, for hits whose slug path was not read. */
export function makeOrdinalId(documentId: string, ordinal: number): string {
  return ordinal === 0 ? documentId : `${documentId}#n${ordinal}`;
}

/** Document and section part of an id; the section part is `""` for a document's id. */
export function splitNodeId(nodeId: string): { readonly documentId: string; readonly section: string } {
  const at = nodeId.indexOf("#");
  return at < 0
    ? { documentId: nodeId, section: "" }
    : { documentId: nodeId.slice(0, at), section: nodeId.slice(at + 1) };
}

/** Collection and path of a document's id; the collection is `""` when the text names none. */
export function splitDocumentId(documentId: string): { readonly collection: string; readonly path: string } {
  const at = documentId.indexOf(":");
  const path = documentId.slice(at + 1).replace(/%(23|25)/g, (_, code) => (code === "23" ? "#" : "%"));
  return { collection: at < 0 ? "" : documentId.slice(0, at), path };
}

export function pathOf(documentId: string): string {
  return splitDocumentId(documentId).path;
}

/** What stands before the name of a document's file in its id: `docs:guide/` of `docs:guide/install.md`. */
export function folderOf(documentId: string): string {
  return documentId.slice(0, Math.max(documentId.lastIndexOf("/"), documentId.indexOf(":")) + 1);
}

/**
 * Address of a section's page: `baseUrl`, the path as the site serves it, and the anchor. `""` without `baseUrl`. A built site has
 * the files that are served, so that endings stay, but for those of folders' pages.
 */
export function makeUrl(collection: SiteAddress | undefined, path: string, anchor: string): string {
  if (!collection?.baseUrl) return "";
  const { baseUrl, kind, plain, slash = "$&" } = collection;
  const page = path
    .replace(kind === "site" && !plain ? /(?<=(^|\/)index)\.html?$/i : PAGE_ENDING, "")
    .replace(kind === "site" ? /(^|\/)index$/i : /(^|\/)(index|readme)$/i, "$1")
    .replace(/(?<=.)\/?$/, slash);
  const encoded = page.split("/").map(encodeURIComponent).join("/");
  return `${baseUrl}${encoded}${anchor && `#${encodeURIComponent(anchor)}`}`;
}
