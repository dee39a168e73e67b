/** Kinds of elements, and facts of single ones: weight, formula, links to themselves, addresses. */

import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import { attributeOf } from "../../config/selectors.ts";
import { readFenceInfo } from "../markdown/page-text.ts";
import {
  childrenOf,
  classesOf,
  isElement,
  type PageElement,
  type PageNode,
  type Regions,
  textOf,
} from "./page-tree.ts";

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Elements on lines of their own; their text is no part of the paragraph before. */
export const BLOCK_NAMES = names(
  "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre section summary table tbody td tfoot th thead tr ul caption colgroup search select",
);
const HEADING_NAMES = names("h1 h2 h3 h4 h5 h6");
/** Elements that show nothing of what is in them, or show something else. */
const UNSEEN_NAMES = names("audio canvas datalist embed math object param progress meter textarea video");

/** Boxes beside the text of a section, as DocBook, Sphinx, MkDocs and others write them. */
const NOTE =
  /^(?:admonition|alert|callout|hint|note|tip|warning|caution|important|danger|attention|seealso|custom-block|markdown-alert|sidebar)$/i;
const ANCHOR_SIGNS = /^(?:[\s#¶§\u200b]|\u{1f517}|\ufe0f)*$/u;
const ANCHOR_CLASS = /header-?link|header-?anchor|heading-?anchor|anchor-?link|hash-?link|permalink/i;
const ANCHOR_WORDS = /^\s*(?:link to this|permalink|direct link|anchor|section titled)/i;

export const NORMAL_WEIGHT = 1;
const MAX_WEIGHT = 10;

export function readWeight(element: PageElement): number | undefined {
  const written = attributeOf(element, "data-pagefind-weight")?.trim();
  if (written === undefined) return undefined;
  const weight = written === "" ? Number.NaN : Number(written);
  return Number.isNaN(weight) ? NORMAL_WEIGHT : Math.min(MAX_WEIGHT, Math.max(0, weight));
}

export function isNote(element: PageElement): boolean {
  return element.tagName === "aside" || classesOf(element).some((name) => NOTE.test(name));
}

/** Whether an element shows a reader none of its text: media, copy buttons, links to itself, formulas shown twice. */
export function isUnseen(element: PageElement): boolean {
  return UNSEEN_NAMES.has(element.tagName) || isCopyButton(element) || isAnchorMark(element) || isFormulaTwin(element);
}

function isFormulaTwin(element: PageElement): boolean {
  return attributeOf(element, "aria-hidden") === "true" && classesOf(element).includes("katex-html");
}

function isCopyButton(element: PageElement): boolean {
  if (element.tagName !== "button" && element.tagName !== "clipboard-copy") return false;
  if (attributeOf(element, "data-clipboard-text") !== undefined) return true;
  return ["aria-label", "title", "class", "data-clipboard-target"].some((name) =>
    /\bcopy|clipboard/i.test(attributeOf(element, name) ?? ""),
  );
}

/** Whether an element is the link that a heading carries to its own address: `#` or `¶`, or nothing that is seen. */
export function isAnchorMark(element: PageElement): boolean {
  if (element.tagName !== "a" || !attributeOf(element, "href")?.includes("#")) return false;
  // A class says that it is a mark, whatever sign or short name a theme gives it. One without: mdBook wraps whole headings.
  const isNamed = ANCHOR_CLASS.test(attributeOf(element, "class") ?? "");
  const text = plainText(element, 40);
  if (text.trim() === "") return isNamed || attributeOf(element, "aria-hidden") === "true";
  return ANCHOR_SIGNS.test(text) || (isNamed && ANCHOR_WORDS.test(text));
}

export function holdsBlock(element: PageElement): boolean {
  return childrenOf(element).some((child) => isElement(child) && BLOCK_NAMES.has(child.tagName));
}

/** The text in an element as it stands. @param limit Characters after which no more is taken. @param regions Leaves out what is not read. */
export function plainText(element: PageElement, limit = Number.POSITIVE_INFINITY, regions?: Regions): string {
  let text = "";
  const visit = (parent: PageElement): void => {
    for (const child of childrenOf(parent)) {
      if (text.length > limit) return;
      if (!isElement(child)) text += textOf(child) ?? "";
      else if (child.tagName === "br") text += " ";
      else if (regions === undefined || regions.of(child) === "read") visit(child);
    }
  };
  visit(element);
  return text;
}

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const SCHEMES = names("http https mailto tel ftp sms geo irc ircs news");
/** Whether an address is one of a script, of data, or of an unknown scheme. */
export function leadsNowhere(href: string): boolean {
  const scheme = SCHEME.exec(asParsed(href))?.[1];
  return scheme !== undefined && !SCHEMES.has(scheme.toLowerCase());
}

/** An address without what its parsers leave out: line ends and tabs anywhere, controls and spaces at its ends. */
export function asParsed(href: string): string {
  return href.replace(/[\t\n\r]+/g, "").replace(/^[\0-\x20]+|[\0-\x20]+$/g, "");
}

const SITE = "https://site.invalid/";

/** An address as `<base href>` makes it: absolute, or from the site's root on; as it is written where the page has none. */
export function resolveAgainstBase(href: string, base: string, path: string): string {
  if (base === "" || !URL.canParse(base, SITE)) return href;
  const from = new URL(base, new URL(encodeURI(path), SITE)).href;
  if (!URL.canParse(href, from)) return href;
  const target = new URL(href, from).href;
  return target.startsWith(SITE) ? target.slice(SITE.length - 1) : target;
}

/*
 * A block of code on a page: its text without what a site adds to it, and its language, however a highlighter writes them.
 */

const LANGUAGE_CLASS = /^(?:language-|lang-|highlight-source-|highlight-|brush:|sourceCode-)([A-Za-z0-9_+#.-]+)$/;
const NO_LANGUAGES: ReadonlySet<string> = new Set(
  "none text plain plaintext txt default notranslate nohighlight".split(" "),
);
/** One line of the block, its line end in none of them: Shiki, Docusaurus, Expressive Code, line-numbers plugins. */
const LINE_CLASSES: ReadonlySet<string> = new Set("line token-line ec-line code-line view-line cl".split(" "));
const ADDED =
  /^(?:line-?numbers?(?:-rows|-wrapper)?|lineno|linenos|linenodiv|gutter|ln|lnt|copy|copy-?btn|copy-?button|copybtn|btn-copy|clipboard|lang|language-label|code-lang|ec-gutter|sr-only|screen-reader-text|visually-hidden|twoslash-popup-container|v-popper__popper|vp-copy-ignore|header-anchor)$/i;
/** Elements above a block that may say its language, `div.highlight-python > div > pre`, or carry the id of a heading: DocBook puts four around each. */
const LEVELS_ABOVE = 6;

/** The code of a `<pre>`, and its language, `""` where nothing says one. */
export function readCode(pre: PageElement, regions: Regions): { readonly text: string; readonly language: string } {
  const lines = new CodeLines();
  const visit = (parent: PageElement): void => {
    for (const child of childrenOf(parent)) {
      if (!isElement(child)) {
        lines.add(textOf(child) ?? "");
        continue;
      }
      if (isAddedToCode(child) || regions.skips(child)) continue;
      if (child.tagName === "br") lines.add("\n");
      const start = isLineOfCode(child) ? lines.startLine() : undefined;
      visit(child);
      if (start !== undefined) lines.endLine(start);
    }
  };
  visit(pre);
  return { text: lines.finish(), language: languageOf(pre) };
}

/**
 * Text whose lines may be elements. Highlighters end them by a line feed between the elements, by one inside, or by none; each line is
 * ended once.
 */
class CodeLines {
  readonly #parts: string[] = [];
  #length = 0;
  #isLineStart = true;
  /** Whether a line was ended by its element alone. */
  #isDue = false;

  add(text: string): void {
    if (text === "") return;
    if (this.#isDue && !text.startsWith("\n")) this.#push("\n");
    this.#push(text);
  }

  startLine(): number {
    if (this.#isDue || !this.#isLineStart) this.#push("\n");
    return this.#length;
  }

  endLine(start: number): void {
    if (this.#length === start || !this.#isLineStart) this.#isDue = true;
  }

  finish(): string {
    return this.#parts
      .join("")
      .replace(/\r\n?/g, "\n")
      .replace(/^(?:[ \t]*\n)+/, "")
      .trimEnd();
  }

  #push(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    this.#isLineStart = text.endsWith("\n");
    this.#isDue = false;
  }
}

/** Whether an element beside or in code belongs to the site: line numbers, a copy button, the name of the language. */
export function isAddedToCode(element: PageElement): boolean {
  if (element.tagName === "button") return true;
  const { tagName } = element;
  if ((tagName === "a" || tagName === "span") && attributeOf(element, "data-line-number") !== undefined) return true;
  return tagName !== "pre" && tagName !== "code" && classesOf(element).some((name) => ADDED.test(name));
}

export function isCodeBox(element: PageElement): boolean {
  return classesOf(element).some(
    (name) => LANGUAGE_CLASS.test(name) || /^(?:highlight|code-?block|codeBlock\w*|expressive-code)$/i.test(name),
  );
}

export function isCodeTable(table: PageElement): boolean {
  return classesOf(table).some((name) =>
    /^(?:highlighttable|rouge-table|lntable|hljs-ln|crayon-table|code-table)$/.test(name),
  );
}

function isLineOfCode(element: PageElement): boolean {
  if (element.tagName === "div" || element.tagName === "li" || element.tagName === "tr") return true;
  return attributeOf(element, "data-line") !== undefined || classesOf(element).some((name) => LINE_CLASSES.has(name));
}

function languageOf(pre: PageElement): string {
  const inner = childrenOf(pre).find((child) => isElement(child) && child.tagName === "code") as
    | PageElement
    | undefined;
  const elements: PageElement[] = inner === undefined ? [pre] : [inner, pre];
  let above = pre.parentNode;
  for (let level = 0; level < LEVELS_ABOVE && above !== null && "tagName" in above; level++) {
    elements.push(above);
    above = above.parentNode;
  }
  for (const element of elements) {
    const written =
      attributeOf(element, "data-language") ?? attributeOf(element, "data-lang") ?? attributeOf(element, "syntax");
    const named = written ?? classesOf(element).flatMap((name) => LANGUAGE_CLASS.exec(name)?.[1] ?? [])[0];
    if (named === undefined) continue;
    const { language } = readFenceInfo(named);
    return NO_LANGUAGES.has(language) ? "" : language;
  }
  // Pandoc and highlight.js name it without a prefix.
  const bare = [inner, pre].flatMap((element) => (element === undefined ? [] : classesOf(element)));
  const at = bare.findIndex((name) => name === "sourceCode" || name === "hljs");
  const next =
    at < 0
      ? undefined
      : bare.find((name) => name !== "sourceCode" && name !== "hljs" && /^[a-z][a-z0-9+#-]{0,19}$/.test(name));
  return next ?? "";
}

/*
 * The id that an address scrolls to for a heading: its own, that of an anchor in it or just before it, or that of the section it begins.
 */

const LEVELS_INSIDE = 3;
/** Elements whose ids are none of a heading in them. */
const OUTER = names("body html main table tbody tr");
/** Elements in which a heading is none of what is around them. */
const APART = names("blockquote dd li td");
const MAX_BEFORE = 4;

export class HeadingAnchors {
  readonly #anchors = new Map<PageElement, string>();
  readonly #around = new Set<PageElement>();
  readonly #begun = new Set<PageElement>();

  constructor(root: PageElement, regions: Regions) {
    this.#visit(root, regions);
  }

  /** Id that an address scrolls to for a heading, without spaces; `""` where there is none. */
  of(heading: PageElement): string {
    return this.#anchors.get(heading) ?? "";
  }

  areIn(element: PageElement): boolean {
    return this.#around.has(element);
  }

  #visit(parent: PageElement, regions: Regions): boolean {
    const siblings = childrenOf(parent);
    let isAround = false;
    for (const [at, element] of siblings.entries()) {
      if (!isElement(element) || regions.skips(element)) continue;
      if (HEADING_NAMES.has(element.tagName)) {
        const above = this.#idAbove(element);
        const anchor = ownId(element) || idInside(element, 0) || idBefore(siblings, at) || above;
        this.#anchors.set(element, anchor);
        isAround ||= anchor !== "";
      } else if (this.#visit(element, regions)) isAround = true;
    }
    if (isAround) this.#around.add(parent);
    return isAround;
  }

  #idAbove(heading: PageElement): string {
    let id = "";
    let element = heading.parentNode;
    for (let level = 0; element !== null && "tagName" in element && !this.#begun.has(element); level++) {
      if (OUTER.has(element.tagName)) break;
      this.#begun.add(element);
      if (level < LEVELS_ABOVE) id ||= ownId(element);
      if (APART.has(element.tagName) || isNote(element)) break;
      element = element.parentNode;
    }
    return id;
  }
}

/** The title that a page gives the section of a heading, at the element whose id is the heading's; `""` for none. */
export function sectionTitle(heading: PageElement, anchor: string): string {
  let element: PageElement = heading;
  for (let level = 0; level <= LEVELS_ABOVE && anchor !== ""; level++) {
    if (ownId(element) === anchor) return foldWhitespace(attributeOf(element, "data-pagefind-title") ?? "");
    const { parentNode } = element;
    if (parentNode === null || !("tagName" in parentNode)) return "";
    element = parentNode;
  }
  return "";
}

export function ownId(element: PageElement): string {
  const id = attributeOf(element, "id") ?? (element.tagName === "a" ? attributeOf(element, "name") : undefined) ?? "";
  return id.replace(/\s+/g, "");
}

function idInside(element: PageElement, depth: number): string {
  if (depth > LEVELS_INSIDE) return "";
  for (const child of childrenOf(element)) {
    if (!isElement(child)) continue;
    const id = ownId(child) || idInside(child, depth + 1);
    if (id !== "") return id;
  }
  return "";
}

function idBefore(siblings: readonly PageNode[], place: number): string {
  for (let at = place - 1; at >= Math.max(0, place - MAX_BEFORE); at--) {
    const node = siblings[at] as PageNode;
    if (!isElement(node)) {
      if ((textOf(node) ?? "").trim() !== "") return "";
      continue;
    }
    if (!["a", "span", "p", "div"].includes(node.tagName) || !isBare(node, 0)) return "";
    const id = ownId(node) || idInside(node, 0);
    if (id !== "") return id;
  }
  return "";
}

function isBare(element: PageElement, depth: number): boolean {
  return (
    depth <= LEVELS_INSIDE &&
    childrenOf(element).every((child) =>
      isElement(child)
        ? ["a", "span"].includes(child.tagName) && isBare(child, depth + 1)
        : (textOf(child) ?? "").trim() === "",
    )
  );
}
