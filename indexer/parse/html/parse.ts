/**
 * Pages of built sites to sections, with the Markdown that they are made of.
 *
 * The tree of a page gives its properties and the parts of it that are read. These are written as Markdown, with marks for ids and
 * weights, and read by the Markdown parser. Whatever the input, the result is a document, or the reason why the page asks not to be one.
 */
import { countLines } from "../../../src/core/text/lines.ts";
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { compileSelector } from "../../config/selectors.ts";
import { nameInWords, normalizeSource } from "../markdown/page-text.ts";
import { collectSections } from "../markdown/parse.ts";
import { openScanBudget } from "../markdown/parse-state.ts";
import { readHtml } from "../markdown/read-tokens.ts";
import { decodeEntities } from "../markdown/text-run.ts";
import type { ParsedDocument, SitePage } from "../parsed-document.ts";
import { childrenOf, findElement, findRegions, isElement, type PageElement, parseTree } from "./page-tree.ts";
import { type PageProperties, readProperties } from "./properties.ts";
import { PageMarks, SiteSections, withoutMarks } from "./site-sections.ts";
import { escapeLineStart, escapeText, MarkdownWriter } from "./write-markdown.ts";

/** Ids of one page that are kept; further ones lead to the page. */
const MAX_IDS = 5_000;
/** Longest key and value to sort by: names of the index, of which each has bytes. */
const MAX_NAME = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out.
const CONTROLS = /[\0-\x1f]/;

const TITLE = /<title\b[^>]*>([^<]*)/i;
/** Elements whose text is nothing to read, in a page that is read tag by tag. */
const UNREAD = /<(title|noscript|iframe|noframes|textarea)\b[^>]*>[^<]*(?:<\/\1\s*>)?/gi;

/** One page of a built site. */
export interface HtmlSource {
  /** Path relative to the collection root, `/` as separator. */
  readonly path: string;
  /** The decoded file. */
  readonly text: string;
  /** Selector of the element that is read; `""` = the whole page. */
  readonly root: string;
  /** Selectors of elements that are left out. */
  readonly exclude: readonly string[];
}

/** A page as a document with its Markdown, or why it asks to be left out. */
export type ParsedPage =
  | { readonly ok: true; readonly parsed: ParsedDocument; readonly text: string }
  | { readonly ok: false; readonly reason: "noindex" | "redirect"; readonly message: string };

/** The document that a page holds. Never throws for its content. */
export function parseHtml(page: HtmlSource): ParsedPage {
  const source = normalizeSource(page.text);
  try {
    const html = parseTree(source)?.childNodes.find(isElement);
    if (html !== undefined) return parsePage(page, html);
  } catch (error) {
    // A text longer than there can be, or a stack deeper: one page ends no build.
    if (!(error instanceof RangeError)) throw error;
  }
  return parsePlain(page.path, source);
}

function parsePage({ path, root, exclude }: HtmlSource, html: PageElement): ParsedPage {
  const isRoot = root === "" ? undefined : compileSelector(root);
  const whole = isRoot === undefined ? html : findElement([html], isRoot);
  const excluded = exclude.flatMap((selector) => compileSelector(selector) ?? []);
  const regions = findRegions(whole ?? html, (element) => excluded.some((fits) => fits(element)));
  const properties = readProperties(whole ?? html, html, regions);
  if (properties.redirect !== "") {
    const message = `sends its visitors to ${properties.redirect.slice(0, 200)}`;
    return { ok: false, reason: "redirect", message };
  }
  if (properties.isNoIndex) {
    return { ok: false, reason: "noindex", message: "asks robots not to index it (<meta name=robots>)" };
  }
  const { description, siteName, base } = properties;
  const title = properties.title || nameInWords(path);
  const marks = new PageMarks();
  const writer = new MarkdownWriter(whole ?? html, regions, { title, siteName, base, path }, marks);
  // Where the root is missing there is nothing to read; the page is found by its title. The head is never read.
  if (whole === html) for (const element of childrenOf(html).filter(isElement)) writer.write(element);
  else if (whole !== undefined) writer.write(whole);
  const { text: marked, rest } = writer.finish();
  const text = withoutMarks(marked);
  const collector = new SiteSections(marks);
  collectSections(marked, "site", collector, title, 0);
  const sections = collector.finish(title, Math.max(1, countLines(text)));
  collector.noteIds(marks.split(rest));
  const anchors = new Set(sections.map(({ anchor }) => anchor));
  const ids = [...allIds(html, collector.ids)].filter(([id]) => !anchors.has(id)).slice(0, MAX_IDS);
  const { filters, canonical } = properties;
  return {
    ok: true,
    text,
    parsed: {
      title,
      description,
      frontmatter: frontmatterOf(properties),
      bodyStartLine: 1,
      sections,
      diagnostics: whole === undefined ? [describeRoot(path, root)] : describeUnread(path, text, html),
      site: { hasBody: regions.hasBody, filters, sort: sortKeys(properties), ids: Object.fromEntries(ids), canonical },
    },
  };
}

function sortKeys({ sort }: PageProperties): SitePage["sort"] {
  const fits = ([key, value]: [string, string]): boolean =>
    key.length <= MAX_NAME && value.length <= MAX_NAME && !CONTROLS.test(key + value);
  return Object.fromEntries(Object.entries(sort).filter(fits));
}

function frontmatterOf({ meta, language }: PageProperties): Record<string, unknown> {
  // A language in the meta data is what the page calls so; the one of `<html lang>` is what it is written in.
  return { ...meta, ...(language !== "" && !Object.hasOwn(meta, "lang") && { lang: language }) };
}

/** Ids with their sections; those outside of what is read lead to the page. */
function allIds(html: PageElement, read: ReadonlyMap<string, number>): Map<string, number> {
  const ids = new Map(read);
  const visit = (element: PageElement): void => {
    for (const { name, value } of element.attrs) {
      if ((name === "id" || (name === "name" && element.tagName === "a")) && !ids.has(value)) ids.set(value, 0);
    }
    for (const child of childrenOf(element)) if (isElement(child)) visit(child);
  };
  visit(html);
  return ids;
}

/** A page that stands in a form as a whole is empty: what some frameworks make of all pages. */
function describeUnread(path: string, text: string, html: PageElement): Diagnostic[] {
  const form = text === "" ? findElement([html], ({ tagName }) => tagName === "form") : undefined;
  if (form === undefined || findElement([form], ({ tagName }) => tagName === "p") === undefined) return [];
  const message = "nothing of the page is read but its title: its text stands in a <form>, which is never read";
  return [{ severity: "warning", code: "site-page-unread", message, path, line: 1 }];
}

function describeRoot(path: string, root: string): Diagnostic {
  const message = `no element fits site.root ${JSON.stringify(root)}: nothing of the page is read but its title`;
  return { severity: "warning", code: "site-root-missing", message, path, line: 1 };
}

/** The words of a page whose tree cannot be built in bounded time, as paragraphs: the text between its tags. */
function parsePlain(path: string, source: string): ParsedPage {
  const title = foldWhitespace(decodeEntities(TITLE.exec(source)?.[1] ?? "")) || nameInWords(path);
  const { blocks } = readHtml(source.replace(UNREAD, " "), 1, openScanBudget());
  const text = blocks.map((block) => `${escapeLineStart(escapeText(foldWhitespace(block.text)))}\n`).join("\n");
  const collector = new SiteSections(new PageMarks());
  collectSections(text, "site", collector, title, 0);
  const message = "the page is nested too deeply or too wide; it is indexed as plain text";
  return {
    ok: true,
    text,
    parsed: {
      title,
      description: "",
      frontmatter: {},
      bodyStartLine: 1,
      sections: collector.finish(title, Math.max(1, countLines(text))),
      diagnostics: [{ severity: "warning", code: "html-too-complex", message, path, line: 1 }],
      site: { hasBody: false, filters: {}, sort: {}, ids: {}, canonical: "" },
    },
  };
}
