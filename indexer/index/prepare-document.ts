/**
 * One file made ready for the index: parsed, cut into units, inverted, its text deflated.
 *
 * Everything that needs only this one file happens here, so that it can run in a worker thread; what comes out is
 * plain data. Pure.
 */
import { KEY_SEPARATOR } from "../../src/core/bytes/key.ts";
import { encodeUtf8 } from "../../src/core/bytes/writer.ts";
import { PREVIEW_LENGTH } from "../../src/core/docs/taxonomy-model.ts";
import { CONTINUATION } from "../../src/core/format/locator.ts";
import { FIRST_TEXT_UNIT } from "../../src/core/format/postings.ts";
import { encodeLength } from "../../src/core/format/quantize.ts";
import { type BlockAncestor, type BlockSection, encodeBlock } from "../../src/core/format/text-block.ts";
import { analyzerOf } from "../../src/core/text/analyzers.ts";
import { cutWithDots, shortenText } from "../../src/core/text/cut-text.ts";
import { deflateRaw } from "../base/codec.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type { CollectionConfig } from "../config/config.ts";
import type { PreparedLink, SectionRow } from "../link/links.ts";
import type { CodeFile } from "../parse/code/code-file.ts";
import { type CodeParsers, parseCode } from "../parse/code/parse-code.ts";
import { type CodeWord, findCodeWords } from "../parse/code-words.ts";
import { parseHtml } from "../parse/html/parse.ts";
import { foldWhitespace } from "../parse/markdown/page-text.ts";
import { parseMarkdown } from "../parse/markdown/parse.ts";
import { lastSlug, type ParsedDocument, type ParsedSection, type SitePage } from "../parse/parsed-document.ts";
import { toPlainText } from "../parse/plain-text.ts";
import { scanDocument } from "../scan/scan-document.ts";
import type { ReadResult } from "../sources/read-file.ts";
import type { SkippedFile } from "../sources/read-file.ts";
import { type Acronym, findAcronyms } from "../topics/acronyms.ts";
import { deriveFacets } from "../topics/facets.ts";
import { type ConceptCandidate, findCandidates } from "../topics/find-candidates.ts";
import { boundDocument } from "./bound-document.ts";
import { type InvertedDocument, invertDocument } from "./invert.ts";
import { type BeforeStage, FileStages, failureOf, type StageFailure, stageDiagnostic } from "./stages.ts";
import { collectGrams, type DocumentGrams } from "./trigrams.ts";
import { cutUnits, type Unit } from "./units.ts";

const SENTENCE_END = /[.!?:…。！？]["')\]]*$/u;

/** Frontmatter that travels with every block; what is longer stands in the catalogue only. */
const MAX_BLOCK_META_BYTES = 400;
const MAX_BLOCK_DESCRIPTION = 200;
const MAX_CATALOGUE_META_BYTES = 4_000;
const UNIT_LENGTH_LIMIT = 0x7f;
const FIELD_LIMIT = 0xff;
/** Files of a collection of kind `site` that are read as HTML; others in it are read by their endings. */
const SITE_PAGE = /\.html?$/i;
/**
 * Words that a section of a source file counts as having at least. A declaration of one line that names two words of a
 * question says less about them than a paragraph that does.
 */
const LEAST_SOURCE_WORDS = 60;

/** What to prepare. */
export interface PrepareTask {
  /** Number of the document inside its shard. */
  readonly number: number;
  /** Index of its collection. */
  readonly collection: number;
  readonly path: string;
  /** Set where a later stage failed on the file: it is prepared as plain text. */
  readonly plain?: StageFailure;
}

/** What linking needs of a source file. */
export interface PreparedCode {
  readonly file: CodeFile;
  /** By symbol: ordinal of the section that shows it. */
  readonly sectionOf: readonly number[];
}

/** One document, ready to be merged into a shard. */
export interface PreparedDocument {
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
  readonly inverted: Pick<InvertedDocument, "terms" | "unitBytes" | "ends" | "flags" | "pairs" | "words" | "lengths">;
  /** Length code of the body, words of the other fields. */
  readonly lengths: {
    readonly body: number;
    readonly title: number;
    readonly path: number;
    readonly description: number;
  };
  readonly unitCodes: Uint8Array;
  readonly grams: DocumentGrams;
  /** The text of each unit. */
  readonly blocks: readonly Uint8Array[];
  readonly diagnostics: readonly Diagnostic[];
  /** Acronyms that the document explains. */
  readonly acronyms: readonly Acronym[];
  /** Names in a page that may be those of symbols; none where the corpus has no source files. */
  readonly codeWords: readonly CodeWord[];
  /** Whether it is a source file. */
  readonly isSource: boolean;
  /** Of a page of a built site: what it says of itself. */
  readonly site?: SitePage;
  /** Of a source file alone, as it comes from parsing: it is kept apart from the rest. */
  readonly code?: PreparedCode;
  /** What a page may be about, as it comes from parsing: kept apart, too. */
  readonly candidates?: readonly ConceptCandidate[];
}

/** A prepared document, or why there is none. */
export type Prepared =
  | { readonly ok: true; readonly document: PreparedDocument }
  | { readonly ok: false; readonly skipped: SkippedFile };

/** Whether a file is read as HTML. */
export function isSitePage({ kind }: Pick<CollectionConfig, "kind">, path: string): boolean {
  return kind === "site" && SITE_PAGE.test(path);
}

/**
 * Prepares one file that was read. A file that makes a stage throw is prepared as plain text, with a diagnostic; one that
 * fails even so is skipped by name.
 *
 * @param before Called before each stage.
 */
export function prepareDocument(
  task: PrepareTask,
  collection: CollectionConfig,
  source: ReadResult,
  parsers: CodeParsers,
  before?: BeforeStage,
): Prepared {
  if (!source.ok) return { ok: false, skipped: source.skipped };
  const { path, plain } = task;
  let failure = plain;
  if (failure === undefined) {
    try {
      return prepareWhole(task, collection, source, parsers, new FileStages(path, before));
    } catch (error) {
      failure = failureOf(error, "parse");
    }
  }
  try {
    return { ok: true, document: preparePlainText(task, collection, source, failure) };
  } catch (error) {
    const { stage, reason } = failureOf(error, "invert");
    const message = `cannot be indexed, not even as plain text: stage ${stage} failed (${reason})`;
    return { ok: false, skipped: { path, reason: "failed", message, bytes: source.bytes } };
  }
}

function prepareWhole(
  task: PrepareTask,
  collection: CollectionConfig,
  source: Extract<ReadResult, { readonly ok: true }>,
  parsers: CodeParsers,
  stages: FileStages,
): Prepared {
  const { path } = task;
  const { text, contentHash, diagnostics } = source;
  if (isSitePage(collection, path)) return prepareSitePage(task, collection, source, stages);
  const code = stages.run("parse", () => parseCode({ path, text }, parsers, collection.outline));
  const parsed =
    code === undefined
      ? stages.run("parse", () => parseMarkdown({ path, text, anchors: collection.anchors }))
      : code.parsed;
  const scanned = stages.runOptional("scan", () => scanDocument({ path, text }), []);
  const found = [...diagnostics, ...scanned];
  return { ok: true, document: prepareParsed(task, collection, parsed, text, contentHash, found, code, stages) };
}

function preparePlainText(
  task: PrepareTask,
  collection: CollectionConfig,
  { text, contentHash, diagnostics }: Extract<ReadResult, { readonly ok: true }>,
  failure: StageFailure,
): PreparedDocument {
  const { path } = task;
  const { parsed, file } = toPlainText(path, text);
  const found = [...diagnostics, stageDiagnostic(path, failure, "the file is searchable as plain text")];
  const code = file === undefined ? undefined : { file, sectionOf: [] };
  return prepareParsed(task, collection, parsed, text, contentHash, found, code);
}

/** A page of a built site: what is scanned, shown and read is the Markdown made of it. */
function prepareSitePage(
  task: PrepareTask,
  collection: CollectionConfig,
  { text, bytes, contentHash, diagnostics }: Extract<ReadResult, { readonly ok: true }>,
  stages: FileStages,
): Prepared {
  const { path } = task;
  const page = stages.run("parse", () => parseHtml({ path, text, ...collection.site }));
  if (!page.ok) return { ok: false, skipped: { path, reason: page.reason, message: page.message, bytes } };
  const scanned = stages.runOptional("scan", () => scanDocument({ path, text: page.text }), []);
  const found = [...diagnostics, ...scanned];
  const document = prepareParsed(task, collection, page.parsed, page.text, contentHash, found, undefined, stages);
  return { ok: true, document };
}

/** The part of `prepareDocument` after reading and parsing. @throws {StageError} */
export function prepareParsed(
  task: PrepareTask,
  collection: CollectionConfig,
  unbounded: ParsedDocument,
  text: string,
  hash: string,
  diagnostics: readonly Diagnostic[],
  code?: PreparedCode,
  stages = new FileStages(task.path),
): PreparedDocument {
  const { path } = task;
  const { language } = collection;
  const analyzer = analyzerOf(language);
  const { parsed, units } = stages.run("sections", () => {
    const bounded = boundDocument(unbounded, path);
    return { parsed: bounded, units: cutUnits(bounded, text) };
  });
  const unitCounts = countUnits(units, parsed.sections.length);
  const headings = parsed.sections.map((section) => section.title);
  const names = { title: parsed.title, path, description: parsed.description, headings, areNames: code !== undefined };
  const inverted = stages.run("invert", () => invertDocument(names, units, analyzer));
  const meta = boundedMeta(ownMeta(parsed), MAX_CATALOGUE_META_BYTES);
  const acronyms = code === undefined ? stages.runOptional("acronyms", () => findAcronyms(parsed), []) : [];
  const namesSymbols = code === undefined && collection.namesSymbols === true;
  const codeWords = namesSymbols ? stages.runOptional("names", () => findCodeWords(text), []) : [];
  const candidates =
    code === undefined
      ? stages.runOptional("candidates", () => findCandidates({ parsed, text, acronyms, language, analyzer }), [])
      : undefined;
  const facets = stages.runOptional(
    "facets",
    () => separableFacets(deriveFacets({ collection, path, parsed, ...(code !== undefined && { code: code.file }) })),
    {},
  );
  const leastLength = code === undefined ? 0 : LEAST_SOURCE_WORDS;
  return {
    number: task.number,
    collection: task.collection,
    path,
    title: parsed.title,
    description: parsed.description,
    preview: makePreview(parsed, code !== undefined),
    hash,
    words: parsed.sections.reduce((sum, section) => sum + section.wordCount, 0),
    lines: parsed.sections.at(-1)?.endLine ?? 1,
    skip: frontmatterBytes(text, parsed.bodyStartLine),
    facets,
    meta,
    sections: parsed.sections.map((section, ordinal) => toRow(section, unitCounts[ordinal] as number)),
    links: parsed.sections.flatMap((section, ordinal) => section.links.map((link) => ({ section: ordinal, ...link }))),
    inverted: {
      terms: inverted.terms,
      unitBytes: inverted.unitBytes,
      ends: inverted.ends,
      flags: inverted.flags,
      pairs: inverted.pairs,
      words: inverted.words,
      lengths: inverted.lengths,
    },
    lengths: {
      body: encodeLength(inverted.lengths.body, FIELD_LIMIT),
      title: Math.min(FIELD_LIMIT, inverted.lengths.title),
      path: Math.min(FIELD_LIMIT, inverted.lengths.path),
      description: Math.min(FIELD_LIMIT, inverted.lengths.description),
    },
    unitCodes: Uint8Array.from(
      units,
      (unit, index) =>
        (unit.continuation ? CONTINUATION : 0) |
        encodeLength(Math.max(leastLength, inverted.unitLengths[index] as number), UNIT_LENGTH_LIMIT),
    ),
    grams: collectGrams(text),
    blocks: makeBlocks(path, parsed, units, hash, meta),
    diagnostics: [...diagnostics, ...parsed.diagnostics, ...stages.diagnostics],
    acronyms,
    codeWords,
    isSource: code !== undefined,
    ...(parsed.site !== undefined && { site: parsed.site }),
    ...(code === undefined
      ? { candidates: candidates ?? [] }
      : { code: { file: code.file, sectionOf: code.sectionOf } }),
  };
}

function toRow(section: ParsedSection, units: number): SectionRow {
  return [
    section.level,
    section.title,
    section.parent,
    lastSlug(section),
    section.anchor,
    section.startLine,
    section.endLine,
    section.wordCount,
    section.summary,
    section.codeLanguages,
    section.links.length,
    units,
  ];
}

/** Facets whose keys do not hold what separates key and value in the index. */
function separableFacets(facets: Readonly<Record<string, string[]>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(facets).filter(([key]) => !key.includes(KEY_SEPARATOR)));
}

/** Number of units of each section. */
function countUnits(units: readonly Unit[], sections: number): Uint32Array {
  const counts = new Uint32Array(sections);
  for (const { section } of units) counts[section] = (counts[section] as number) + 1;
  return counts;
}

function frontmatterBytes(text: string, bodyStartLine: number): number {
  let at = 0;
  for (let line = 1; line < bodyStartLine; line++) {
    const end = text.indexOf("\n", at);
    if (end < 0) return encodeUtf8(text).length;
    at = end + 1;
  }
  return encodeUtf8(text.slice(0, at)).length;
}

/** What stands nowhere else: title and description have places of their own. Of a built site, a page's meta data may name the description. */
function ownMeta({ frontmatter, site }: ParsedDocument): Readonly<Record<string, unknown>> {
  const { title: _, description, ...own } = frontmatter;
  return site === undefined || description === undefined ? own : { ...own, description };
}

/** Frontmatter entries in their order whose JSON fits. */
function boundedMeta(frontmatter: Readonly<Record<string, unknown>>, maxBytes: number): Record<string, unknown> {
  const kept: [string, unknown][] = [];
  let bytes = 2;
  for (const [key, value] of Object.entries(frontmatter)) {
    if (value === null || value === undefined) continue;
    const size = encodeUtf8(JSON.stringify([key, value])).length;
    bytes += size;
    if (bytes > maxBytes) {
      bytes -= size;
      continue;
    }
    kept.push([key, value]);
  }
  // Unlike assignment, this makes `__proto__` an ordinary key.
  return Object.fromEntries(kept);
}

function makeBlocks(
  path: string,
  parsed: ParsedDocument,
  units: readonly Unit[],
  hash: string,
  meta: Readonly<Record<string, unknown>>,
): Uint8Array[] {
  const sections = parsed.sections.map(
    (section, ordinal): BlockSection => ({
      level: section.level,
      title: ordinal === 0 ? "" : section.title,
      slug: ordinal === 0 ? "" : lastSlug(section),
      anchor: ordinal === 0 ? "" : section.anchor,
      startLine: section.startLine,
      endLine: section.endLine,
    }),
  );
  const document = {
    path,
    title: parsed.title,
    contentHash: hash,
    description: cutDescription(parsed.description),
    meta: boundedMeta(meta, MAX_BLOCK_META_BYTES),
  };
  return units.map(({ section, raw }, at) =>
    encodeBlock(
      FIRST_TEXT_UNIT + at,
      {
        ...document,
        ancestors: ancestorsOf(section, parsed, sections),
        section: sections[section] as BlockSection,
        text: raw,
      },
      deflateRaw,
    ),
  );
}

/** Sections from below the root down to the parent of a section. */
function ancestorsOf(section: number, parsed: ParsedDocument, sections: readonly BlockSection[]): BlockAncestor[] {
  const chain: BlockAncestor[] = [];
  let ordinal = (parsed.sections[section] as ParsedSection).parent;
  while (ordinal > 0) {
    chain.unshift(sections[ordinal] as BlockSection);
    ordinal = (parsed.sections[ordinal] as ParsedSection).parent;
  }
  return chain;
}

function cutDescription(text: string): string {
  if (text.length <= MAX_BLOCK_DESCRIPTION) return text;
  const space = text.lastIndexOf(" ", MAX_BLOCK_DESCRIPTION);
  return space > MAX_BLOCK_DESCRIPTION / 2 ? `${text.slice(0, space)}…` : shortenText(text, MAX_BLOCK_DESCRIPTION);
}

/**
 * What a document says of itself, and the text behind that as far as there is room: one line of at most `PREVIEW_LENGTH`
 * UTF-16 units, and `...` where there is more text. The title where there is no text.
 *
 * @param isSource Whether it is a source file. What stands above its first symbol, imports for the most part, is shown where it
 *   has no symbols alone.
 */
export function makePreview({ title, description, sections }: ParsedDocument, isSource: boolean): string {
  const shown = isSource && sections.length > 1 ? sections.slice(1) : sections;
  const about = foldWhitespace(description);
  const room = about.length + PREVIEW_LENGTH;
  let text = "";
  for (const { blocks } of shown) {
    for (const block of blocks) {
      if (text.length > room) break;
      text = `${text} ${foldWhitespace(block.text)}`.trim();
    }
  }
  return cutWithDots(joinTexts(about, text) || title, PREVIEW_LENGTH);
}

/** What is said of a text, and the text, which may begin with that. */
function joinTexts(about: string, text: string): string {
  if (text.startsWith(about)) return text;
  if (text === "") return about;
  return `${about}${SENTENCE_END.test(about) ? "" : "."} ${text}`;
}
