/**
 * Pages as a whole: their text in words, where the words of a query stand in it, the headings that can be linked to.
 *
 * All pages that are asked for together are read in one wave where their characters are not bounded, else in a few. A page is read from its
 * beginning up to a bound.
 */

import { loadDocuments } from "../docs/documents.ts";
import { facetsAmong } from "../docs/facets.ts";
import { makeDocumentId, makeUrl } from "../docs/node-id.ts";
import { InputError } from "../errors.ts";
import { collectionOf, findBlock, unitsOf } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { TextBlock } from "../format/text-block.ts";
import { addedBytes, type BlockRead, type IndexReader } from "../index/index-reader.ts";
import { readTexts } from "../index/read-texts.ts";
import { blockReads, readWithResident, residentTable } from "../index/resident.ts";
import { type Analyzer, visitTerms } from "../text/analyze.ts";
import { codeLanguageOf } from "../text/code-languages.ts";
import { stripMarkup } from "../text/markup.ts";
import { foldWhitespace } from "../text/short-text.ts";
import { placeOfKey, shownFacets } from "./find-pages.ts";
import { analyzerOfDocument } from "./search-languages.ts";

/** More than any page that a person reads to its end has. */
const DEFAULT_MAX_BYTES = 512 * 1024;
/** A heading of the first level weighs 7 words of text, one of the sixth 2, as in Pagefind. */
const HEADING_WEIGHT = 8;
const MAX_LEVEL = 6;
const SITE_PAGE = /\.html?$/i;
/** Letters of scripts that put no blanks between words: each stands for a word. */
const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}";
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, "gu");
const UNSPACED_WORD = new RegExp(`[${UNSPACED}]\\s*|[^\\s${UNSPACED}]+\\s*|\\s+`, "gu");
/** A text with one such letter in so many is split by letters. */
const UNSPACED_SHARE = 10;

const FENCE = /^[\s>]*(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
/** Code behind an empty line, but in a list. */
const INDENTED = /^(?: {4}|\t)/;
const LIST_ITEM = /^(?:[-*+]|\d{1,9}[.)])\s/;
/** A line that the block before it does not go on in. */
const BLOCK_START = /^[\s>]*(?:$|[-*+:]\s|\d{1,9}[.)]\s|#|```|~~~)/;
/** The end of a line that asks for a full stop, as Pagefind has it; signs of markup may be the last ones. */
const OPEN_END = /[\p{L}\p{N}_'"`)$*]\s*$/u;

interface PagesToRead {
  /** Generation that the keys are of. */
  readonly generation: string;
  /** Keys that `findPages` gave. */
  readonly keys: readonly string[];
  /** Terms with their weights, as `findPages` gave them. */
  readonly terms: readonly (readonly [term: string, weight: number])[];
  /** Makes a text of the index safe to show. */
  readonly clean: (text: string) => string;
  /** Compressed text of one page that is read at most; more than a person reads unless given. */
  readonly maxBytes?: number;
  /** Characters of one page that are read at most; as many as the compressed text holds unless given. */
  readonly maxCharacters?: number;
}

/** A word of a query in a page. */
interface PageMatch {
  /** Index in `words`. */
  readonly at: number;
  /** What the place is worth: 1 in text, 2 to 7 in a heading. */
  readonly weight: number;
  /** What the word is worth: the rarer, the more. */
  readonly rarity: number;
}

interface PageAnchor {
  /** From 1. */
  readonly level: number;
  readonly id: string;
  readonly title: string;
  /** Index of its first word in `words`. */
  readonly at: number;
}

export interface PageText {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  /** Address: whole where the collection has a `baseUrl`, else from the site's root on. */
  readonly url: string;
  /** True for a page of a built site: its meta data are what it names as such, not all of its frontmatter. */
  readonly isSitePage: boolean;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Those that the site made. */
  readonly facets: Readonly<Record<string, readonly string[]>>;
  /** Its text. */
  readonly words: readonly string[];
  /** Between words: a blank, or nothing where words are letters. */
  readonly joiner: " " | "";
  /** Words of the whole page. */
  readonly wordCount: number;
  /** In order; one for each word of the text at most. */
  readonly matches: readonly PageMatch[];
  readonly anchors: readonly PageAnchor[];
}

/** Pages by their keys, in the order asked for. @throws {InputError} for keys of another generation, or of no page. */
export async function readPages(
  reader: IndexReader,
  { generation, keys, terms, clean, maxBytes = DEFAULT_MAX_BYTES, maxCharacters }: PagesToRead,
): Promise<PageText[]> {
  if (generation !== reader.index.generation.id) throw new InputError("The index was published anew: search again.");
  await readWithResident(reader, ["locator"]);
  const places = keys.map((key) => placeOfKey(reader, key));
  const reads = places.map(({ shard, document }) =>
    blockReads(reader, shard, document, chooseUnits(reader, shard, document, maxBytes)),
  );
  const read = async (blocks: readonly BlockRead[]): Promise<readonly TextBlock[]> =>
    (await readWithResident(reader, ["facets"], [], blocks)).blocks;
  const texts = await readTexts(reads, read, undefined, maxCharacters);
  const weights = new Map(terms);
  const facets = new Map(places.map(({ shard }) => [shard, shownFacets(reader, shard)]));
  const ids = places.map(({ shard, document }, page) => {
    const collection = reader.collectionAt(collectionOf(residentTable(reader, shard, "locator"), document));
    return makeDocumentId(collection.name, texts[page]?.blocks[0]?.path ?? "");
  });
  const entries = new Map((await loadDocuments(reader, ids)).map((entry) => [entry.id, entry]));
  return places.map(({ shard, document }, page) => {
    const own = texts[page]?.blocks ?? [];
    const locator = residentTable(reader, shard, "locator");
    const collection = reader.collectionAt(collectionOf(locator, document));
    const [first] = own as [TextBlock];
    const { description = "", meta = {} } = entries.get(ids[page] as string) ?? {};
    const text = joinText(own, clean);
    return {
      key: keys[page] as string,
      title: clean(first.title),
      description: clean(description),
      url: makeUrl({ ...collection, baseUrl: collection.baseUrl || "/" }, first.path, ""),
      isSitePage: SITE_PAGE.test(first.path),
      meta,
      facets: facetsAmong(facets.get(shard) ?? [], document),
      words: text.words,
      joiner: text.joiner,
      anchors: text.anchors,
      wordCount: Math.max(text.words.length, Math.round(locator.bodies[document] as number)),
      matches: findMatches(text, weights, analyzerOfDocument(reader, shard, document)),
    };
  });
}

function chooseUnits(reader: IndexReader, shard: number, document: number, maxBytes: number): number[] {
  const locator = residentTable(reader, shard, "locator");
  let bytes = 0;
  return unitsOf(locator, document).filter((unit) => {
    const isRead = unit === FIRST_TEXT_UNIT || bytes < maxBytes;
    bytes += addedBytes(unit, findBlock(locator, document, unit));
    return isRead;
  });
}

interface JoinedText extends Pick<PageText, "words" | "joiner" | "anchors"> {
  /** What a place is worth, from the word at an index on. */
  readonly worth: readonly { readonly at: number; readonly weight: number }[];
}

/** The text of a page that is read in blocks, as people see it. */
function joinText(blocks: readonly TextBlock[], clean: (text: string) => string): JoinedText {
  const sections = groupBySection(blocks);
  const lines = sections.map((own, at) => showText(own, at === 0).map((line) => clean(line)));
  const isUnspaced = lines.some((own) => own.some(holdsUnspaced));
  const split = (text: string): readonly string[] =>
    isUnspaced ? (`${text} `.match(UNSPACED_WORD) ?? []) : text.split(/\s+/).filter((word) => word !== "");
  const words: string[] = [];
  const anchors: PageAnchor[] = [];
  const worth: { at: number; weight: number }[] = [];
  for (const [index, own] of sections.entries()) {
    const [{ title, section }] = own as [TextBlock];
    const heading = clean(section.title || title);
    const [head, ...body] = lines[index] as [string?, ...string[]];
    const isHeading = head !== undefined && foldWhitespace(head) === foldWhitespace(heading);
    const level = Math.min(MAX_LEVEL, section.level || 1);
    if (section.anchor !== "") {
      anchors.push({ level, id: section.anchor, title: heading, at: words.length });
    }
    if (isHeading) worth.push({ at: words.length, weight: HEADING_WEIGHT - level });
    if (head !== undefined) words.push(...split(isHeading ? endSentence(head) : head));
    worth.push({ at: words.length, weight: 1 });
    for (const line of body) words.push(...split(line));
  }
  return { words, joiner: isUnspaced ? "" : " ", anchors, worth };
}

/** Runs of blocks that belong to one section each. */
function groupBySection(blocks: readonly TextBlock[]): TextBlock[][] {
  const groups: TextBlock[][] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    const before = last?.[0]?.section;
    const { level, slug, startLine } = block.section;
    if (before?.level === level && before.slug === slug && before.startLine === startLine) last?.push(block);
    else groups.push([block]);
  }
  return groups;
}

function showText(blocks: readonly TextBlock[], isStart: boolean): string[] {
  const source = blocks.map(({ text }) => text).join("");
  const isCode = codeLanguageOf(blocks[0]?.path ?? "") !== undefined;
  const shown = isCode ? source : stripMarkup(endBlocks(source), isStart);
  return shown.split("\n").filter((line) => line.trim() !== "");
}

/** Markdown whose paragraphs and list items end in a full stop: in an excerpt they stand behind one another. */
function endBlocks(source: string): string {
  const lines = source.split("\n");
  let fence = "";
  let isList = false;
  let isCode = false;
  const ended = lines.map((line, at) => {
    const [, marks = "", info = ""] = FENCE.exec(line) ?? [];
    if (fence === "") fence = marks;
    else if (marks.startsWith(fence) && info.trim() === "") fence = "";
    const isBlank = line.trim() === "";
    if (/^\S/.test(line)) isList = LIST_ITEM.test(line);
    if (!isBlank) isCode = INDENTED.test(line) && !isList && (isCode || (lines[at - 1] ?? "").trim() === "");
    const isProse = fence === "" && marks === "" && !isCode && !line.startsWith("#");
    return isProse && BLOCK_START.test(lines[at + 1] ?? "") && OPEN_END.test(line) ? `${line.trimEnd()}.` : line;
  });
  return ended.join("\n");
}

function holdsUnspaced(text: string): boolean {
  return (text.match(UNSPACED_LETTER)?.length ?? 0) * UNSPACED_SHARE > text.length;
}

/** Headings run into the text behind them: a full stop keeps them apart. */
function endSentence(text: string): string {
  return /[\p{L}\p{N}]\s*$/u.test(text) ? `${text.trimEnd()}.` : text;
}

function findMatches(
  { words, joiner, worth }: JoinedText,
  weights: ReadonlyMap<string, number>,
  analyzer: Analyzer,
): PageMatch[] {
  if (weights.size === 0) return [];
  const rarities = new Map<number, number>();
  let word = 0;
  let end = words[0]?.length ?? 0;
  const visit = (term: string, start: number, stop: number): void => {
    const rarity = weights.get(term) ?? 0;
    // Terms come in the order of their beginnings, but for the parts of a word.
    while (word > 0 && start < end - (words[word]?.length ?? 0)) {
      end -= (words[word]?.length ?? 0) + joiner.length;
      word--;
    }
    while (start >= end && word < words.length - 1) {
      word++;
      end += joiner.length + (words[word]?.length ?? 0);
    }
    if (rarity === 0) return;
    let last = end;
    for (let at = word; at < words.length; at++) {
      rarities.set(at, Math.max(rarity, rarities.get(at) ?? 0));
      if (last >= stop) break;
      last += joiner.length + (words[at + 1]?.length ?? 0);
    }
  };
  visitTerms(words.join(joiner), (term, _kind, _stop, start, stop) => visit(term, start, stop), analyzer);
  const matches: PageMatch[] = [];
  let part = 0;
  for (const [at, rarity] of [...rarities].sort(([a], [b]) => a - b)) {
    while (part < worth.length - 1 && (worth[part + 1]?.at ?? 0) <= at) part++;
    matches.push({ at, weight: worth[part]?.weight ?? 1, rarity });
  }
  return matches;
}
