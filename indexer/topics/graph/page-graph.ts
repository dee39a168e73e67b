/**
 * The graph of links between the pages of an access group, and what it shows of one of its collections. Pure.
 */

import { makeDocumentId, splitNodeId } from "../../../src/core/docs/node-id.ts";
import type { BrokenLink } from "../../../src/core/format/insights.ts";
import { shortenText } from "../../../src/core/text/short-text.ts";
import { compileGlobs } from "../../base/globs.ts";
import type { GraphConfig } from "../../config/config.ts";
import type { ResolvedLinks } from "../../link/links.ts";
import { compareNodeIds, type LinkGraph, linksAmong, makeLinkGraph, type NodeLink } from "./link-graph.ts";

/** Of a destination, so much is kept. */
const MAX_HREF = 200;
/** Pages that a reader comes to without a link. */
const FRONT_PAGE = /(?:^|\/)(?:index|readme)\.\w+$|^(?:home|_?sidebar|contents|toc|summary)\.\w+$/i;

/** A page of the graph. */
export interface PageNode {
  /** Document id. */
  readonly id: string;
  readonly collection: string;
  /** Whether it is where a reader of the collection begins. */
  readonly isFront: boolean;
  /** Whether another page of the group links to it. */
  readonly isLinked: boolean;
  /** Its links that lead nowhere, each destination once. */
  readonly broken: readonly BrokenLink[];
}

/** Pages, and which of them link to which. */
export interface PageGraph {
  readonly nodes: readonly PageNode[];
  readonly links: LinkGraph;
}

/** What a page graph is made of. */
export interface PageGraphInput {
  /** Documents of the group; source files are left out. */
  readonly documents: readonly { readonly collection: number; readonly path: string; readonly isSource: boolean }[];
  readonly collectionName: (document: { readonly collection: number }) => string;
  /** By document id. */
  readonly links: ReadonlyMap<string, ResolvedLinks>;
}

/** The graph of a group's pages, but for those that the settings leave out. */
export function makePageGraph(
  { documents, collectionName, links }: PageGraphInput,
  { ignore }: Pick<GraphConfig, "ignore">,
): PageGraph {
  const isIgnored = compileGlobs(ignore, []).selects;
  const pages = documents
    .filter(({ isSource, path }) => !isSource && !isIgnored(path))
    .map((document) => {
      const collection = collectionName(document);
      return { id: makeDocumentId(collection, document.path), collection, path: document.path };
    })
    .sort((a, b) => compareNodeIds(a.id, b.id));
  const nodeOf = new Map(pages.map(({ id }, node) => [id, node]));
  const found: NodeLink[] = [];
  const isLinked = new Uint8Array(pages.length);
  const broken = pages.map(({ id }, from) => {
    const destinations = new Set<string>();
    for (const [, target, href, , kind] of links.get(id)?.o ?? []) {
      if (kind === "broken") destinations.add(shortenText(href, MAX_HREF));
      const to = kind === "internal" ? nodeOf.get(splitNodeId(target).documentId) : undefined;
      if (to === undefined || to === from) continue;
      found.push({ from, to, typeOnly: false });
      isLinked[to] = 1;
    }
    return [...destinations].map((href): BrokenLink => ({ id, href }));
  });
  const nodes = pages.map(
    ({ id, collection, path }, node): PageNode => ({
      id,
      collection,
      isFront: FRONT_PAGE.test(path),
      isLinked: isLinked[node] === 1,
      broken: broken[node] as readonly BrokenLink[],
    }),
  );
  return withLinks(nodes, found);
}

/** The graph of the pages of one collection: links between two of them. A page that others link to is linked all the same. */
export function pagesOfCollection({ nodes, links }: PageGraph, collection: string): PageGraph {
  const isOwn = (node: number): boolean => nodes[node]?.collection === collection;
  return withLinks(
    nodes.filter((_, node) => isOwn(node)),
    linksAmong(links, isOwn),
  );
}

function withLinks(nodes: readonly PageNode[], links: readonly NodeLink[]): PageGraph {
  return {
    nodes,
    links: makeLinkGraph(
      nodes.map(({ id }) => id),
      links,
    ),
  };
}
