/**
 * What a parser makes of one file: the input of inversion, whatever the language of the file.
 */
import type { Diagnostic } from "../base/diagnostic.ts";

/** A run of a section's visible text, in source order. */
export interface ParsedBlock {
  /** `code` = fenced or indented code block. Inline code stays inside `prose`. */
  readonly kind: "prose" | "code";
  /** Visible text, without markup. Words of different inline elements are separated as a reader would see them. */
  readonly text: string;
  /** 1-based first line of the block in the source, for cutting long sections between blocks. */
  readonly line: number;
  /** How much its words weigh, 0 to 10, where it is not 1. Words that weigh 0 are shown and not searched. */
  readonly weight?: number;
}

/** A link as written. Resolution to sections happens after all files are parsed. */
export interface ParsedLink {
  /** Raw destination, for example `../guide.md#setup`, `/docs/app`, `#local` or `https://…`. */
  readonly href: string;
  readonly text: string;
  /** 1-based line of the block that holds the link. */
  readonly line: number;
}

/** One section: a heading with the text up to the next heading of any level. Section 0 is always the root. */
export interface ParsedSection {
  /** Heading level 1–6; 0 for the root section. */
  readonly level: number;
  /** Visible text of the heading; the document's title for the root. Never empty. */
  readonly title: string;
  /** Index of the parent section in the document's list; -1 for the root. */
  readonly parent: number;
  /** Slugs from the root down to this section joined with `/`, unique in the document; `""` for the root. */
  readonly slugPath: string;
  /** Slug of its own where it is not what stands behind the last `/`: that of a symbol is its whole path, and may hold one. */
  readonly slug?: string;
  /** Fragment of the page's URL that scrolls here: explicit `{#id}` or HTML id, else the GitHub slug. `""` for the root. */
  readonly anchor: string;
  /** 1-based lines of the section's own text, heading included, children excluded. Sections partition the file. */
  readonly startLine: number;
  readonly endLine: number;
  readonly blocks: readonly ParsedBlock[];
  /** Languages of the fenced blocks, lower case, in order of first use. */
  readonly codeLanguages: readonly string[];
  readonly links: readonly ParsedLink[];
  /** First sentence of the prose, at most 160 characters; `""` when the section has no prose. */
  readonly summary: string;
  /** Words in the blocks (runs of letters and digits), heading excluded. */
  readonly wordCount: number;
}

/** Ids that are kept of a page. */
export const MAX_IDS = 5_000;

export function lastSlug({ slugPath, slug }: Pick<ParsedSection, "slugPath" | "slug">): string {
  return slug ?? slugPath.slice(slugPath.lastIndexOf("/") + 1);
}

/** What a page of a built site says of itself beside its text. */
export interface SitePage {
  /** Whether it marks what is read of it (`data-pagefind-body`): then pages of the site without such a mark are left out. */
  readonly hasBody: boolean;
  /** Facets by key, as the page names them. They are facets however many values they have. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** What results can be sorted by, by key. */
  readonly sort: Readonly<Record<string, string>>;
  /** Id of the heading that is the page's title, or `""`. */
  readonly titleAnchor: string;
  /** Its address as the page says it, or `""`. */
  readonly canonical: string;
  /** Addresses on its site that it links to: from the root on with `/`, others resolved from its own path. Some, where it has many. */
  readonly links: readonly string[];
}

export interface ParsedDocument {
  /** Title: frontmatter `title`, else the first H1, else the first heading, else the file's name in words. */
  readonly title: string;
  /** Frontmatter `description` (or `summary`), folded to one line; `""` when absent. */
  readonly description: string;
  /** The whole frontmatter as parsed YAML, `{}` when absent or invalid. */
  readonly frontmatter: Readonly<Record<string, unknown>>;
  /** 1-based line where the text after the frontmatter begins (1 without frontmatter). */
  readonly bodyStartLine: number;
  readonly sections: readonly ParsedSection[];
  readonly diagnostics: readonly Diagnostic[];
  /** Ordinal of the section that an address leads to, by ids of elements that are no headings. */
  readonly ids?: Readonly<Record<string, number>> | undefined;
  /** Of a page of a built site. */
  readonly site?: SitePage;
}
