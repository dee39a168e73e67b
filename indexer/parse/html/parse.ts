/**
 * Pages of built sites to sections, with the Markdown that they are made of.
 *
 * The tree of a page gives its properties and the parts of it that are read. These are written as Markdown, with marks for ids and
 * weights, and read by the Markdown parser. Whatever the input, the result is a document, or the reason why the page asks not to be one.
 */
import { unescapeText } from "../../../src/core/parse-text.ts";
import { countLines } from "../../../src/core/text/lines.ts";
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import type { Diagnostic } from "../../base/diagnostic.ts";
import { attributeOf, compileSelector } from "../../config/selectors.ts";
import { areSameTitle, nameInWords, normalizeSource } from "../markdown/page-text.ts";
import { collectSections } from "../markdown/parse.ts";
import { decodeEntities, readHtml } from "../markdown/read-tokens.ts";
import { SectionCollector } from "../markdown/sections.ts";
import { openScanBudget } from "../markdown/tag.ts";
import { MAX_IDS, type ParsedDocument, type SitePage } from "../parsed-document.ts";
import { asParsed, BLOCK_NAMES, isAnchorMark, leadsNowhere, resolveAgainstBase } from "./elements.ts";
import {
  childrenOf,
  findRegions,
  isElement,
  type PageElement,
  type PageNode,
  parseTree,
  type Regions,
  readIndexedAttributes,
  textOf,
} from "./page-tree.ts";
import { PageMarks, SiteSections, withoutMarks } from "./site-sections.ts";
import { MarkdownWriter } from "./write-markdown.ts";

/** Longest key and value to sort by: names of the index, of which each has bytes. */
const MAX_NAME = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out.
const CONTROLS = /[\0-\x1f]/;

const TITLE = /<title\b[^>]*>([^<]*)/i;
/** Elements whose text is nothing to read, in a page that is read tag by tag. */
const UNREAD = /<(title|noscript|iframe|noframes|textarea)\b[^>]*>[^<]*(?:<\/\1\s*>)?/gi;

interface HtmlSource {
  readonly path: string;
  readonly text: string;
  /** Selector of the element that is read; `""` = what holds the content by convention, else the whole page. */
  readonly root: string;
  readonly exclude: readonly string[];
  /** Lines of Markdown that most pages of the site have: left out at the ends of a page. */
  readonly chrome?: readonly string[] | undefined;
}

type ParsedPage =
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

function parsePage({ path, root, exclude, chrome = [] }: HtmlSource, html: PageElement): ParsedPage {
  const isRoot = root === "" ? undefined : compileSelector(root);
  const whole = isRoot === undefined ? html : findElement([html], isRoot);
  const excluded = exclude.flatMap((selector) => compileSelector(selector) ?? []);
  const isExcluded = (element: PageElement): boolean => excluded.some((fits) => fits(element));
  const { content, ...regions } = findRegions(whole ?? html, isExcluded, root === "");
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
  const writer = new MarkdownWriter(content ?? whole ?? html, regions, { title, siteName, base, path }, marks);
  // Where the root is missing there is nothing to read; the page is found by its title. The head is never read.
  if (content !== undefined) writer.write(content);
  else if (whole === html) for (const element of childrenOf(html).filter(isElement)) writer.write(element);
  else if (whole !== undefined) writer.write(whole);
  const { text: written, rest } = writer.finish(root === "" && !regions.hasBody ? new Set(chrome) : undefined);
  const text = withoutMarks(written);
  const collector = new SiteSections(marks);
  collectSections(written, "site", collector, title, 0);
  const sections = collector.finish(title, Math.max(1, countLines(text)));
  collector.noteIds(marks.split(rest));
  const anchors = new Set(sections.map(({ anchor }) => anchor));
  const ids = [...allIds(html, collector.ids)].filter(([id]) => !anchors.has(id)).slice(0, MAX_IDS);
  const { filters, canonical } = properties;
  const links = siteLinks(html, base, path);
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
      site: {
        hasBody: regions.hasBody,
        filters,
        sort: sortKeys(properties),
        titleAnchor: writer.titleAnchor,
        canonical,
        links,
      },
      ids: Object.fromEntries(ids),
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

const MAX_SITE_LINKS = 24;

function siteLinks(html: PageElement, base: string, path: string): string[] {
  const found = new Set<string>();
  const visit = (element: PageElement): void => {
    const href = element.tagName === "a" ? asParsed(attributeOf(element, "href") ?? "") : "";
    const [address = ""] = href === "" ? [] : resolveAgainstBase(href, base || ".", path).split(/[?#]/);
    const isFromRoot = base !== "" || href.startsWith("/");
    if (address.startsWith("/")) found.add(unescapeText(isFromRoot ? address : address.slice(1)));
    for (const child of childrenOf(element)) if (isElement(child)) visit(child);
  };
  visit(html);
  // Evenly spread: menus, text and footer.
  const step = Math.ceil(found.size / MAX_SITE_LINKS);
  return [...found].filter((_, at) => at % step === 0);
}

function findElement(nodes: readonly PageNode[], fits: (element: PageElement) => boolean): PageElement | undefined {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const found = fits(node) ? node : findElement(childrenOf(node), fits);
    if (found !== undefined) return found;
  }
  return undefined;
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
  const texts = readHtml(source.replace(UNREAD, " "), 1, openScanBudget())
    .map((part) => foldWhitespace(part.kind === "heading" ? part.title : part.text))
    .filter((text) => text !== "");
  const text = texts.map((one) => `${one}\n`).join("\n");
  const collector = new SectionCollector("none");
  for (const [at, one] of texts.entries()) collector.addProse(one, 2 * at + 1, "text");
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
      site: { hasBody: false, filters: {}, sort: {}, titleAnchor: "", canonical: "", links: [] },
    },
  };
}

const SEPARATOR = /\s+[-–—|·•:»«›‹~]{1,2}\s+|\s*[|–—»›]\s*/gu;

const NUMBERED = /^\d{1,3}(?:\.\d{1,3})*[.:)]?\s+\S/;

const FROM_ATTRIBUTE = /^([^:[\]]+)\[(.+)\]$/;

const MAX_CHARACTERS = 2_000_000;
/** Keys of each kind that one page sets; each is a facet, or a line of what is shown of the page. */
const MAX_KEYS = 50;

/** Values of one filter that are looked at; of those the first are facets. */
const MAX_FILTER_VALUES = 500;
const MAX_HEADINGS = 3;

/** Redirects after more seconds are none: visitors read the page. */
const MAX_REDIRECT_SECONDS = 10;

/** Elements whose content no visitor with scripts is shown, or that only a program reads. */
const ASIDE: ReadonlySet<string> = new Set(["noscript", "template", "svg", "math"]);

const MAX_VALUE_CHARACTERS = 20_000;

type PageProperties = ReturnType<typeof readProperties>;

type Reader = ReturnType<typeof openReader>;

function openReader(regions: Regions) {
  return {
    regions,
    /** Text that may still be taken off the page: elements inside each other are read again and again. */
    budget: { characters: MAX_CHARACTERS },
    meta: new Map<string, string>(),
    defaults: new Map<string, string>(),
    filters: new Map<string, string[]>(),
    sort: new Map<string, string>(),
    /** By `name` or `property`, in lower case; the first of each. */
    named: new Map<string, string>(),
    headings: [] as string[],
    pageTitle: "",
    image: undefined as PageElement | undefined,
    canonical: "",
    base: "",
    redirect: "",
  };
}

/** Reads the properties of a page. @param root The element that all of them stand below. @param html The whole page. */
function readProperties(root: PageElement, html: PageElement, regions: Regions) {
  const reader = openReader(regions);
  if (root !== html) readHead(reader, html);
  visit(reader, root);
  const { meta, defaults, named, image } = reader;
  if (image !== undefined && !meta.has("image")) {
    meta.set("image", attributeOf(image, "src") ?? "");
    meta.set("image_alt", (attributeOf(image, "alt") ?? "").slice(0, MAX_VALUE_CHARACTERS));
  }
  const chosen = chooseTitle(reader.headings, reader.pageTitle, named.get("og:site_name") ?? "");
  const title = meta.get("title") || chosen.title || defaults.get("title") || "";
  const all = new Map([...defaults, ...meta]);
  all.delete("title");
  const own = all.get("description");
  return {
    /** `""` where neither meta data, nor a first heading, nor `<title>` says one. */
    title,
    /** The first heading where that is the name of the site, which each of its pages repeats; else `""`. */
    siteName: chosen.siteName,
    description: own ?? foldWhitespace(named.get("description") || named.get("og:description") || ""),
    meta: Object.fromEntries(all),
    filters: Object.fromEntries(reader.filters),
    sort: Object.fromEntries(reader.sort),
    language: attributeOf(html, "lang") ?? "",
    canonical: reader.canonical || named.get("og:url") || "",
    base: reader.base,
    isNoIndex: (named.get("robots") ?? "").split(",").some((one) => /^(?:noindex|none)$/i.test(one.trim())),
    redirect: reader.redirect,
  };
}

/** The elements of the head count for title, description and robots even where the root of what is read lies below. */
function readHead(reader: Reader, html: PageElement): void {
  for (const head of childrenOf(html)) {
    if (!isElement(head) || head.tagName !== "head") continue;
    for (const child of childrenOf(head)) if (isElement(child)) readHeadElement(reader, child);
  }
}

/** Children first: an element's values are taken at its end. */
function visit(reader: Reader, element: PageElement, isAside = false): void {
  const { regions } = reader;
  if (regions.of(element) === "excluded") return;
  const below = isAside || ASIDE.has(element.tagName);
  for (const child of childrenOf(element)) if (isElement(child)) visit(reader, child, below);
  if (!isAside) readHeadElement(reader, element);
  readAttributes(reader, element);
  if (element.tagName === "h1") noteHeading(reader, element);
  if (isAside || element.tagName !== "img" || reader.image !== undefined) return;
  if ((reader.headings.length === 0 && !reader.meta.has("title")) || !isShownImage(attributeOf(element, "src"))) return;
  reader.image = element;
}

function noteHeading(reader: Reader, element: PageElement): void {
  if (reader.headings.length >= MAX_HEADINGS) return;
  const text = elementText(element, reader);
  if (text === "") return;
  reader.headings.push(text);
}

/** Directives for robots in the body, which anybody may have written, are not heard. */
function readHeadElement(reader: Reader, element: PageElement): void {
  const { tagName, parentNode } = element;
  const isInHead = parentNode !== null && "tagName" in parentNode && parentNode.tagName === "head";
  if (tagName === "title" && reader.pageTitle === "") {
    reader.pageTitle = elementText(element, reader);
  } else if (tagName === "link" && isInHead && /(?:^|\s)canonical(?:\s|$)/i.test(attributeOf(element, "rel") ?? "")) {
    reader.canonical ||= attributeOf(element, "href")?.trim() ?? "";
  } else if (tagName === "base" && isInHead) {
    reader.base ||= attributeOf(element, "href")?.trim() ?? "";
  } else if (tagName === "meta" && isInHead) {
    const content = attributeOf(element, "content") ?? "";
    const name = (attributeOf(element, "name") ?? attributeOf(element, "property") ?? "").toLowerCase();
    if (name !== "" && !reader.named.has(name)) reader.named.set(name, content);
    if (attributeOf(element, "http-equiv")?.toLowerCase() === "refresh") reader.redirect ||= readRefresh(content);
  }
}

function isShownImage(src: string | undefined): boolean {
  return src !== undefined && src.length <= MAX_VALUE_CHARACTERS && !leadsNowhere(src);
}

function readAttributes(reader: Reader, element: PageElement): void {
  const { budget, meta, defaults, filters, sort } = reader;
  // What several keys name is taken off the page once.
  const texts = new Map<string, string>();
  const textOnce = (name: string, read: () => string): string => {
    const known = texts.get(name);
    if (known !== undefined) return known;
    const text = budget.characters > 0 ? read() : "";
    texts.set(name, text);
    return text;
  };
  const fold = (value: string): string => {
    const cut = value.slice(0, MAX_VALUE_CHARACTERS);
    budget.characters -= cut.length;
    return foldWhitespace(cut);
  };
  const valuesOf = (name: string): [string, string][] => {
    const written = attributeOf(element, name);
    if (written === undefined) return [];
    const named = readNamedValues(written, (attribute) => {
      const own = attribute.toLowerCase();
      return textOnce(`[${own}]`, () => fold(attributeOf(element, own) ?? ""));
    });
    return named.flatMap(([key, value]): [string, string][] => {
      if (value !== undefined) return [[key, textOnce(`:${value}`, () => fold(value))]];
      const text = textOnce("", () => elementText(element, reader));
      return text === "" ? [] : [[key, text]];
    });
  };
  const set = <T>(map: Map<string, T>, key: string, value: T): void => {
    if (map.has(key) || map.size < MAX_KEYS) map.set(key, value);
  };
  for (const [key, value] of valuesOf("data-pagefind-filter")) {
    const values = filters.get(key);
    if (values === undefined) set(filters, key, [value]);
    else if (values.length < MAX_FILTER_VALUES) values.push(value);
  }
  for (const [key, value] of valuesOf("data-pagefind-sort")) set(sort, key, value);
  for (const [key, value] of valuesOf("data-pagefind-meta")) set(meta, key, value);
  for (const [key, value] of valuesOf("data-pagefind-default-meta")) set(defaults, key, value);
}

/** Address of `0; url=…`; `""` where visitors stay some seconds, or on the page. */
function readRefresh(content: string): string {
  const [, seconds = "", address = ""] = /^\s*(\d*)[.\d]*\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']*)/i.exec(content) ?? [];
  return Number(seconds) <= MAX_REDIRECT_SECONDS ? address.trim() : "";
}

type NamedValue = readonly [key: string, value: string | undefined];

/**
 * The keys of an attribute's value: `key`, `key[attribute]` and `key:value`, several with commas between them. A value is the rest of
 * the text, whatever it holds.
 *
 * @param read Gives another attribute of the same element, `""` where there is none.
 */
function readNamedValues(written: string, read: (attribute: string) => string): NamedValue[] {
  const colon = written.indexOf(":");
  const named = (colon < 0 ? written : written.slice(0, colon)).split(",").map((part) => part.trim());
  const last = colon < 0 ? undefined : named.pop();
  const values = named.map((part): NamedValue => {
    const [, key, attribute] = FROM_ATTRIBUTE.exec(part) ?? [];
    return key === undefined ? [part, undefined] : [key.trim(), read(attribute ?? "")];
  });
  if (last !== undefined) values.push([last, written.slice(colon + 1)]);
  return values.filter(([key]) => key !== "" && key !== "__proto__");
}

/**
 * The title of a page out of its headings and its `<title>`.
 *
 * Generators put the site's name into a heading before the page's own (mdBook), or instead of it (Node's documentation). `<title>`
 * tells them apart: there the name follows that of the page.
 *
 * @param headings Those of level 1, in order.
 * @param site Name of the site, where the page says it.
 */
function chooseTitle(
  headings: readonly string[],
  pageTitle: string,
  site: string,
): { readonly title: string; readonly siteName: string } {
  const [heading = ""] = headings;
  const own = withoutSite(pageTitle, site);
  if (heading === "") return { title: own, siteName: "" };
  const named = withoutSite(pageTitle, heading);
  if (named !== pageTitle && !areSameTitle(named, heading)) {
    const next = headings.find((other) => !areSameTitle(other, heading));
    return { title: next ?? named, siteName: heading };
  }
  // A page of several such headings has none that is its title.
  const isChapter = NUMBERED.test(heading) && headings.length > 1 && own !== "" && !pageTitle.includes(heading);
  return { title: isChapter ? own : heading, siteName: "" };
}

/** A title without the name that ends it; as it is where it ends otherwise, or holds nothing else. */
function withoutSite(title: string, site: string): string {
  if (site === "") return title;
  for (const { 0: separator, index } of title.matchAll(SEPARATOR)) {
    if (index > 0 && areSameTitle(title.slice(index + separator.length), site)) return title.slice(0, index);
  }
  return title;
}

/** The text of an element on one line, without what is ignored. */
function elementText(element: PageElement, { regions, budget }: Pick<Reader, "regions" | "budget">): string {
  const parts: string[] = [];
  let left = MAX_VALUE_CHARACTERS;
  const add = (text: string): void => {
    if (left <= 0 || budget.characters <= 0) return;
    left -= text.length + 1;
    budget.characters -= text.length + 1;
    parts.push(text);
  };
  const visit = (parent: PageElement): void => {
    const isAround = regions.of(parent) === "around";
    for (const child of childrenOf(parent)) {
      if (left <= 0 || budget.characters <= 0) return;
      left--;
      budget.characters--;
      if (!isElement(child)) {
        if (!isAround) add(textOf(child) ?? "");
        continue;
      }
      const region = regions.of(child);
      if (region !== "excluded")
        for (const value of readIndexedAttributes(child)) add(` ${value.slice(0, MAX_VALUE_CHARACTERS)} `);
      if (regions.skips(child) || (isAround && region !== "body" && region !== "around") || isAnchorMark(child))
        continue;
      const isApart = BLOCK_NAMES.has(child.tagName) || child.tagName === "br";
      if (isApart || attributeOf(child, "id") !== undefined) add(" ");
      visit(child);
      if (isApart) add(" ");
    }
  };
  visit(element);
  return foldWhitespace(parts.join(""));
}
