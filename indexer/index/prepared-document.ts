/**
 * A document made ready for the index, in the parts that a build handles separately: the card stays in memory, all others are
 * kept as bytes until their turn comes (`cache/packed-document.ts`).
 */
import { joinSlugs, makeNodeId } from "../../src/core/docs/node-id.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type { CollectionConfig } from "../config/config.ts";
import type { CodeFile } from "../languages/base/code-file.ts";
import type { PreparedLink, SectionRow } from "../link/links.ts";
import type { CodeWord } from "../parse/code-words.ts";
import type { Grams } from "../parse/grams.ts";
import type { ParsedDocument, SitePage } from "../parse/parsed-document.ts";
import type { DocumentWords } from "../topics/concept-uses.ts";
import type { ConceptCandidate } from "../topics/find-candidates.ts";
import type { WordSource } from "../topics/synonyms.ts";
import type { InvertedDocument } from "./invert.ts";

/** Files of a collection of kind `site` that are read as HTML; others in it are read by their endings. */
const SITE_PAGE = /\.html?$/i;

export interface PreparedDocument {
  readonly card: DocumentCard;
  readonly body: DocumentBody;
  /** Of a source file alone. */
  readonly code?: PreparedCode;
  /** Phrases that a page may be about; none for a source file. */
  readonly candidates: readonly ConceptCandidate[];
  /** Its words in order, in which concepts are found. */
  readonly words: DocumentWords;
}

/** What a build needs of every document at any time. */
export interface DocumentCard extends WordSource {
  /** Number of the document inside its shard, and index of its collection; those of the build at hand. */
  readonly number: number;
  readonly collection: number;
  readonly path: string;
  readonly title: string;
  readonly description: string;
  /** The beginning of its text, as `makePreview` cuts it. */
  readonly preview: string;
  readonly hash: string;
  readonly words: number;
  readonly lines: number;
  /** Bytes of frontmatter at the start of the file. */
  readonly skip: number;
  readonly facets: Readonly<Record<string, readonly string[]>>;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly sections: readonly SectionRow[];
  readonly links: readonly PreparedLink[];
  /** Length code of the body, words of the other fields. */
  readonly lengths: {
    readonly body: number;
    readonly title: number;
    readonly path: number;
    readonly description: number;
  };
  readonly diagnostics: readonly Diagnostic[];
  /** Names in a page that may be those of symbols; none where the corpus has no source files. */
  readonly codeWords: readonly CodeWord[];
  readonly isSource: boolean;
  /** Set where it is a source file that says it is generated. */
  readonly isGenerated?: true;
  readonly ids?: ParsedDocument["ids"];
  /** Of a page of a built site: what it says of itself. */
  readonly site?: SitePage;
}

/** The large part: what goes into the tables of terms, the locator and the text. */
export interface DocumentBody {
  readonly inverted: Omit<InvertedDocument, "unitLengths">;
  readonly unitCodes: Uint8Array;
  /** Grams of the text. */
  readonly grams: Grams;
  /** The block that each unit begins, not yet sealed; empty for a unit in the block of the one before. */
  readonly blocks: readonly Uint8Array[];
}

export interface PreparedCode {
  readonly file: CodeFile;
  /** By symbol: ordinal of the section that shows it. */
  readonly sectionOf: readonly number[];
}

export function sectionIds(id: string, path: string, sections: DocumentCard["sections"]): string[] {
  const slugPaths: string[] = [];
  return sections.map(([, , parent, slug], ordinal) => {
    const above = parent > 0 ? [slugPaths[parent] as string] : [];
    slugPaths.push(ordinal === 0 ? "" : joinSlugs(path, [...above, slug]));
    return makeNodeId(id, slugPaths[ordinal] as string);
  });
}

/** Whether a file is read as HTML. */
export function isSitePage({ kind }: Pick<CollectionConfig, "kind">, path: string): boolean {
  return kind === "site" && SITE_PAGE.test(path);
}
