/**
 * What the index root says of a collection: its configuration as far as readers need it, and how much it holds. Pure.
 */
import type { CollectionInfo } from "../../src/core/format/collection.ts";
import type { CollectionConfig } from "../config/config.ts";
import type { DocumentCard } from "./cache/cached-document.ts";

/**
 * Whether addresses of a built site have no `.html`: as its configuration says, else as most of its pages say that are no folder's, by
 * their canonical addresses.
 */
function hasCleanUrls(
  { kind, site, baseUrl }: Pick<CollectionConfig, "kind" | "site" | "baseUrl">,
  pages: readonly Pick<DocumentCard, "path" | "site">[],
): boolean {
  if (kind !== "site" || site.cleanUrls !== "auto") return kind === "site" && site.cleanUrls === "yes";
  let clean = 0;
  let asked = 0;
  for (const page of pages) {
    if (/(?:^|\/)index\.html?$/i.test(page.path)) continue;
    asked++;
    // Only an address of this page counts: a copy of a site names that of the original, a template one for all pages.
    const path = readPath(page.site?.canonical ?? "", baseUrl);
    if (path !== page.path && path?.replace(/\/$/, "") === page.path.replace(/\.html?$/i, "")) clean++;
  }
  return clean * 2 > asked;
}

/** What stands behind `baseUrl` in an address; of one on another host the path. */
function readPath(address: string, baseUrl: string): string | undefined {
  const url = URL.canParse(address, "https://site.invalid") ? new URL(address, "https://site.invalid") : undefined;
  if (url === undefined) return undefined;
  const base = new URL(baseUrl || "/", "https://site.invalid").pathname;
  return url.pathname.startsWith(base) ? decodePath(url.pathname.slice(base.length)) : undefined;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Where files come from. */
export interface Origin {
  /** The commit at which they were read, or `none`. */
  readonly commit: string;
  /** Where the folder of the configuration lies in the repository, `""` for its top. */
  readonly folder: string;
}

/** Describe the collection at `index`; `documents` are those of all collections. */
export function describeCollection(
  collection: CollectionConfig,
  index: number,
  documents: readonly Pick<DocumentCard, "collection" | "sections" | "words" | "path" | "site">[],
  { commit, folder: top }: Origin,
): CollectionInfo {
  const own = documents.filter((document) => document.collection === index);
  const { name, kind, weight, baseUrl, version, access, repository, language, root } = collection;
  const folder = [top, root].filter((part) => part !== "" && part !== ".").join("/");
  return {
    name,
    kind,
    weight,
    baseUrl,
    ...(hasCleanUrls(collection, own) && { plain: true }),
    version,
    access,
    commit,
    repository,
    // Only for links into the repository, which seldom holds what was built of it.
    ...(repository !== "" && commit !== "none" && kind !== "site" && { folder }),
    language,
    documents: own.length,
    sections: own.reduce((sum, document) => sum + document.sections.length, 0),
    words: own.reduce((sum, document) => sum + document.words, 0),
  };
}
