/**
 * Hits: from scored documents to what an answer shows of them, reading text for the first sections only.
 *
 * Sections beyond those are named by their ordinal. A document whose text was read is named by it; the others by the
 * titles, which are read whole where they are small, and else by a block of theirs. One wave of reads for up to six of them.
 */
import { utf8Length } from "../bytes/encodings.ts";
import { joinSlugs, makeDocumentId, makeNodeId, makeOrdinalId, makeUrl, type SiteAddress } from "../docs/node-id.ts";
import { collectionOf, isContinuation, type Locator } from "../format/locator.ts";
import { FIRST_TEXT_UNIT } from "../format/postings.ts";
import type { TextBlock } from "../format/text-block.ts";
import type { DocumentName } from "../index/decode-tables.ts";
import { type BlockRead, checkPath, type IndexReader } from "../index/index-reader.ts";
import {
  blockReads,
  isAtHand,
  knownName,
  type ResidentTable,
  readWithResident,
  residentTable,
} from "../index/resident.ts";
import { type Analyzer, ENGLISH, type TermVisitor, visitTerms } from "../text/analyze.ts";
import { codeLanguageOf } from "../text/code-languages.ts";
import { dropHeading, flattenMarkup, stripMarkup } from "../text/markup.ts";
import { quoteCode, shortenText } from "../text/short-text.ts";
import type { DocumentHit, ExcerptPart, SearchRequest, SectionHit } from "./answer.ts";
import type { LoadRefined } from "./refined.ts";
import type { ScoredDocument, ScoredSection } from "./scoring.ts";
import { analyzerOfDocument } from "./search-languages.ts";

interface WantedSection {
  /** Index of the document on the page. */
  readonly document: number;
  readonly section: ScoredSection;
  readonly read: BlockRead;
}

/** A document of the page with what was read of it. */
interface ReadDocument {
  readonly name: DocumentName;
  readonly blocks: ReadonlyMap<ScoredSection, TextBlock>;
}

/** Hits for one page of scored documents. `weights` are those of the query's terms, for choosing excerpts. */
export async function loadHits(
  reader: IndexReader,
  page: readonly ScoredDocument[],
  request: SearchRequest,
  weights: ReadonlyMap<string, number>,
  load: LoadRefined,
): Promise<DocumentHit[]> {
  if (page.length === 0 && request.withFacetCounts === false) return [];
  const withFacets = request.withFacetCounts === true || isAtHand(reader, "facets");
  const documents = await readDocuments(reader, page, request, withFacets);
  const facetsOf = withFacets ? (await load()).facetsOf : undefined;
  const hits = page.map((scored, at): DocumentHit => {
    const shard = shardOf(reader, scored);
    const { name, blocks } = documents[at] as ReadDocument;
    const locator = residentTable(reader, shard, "locator");
    const collection = reader.collectionAt(collectionOf(locator, scored.document));
    const id = makeDocumentId(collection.name, name.path);
    const isCode = codeLanguageOf(name.path) !== undefined;
    const analyzer = analyzerOfDocument(reader, shard, scored.document);
    return {
      id,
      collection: collection.name,
      path: name.path,
      title: name.title,
      description: "",
      url: makeUrl(collection, name.path, ""),
      score: scored.score,
      contentHash: "",
      facets: facetsOf?.(reader, shard, scored.document) ?? {},
      meta: {},
      isFallback: scored.isFallback,
      sections: scored.sections.map((section) => {
        const own = blocks.get(section);
        const { ordinal } = section;
        const base = { nodeId: makeOrdinalId(id, ordinal), ordinal, score: section.score, ...UNREAD };
        if (own === undefined) return base;
        reader.countScanned(utf8Length(own.text));
        const begins = isCode ? "code" : whatBegins(locator, scored.document, section.unit);
        const strip = (text: string, isStart: boolean): string => stripOnce(own, text, isStart);
        const excerpt = makeExcerpt(own.text, own.section.title || own.title, weights, begins, analyzer, strip);
        return { ...base, ...describeSection(id, collection, own), excerpt };
      }),
    };
  });
  return request.withDetails ? (await load()).addDetails(reader, hits) : hits;
}

function whatBegins(locator: Locator, document: number, unit: number): UnitBegins {
  if (unit === FIRST_TEXT_UNIT) return "file";
  return isContinuation(locator, document, unit) ? "nothing" : "section";
}

/** The documents of a page with their names and the text of the first sections. */
async function readDocuments(
  reader: IndexReader,
  page: readonly ScoredDocument[],
  request: SearchRequest,
  withFacets: boolean,
): Promise<ReadDocument[]> {
  const wanted = chooseExcerpts(reader, page, request);
  const withText = new Set(wanted.map(({ document }) => document));
  const unnamed = page.filter(
    (scored, at) => !withText.has(at) && knownName(reader, shardOf(reader, scored), scored.document) === undefined,
  );
  const isWhole = isAtHand(reader, "titles");
  const resident: ResidentTable[] = withFacets ? ["facets"] : [];
  if (isWhole && unnamed.length > 0) resident.push("titles");
  // A block is a quarter of what a name takes in the titles.
  const naming = isWhole ? [] : unnamed.flatMap((scored) => readOf(reader, scored, scored.sections[0]));
  const wave = await readWithResident(reader, resident, [], [...wanted.map(({ read }) => read), ...naming]);
  const named = new Map(naming.map((_, at) => [unnamed[at], wave.blocks[wanted.length + at]]));
  return page.map((scored, at) => {
    const known = knownName(reader, shardOf(reader, scored), scored.document) ?? named.get(scored);
    const blocks = new Map<ScoredSection, TextBlock>();
    for (const [index, { document, section }] of wanted.entries()) {
      if (document !== at) continue;
      const block = wave.blocks[index] as TextBlock;
      // The titles may have come with this very wave.
      checkPath(known?.path, block);
      blocks.set(section, block);
    }
    const [block] = blocks.values();
    return { name: known ?? { path: block?.path ?? "", title: block?.title ?? "" }, blocks };
  });
}

/**
 * The sections whose text is read: the first ones in the order of the answer. Where texts name the documents, too, and where it
 * is asked for, the best section of each comes first, then the further ones of the first documents.
 */
function chooseExcerpts(
  reader: IndexReader,
  page: readonly ScoredDocument[],
  { excerpts, isSpread }: SearchRequest,
): WantedSection[] {
  const order = page.flatMap(({ sections }, document) =>
    sections.map((section, rank) => ({ document, section, rank })),
  );
  const isNamed = reader.residency === "shown" && excerpts > 0;
  if (isSpread || isNamed) order.sort((a, b) => Math.min(a.rank, 1) - Math.min(b.rank, 1));
  const count = isNamed ? Math.max(excerpts, page.length) : excerpts;
  return order.slice(0, count).map(({ document, section }) => {
    const scored = page[document] as ScoredDocument;
    return { document, section, read: readOf(reader, scored, section) };
  });
}

/** The block of a section, or the first of a document. */
function readOf(reader: IndexReader, scored: ScoredDocument, section?: ScoredSection): BlockRead {
  const [read] = blockReads(reader, shardOf(reader, scored), scored.document, [section?.unit ?? FIRST_TEXT_UNIT]);
  return read as BlockRead;
}

/** Index in the root of a document's shard. */
function shardOf(reader: IndexReader, { shard }: ScoredDocument): number {
  return reader.shards[shard]?.index ?? 0;
}

/** A section whose text was not read. */
const UNREAD = { heading: "", headingPath: [], url: "", startLine: 0, endLine: 0, excerpt: [] } as const;

function describeSection(
  documentId: string,
  collection: SiteAddress,
  { path, title, ancestors, section: own }: TextBlock,
): Omit<SectionHit, "ordinal" | "score" | "excerpt"> {
  const chain = own.level ? [...ancestors, own] : [];
  const slugs = chain.map(({ slug }) => slug);
  return {
    nodeId: makeNodeId(documentId, joinSlugs(path, slugs)),
    heading: own.title || title,
    headingPath: [title, ...chain.map((section) => section.title)],
    url: makeUrl(collection, path, own.title && own.anchor),
    startLine: own.startLine,
    endLine: own.endLine,
  };
}

/** Words an excerpt has. */
const WINDOW_WORDS = 30;
/** A cut is moved to the end of a sentence or line when one is this near, in words. */
const SNAP_WORDS = 8;
/** Longest excerpt whatever the words' lengths. */
const MAX_CHARACTERS = 360;

interface Word {
  readonly start: number;
  readonly end: number;
  /** Weight of the term that it matches, 0 when none. */
  weight: number;
  /** Number of the term that it matches, for counting different ones. */
  term: number;
}

/**
 * What a unit's source begins: the file (frontmatter is left out then), a section, or nothing, as it goes on with the unit
 * before it; `code` for source code, which is shown as it stands.
 */
type UnitBegins = "file" | "section" | "nothing" | "code";

/**
 * The best window of a unit's source, without its heading, which is shown beside it: of words that only the heading has,
 * nothing is marked.
 *
 * @param heading Text of the heading of the unit's section, with which the source may begin; `""` for none.
 * @param weights Weight of each term that counts; a window is worth the sum over its matches, repeated ones at less.
 */
export function makeExcerpt(
  source: string,
  heading: string,
  weights: ReadonlyMap<string, number>,
  begins: UnitBegins,
  analyzer: Analyzer = ENGLISH,
  strip = showMarkup,
): ExcerptPart[] {
  const show = (text: string): ExcerptPart[] => mark(text, findWords(text, weights, analyzer));
  if (begins === "code") return show(source.replace(/\S.*/g, (line) => `${CODE}${line.trimEnd()}${CODE}`));
  const body = dropHeading(source);
  const hasDropped = body !== source;
  const text = strip(body, begins === "file");
  // A heading that no sign of its own opens is told by what it says.
  const shown = hasDropped || begins === "nothing" ? text : dropLine(text, heading);
  const words = findWords(shown, weights, analyzer);
  if (words.some(isMatch)) return mark(shown, words);
  const sought = new Map(weights);
  // Words of the heading are shown, but where that is all of the text, those in tags are better than nothing.
  if (!hasDropped || words.length > 0) visitTerms(heading, (term) => sought.delete(term), analyzer);
  // For words that are nowhere shown: of an attribute, say, or of a line of code taken for prose.
  const flat = flattenMarkup(body, begins === "file").find((form) => findWords(form, sought, analyzer).some(isMatch));
  return show(flat ?? shown);
}

/** Halves of characters, which no text holds, stand at both ends of code and of what is marked until all of it is known. */
const CODE = "\ud800";
const MARK = "\udbff";

function showMarkup(source: string, isStart: boolean): string {
  return stripMarkup(source, isStart, CODE, " · ");
}

/** Blocks without their markup. Caches count twice the length of a text, so there is room for it. */
const stripped = new WeakMap<TextBlock, string>();

function stripOnce(block: TextBlock, text: string, isStart: boolean): string {
  const known = stripped.get(block);
  if (known !== undefined) return known;
  const made = showMarkup(text, isStart);
  stripped.set(block, made);
  return made;
}

/** The text without its first line, where that is the one named. */
function dropLine(text: string, line: string): string {
  const [first = ""] = text.split("\n", 1);
  return first.replaceAll(CODE, "") === line ? text.slice(first.length + 1) : text;
}

function isMatch({ weight }: Word): boolean {
  return weight > 0;
}

function findWords(text: string, weights: ReadonlyMap<string, number>, analyzer: Analyzer): Word[] {
  const words: Word[] = [];
  const numbers = new Map<string, number>();
  const visit: TermVisitor = (term, kind, _stop, start, end) => {
    const weight = weights.get(term) ?? 0;
    const last = words.at(-1);
    if (weight > 0 && !numbers.has(term)) numbers.set(term, numbers.size);
    // A part lies inside its whole, another form on its word: they are one word of the text, and the heavier counts.
    if (last !== undefined && (kind === "word" || kind === "whole" ? start === last.start : start < last.end)) {
      if (weight > last.weight) {
        last.weight = weight;
        last.term = numbers.get(term) ?? -1;
      }
      return;
    }
    words.push({ start, end, weight, term: numbers.get(term) ?? -1 });
  };
  visitTerms(text, visit, analyzer, weights.keys());
  return words;
}

interface Window {
  readonly first: number;
  readonly last: number;
}

/**
 * Slide over the words: a first match of a term counts whole, each further one a quarter. Two different ones side by side
 * count half of the lighter once more: a phrase is worth more than its words apart.
 */
function bestWindow(text: string, words: readonly Word[]): Window {
  const counts = new Map<number, number>();
  let value = 0;
  let best = -1;
  let bestFirst = 0;
  for (let last = 0; last < words.length; last++) {
    value += gain(words[last] as Word, counts, 1) + sideBySide(words[last - 1], words[last] as Word);
    const first = last - WINDOW_WORDS + 1;
    if (first > 0)
      value -= gain(words[first - 1] as Word, counts, -1) + sideBySide(words[first - 1], words[first] as Word);
    if (value > best + 1e-9) {
      best = value;
      bestFirst = Math.max(0, first);
    }
  }
  return snap(text, words, bestFirst);
}

function sideBySide(before: Word | undefined, word: Word): number {
  return before === undefined || before.term === word.term ? 0 : Math.min(before.weight, word.weight) / 2;
}

function gain(word: Word, counts: Map<number, number>, step: 1 | -1): number {
  if (word.weight === 0) return 0;
  const before = counts.get(word.term) ?? 0;
  counts.set(word.term, before + step);
  const isOnly = Math.max(before, before + step) === 1;
  return isOnly ? word.weight : word.weight / 4;
}

/** Move the window so that it begins with a sentence where one begins near, without losing its first match. */
function snap(text: string, words: readonly Word[], first: number): Window {
  // Where nothing matches, a text is shown from its beginning.
  const firstMatch = Math.max(
    first,
    words.findIndex(({ weight }, at) => at >= first && weight),
  );
  // The window ends with its last match more often than not; some words behind it read better than words far before.
  let begin = first;
  for (let i = firstMatch; i > Math.max(0, firstMatch - WINDOW_WORDS / 2); i--) {
    if (startsSentence(text, words, i)) {
      begin = i;
      break;
    }
  }
  if (firstMatch - begin > WINDOW_WORDS / 2) begin = Math.max(0, firstMatch - SNAP_WORDS);
  let end = Math.min(words.length, begin + WINDOW_WORDS) - 1;
  // What fits whole is shown whole.
  const lowestEnd = end === words.length - 1 ? end : Math.max(firstMatch, end - SNAP_WORDS);
  for (let i = end; i > lowestEnd; i--) {
    if (i + 1 < words.length && startsSentence(text, words, i + 1)) {
      end = i;
      break;
    }
  }
  return narrow(words, { first: begin, last: end }, firstMatch);
}

/** Take words off the end and then the start, but not the one at `kept`, until what is left is short enough. */
function narrow(words: readonly Word[], { first, last }: Window, kept: number): Window {
  const isLong = (): boolean => (words[last]?.end ?? 0) - (words[first]?.start ?? 0) > MAX_CHARACTERS;
  while (last > kept && isLong()) last--;
  while (first < kept && isLong()) first++;
  return { first, last };
}

function startsSentence(text: string, words: readonly Word[], index: number): boolean {
  if (index === 0) return true;
  const between = text.slice((words[index - 1] as Word).end, (words[index] as Word).start);
  return /[.!?…:]["')\]\ud800]*\s|\n/.test(between);
}

function mark(text: string, words: readonly Word[]): ExcerptPart[] {
  const window = bestWindow(text, words);
  const begin = words[window.first];
  const end = words[window.last];
  if (begin === undefined || end === undefined) return [];
  let shown = "";
  const add = (piece: string, edge = ""): void => {
    // One word can be longer than an excerpt may be.
    shown += edge + shortenText(piece, MAX_CHARACTERS).replace(/\s+/g, " ") + edge;
  };
  const tail = /^[.!?…)\]"'`;}>\ud800]*/.exec(text.slice(end.end, end.end + 6))?.[0] ?? "";
  const before = text.slice(0, begin.start).split(CODE);
  const isInCode = before.length % 2 === 0;
  // Signs that a line of code begins with belong to it: `@Component`, `$ npm`, `--flag`.
  const [lead] = (isInCode && /^\W{0,9}$/.exec(before.at(-1) ?? "")) || [""];
  let at = begin.start - lead.length;
  for (let i = window.first; i <= window.last; i++) {
    const word = words[i] as Word;
    if (word.weight === 0 || word.start < at) continue;
    add(text.slice(at, word.start));
    add(text.slice(word.start, word.end), MARK);
    at = word.end;
  }
  add(text.slice(at, end.end + tail.length));
  const quoted = shown
    .split(CODE)
    .map((piece, n) => (isInCode === (n % 2 === 0) && piece.trim() !== "" ? quoteCode(piece) : piece))
    .join("");
  return ((window.first > 0 ? "… " : "") + quoted + (window.last < words.length - 1 ? " …" : ""))
    .split(MARK)
    .flatMap((piece, n) => (piece === "" ? [] : [{ text: piece, marked: n % 2 === 1 }]));
}
