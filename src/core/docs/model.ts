/**
 * Read model of documents, sections, categories and concepts, shared by tools, HTTP and the command line.
 */
import type { CategoryEntry } from "../format/topics.ts";

export interface DocumentEntry {
  /** `collection:path/with.ext`. */
  readonly id: string;
  readonly collection: string;
  /** Path relative to the collection root. */
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** Page address, or `""` without `baseUrl`. */
  readonly url: string;
  readonly words: number;
  /** Number of sections, the root included. */
  readonly sections: number;
  /** Lines of the file. */
  readonly lines: number;
  /** First 16 hex digits of the SHA-256 of the file's bytes. */
  readonly contentHash: string;
  readonly facets: Readonly<Record<string, readonly string[]>>;
  /** Frontmatter keys that are kept for display. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export interface OutlineSection {
  /** Position in the document, 0 = root; the `n` of the alias `#n3`. */
  readonly ordinal: number;
  /** Full id: the document's id for the root, else `documentId#slug/path`. */
  readonly nodeId: string;
  readonly title: string;
  /** Heading level, 0 for the root. */
  readonly level: number;
  /** Ordinal of the parent, -1 for the root. */
  readonly parent: number;
  readonly children: readonly number[];
  /** 1-based lines of the section's own text. */
  readonly startLine: number;
  readonly endLine: number;
  /** Last line of the section with all its descendants. */
  readonly subtreeEndLine: number;
  readonly words: number;
  /** First sentence, or `""`. */
  readonly summary: string;
  readonly codeLanguages: readonly string[];
  /** Page address with the section's anchor, or `""` without `baseUrl`. */
  readonly url: string;
  /** Number of outgoing links. */
  readonly linksOut: number;
}

/** A document's whole section tree, in source order; `sections[0]` is the root. */
export interface DocumentOutline {
  readonly document: DocumentEntry;
  readonly sections: readonly OutlineSection[];
}

/** Exact source text of one section (own text, children excluded). */
export interface SectionText {
  readonly section: OutlineSection;
  /** Byte-exact slice of the decoded file from `startLine` to `endLine`, frontmatter of the root left out. */
  readonly text: string;
  /** Some of the text is missing, or all of it, since a bound was reached. */
  readonly isCut?: true;
}

export interface LinkEntry {
  /** Section that holds the link. */
  readonly fromNodeId: string;
  /** Section it leads to, or `""` when it leads outside the corpus or nowhere. */
  readonly toNodeId: string;
  /** Destination as written. */
  readonly href: string;
  readonly text: string;
  readonly kind: "internal" | "external" | "broken";
}

/** Number of documents per value, per facet key: `{category: {api: 120}}`. */
export type FacetCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Filter by facets: OR inside a key, AND across keys. `not` takes the same shape and excludes. */
export interface FacetFilter {
  readonly include: Readonly<Record<string, readonly string[]>>;
  readonly exclude: Readonly<Record<string, readonly string[]>>;
  /** A value by key: where some page has it, pages of other values are left out. */
  readonly prefer?: Readonly<Record<string, string>>;
}

/** A filter that selects everything. */
export const NO_FILTER: FacetFilter = { include: {}, exclude: {} };

export function isEmptyFilter({ include, exclude, prefer }: FacetFilter): boolean {
  return Object.keys({ ...include, ...exclude, ...prefer }).length === 0;
}

/** UTF-16 units of a document's text that a list of documents shows; build and reader agree on it. */
export const PREVIEW_LENGTH = 200;

/** A category as the caller may see it. */
export interface Category extends Omit<CategoryEntry, "parent" | "related"> {
  /** Undefined at the top. There are no cycles. */
  readonly parent: Category | undefined;
  /** By name. */
  readonly children: readonly Category[];
  readonly related: readonly Category[];
}

export interface TopicChunk {
  readonly documentId: string;
  /** Its ordinal. */
  readonly section: number;
  readonly density: number;
  /** Names of concepts in it. */
  readonly concepts: readonly string[];
}

/** Node of a drawn graph: a source file, page or package. */
export type DrawnNode = {
  readonly id: string;
  readonly name: string;
  /** Its folder, or the module of a package. */
  readonly place: string;
  /** Address of its page. */
  readonly href: string;
  /** Links that are not drawn. */
  readonly more: number;
  /** Whether its neighbours are drawn. */
  readonly isOpen: boolean;
  readonly isInCycle: boolean;
};

/** Link between nodes by their places in the list. */
export type DrawnLink = {
  readonly from: number;
  readonly to: number;
  /** How many links it stands for. */
  readonly weight: number;
  readonly isTwoWay: boolean;
  readonly isTypeOnly: boolean;
  readonly isInCycle: boolean;
};

/** Part of a graph that a page draws. */
export type DrawnGraph = {
  readonly nodes: readonly DrawnNode[];
  readonly links: readonly DrawnLink[];
  /** Nodes of the whole graph. */
  readonly total: number;
  /** Links between these nodes that are not drawn. */
  readonly left: number;
};
