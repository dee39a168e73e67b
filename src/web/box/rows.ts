/**
 * An answer as rows: each page with its sections below it.
 *
 * Pure: answers in, rows out.
 */
import type { ExcerptPart } from "../../core/search/answer.ts";
import { UNSPACED } from "../../core/text/tokenize.ts";
import type { Found, FoundPage, FoundSection } from "../client/search-client.ts";

/** Where words begin, parts of identifiers do, or letters of scripts without blanks stand. */
const PLACES = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])[\\p{L}\\p{N}]|(?<=[\\p{Ll}\\p{N}])\\p{Lu}|[${UNSPACED}]`, "gu");

/** A row: a page, or a section in one. */
export interface Row {
  readonly page: FoundPage;
  /** Undefined for the row of the page itself. */
  readonly section: FoundSection | undefined;
  readonly url: string;
  readonly title: string;
  /** Headings above, without the page's title. */
  readonly above: readonly string[];
  readonly excerpt: readonly ExcerptPart[];
  /** What is to be marked where it leads: the excerpt, or the heading where that alone was found. */
  readonly marks: readonly ExcerptPart[];
}

/**
 * The rows of a page: itself, with what its first part says, then its sections, best first.
 *
 * @param isToldApart False where other pages have its title: its path stands above it then.
 */
export function listRows(page: FoundPage, isToldApart = true): readonly Row[] {
  const top = page.sections.find((section) => isTop(page, section));
  const sections = page.sections.filter((section) => section !== top && section.heading !== "");
  const excerpt = top?.excerpt.length ? top.excerpt : describe(page, sections);
  const own: Row = {
    page,
    section: undefined,
    url: page.url || page.sections[0]?.url || "",
    title: page.title || page.path,
    above: isToldApart ? [] : [page.path],
    excerpt,
    marks: excerpt,
  };
  return [own, ...sections.map((section) => toRow(page, section))];
}

/**
 * Which row of a page is chosen first: its best section; but the page where its title has all words of the query, or as many as the
 * section's heading, or where that heading is about something else and mentions a word. So the Enter key leads to the heading
 * or text that answers, and not to a side note.
 */
export function firstChoice(rows: readonly Row[], query: string): number {
  const [own, best] = rows;
  if (own === undefined || best === undefined || best.section !== own.page.sections[0]) return 0;
  const asked = wordsOf(query);
  const [inTitle, inHeading] = [own, best].map(({ title }) => {
    const words = wordsOf(title);
    return {
      found: asked.filter((word) => words.some((other) => isAlike(word, other))).length,
      // Short words of a title say nothing of what it is about.
      others: words.filter((word) => word.length > 3 && !asked.some((other) => isAlike(word, other))).length,
    };
  }) as [Coverage, Coverage];
  const isSideNote = inHeading.found > 0 && (inHeading.found <= inHeading.others || inHeading.found <= inTitle.found);
  return inTitle.found === asked.length || isSideNote ? 0 : 1;
}

/** Words of a query that a title has, and words of the title that the query has not. */
interface Coverage {
  readonly found: number;
  readonly others: number;
}

function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether one begins with the other: forms of a word do, and words that are not typed to their end. */
function isAlike(a: string, b: string): boolean {
  return a.length > 1 && b.length > 1 ? a.startsWith(b) || b.startsWith(a) : a === b;
}

/** What tells pages of several collections, or versions of one, apart; empty where nothing has to be. */
export function labelOf(page: FoundPage, { facetCounts, pages }: Pick<Found, "facetCounts" | "pages">): string {
  const isOneOfSeveral = (key: string): boolean => Object.keys(facetCounts[key] ?? {}).length > 1;
  const isElsewhere = pages.some(({ collection }) => collection !== page.collection);
  const versions = isOneOfSeveral("version") ? (page.facets["version"] ?? []) : [];
  return [...(isElsewhere || isOneOfSeveral("collection") ? [page.collection] : []), ...versions].join(" ");
}

/** Whether no other page of an answer has this one's title and label. */
export function isToldApart(page: FoundPage, found: Pick<Found, "facetCounts" | "pages">): boolean {
  const alike = found.pages.filter(({ title }) => title === page.title);
  return alike.filter((other) => labelOf(other, found) === labelOf(page, found)).length === 1;
}

/**
 * A title in parts, those marked that begin with a word of the query: words, parts of identifiers, and any place in scripts without
 * blanks. Case and accents do not count.
 */
export function markWords(title: string, query: string): readonly ExcerptPart[] {
  const asked = wordsOf(query).sort((a, b) => b.length - a.length);
  const parts: ExcerptPart[] = [];
  let at = 0;
  for (const { index } of title.matchAll(PLACES)) {
    const end = index < at ? undefined : findEnd(title, index, asked);
    if (end === undefined) continue;
    parts.push({ text: title.slice(at, index), marked: false }, { text: title.slice(index, end), marked: true });
    at = end;
  }
  return [...parts, { text: title.slice(at), marked: false }].filter(({ text }) => text !== "");
}

/** Where the longest of the words ends that stands at a place; undefined where none does. */
function findEnd(title: string, from: number, words: readonly string[]): number | undefined {
  const longest = words[0]?.length ?? 0;
  let folded = "";
  let end = from;
  let found: number | undefined;
  // Letters with their accents, one by one.
  for (const [letter] of title.slice(from).matchAll(/.\p{M}*/gsu)) {
    folded += fold(letter);
    end += letter.length;
    if (words.includes(folded)) found = end;
    if (folded.length >= longest) break;
  }
  return found;
}

function isTop(page: FoundPage, { nodeId }: FoundSection): boolean {
  return nodeId === page.id || nodeId === `${page.id}#n0`;
}

function toRow(page: FoundPage, section: FoundSection): Row {
  const { url, heading, headingPath, excerpt } = section;
  const last = headingPath.at(-1) === heading ? -1 : undefined;
  const first = headingPath.findIndex((name) => name !== page.title);
  const above = first < 0 ? [] : headingPath.slice(first, last);
  const marks = excerpt.some(({ marked }) => marked) ? excerpt : [{ text: heading, marked: true }];
  return { page, section, url: url || page.url, title: heading, above, excerpt, marks };
}

/** A page of which nothing else is shown says what it is about. */
function describe({ description }: FoundPage, sections: readonly FoundSection[]): readonly ExcerptPart[] {
  const isSaid = sections.some(({ excerpt }) => excerpt.length > 0);
  // It was written as Markdown, in which code stands in backticks.
  return isSaid || description === "" ? [] : [{ text: description.replace(/`([^`]+)`/g, "$1"), marked: false }];
}

function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/**
 * The address in full, or undefined where it is none that a row may lead to: only those of pages (`http:`, `https:`) and
 * relative ones are.
 *
 * @param base Address of the page that shows the row.
 * @param isHere Keeps path, query and anchor, and takes the site of `base`: for previews of a site elsewhere.
 */
export function resolveAddress(address: string, base: string, isHere = false): string | undefined {
  if (address === "") return undefined;
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    return undefined;
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  return isHere ? new URL(base).origin + url.pathname + url.search + url.hash : url.href;
}
