/**
 * Markdown and MDX to sections.
 *
 * A page is read in four steps: its text is made uniform, frontmatter is taken off, markdown-it
 * (with rules of our own for components, HTML and footnotes) finds the blocks, and a walk over
 * them collects sections. Whatever the input, the result is a document: a page that defeats the
 * parser becomes one section of plain text, with a diagnostic.
 */
import { LineCounter, parseDocument } from "yaml";
import { isRecord } from "../../../src/core/parse-text.ts";
import { countLines } from "../../../src/core/text/lines.ts";
import { foldWhitespace, toWellFormed } from "../../../src/core/text/short-text.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { AnchorStyle } from "../../config/config.ts";
import { MAX_IDS, type ParsedDocument, type ParsedSection } from "../parsed-document.ts";
import { type Dialect, openParseEnvironment, parseBlocks } from "./engine.ts";
import { nameInWords, normalizeSource, readFrontmatterDescription, readFrontmatterTitle } from "./page-text.ts";
import { readTokens } from "./read-tokens.ts";
import { SectionCollector } from "./sections.ts";

/** One Markdown or MDX file. Its path says which: `.mdx` is MDX. */
interface MarkdownSource {
  /** Path relative to the collection root, `/` as separator. */
  readonly path: string;
  /** The decoded file, with or without byte order mark. */
  readonly text: string;
  /** How its site makes anchors of headings. Default `github`. */
  readonly anchors?: AnchorStyle;
}

interface Body {
  readonly sections: ParsedSection[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The document that a Markdown or MDX file holds. Never throws: what is wrong with the file is in its diagnostics. */
export function parseMarkdown(source: MarkdownSource): ParsedDocument {
  const text = normalizeSource(source.text);
  const frontmatter = parseFrontmatter(text, source.path);
  const body = parseBody(source, text, frontmatter);
  return {
    title: body.sections[0]?.title ?? "",
    description: readFrontmatterDescription(frontmatter.values),
    frontmatter: frontmatter.values,
    bodyStartLine: frontmatter.bodyStartLine,
    sections: body.sections,
    ids: findIds(text, body.sections),
    diagnostics: [...frontmatter.diagnostics, ...body.diagnostics],
  };
}

function parseBody({ path, anchors }: MarkdownSource, text: string, frontmatter: Frontmatter): Body {
  const { bodyOffset, bodyStartLine, values } = frontmatter;
  // The root section of an empty file begins and ends on its first line.
  const lineCount = Math.max(1, countLines(text));
  const body = bodyOffset === 0 ? text : text.slice(bodyOffset);
  const title = readFrontmatterTitle(values);
  try {
    const dialect = path.toLowerCase().endsWith(".mdx") ? "mdx" : "markdown";
    const collector = new SectionCollector(anchors);
    const found = collectSections(body, dialect, collector, title, bodyStartLine - 1);
    return { sections: collector.finish(title || found || nameInWords(path), lineCount), diagnostics: [] };
  } catch (error) {
    // markdown-it recurses; input that overflows its stack or trips one of its checks ends here.
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the page cannot be parsed as Markdown and is indexed as plain text: ${reason}`;
    const collector = new SectionCollector();
    collector.addProse(foldWhitespace(body), bodyStartLine, "text");
    return {
      sections: collector.finish(title || nameInWords(path), lineCount),
      diagnostics: [{ severity: "warning", code: "markdown-too-complex", message, path, line: bodyStartLine }],
    };
  }
}

/** `<a id="x">`, `<a name="x">`, `<div id="x">`. In a block of code it is taken for one, too. */
const WRITTEN_ID = /<[a-z][^<>]*?\s(?:id|name)=(?:"([^"<>]+)"|'([^'<>]+)')/gi;

/** The section that each id leads to that HTML in the text gives; of several with one id the first. */
function findIds(text: string, sections: readonly ParsedSection[]): ParsedDocument["ids"] {
  const found = new Map<string, number>();
  let section = 0;
  let line = 1;
  let from = 0;
  for (const { 1: double, 2: single = "", index } of text.matchAll(WRITTEN_ID)) {
    line += countLines(text.slice(from, index + 1)) - 1;
    from = index;
    while ((sections[section + 1]?.startLine ?? Number.POSITIVE_INFINITY) <= line) section++;
    const id = double ?? single;
    if (found.size < MAX_IDS && !found.has(id)) found.set(id, section);
  }
  return found.size === 0 ? undefined : Object.fromEntries(found);
}

/**
 * Collects the sections of a text.
 *
 * @param title The title that is known of the page, else `""`.
 * @param lineOffset Lines of the file before the text.
 * @returns the first H1 that has text, else `""`.
 * @throws where the text overflows the parser, or nests too deeply.
 */
export function collectSections(
  text: string,
  dialect: Dialect,
  collector: SectionCollector,
  title: string,
  lineOffset: number,
): string {
  const environment = openParseEnvironment(dialect);
  return readTokens(parseBlocks(text, environment), collector, environment, title, lineOffset);
}

/** YAML takes far more time and memory than its bytes; real frontmatter has a few hundred. */
const MAX_FRONTMATTER_CHARS = 64 * 1024;

/** How often an alias may repeat what it stands for; bounds the size of the result. */
const MAX_ALIASES = 100;

/** Deeper values would overflow the stack of whoever walks or serialises them. */
const MAX_DEPTH = 64;

const OPENING_FENCE = /^---[ \t]*(?:\n|$)/;
const CLOSING_FENCE = /\n(?:---|\.\.\.)[ \t]*(?=\n|$)/g;

interface Frontmatter {
  readonly values: Readonly<Record<string, unknown>>;
  /** 1-based line where the body begins; 1 without frontmatter. */
  readonly bodyStartLine: number;
  /** Offset in the source where the body begins; 0 without frontmatter. */
  readonly bodyOffset: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** The frontmatter of a normalised source. Whatever is wrong with it is a diagnostic, never an error. */
export function parseFrontmatter(source: string, path: string): Frontmatter {
  const opening = OPENING_FENCE.exec(source);
  if (opening === null) return { values: {}, bodyStartLine: 1, bodyOffset: 0, diagnostics: [] };
  // The newline of the opening fence may already be the one before the closing fence.
  CLOSING_FENCE.lastIndex = Math.max(0, opening[0].length - 1);
  const closing = CLOSING_FENCE.exec(source);
  if (closing === null) return { values: {}, bodyStartLine: 1, bodyOffset: 0, diagnostics: [] };

  const yaml = source.slice(opening[0].length, Math.max(closing.index + 1, opening[0].length));
  const bodyOffset = Math.min(source.length, closing.index + closing[0].length + 1);
  const bodyStartLine = 2 + yaml.split("\n").length;
  const result = parseYaml(yaml, path);
  return { ...result, bodyStartLine, bodyOffset };
}

function parseYaml(yaml: string, path: string): Pick<Frontmatter, "values" | "diagnostics"> {
  if (yaml.length > MAX_FRONTMATTER_CHARS) {
    const message = `frontmatter has ${yaml.length} characters, the limit is ${MAX_FRONTMATTER_CHARS}; it is ignored`;
    return { values: {}, diagnostics: [{ severity: "error", code: "invalid-yaml", message, path, line: 1 }] };
  }
  const lines = new LineCounter();
  try {
    const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, merge: true, logLevel: "silent" });
    const error = document.errors[0];
    if (error !== undefined) {
      const line = Math.max(1, lines.linePos(error.pos[0]).line) + 1;
      return { values: {}, diagnostics: [describeInvalid(error.message, path, line)] };
    }
    const value = toPlainData(document.toJS({ maxAliasCount: MAX_ALIASES }), 0);
    if (isRecord(value)) return { values: value, diagnostics: [] };
    if (value === null) return { values: {}, diagnostics: [] };
    const message = "frontmatter is not a mapping of names to values; it is ignored";
    return {
      values: {},
      diagnostics: [{ severity: "warning", code: "frontmatter-not-a-mapping", message, path, line: 1 }],
    };
  } catch (error) {
    // Thrown for too many aliases and for nesting that overflows the YAML parser's stack.
    const reason = error instanceof Error ? error.message : String(error);
    return { values: {}, diagnostics: [describeInvalid(reason, path, 1)] };
  }
}

function describeInvalid(reason: string, path: string, line: number): Diagnostic {
  const firstLine = reason.split("\n", 1)[0] ?? reason;
  const message = `frontmatter is not valid YAML and is ignored: ${firstLine}`;
  return { severity: "error", code: "invalid-yaml", message, path, line };
}

/** A copy of the value that JSON can hold. @throws {RangeError} when it is nested too deeply. */
function toPlainData(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError(`values are nested more than ${MAX_DEPTH} levels deep`);
  if (value === undefined || value === null) return null;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  // An escape can write half a character ("\uD800"): as keys of the index all of these would be one.
  if (typeof value === "string") return toWellFormed(value);
  if (typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => toPlainData(entry, depth + 1));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") {
    const entries = Object.entries(value).map(
      ([key, entry]) => [toWellFormed(key), toPlainData(entry, depth + 1)] as const,
    );
    // Unlike assignment, this makes `__proto__` an ordinary key.
    return Object.fromEntries(entries);
  }
  return String(value);
}
