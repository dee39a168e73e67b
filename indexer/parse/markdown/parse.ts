/**
 * Markdown and MDX to sections.
 *
 * A page is read in four steps: its text is made uniform, frontmatter is taken off, markdown-it
 * (with rules of our own for components, HTML and footnotes) finds the blocks, and a walk over
 * them collects sections. Whatever the input, the result is a document: a page that defeats the
 * parser becomes one section of plain text, with a diagnostic.
 */
import { countLines } from "../../../src/core/text/lines.ts";
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { AnchorStyle } from "../../config/config.ts";
import type { ParsedDocument, ParsedSection } from "../parsed-document.ts";
import { parseBlocks } from "./engine.ts";
import { type Frontmatter, parseFrontmatter } from "./frontmatter.ts";
import { nameInWords, normalizeSource, readFrontmatterDescription, readFrontmatterTitle } from "./page-text.ts";
import { type Dialect, openParseEnvironment } from "./parse-state.ts";
import { readTokens } from "./read-tokens.ts";
import { SectionCollector } from "./sections.ts";

/** One Markdown or MDX file. Its path says which: `.mdx` is MDX. */
export interface MarkdownSource {
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
    const { found, simplifiedLine } = collectSections(body, dialect, collector, title, bodyStartLine - 1);
    const message = "some of the page is nested too deeply or too wide; it is indexed as plain text";
    const diagnostics = simplifiedLine < 0 ? [] : [describeComplex(path, bodyStartLine + simplifiedLine, message)];
    return { sections: collector.finish(title || found || nameInWords(path), lineCount), diagnostics };
  } catch (error) {
    // markdown-it recurses; input that overflows its stack or trips one of its checks ends here.
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the page cannot be parsed as Markdown and is indexed as plain text: ${reason}`;
    const sections = readPlainText(body, bodyStartLine, title || nameInWords(path), lineCount);
    return { sections, diagnostics: [describeComplex(path, bodyStartLine, message)] };
  }
}

/**
 * Collects the sections of a text.
 *
 * @param title The title that is known of the page, else `""`.
 * @param lineOffset Lines of the file before the text.
 * @returns the title that its headings give, else `""`, and the 0-based line of the first part read as plain text, else -1.
 * @throws where the text overflows the parser.
 */
export function collectSections(
  text: string,
  dialect: Dialect,
  collector: SectionCollector,
  title: string,
  lineOffset: number,
): { readonly found: string; readonly simplifiedLine: number } {
  const environment = openParseEnvironment(dialect);
  const { firstH1, first } = readTokens(parseBlocks(text, environment), collector, environment, title, lineOffset);
  return { found: firstH1 || first, simplifiedLine: environment.simplifiedLine };
}

function describeComplex(path: string, line: number, message: string): Diagnostic {
  return { severity: "warning", code: "markdown-too-complex", message, path, line };
}

/**
 * The plain-text reading of a file that cannot be parsed as Markdown: one section, paragraphs
 * between blank lines, everything kept as it is written.
 */
export function readPlainText(body: string, bodyStartLine: number, title: string, lineCount: number): ParsedSection[] {
  const collector = new SectionCollector();
  let paragraph: string[] = [];
  const lines = body.split("\n");
  for (const [index, line] of [...lines, ""].entries()) {
    if (line.trim() !== "") {
      paragraph.push(line);
      continue;
    }
    collector.addProse(foldWhitespace(paragraph.join(" ")), bodyStartLine + index - paragraph.length, "text");
    paragraph = [];
  }
  return collector.finish(title, lineCount);
}
