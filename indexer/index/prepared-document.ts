/**
 * A document made ready for the index, in the parts that a build handles separately: the card stays in memory, all others are
 * kept as bytes until their turn comes (see below).
 */

import { deserialize, serialize } from "node:v8";
import { concatBytes, encodeJson } from "../../src/core/bytes/writer.ts";
import { joinSlugs, makeNodeId } from "../../src/core/docs/node-id.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type { CollectionConfig } from "../config/config.ts";
import type { CodeFile, CodeSymbol, CodeUse } from "../languages/base/code-file.ts";
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

export function isSitePage({ kind }: Pick<CollectionConfig, "kind">, path: string): boolean {
  return kind === "site" && SITE_PAGE.test(path);
}

/*
 * A prepared document in parts, each as bytes: what threads hand over and the parse cache keeps.
 *
 * A build reads all cards at once and the other parts one document at a time. Long lists of a card stay bytes, too: as objects,
 * sections and links of a million sections would not fit into the heap.
 */

/** `code` is empty where the document is no source file. */
export const PARTS = ["card", "body", "code", "candidates", "words"] as const;

export type Part = (typeof PARTS)[number];

export type PackedDocument = Readonly<Record<Part, Uint8Array>>;

/** No term, word or gram holds it; a stop list's name holds a byte 0. */
const BETWEEN = "\n";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

export function packDocument({ card, body, code, candidates, words }: PreparedDocument): PackedDocument {
  const { sections, links, ...head } = card;
  return {
    card: serialize({ head, sections: encodeJson(sections), links: encodeJson(links) }),
    body: encodeBody(body),
    code: code === undefined ? new Uint8Array() : encodeCode(code),
    candidates: encodeJson(candidates),
    words: serialize({ ...words, terms: words.terms.join(BETWEEN) }),
  };
}

/** The card that was packed, in its place in this build. Its long lists are made anew at each access. */
export function openCard(bytes: Uint8Array, place: Pick<DocumentCard, "number" | "collection">): DocumentCard {
  const { head, sections, links } = deserialize(bytes) as {
    readonly head: Omit<DocumentCard, "sections" | "links">;
    readonly sections: Uint8Array;
    readonly links: Uint8Array;
  };
  return {
    ...head,
    number: place.number,
    collection: place.collection,
    get sections() {
      return JSON.parse(utf8.decode(sections)) as DocumentCard["sections"];
    },
    get links() {
      return JSON.parse(utf8.decode(links)) as DocumentCard["links"];
    },
  };
}

/** Texts are joined: one long text is read several times faster than many. */
export function encodeBody({ inverted, unitCodes, grams, blocks }: DocumentBody): Uint8Array {
  const { terms, words, ...lists } = inverted;
  return serialize({
    lists,
    unitCodes,
    ascii: grams.ascii,
    texts: [terms, words, grams.others].map((list) => (list.length === 0 ? undefined : list.join(BETWEEN))),
    blocks: concatBytes(blocks),
    blockLengths: blocks.map(({ length }) => length),
  });
}

export function decodeBody(bytes: Uint8Array): DocumentBody {
  const { lists, unitCodes, ascii, texts, blocks, blockLengths } = deserialize(bytes) as {
    readonly lists: Omit<DocumentBody["inverted"], "terms" | "words">;
    readonly unitCodes: Uint8Array;
    readonly ascii: Uint32Array;
    readonly texts: readonly (string | undefined)[];
    readonly blocks: Uint8Array;
    readonly blockLengths: readonly number[];
  };
  const [terms = [], words = [], others = []] = texts.map((text) => text?.split(BETWEEN));
  let end = 0;
  return {
    inverted: { ...lists, terms, words },
    unitCodes,
    grams: { ascii, others },
    blocks: blockLengths.map((length) => {
      end += length;
      return blocks.subarray(end - length, end);
    }),
  };
}

export function decodeCandidates(bytes: Uint8Array): ConceptCandidate[] {
  return JSON.parse(utf8.decode(bytes)) as ConceptCandidate[];
}

export function decodeWords(bytes: Uint8Array): DocumentWords {
  const { terms, ...places } = deserialize(bytes) as Omit<DocumentWords, "terms"> & { readonly terms: string };
  return { ...places, terms: terms.split(BETWEEN) };
}

/** A source file without its uses. */
interface CodeOutline {
  readonly file: Omit<CodeFile, "uses">;
  /** By symbol: ordinal of the section that shows it. */
  readonly sectionOf: readonly number[];
}

interface CodeParts {
  readonly outline: Uint8Array;
  readonly uses: Uint8Array;
}

/** Types and calls in one another. V8 writes by recursion, and reads in threads with small stacks: deeper ones are given up. */
const MAX_DEPTH = 400;

/**
 * Bytes of a source file, in two parts: symbols and imports, which linking needs of all files at once, and uses, which it goes through
 * file by file and which are most of it.
 */
export function encodeCode({ file: { uses, symbols, ...rest }, sectionOf }: PreparedCode): Uint8Array {
  const depths = new Map<object, number>();
  const isShort = (value: object): boolean => measureDepth(value, depths, MAX_DEPTH) <= MAX_DEPTH;
  const shorten = ({ type, takes, typeParameters, signatures, ...symbol }: CodeSymbol): CodeSymbol => ({
    ...symbol,
    ...(type !== undefined && isShort(type) && { type }),
    ...(takes !== undefined && isShort(takes) && { takes }),
    ...(typeParameters !== undefined && isShort(typeParameters) && { typeParameters }),
    ...(signatures !== undefined && isShort(signatures) && { signatures }),
  });
  const outline: CodeOutline = { file: { ...rest, symbols: symbols.map(shorten) }, sectionOf };
  const parts: CodeParts = {
    outline: serialize(outline),
    uses: serialize(uses.filter(({ target }) => isShort(target))),
  };
  return serialize(parts);
}

/** All but the uses of what `encodeCode` wrote. */
export function decodeOutline(bytes: Uint8Array): CodeOutline {
  return deserialize((deserialize(bytes) as CodeParts).outline) as CodeOutline;
}

/** The uses of what `encodeCode` wrote. */
export function decodeCodeUses(bytes: Uint8Array): CodeUse[] {
  return deserialize((deserialize(bytes) as CodeParts).uses) as CodeUse[];
}

/** Objects in one another, the value itself included; infinite beyond `most`. */
function measureDepth(value: object, known: Map<object, number>, most: number): number {
  const before = known.get(value);
  if (before !== undefined) return before;
  if (most === 0) return Number.POSITIVE_INFINITY;
  let depth = 0;
  for (const inner of Object.values(value) as unknown[]) {
    if (typeof inner === "object" && inner !== null) depth = Math.max(depth, measureDepth(inner, known, most - 1));
  }
  known.set(value, depth + 1);
  return depth + 1;
}
