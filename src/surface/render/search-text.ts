/**
 * Search results as text and as JSON, how a search was understood, and how scores came about.
 *
 * ```
 * guide/install.md (2 sections) Install, 12.3
 *   How to get it running.
 *   @12-40 Linux > With apt #linux/with-apt
 *     Use **apt** to **install** the package.
 *     names src/install.ts#install
 *   also #n7
 * ```
 *
 * JSON holds each excerpt twice: as HTML in which everything but the marks is escaped, and as plain text.
 */

import type { MarkedDocument } from "../../core/docs/catalogue.ts";
import type {
  DocumentHit,
  ExcerptPart,
  Explanation,
  Interpretation,
  SearchAnswer,
  SectionHit,
} from "../../core/search/answer.ts";
import { quoteCode } from "../../core/text/short-text.ts";
import type { JsonObject } from "./answer.ts";
import { fence } from "./passages.ts";
import {
  cleanText,
  escapeHtml,
  foldLine,
  formatCount,
  formatLines,
  groupRuns,
  roundScore,
  roundTo,
  splitCode,
} from "./text.ts";

/** Terms shown of a word that stands for several. */
const MAX_TERMS = 5;
const SHOWN_DIGITS = 2;

/** Lines below a hit: the sum, then what each word gives, then what each section is worth. */
export function formatExplanation(explanation: Explanation): string[] {
  const { words, wholeTitle, name, pairs, sections, sectionsTotal, collectionWeight } = explanation;
  const fields = ["body", "title", "path", "description"] as const;
  const total = [
    ...fields.map((field) => [field, words.reduce((all, word) => all + word[field], 0)] as const),
    ["whole title", wholeTitle] as const,
    ["name", name] as const,
    ["pairs", pairs] as const,
    ["sections", sectionsTotal] as const,
  ];
  const weight = collectionWeight === 1 ? "" : `, × ${shown(collectionWeight)} for the collection`;
  return [
    `score = ${sum(total)}${weight}`,
    ...words.map((word) => {
      const others = word.terms.filter((term) => term !== word.word).slice(0, MAX_TERMS);
      const written = others.length > 0 ? `${word.word} (${others.join(", ")})` : word.word;
      return `${written}: ${sum(fields.map((field) => [field, word[field]]))}`;
    }),
    ...sections.map((section) => {
      const parts = (["text", "heading", "title", "coverage"] as const).map((name) => [name, section[name]] as const);
      return `#n${section.ordinal} × ${shown(section.share)}: ${sum(parts)}`;
    }),
  ];
}

/** The same as JSON: with its numbers rounded. */
function roundNumbers(value: unknown): unknown {
  if (typeof value === "number") return roundScore(value);
  if (Array.isArray(value)) return value.map(roundNumbers);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, roundNumbers(member)]));
}

function sum(parts: readonly (readonly [string, number])[]): string {
  const there = parts.filter(([, value]) => value !== 0);
  return there.length === 0 ? "0" : there.map(([name, value]) => `${name} ${shown(value)}`).join(" + ");
}

function shown(value: number): string {
  return String(roundTo(value, SHOWN_DIGITS));
}

const MAX_WORDS = 5;
const MAX_WORD_LENGTH = 40;

/** Sentences about a search, the most important first; none for plain words that were all found. */
export function describeSearch(answer: SearchAnswer): string[] {
  const { corrections, missingWords, unusedWords, stopWordsUsed, interpretation, unusedFields, relaxedPhrases } =
    answer;
  const notes: string[] = [];
  if (answer.operatorsAsText && answer.scoredTerms.length > 0) {
    notes.push("Quotes, dashes, OR and NOT were taken as text: the query is a sentence or asks for nothing else.");
  }
  if (corrections.length > 0) {
    const shown = corrections.map(({ written, corrected }) => `${quote(corrected)} (nothing holds ${quote(written)})`);
    const first = quote(corrections[0]?.written ?? "");
    notes.push(`Showing results for ${list(shown)}. To search as written: ${first} in quotes.`);
  }
  if (asksForNothing(answer)) notes.push("The query holds no word to search for: give letters or digits.");
  if (missingWords.length > 0) notes.push(`No document holds: ${list(missingWords.map(shorten))}.`);
  if (relaxedPhrases.length > 0) {
    const phrases = relaxedPhrases.map((alternatives) => alternatives.map(quote).join(" or "));
    notes.push(`No section holds ${list(phrases)}; these hold the words.`);
  }
  for (const { field, value, nearest } of unusedFields) {
    const near = nearest.length > 0 ? `; nearest: ${nearest.map(shorten).join(", ")}` : "";
    notes.push(`${field}:${shorten(value)} was not used: no document has that ${field}${near}.`);
  }
  const understood = interpretation === undefined ? "" : describeInterpretation(interpretation);
  if (understood !== "") notes.push(`Understood: ${understood}.`);
  if (answer.hits.some(({ isFallback }) => isFallback)) {
    notes.push("Last come documents that hold longer words only.");
  }
  if (answer.uncheckedDocuments > 0) {
    notes.push(
      `${formatCount(answer.uncheckedDocuments, "document")} further down ${answer.uncheckedDocuments === 1 ? "was" : "were"} not read and may hold the phrase; add words or read on.`,
    );
  }
  if (stopWordsUsed) notes.push("Only very common words were given, so they were searched.");
  if (unusedWords > 0) notes.push(`The last ${formatCount(unusedWords, "word")} of the query were not used.`);
  return notes;
}

function asksForNothing({ scoredTerms, interpretation, unusedFields }: SearchAnswer): boolean {
  const { required = [], excluded = [], fields = [] } = interpretation ?? {};
  return scoredTerms.length + unusedFields.length + required.length + excluded.length + fields.length === 0;
}

function describeInterpretation({ words, required, excluded, fields, beginnings }: Interpretation): string {
  return [
    ...(words.length > 0 ? [`words ${list(words.map(shorten))}`] : []),
    ...required.map((alternatives) => `phrase ${alternatives.map(quote).join(" or ")}`),
    ...excluded.map((text) => `without ${quote(text)}`),
    ...fields.map(
      ({ field, values, negated }) => `${field} ${negated ? "not " : ""}${values.map(shorten).join(" or ")}`,
    ),
    ...beginnings.map((text) => `words beginning with ${quote(text)}`),
  ].join("; ");
}

function list(texts: readonly string[]): string {
  const rest = texts.length > MAX_WORDS ? ` and ${texts.length - MAX_WORDS} more` : "";
  return `${texts.slice(0, MAX_WORDS).join(", ")}${rest}`;
}

function quote(text: string): string {
  return `"${shorten(text)}"`;
}

function shorten(text: string): string {
  return foldLine(text, MAX_WORD_LENGTH);
}

const MAX_TITLE_LENGTH = 120;
const MAX_DESCRIPTION_LENGTH = 120;
/** Symbols that are shown of those that neighbouring sections name. */
const MAX_SYMBOLS = 3;

interface HitTextOptions {
  /** The document's id as shown: a path where there is one collection only. */
  readonly shownId: (documentId: string) => string;
  /** Text of sections to show in place of their excerpts. */
  readonly contentOf?: (section: SectionHit) => SectionContent | undefined;
  /** Ids of the symbols that a section names, as shown. */
  readonly symbolsOf?: (section: SectionHit) => readonly string[];
  /** False for titles and ids only. */
  readonly withExcerpts: boolean;
}

/** Text of a section, from its start. */
interface SectionContent {
  readonly text: string;
  /** Lines that are not in it. */
  readonly linesLeft: number;
}

/** A document with its sections. */
export function formatHit(hit: DocumentHit, options: HitTextOptions): string {
  const read = hit.sections.filter(({ heading }) => heading !== "");
  const others = hit.sections.filter(({ heading }) => heading === "").map((section) => shortId(hit, section));
  const lines = [formatHead(hit, options)];
  if (hit.explanation !== undefined) lines.push(...formatExplanation(hit.explanation).map((line) => `    ${line}`));
  if (options.withExcerpts) {
    if (hit.description !== "") lines.push(`  ${foldLine(hit.description, MAX_DESCRIPTION_LENGTH)}`);
    for (const group of groupNeighbours(read, options.contentOf)) lines.push(...formatSections(hit, group, options));
    if (others.length > 0) lines.push(`  ${read.length > 0 ? "also " : ""}${others.join(", ")}`);
  } else {
    const ids = hit.sections.map((section) => shortId(hit, section));
    if (ids.length > 0) lines.push(`  ${ids.join(", ")}`);
  }
  return lines.join("\n");
}

/** A document on one line: id, number of sections, title, score. */
function formatHead(hit: DocumentHit, { shownId }: HitTextOptions): string {
  const sections = hit.sections.length > 0 ? ` (${formatCount(hit.sections.length, "section")})` : "";
  return `${shownId(hit.id)}${sections} ${foldLine(hit.title, MAX_TITLE_LENGTH)}, ${hit.score.toFixed(1)}`;
}

/** Sections that stand side by side on the page are one hit, as long as excerpts are all that is shown of them. */
function groupNeighbours(sections: readonly SectionHit[], contentOf?: HitTextOptions["contentOf"]): SectionHit[][] {
  const groups: SectionHit[][] = [];
  for (const section of sections) {
    const isNext = (other: SectionHit): boolean => Math.abs(other.ordinal - section.ordinal) === 1;
    const group = contentOf?.(section) === undefined ? groups.find((others) => others.some(isNext)) : undefined;
    if (group === undefined) groups.push([section]);
    else group.push(section);
  }
  return groups;
}

/** One line of places, below it the excerpts of all of the group's sections, in the order of the page. */
function formatSections(
  hit: DocumentHit,
  group: readonly SectionHit[],
  { contentOf, symbolsOf }: HitTextOptions,
): string[] {
  const sections = [...group].sort((a, b) => a.ordinal - b.ordinal);
  const paths = sections.map(({ headingPath }) => foldLine(headingPath.slice(1).join(" > "), MAX_TITLE_LENGTH));
  const ids = sections.map((section) => shortId(hit, section));
  const place = [
    linesOf(sections),
    paths.filter((path) => path !== "").join("; "),
    ids.join(", "),
    sections[0]?.url ?? "",
  ];
  const lines = [`  ${place.filter((part) => part !== "").join(" ")}`];
  for (const section of sections) {
    const content = contentOf?.(section);
    const text = formatExcerpt(section.excerpt);
    if (content === undefined) {
      if (text !== "") lines.push(`    ${text}`);
      continue;
    }
    lines.push(fence(content.text));
    if (content.linesLeft > 0) lines.push(`  (${formatCount(content.linesLeft, "line")} of this section left)`);
  }
  const symbols = formatSymbolNames(sections, symbolsOf);
  if (symbols !== "") lines.push(`    ${symbols}`);
  return lines;
}

/** `@12-40`: from the first line of the sections to the last. */
function linesOf(sections: readonly SectionHit[]): string {
  const start = Math.min(...sections.map(({ startLine }) => startLine));
  return `@${formatLines(start, Math.max(...sections.map(({ endLine }) => endLine)))}`;
}

/** `names src/install.ts#install`; `""` where sections name no symbol. */
function formatSymbolNames(sections: readonly SectionHit[], symbolsOf: HitTextOptions["symbolsOf"]): string {
  const symbols = [...new Set(sections.flatMap((section) => symbolsOf?.(section) ?? []))];
  return symbols.length === 0 ? "" : `names ${formatSome(symbols, MAX_SYMBOLS)}`;
}

function formatSome(items: readonly string[], limit: number): string {
  const left = items.length - limit;
  return `${items.slice(0, limit).join(", ")}${left > 0 ? ` (${left} more)` : ""}`;
}

/** The excerpt with its matches in bold, code as a whole; matches side by side share their marks. */
function formatExcerpt(parts: readonly ExcerptPart[]): string {
  const pieces = groupRuns(splitCode(parts), ({ isCode }) => isCode).flatMap((run) => {
    if (run[0]?.isCode !== true) return run;
    return [{ text: quoteCode(run.map(({ text }) => text).join("")), marked: run.some(({ marked }) => marked) }];
  });
  const text = pieces.map((part) => (part.marked ? `**${part.text}**` : part.text)).join("");
  return text.replace(/\*\*(\s)\*\*/g, "$1").trim();
}

/** Id of a section inside its document: `#linux`, `#n7`, `#n0` for the root. */
function shortId(hit: Pick<DocumentHit, "id">, { nodeId }: SectionHit): string {
  return nodeId.length > hit.id.length ? nodeId.slice(hit.id.length) : "#n0";
}

interface ResultOptions {
  /** Address of a document or section whose collection has no `baseUrl`. */
  readonly ownUrl: (documentId: string, nodeId: string) => string;
  /** Documents that the scan of the build warns of, where a result is to say so itself. */
  readonly marked?: readonly MarkedDocument[];
  /** Further members of a section. */
  readonly extra?: (section: SectionHit) => JsonObject;
}

/** A whole answer; what it cost is for the surface to say. */
export function toSearchJson(answer: SearchAnswer, options: ResultOptions): JsonObject {
  return {
    total: answer.totalDocuments,
    results: answer.hits.map((hit) => toResultJson(hit, options)),
    facetCounts: answer.facetCounts,
    ...(Object.keys(answer.preferred).length > 0 && { preferred: answer.preferred }),
    ...toQueryJson(answer),
  };
}

/** How the query was understood. */
export function toQueryJson(answer: SearchAnswer): JsonObject {
  const { corrections, interpretation, unusedFields, relaxedPhrases, uncheckedDocuments } = answer;
  return {
    missingWords: answer.missingWords,
    unusedWords: answer.unusedWords,
    correction: corrections.length === 0 ? null : { words: corrections },
    ...(interpretation !== undefined && { interpretation }),
    ...(unusedFields.length > 0 && { unusedFields }),
    ...(relaxedPhrases.length > 0 && { relaxedPhrases }),
    ...(answer.operatorsAsText && { operatorsAsText: true }),
    ...(uncheckedDocuments > 0 && { uncheckedDocuments }),
  };
}

/** One document that was found. */
export function toResultJson(hit: DocumentHit, options: ResultOptions): JsonObject {
  const { id, path, collection, title, description, score, meta, contentHash, facets, sections } = hit;
  const url = hit.url === "" ? options.ownUrl(id, id) : hit.url;
  const mark = options.marked?.find((one) => one.id === id);
  return {
    id,
    path,
    collection,
    url,
    title,
    description,
    score: roundScore(score),
    meta,
    contentHash,
    facets,
    ...(mark !== undefined && { warnings: mark.findings }),
    ...(hit.isFallback && { isFallback: true }),
    ...(hit.explanation !== undefined && { explanation: roundNumbers(hit.explanation) }),
    sections: sections.map((section) => toSectionJson(hit, section, options)),
  };
}

function toSectionJson(hit: DocumentHit, section: SectionHit, { ownUrl, extra }: ResultOptions): JsonObject {
  const { nodeId, heading, headingPath, score, excerpt, startLine, endLine } = section;
  return {
    nodeId,
    heading,
    headingPath,
    // A section whose anchor was not read leads to the top of its page.
    url: section.url || hit.url || ownUrl(hit.id, nodeId),
    score: roundScore(score),
    startLine,
    endLine,
    excerpt: excerpt.map(toHtml).join(""),
    plainExcerpt: excerpt.map(({ text }) => text).join(""),
    ...extra?.(section),
  };
}

function toHtml({ text, marked }: ExcerptPart): string {
  const escaped = escapeHtml(cleanText(text).text);
  return marked ? `<mark>${escaped}</mark>` : escaped;
}
