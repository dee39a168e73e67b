/**
 * Resolve links between pages: from what an author wrote to the section it leads to.
 *
 * Ways, tried in order: a path relative to the page, inside its collection and then into others of the same access
 * group or of the group that everybody sees, which does not learn of the link; a site address below the collection's `baseUrl`; a site
 * path such as `/docs/app/routing`, matched against the pages' paths without ordering numbers and endings. What leads
 * out of the corpus is external. Only a link that names a file of this tree and misses is broken.
 */

import { posix } from "node:path";
import { makeDocumentId, makeNodeId, PAGE_ENDING } from "../../src/core/docs/node-id.ts";
import { unescapeText } from "../../src/core/parse-text.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import { ANCHOR_STYLES } from "../config/config.ts";
import { makeAnchor } from "../parse/markdown/sections.ts";
import type { ParsedDocument, ParsedLink, SitePage } from "../parse/parsed-document.ts";

/** Links of one document, as the `links` table stores them. */
export interface ResolvedLinks {
  /** Section ordinal, target node id (`""` = none), destination as written, text, kind. */
  readonly o: [section: number, target: string, href: string, text: string, kind: "internal" | "external" | "broken"][];
  /** Node id of the section that links here, ordinal of the section it leads to. */
  readonly i: [from: string, section: number][];
}

/** Row of the `sections` table: level, title, parent, slug, anchor, first and last line, words, summary, languages, links, units. */
export type SectionRow = [
  level: number,
  title: string,
  parent: number,
  slug: string,
  anchor: string,
  startLine: number,
  endLine: number,
  words: number,
  summary: string,
  languages: readonly string[],
  linksOut: number,
  units: number,
];

/** A link as written, with the ordinal of its section. */
export interface PreparedLink extends ParsedLink {
  readonly section: number;
}

interface LinkedPage {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly SectionRow[];
  readonly links: readonly PreparedLink[];
  readonly ids?: ParsedDocument["ids"];
  readonly site?: SitePage;
}

/** A document with what resolving needs of it. */
export interface LinkSource {
  readonly collection: string;
  /** Name of the collection that this one was a part of, where several are one site. */
  readonly partOf?: string | undefined;
  readonly baseUrl: string;
  /** Folder of the collection inside the configuration's folder; `.` when absent. */
  readonly root?: string;
  /** Access group: links lead from one group to another only as far as nobody learns of what they may not see. */
  readonly access?: string;
  readonly document: LinkedPage;
  /** Paths of files of the collection that are there and not in the index. */
  readonly leftOut?: ReadonlySet<string>;
}

/** What a link begins with that leads to a label of any page of its collection: `:ref:` of reStructuredText. */
const TO_LABEL = "ref:";
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Endings that links leave out. */
const LEFT_OUT_ENDINGS = [".md", ".mdx", ".markdown", ".rst", ".rst.txt", ".adoc", ".asciidoc", ".txt", ".ipynb"];
/** The access group that every caller sees. */
const EVERYBODY = "public";
/** Links to one page that are kept, in the order of collections and paths: a page that every page links to has no use for all. */
const MAX_LINKS_IN = 5_000;
/** Leading folders of a site path that may stand for the site itself. */
const MAX_DROPPED_FOLDERS = 2;

type Target = ReturnType<typeof makeTarget>;

interface CollectionPages {
  /** Pages of all collections of the access group, by their path from the configuration's folder, and those of `public`. */
  readonly byPlace: readonly Map<string, Target>[];
  readonly byPath: Map<string, Target>;
  /** By path without ending, ordering numbers and final `index`; undefined where two pages share it. */
  readonly byRoute: Map<string, Target | undefined>;
  /** By id; filled when a link first asks. */
  readonly byLabel: Map<string, Target>;
  /** By address, of relative ones with the folder before. */
  readonly found: Map<string, Target | undefined>;
}

/** Resolve every link of every document. */
export function resolveLinks(sources: readonly LinkSource[]) {
  const pages = indexPages(sources);
  const links = new Map<string, ResolvedLinks>();
  const diagnostics: (Diagnostic & { readonly collection: string })[] = [];
  const linksOf = (id: string): ResolvedLinks => {
    const known = links.get(id) ?? { o: [], i: [] };
    links.set(id, known);
    return known;
  };
  for (const source of sources) {
    const { collection, document } = source;
    const { path } = document;
    const id = makeDocumentId(collection, path);
    for (const { section, href, text, line } of document.links) {
      const found = resolve(source, href, pages.get(source.partOf ?? collection) as CollectionPages);
      const { o } = linksOf(id);
      const report = (code: string, why: string): void => {
        diagnostics.push({ severity: "warning", code, message: `link to ${href}: ${why}`, path, line, collection });
      };
      if (found.kind !== "internal") {
        o.push([section, "", href, text, found.kind]);
        if (found.kind === "broken") report("broken-link", "no such page");
        continue;
      }
      const { target, anchor } = found;
      const ordinal = findAnchor(target, anchor);
      if (ordinal === undefined) {
        o.push([section, target.id, href, text, "broken"]);
        report("broken-anchor", `the page has no section #${anchor}`);
        continue;
      }
      o.push([section, nodeIdAt(target.id, ordinal, target.document), href, text, "internal"]);
      const isSeen = target.access === (source.access ?? EVERYBODY);
      const i = isSeen ? linksOf(target.id).i : [];
      if (i.length < MAX_LINKS_IN) i.push([nodeIdAt(id, section, document), ordinal]);
    }
  }
  return { links, diagnostics };
}

type Resolution =
  | { readonly kind: "internal"; readonly target: Target; readonly anchor: string }
  | { readonly kind: "external" | "broken" };

function resolve(source: LinkSource, href: string, pages: CollectionPages): Resolution {
  const written =
    source.baseUrl !== "" && href.startsWith(source.baseUrl) ? `/${href.slice(source.baseUrl.length)}` : href;
  if (href.startsWith(TO_LABEL)) {
    const anchor = href.slice(TO_LABEL.length);
    const target = findLabel(source, anchor, pages);
    return target === undefined ? { kind: "external" } : { kind: "internal", target, anchor };
  }
  if (SCHEME.test(written) || written.startsWith("//")) return { kind: "external" };
  const hash = written.indexOf("#");
  const address = unescapeText((hash < 0 ? written : written.slice(0, hash)).replace(/\?.*$/, ""));
  const anchor = hash < 0 ? "" : unescapeText(written.slice(hash + 1));
  const own = pages.byPath.get(source.document.path) as Target;
  if (address === "") return { kind: "internal", target: own, anchor };
  const target = findPage(source, address, pages);
  if (target !== undefined) return { kind: "internal", target, anchor };
  if (address.startsWith("/") || !PAGE_ENDING.test(address)) return { kind: "external" };
  const place = posix.join(posix.dirname(source.document.path), address);
  return { kind: source.document.site !== undefined && source.leftOut?.has(place) === true ? "external" : "broken" };
}

/** The page with a label: that of the link first. */
function findLabel({ document }: LinkSource, label: string, pages: CollectionPages): Target | undefined {
  if (document.ids !== undefined && Object.hasOwn(document.ids, label)) return pages.byPath.get(document.path);
  if (pages.byLabel.size === 0) {
    for (const page of pages.byPath.values()) {
      for (const id of Object.keys(page.document.ids ?? {})) if (!pages.byLabel.has(id)) pages.byLabel.set(id, page);
    }
  }
  return pages.byLabel.get(label);
}

/** The page that an address leads to. Pages of a folder share many links: each is looked for once. */
function findPage(source: LinkSource, address: string, pages: CollectionPages): Target | undefined {
  const { path } = source.document;
  const isRoute = address.startsWith("/");
  const key = isRoute ? address : `${path.slice(0, path.lastIndexOf("/") + 1)}\0${address}`;
  if (!pages.found.has(key)) {
    const page = isRoute
      ? findRoute(address, pages)
      : (findRelative(path, address, pages) ?? findElsewhere(source, address, pages));
    pages.found.set(key, page);
  }
  return pages.found.get(key);
}

function findRelative(from: string, address: string, pages: CollectionPages): Target | undefined {
  const path = posix.join(posix.dirname(from), address).replace(/\/$/, "");
  return (
    pages.byPath.get(path) ??
    LEFT_OUT_ENDINGS.map((ending) => pages.byPath.get(`${path}${ending}`)).find((target) => target !== undefined) ??
    pages.byRoute.get(toRoute(path))
  );
}

/** The page of another collection that a relative path leads to. */
function findElsewhere(
  { root = ".", document }: LinkSource,
  address: string,
  { byPlace }: CollectionPages,
): Target | undefined {
  const place = posix.join(root, posix.dirname(document.path), address).replace(/\/$/, "");
  return ["", ...LEFT_OUT_ENDINGS]
    .flatMap((ending) => byPlace.map((pages) => pages.get(`${place}${ending}`)))
    .find((page) => page !== undefined);
}

function findRoute(address: string, pages: CollectionPages): Target | undefined {
  const parts = address.split("/").filter((part) => part !== "");
  for (let dropped = 0; dropped <= MAX_DROPPED_FOLDERS && (dropped === 0 || dropped < parts.length); dropped++) {
    const path = parts.slice(dropped).join("/");
    const found = pages.byPath.get(path) ?? pages.byRoute.get(toRoute(path));
    if (found !== undefined) return found;
  }
  return undefined;
}

function indexPages(sources: readonly LinkSource[]): Map<string, CollectionPages> {
  const collections = new Map<string, CollectionPages>();
  const places = new Map<string, Map<string, Target>>();
  const placesOf = (access: string): Map<string, Target> => {
    const known = places.get(access) ?? new Map<string, Target>();
    places.set(access, known);
    return known;
  };
  for (const { collection, partOf = collection, document, root = ".", access = EVERYBODY } of sources) {
    let pages = collections.get(partOf);
    if (pages === undefined) {
      const byPlace = [...new Set([access, EVERYBODY])].map(placesOf);
      pages = { byPath: new Map(), byRoute: new Map(), byLabel: new Map(), found: new Map(), byPlace };
      collections.set(partOf, pages);
    }
    const target = makeTarget(makeDocumentId(collection, document.path), access, document);
    pages.byPath.set(document.path, target);
    placesOf(access).set(posix.join(root, document.path), target);
    const route = toRoute(document.path);
    pages.byRoute.set(route, pages.byRoute.has(route) ? undefined : target);
  }
  return collections;
}

/** A page, and its access group. Its anchors are worked out when a link first asks: most pages are linked to as a whole. */
function makeTarget(id: string, access: string, document: LinkedPage) {
  let anchors: ReturnType<typeof indexAnchors> | undefined;
  return {
    id,
    access,
    document,
    anchors: () => {
      anchors ??= indexAnchors(document);
      return anchors;
    },
  };
}

/** A path as sites address it: no ending, no ordering numbers, no final `index` or `readme`, lower case. */
function toRoute(path: string): string {
  return path
    .replace(PAGE_ENDING, "")
    .toLowerCase()
    .split("/")
    .map((part) => part.replace(/^\d+[-_. ]+/, ""))
    .join("/")
    .replace(/(^|\/)(?:index|readme)$/, "");
}

/** Ordinal of the section with an anchor; the root for no anchor; undefined when there is none. */
function findAnchor({ document, anchors }: Target, anchor: string): number | undefined {
  if (anchor === "") return 0;
  const known = anchors();
  const found = known.exact.get(anchor) ?? known.folded.get(anchor.toLowerCase());
  if (found !== undefined) return found;
  if (document.ids !== undefined && Object.hasOwn(document.ids, anchor)) return document.ids[anchor];
  // The heading that is the page's title opens no section of its own; its anchor leads to the page.
  return anchor === "top" || ANCHOR_STYLES.some((style) => anchor === makeAnchor(style, document.title))
    ? 0
    : undefined;
}

/** Ordinals by anchor, as written and in lower case; where several sections have one, the first. */
function indexAnchors({ sections }: LinkedPage) {
  const anchors = { exact: new Map<string, number>(), folded: new Map<string, number>() };
  for (const [ordinal, [, , , , anchor]] of sections.entries()) {
    if (anchor === "") continue;
    if (!anchors.exact.has(anchor)) anchors.exact.set(anchor, ordinal);
    const folded = anchor.toLowerCase();
    if (!anchors.folded.has(folded)) anchors.folded.set(folded, ordinal);
  }
  return anchors;
}

function nodeIdAt(id: string, ordinal: number, { sections }: LinkedPage): string {
  const slugs: string[] = [];
  for (let at = ordinal; at > 0; ) {
    const [, , parent, slug] = sections[at] as SectionRow;
    slugs.unshift(slug);
    at = parent;
  }
  return makeNodeId(id, slugs.join("/"));
}
