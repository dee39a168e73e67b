/**
 * Prepares one file for the index: parses it, cuts it into units, inverts it and lays out the blocks of its text.
 *
 * Everything that needs only this one file happens here, so that it can run in a worker thread. The result is plain data.
 */
import { KEY_SEPARATOR } from "../../src/core/bytes/key.ts";
import { encodeUtf8 } from "../../src/core/bytes/writer.ts";
import { PREVIEW_LENGTH } from "../../src/core/docs/model.ts";
import { CONTINUATION, encodeUnitLength, SHARES_BLOCK } from "../../src/core/format/locator.ts";
import { encodeLength } from "../../src/core/format/postings.ts";
import { type BlockSection, encodeBlock, type TextBlock } from "../../src/core/format/text-block.ts";
import { codeLanguageOf } from "../../src/core/text/code-languages.ts";
import { countLines } from "../../src/core/text/lines.ts";
import { cutWithDots, foldWhitespace } from "../../src/core/text/short-text.ts";
import type { Diagnostic } from "../base/diagnostic.ts";
import type { CollectionConfig } from "../config/config.ts";
import type { CodeFile } from "../languages/base/code-file.ts";
import type { SectionRow } from "../link/links.ts";
import type { CodeParsers } from "../parse/code/parse-code.ts";
import { findCodeWords } from "../parse/code-words.ts";
import { collectGrams } from "../parse/grams.ts";
import { countWords } from "../parse/markdown/page-text.ts";
import { parseMarkdown } from "../parse/markdown/parse.ts";
import type { ParsedDocument } from "../parse/parsed-document.ts";
import { lastSlug, type ParsedSection } from "../parse/parsed-document.ts";
import { wordsOf } from "../parse/words.ts";
import { scanDocument } from "../scan/scan-document.ts";
import type { ReadResult, SkippedFile } from "../sources/read-file.ts";
import { collectWords } from "../topics/concept-uses.ts";
import { deriveFacets } from "../topics/facets.ts";
import { findCandidates } from "../topics/find-candidates.ts";
import { findAcronyms, findThesaurusPhrases } from "../topics/synonyms.ts";
import { boundDocument, cutUnits, type Unit } from "./cut-units.ts";
import { invertDocument } from "./invert.ts";
import { isSitePage, type PreparedCode, type PreparedDocument } from "./prepared-document.ts";
import { type BeforeStage, FileStages, failureOf, type StageFailure, stageDiagnostic } from "./stages.ts";

/** Pages that are neither Markdown nor HTML. */
const MARKUP_PAGE = /\.(?:rst|adoc|asciidoc|txt|ipynb)$/i;
/** A block takes units until it holds so many characters, and none that makes it longer than twice that. */
const BLOCK_CHARACTERS = 1000;
const SENTENCE_END = /[.!?:…。！？]["')\]]*$/u;

const MAX_META_BYTES = 4_000;
const NO_PHRASES = new Uint16Array();
const FIELD_LIMIT = 0xff;
/**
 * Words that a section of a source file counts as having at least. A declaration of one line that names two words of a
 * question says less about them than a paragraph that does.
 */
const LEAST_SOURCE_WORDS = 60;
/** The same for what no person wrote: it stands behind what says as much. */
const LEAST_GENERATED_WORDS = 2000;

export interface PrepareTask {
  readonly number: number;
  readonly collection: number;
  readonly path: string;
  /** Set where a later stage failed on the file: it is prepared as plain text. */
  readonly plain?: StageFailure;
}

type Prepared =
  | { readonly ok: true; readonly document: PreparedDocument }
  | { readonly ok: false; readonly skipped: SkippedFile };

/**
 * Prepares one file that was read. A file that makes a stage throw is prepared as plain text, with a diagnostic; one that
 * fails even so is skipped by name.
 *
 * @param before Called before each stage.
 */
export async function prepareDocument(
  task: PrepareTask,
  collection: CollectionConfig,
  source: ReadResult,
  parsers: CodeParsers,
  before?: BeforeStage,
): Promise<Prepared> {
  if (!source.ok) return { ok: false, skipped: source.skipped };
  const { path, plain } = task;
  let failure = plain;
  if (failure === undefined) {
    try {
      return await prepareWhole(task, collection, source, parsers, new FileStages(path, before));
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

async function prepareWhole(
  task: PrepareTask,
  collection: CollectionConfig,
  source: Extract<ReadResult, { readonly ok: true }>,
  parsers: CodeParsers,
  stages: FileStages,
): Promise<Prepared> {
  const { path } = task;
  const { bytes, contentHash, diagnostics } = source;
  const page = await parseFile(path, source.text, collection, parsers, stages);
  if (!page.ok) return { ok: false, skipped: { path, reason: page.reason, message: page.message, bytes } };
  const { parsed, text, code } = page;
  const grams = collectGrams(text);
  const scanned = stages.runOptional("scan", () => scanDocument({ path, text }, grams), []);
  const found = [...diagnostics, ...scanned];
  return { ok: true, document: prepareParsed(task, collection, parsed, text, contentHash, found, code, stages, grams) };
}

type ParsedFile =
  | { readonly ok: true; readonly parsed: ParsedDocument; readonly text: string; readonly code?: PreparedCode }
  | ({ readonly ok: false } & Pick<SkippedFile, "reason" | "message">);

/** Parses a file. Most corpora hold files of one kind: parsers of the others are not loaded. */
async function parseFile(
  path: string,
  text: string,
  collection: CollectionConfig,
  parsers: CodeParsers,
  stages: FileStages,
): Promise<ParsedFile> {
  // Of a page of a built site, what is scanned, shown and read is the Markdown made of it.
  if (isSitePage(collection, path)) {
    const { parseHtml } = await import("../parse/html/parse.ts");
    return stages.run("parse", () => parseHtml({ path, text, ...collection.site, chrome: collection.chrome }));
  }
  const parser = codeLanguageOf(path) === undefined ? undefined : await import("../parse/code/parse-code.ts");
  const parseMarkup = MARKUP_PAGE.test(path) ? (await import("../parse/markup/parse.ts")).parseMarkup : undefined;
  return stages.run("parse", (): ParsedFile => {
    if (parseMarkup !== undefined) return { ok: true, ...parseMarkup({ path, text, anchors: collection.anchors }) };
    const code = parser?.parseCode({ path, text }, parsers, collection.outline);
    if (code !== undefined) return { ok: true, parsed: code.parsed, text, code };
    return { ok: true, parsed: parseMarkdown({ path, text, anchors: collection.anchors }), text };
  });
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
  grams = collectGrams(text),
): PreparedDocument {
  const { path } = task;
  const { language } = collection;
  const words = wordsOf(language);
  const { parsed, units } = stages.run("sections", () => {
    const bounded = boundDocument(unbounded, path);
    return { parsed: bounded, units: cutUnits(bounded, text, words) };
  });
  const unitCounts = countUnits(units, parsed.sections.length);
  const headings = parsed.sections.map((section) => section.title);
  const { title, description } = parsed;
  const names = { title, path, description, headings, areNames: code !== undefined, aliases: aliasesOf(parsed) };
  const { unitLengths, ...inverted } = stages.run("invert", () => invertDocument(names, units, words));
  const meta = boundedMeta(ownMeta(parsed), MAX_META_BYTES);
  const acronyms = code === undefined ? stages.runOptional("acronyms", () => findAcronyms(parsed), []) : [];
  const namesSymbols = code === undefined && collection.namesSymbols === true;
  const codeWords = namesSymbols ? stages.runOptional("names", () => findCodeWords(text), []) : [];
  const candidates =
    code === undefined
      ? stages.runOptional("candidates", () => findCandidates({ parsed, text, acronyms, language, words }), [])
      : [];
  const facets = stages.runOptional(
    "facets",
    () => separableFacets(deriveFacets({ collection, path, parsed, ...(code !== undefined && { code: code.file }) })),
    {},
  );
  const isGenerated = code?.file.isGenerated === true;
  const leastLength = code === undefined ? 0 : isGenerated ? LEAST_GENERATED_WORDS : LEAST_SOURCE_WORDS;
  const { lengths } = inverted;
  const blocks = makeBlocks(path, parsed, units);
  return {
    card: {
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
      links: parsed.sections.flatMap((section, ordinal) =>
        section.links.map((link) => ({ section: ordinal, ...link })),
      ),
      lengths: {
        body: encodeLength(isGenerated ? Math.max(lengths.body, LEAST_GENERATED_WORDS) : lengths.body, FIELD_LIMIT),
        title: Math.min(FIELD_LIMIT, lengths.title),
        path: Math.min(FIELD_LIMIT, lengths.path),
        description: Math.min(FIELD_LIMIT, lengths.description),
      },
      diagnostics: [...diagnostics, ...parsed.diagnostics, ...stages.diagnostics],
      acronyms,
      thesaurus: language === "english" ? findThesaurusPhrases(inverted) : NO_PHRASES,
      codeWords,
      isSource: code !== undefined,
      ...(isGenerated && { isGenerated: true }),
      ids: parsed.ids,
      ...(parsed.site !== undefined && { site: parsed.site }),
    },
    body: {
      inverted,
      unitCodes: Uint8Array.from(
        units,
        ({ continuation }, index) =>
          (continuation ? CONTINUATION : 0) |
          (blocks[index]?.length === 0 ? SHARES_BLOCK : 0) |
          encodeUnitLength(Math.max(leastLength, unitLengths[index] as number)),
      ),
      grams,
      blocks,
    },
    ...(code !== undefined && { code }),
    candidates,
    words: stages.run("invert", () => collectWords(parsed, words)),
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

function countUnits(units: readonly Unit[], sections: number): Uint32Array {
  const counts = new Uint32Array(sections);
  for (const { section } of units) counts[section] = (counts[section] as number) + 1;
  return counts;
}

/** Addresses that a page had, or has beside its own, as site generators write them. */
function aliasesOf({ frontmatter }: ParsedDocument): string[] {
  const { slug, aliases, redirect_from: redirects } = frontmatter;
  return [slug, aliases, redirects]
    .flat()
    .filter((alias) => typeof alias === "string")
    .slice(0, MAX_ALIASES);
}

const MAX_ALIASES = 20;

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

function makeBlocks(path: string, parsed: ParsedDocument, units: readonly Unit[]): Uint8Array[] {
  const sections = parsed.sections.map(
    (section, ordinal): BlockSection => ({
      level: section.level,
      title: ordinal === 0 ? "" : section.title,
      slug: ordinal === 0 ? "" : lastSlug(section),
      anchor: ordinal === 0 ? (parsed.site?.titleAnchor ?? "") : section.anchor,
      startLine: section.startLine,
      endLine: section.endLine,
    }),
  );
  const texts = units.map(
    ({ section, raw }): TextBlock => ({
      path,
      title: parsed.title,
      ancestors: ancestorsOf(section, parsed, sections),
      section: sections[section] as BlockSection,
      text: raw,
    }),
  );
  const groups: [TextBlock, ...TextBlock[]][] = [];
  let characters = 0;
  for (const unit of texts) {
    const { length } = unit.text;
    const last = groups.at(-1);
    const fits = characters < BLOCK_CHARACTERS && characters + length <= 2 * BLOCK_CHARACTERS;
    if (last !== undefined && fits) last.push(unit);
    else groups.push([unit]);
    characters = last !== undefined && fits ? characters + length : length;
  }
  return groups.flatMap((group) => [encodeBlock(group), ...group.slice(1).map(() => new Uint8Array())]);
}

/** Sections from below the root down to the parent of a section. */
function ancestorsOf(section: number, parsed: ParsedDocument, sections: readonly BlockSection[]): BlockSection[] {
  const chain: BlockSection[] = [];
  let ordinal = (parsed.sections[section] as ParsedSection).parent;
  while (ordinal > 0) {
    chain.unshift(sections[ordinal] as BlockSection);
    ordinal = (parsed.sections[ordinal] as ParsedSection).parent;
  }
  return chain;
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

/*
 * A file as plain text: what is left where a stage fails on it. One section, no links, no symbols.
 */

const NO_CODE = { namespace: "", doc: "", symbols: [], imports: [], uses: [], errors: 1, diagnostics: [] };

/** Plain document of a file; a source file keeps its language. */
function toPlainText(path: string, text: string): { readonly parsed: ParsedDocument; readonly file?: CodeFile } {
  const title = path.slice(path.lastIndexOf("/") + 1);
  const language = codeLanguageOf(path);
  return {
    parsed: {
      title,
      description: "",
      frontmatter: {},
      bodyStartLine: 1,
      diagnostics: [],
      sections: [
        {
          level: 0,
          title,
          parent: -1,
          slugPath: "",
          anchor: "",
          startLine: 1,
          endLine: Math.max(1, countLines(text)),
          blocks: [{ kind: language === undefined ? "prose" : "code", text, line: 1 }],
          codeLanguages: [],
          links: [],
          summary: "",
          wordCount: countWords(text),
        },
      ],
    },
    ...(language !== undefined && { file: { ...NO_CODE, language } }),
  };
}
