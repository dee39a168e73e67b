/**
 * Page of a line-based markup language in the making: what the parsers of reStructuredText, AsciiDoc and plain text share.
 *
 * Sections and line numbers are those of the source, which is indexed and shown as it stands.
 */
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import type { AnchorStyle } from "../../config/config.ts";
import { areSameTitle, nameInWords, readFrontmatterDescription, readFrontmatterTitle } from "../markdown/page-text.ts";
import { type ProseRole, SectionCollector } from "../markdown/sections.ts";
import { MAX_IDS, type ParsedDocument } from "../parsed-document.ts";

/** File of a line-based markup language. */
export interface MarkupSource {
  readonly path: string;
  readonly text: string;
  /** How the site makes anchors of headings in Markdown cells. */
  readonly anchors?: AnchorStyle;
}

/** Visible text of inline markup, with its links. */
export interface InlineText {
  readonly text: string;
  readonly links: readonly { readonly href: string; readonly text: string }[];
}

/** Columns between tab stops. */
const TAB = 8;
const MAX_LEVEL = 6;
/** A longer line is text, whatever its signs: expressions with repetitions would overflow the stack on it. */
const MAX_MARKUP_LINE = 10_000;

/** Lines of a source, one after the other, and the sections that they make. */
export class LinePage {
  readonly lines: readonly string[];
  /** Index of the next line. */
  at = 0;
  readonly collector = new SectionCollector();
  readonly frontmatter: Record<string, unknown>;
  readonly #ids = new Map<string, number>();
  #firstH1 = "";
  #hasHeading = false;

  /** @param text Normalised source. */
  constructor(text: string, frontmatter: Readonly<Record<string, unknown>> = {}) {
    const lines = text.split("\n");
    if (lines.at(-1) === "") lines.pop();
    this.lines = lines.map(expandTabs);
    this.frontmatter = { ...frontmatter };
  }

  /** Opens a section; the first heading of level 1 names the page instead. @param line 1-based. */
  addHeading(level: number, { text: title, links }: InlineText, explicitId: string, line: number): void {
    const heading = { level: Math.min(level, MAX_LEVEL), title, explicitId, line };
    const known = readFrontmatterTitle(this.frontmatter);
    const isTitle = level === 1 && !this.#hasHeading && title !== "";
    this.#hasHeading = true;
    if (level === 1) this.#firstH1 ||= title;
    if (isTitle && (known === "" || areSameTitle(known, title))) this.collector.mergeIntoRoot(heading);
    else this.collector.openSection(heading);
    if (explicitId !== "") this.addId(explicitId);
    this.collector.addLinks(links, line);
  }

  /** Notes an id that leads to the current section. */
  addId(id: string): void {
    if (id !== "" && this.#ids.size < MAX_IDS && !this.#ids.has(id)) this.#ids.set(id, this.collector.openedCount);
  }

  /** @param line 1-based. */
  addText({ text, links }: InlineText, line: number, role: ProseRole = "text"): void {
    this.collector.addProse(text, line, role);
    this.collector.addLinks(links, line);
  }

  /** Adds lines as code, without the indentation that they share. @param from First line, 0-based. @param to Line after the last. */
  addCode(from: number, to: number, language: string): void {
    const code = this.lines.slice(from, to);
    const indent = code.reduce((least, line) => (isBlank(line) ? least : Math.min(least, indentOf(line))), Infinity);
    const text = code.map((line) => line.slice(Math.min(indent, line.length))).join("\n");
    const [blank = ""] = /^(?: *\n)*/.exec(text) ?? [];
    this.collector.addCode(
      text.slice(blank.length).trimEnd(),
      from + blank.split("\n").length,
      language.toLowerCase().slice(0, 40),
    );
  }

  /** Index of the first line from `from` on that is not blank and not indented more than `indent`. */
  findDedent(from: number, indent: number): number {
    let at = from;
    while (at < this.lines.length && (isBlank(this.lines[at]) || indentOf(this.lines[at]) > indent)) at++;
    return at;
  }

  skipBlank(): void {
    while (this.at < this.lines.length && isBlank(this.lines[this.at])) this.at++;
  }

  /** Takes the lines of a paragraph, the first one without its first `skip` characters. @param ends Whether a line begins something else. */
  takeParagraph(skip: number, ends: (line: string) => boolean): string {
    const parts = [this.lines[this.at++]?.slice(skip) ?? ""];
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at] as string;
      if (isBlank(line) || (!isLong(line) && ends(line))) break;
      parts.push(line);
    }
    return parts.join("\n");
  }

  finish(path: string, bodyStartLine = 1, diagnostics: readonly Diagnostic[] = []): ParsedDocument {
    const title = readFrontmatterTitle(this.frontmatter) || this.#firstH1 || nameInWords(path);
    return {
      title,
      description: readFrontmatterDescription(this.frontmatter),
      frontmatter: this.frontmatter,
      bodyStartLine,
      sections: this.collector.finish(title, Math.max(1, this.lines.length)),
      ids: this.#ids.size === 0 ? undefined : Object.fromEntries(this.#ids),
      diagnostics,
    };
  }
}

/** Whether a line is too long to be looked at for markup of blocks. */
export function isLong(line: string): boolean {
  return line.length > MAX_MARKUP_LINE;
}

export function isBlank(line = ""): boolean {
  return line.trim() === "";
}

/** Characters before the first one that is no space. */
export function indentOf(line = ""): number {
  return line.length - line.trimStart().length;
}

/**
 * Inline markup as text: `replace` gives the visible text of each match of `pattern`. `link` notes a link; `again` reads what stands
 * inside of a match.
 */
export function readInline(
  source: string,
  pattern: RegExp,
  replace: (
    groups: Readonly<Record<string, string | undefined>>,
    all: string,
    link: (href: string, text: string) => string,
    again: (text: string) => string,
  ) => string,
): InlineText {
  const links: { href: string; text: string }[] = [];
  const link = (href: string, text: string): string => {
    const shown = foldWhitespace(text);
    links.push({ href, text: shown });
    return shown;
  };
  const read = (written: string): string =>
    written.replace(pattern, (all: string, ...rest: unknown[]) =>
      replace(rest.at(-1) as Record<string, string | undefined>, all, link, read),
    );
  return { text: foldWhitespace(read(source)), links };
}

function expandTabs(line: string): string {
  const parts = line.split("\t");
  const last = parts.pop() as string;
  return parts.map((part) => part + " ".repeat(TAB - (part.length % TAB))).join("") + last;
}
