/**
 * Pages of built sites to sections, with the Markdown that they are made of.
 *
 * The tree of the page says what is read of it and what the page says of itself; a walk over what is read writes Markdown and collects
 * the sections of it. Whatever the input, the result is a document, or says why the page asks not to be one.
 *
 * Pure: text in, values out. No I/O, no clock.
 */

import { type TokenHandler, Tokenizer, TokenizerMode } from "parse5";
import { countLines } from "../../../src/core/text/lines.ts";
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { compileSelector } from "../../config/selectors.ts";
import { SectionCollector } from "../markdown/sections.ts";
import { normalizeSource } from "../markdown/source-text.ts";
import { nameInWords } from "../markdown/title.ts";
import type { ParsedDocument, ParsedSection, SitePage } from "../parsed-document.ts";
import { BLOCK_NAMES } from "./block-names.ts";
import { resolveAgainstBase } from "./link-target.ts";
import { escapeLineStart, escapeText } from "./markdown-text.ts";
import { childrenOf, isElement, type PageElement, parseTree } from "./page-tree.ts";
import { type PageProperties, readProperties } from "./properties.ts";
import { findElement, findRegions } from "./regions.ts";
import { PageRenderer } from "./render-page.ts";

/** Elements whose text is nothing to read, with the mode in which a tokenizer passes them over. */
const RAW_NAMES: Readonly<Record<string, number>> = {
  script: TokenizerMode.SCRIPT_DATA,
  style: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  noscript: TokenizerMode.RAWTEXT,
  textarea: TokenizerMode.RCDATA,
  title: TokenizerMode.RCDATA,
};

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

/** Ids of one page that are kept; further ones lead to the page. */
const MAX_IDS = 5_000;

/** The document that a page holds. Never throws for what the page holds. */
export function parseHtml(page: HtmlSource): ParsedPage {
  const source = normalizeSource(page.text);
  try {
    return parsePage(page, source);
  } catch (error) {
    // A text longer than there can be, or a stack deeper: one page ends no build.
    if (error instanceof RangeError) return parsePlain(page.path, source);
    throw error;
  }
}

function parsePage({ path, root, exclude }: HtmlSource, source: string): ParsedPage {
  const html = parseTree(source)?.childNodes.find(isElement);
  if (html === undefined) return parsePlain(path, source);
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
  const title = properties.title || nameInWords(path);
  const collector = new SectionCollector("none");
  const renderer = new PageRenderer(regions, collector, title, properties.siteName);
  // Where the root is missing there is nothing to read; the page is found by its title.
  for (const start of whole === undefined ? [] : startsOf(whole, html)) renderer.read(start);
  const markdown = renderer.text;
  const sections = borrowAnchors(collector.finish(title, Math.max(1, countLines(markdown))));
  const { base } = properties;
  const linked = base === "" ? sections : sections.map((section) => withBase(section, base, path));
  const anchors = new Set(sections.map(({ anchor }) => anchor));
  const others = [...allIds(html, renderer.ids)].filter(([id]) => !anchors.has(id));
  const ids = Object.fromEntries(others.slice(0, MAX_IDS));
  const site: SitePage = { ...siteFacts(properties), hasBody: regions.hasBody, ids };
  return {
    ok: true,
    text: markdown,
    parsed: {
      title,
      description: properties.description,
      frontmatter: frontmatterOf(properties),
      bodyStartLine: 1,
      sections: linked,
      diagnostics: whole === undefined ? [describeRoot(path, root)] : describeUnread(path, markdown, html),
      site,
    },
  };
}

function withBase(section: ParsedSection, base: string, path: string): ParsedSection {
  const links = section.links.map((link) => ({ ...link, href: resolveAgainstBase(link.href, base, path) }));
  return { ...section, links };
}

/** A heading without an id is reached by the one above it. */
function borrowAnchors(sections: readonly ParsedSection[]): ParsedSection[] {
  const shown: ParsedSection[] = [];
  for (const section of sections) {
    shown.push({ ...section, anchor: section.anchor || (shown[section.parent]?.anchor ?? "") });
  }
  return shown;
}

/** Where reading begins: at the root, or below the page's own element, whose head is not read. */
function startsOf(root: PageElement, html: PageElement): readonly PageElement[] {
  return root === html ? childrenOf(html).filter(isElement) : [root];
}

function siteFacts({ filters, sort, canonical }: PageProperties): Pick<SitePage, "filters" | "sort" | "canonical"> {
  // They are names of the index, of which each has bytes.
  const fits = ([key, value]: [string, string]): boolean =>
    key.length <= MAX_NAME && value.length <= MAX_NAME && !CONTROLS.test(key + value);
  return { filters, sort: Object.fromEntries(Object.entries(sort).filter(fits)), canonical };
}

/** Longest key and value to sort by. */
const MAX_NAME = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out.
const CONTROLS = /[\0-\x1f]/;

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

/** The page as paragraphs of plain text. */
function parsePlain(path: string, source: string): ParsedPage {
  const page = readPlainPage(source);
  const title = page.title || nameInWords(path);
  const collector = new SectionCollector("none");
  const lines: string[] = [];
  for (const paragraph of page.paragraphs) {
    if (lines.length > 0) lines.push("");
    collector.addProse(paragraph, lines.length + 1, "text");
    lines.push(escapeLineStart(escapeText(paragraph)));
  }
  const markdown = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  const message = "the page is nested too deeply or too wide; it is indexed as plain text";
  const diagnostic: Diagnostic = { severity: "warning", code: "html-too-complex", message, path, line: 1 };
  return {
    ok: true,
    text: markdown,
    parsed: {
      title,
      description: "",
      frontmatter: {},
      bodyStartLine: 1,
      sections: collector.finish(title, Math.max(1, countLines(markdown))),
      diagnostics: [diagnostic],
      site: { hasBody: false, filters: {}, sort: {}, ids: {}, canonical: "" },
    },
  };
}

/** A page that stands in a form as a whole is empty: what some frameworks make of all pages. */
function describeUnread(path: string, markdown: string, html: PageElement): Diagnostic[] {
  const form = markdown === "" ? findElement([html], ({ tagName }) => tagName === "form") : undefined;
  if (form === undefined || findElement([form], ({ tagName }) => tagName === "p") === undefined) return [];
  const message = "nothing of the page is read but its title: its text stands in a <form>, which is never read";
  return [{ severity: "warning", code: "site-page-unread", message, path, line: 1 }];
}

function describeRoot(path: string, root: string): Diagnostic {
  const message = `no element fits site.root ${JSON.stringify(root)}: nothing of the page is read but its title`;
  return { severity: "warning", code: "site-root-missing", message, path, line: 1 };
}

/**
 * The words of a page whose tree cannot be built in bounded time: what stands between its tags, block after block.
 *
 * Pure.
 */

/** Paragraphs of a page, and the text of its `<title>`. */
function readPlainPage(html: string): { readonly title: string; readonly paragraphs: readonly string[] } {
  const paragraphs: string[] = [];
  let parts: string[] = [];
  let title = "";
  let raw = "";
  const flush = (): void => {
    const text = foldWhitespace(parts.join(""));
    if (text !== "") paragraphs.push(text);
    parts = [];
  };
  const takeText = ({ chars }: { readonly chars: string }): void => {
    if (raw === "") parts.push(chars);
    else if (raw === "title") title += chars;
  };
  const handler: TokenHandler = {
    onStartTag({ tagName }) {
      if (BLOCK_NAMES.has(tagName)) flush();
      const mode = RAW_NAMES[tagName];
      if (mode === undefined || !Object.hasOwn(RAW_NAMES, tagName)) return;
      raw = tagName;
      tokenizer.state = mode as typeof tokenizer.state;
    },
    onEndTag({ tagName }) {
      if (tagName === raw) raw = "";
      if (BLOCK_NAMES.has(tagName)) flush();
    },
    onCharacter: takeText,
    onWhitespaceCharacter: takeText,
    onNullCharacter: () => undefined,
    onComment: () => undefined,
    onDoctype: () => undefined,
    onEof: () => undefined,
  };
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: false }, handler);
  tokenizer.write(html, true);
  flush();
  return { title: foldWhitespace(title), paragraphs };
}
