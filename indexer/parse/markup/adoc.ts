/**
 * AsciiDoc, as Asciidoctor and Antora read it, to sections: a documented subset (docs/page-formats.md).
 *
 * Blocks are read line by line and without nesting: what stands in an example or a list item is read as ordinary text. Files that a page
 * includes are links and are not read into it; of conditions, what they enclose is read.
 */
import { slugify } from "../../../src/core/text/names.ts";
import { normalizeSource } from "../markdown/page-text.ts";
import { parseFrontmatter } from "../markdown/parse.ts";
import type { ParsedDocument } from "../parsed-document.ts";
import { type InlineText, indentOf, isBlank, isLong, LinePage, type MarkupSource, readInline } from "./line-page.ts";

const HEADING = /^(={1,6}|#{1,6})\s+(\S.*)$/;
/** Signs of underlines, by level. */
const UNDERLINES = "=-~^+";
const UNDERLINE = /^([=\-~^+])\1+$/;
const ATTRIBUTE = /^:(!?\w[\w-]{0,60}!?):(?:\s+(.*))?$/;
const BLOCK_MACRO = /^([a-z]{1,20})::(\S{0,500}?)\[(.*)\]$/;
const BLOCK_ANCHOR = /^\[\[([^\],]{1,200})(?:,[^\]]*)?\]\]$/;
const BLOCK_ATTRIBUTES = /^\[(?![[\]])(.*)\]$/;
/** Delimiters of what is shown as it stands, of what is not shown, and of what is read as ordinary text. */
const VERBATIM = /^(?:-{4,}|\.{4,}|(`{3,})([\w+#-]*).*)$/;
const HIDDEN = /^(?:\/{4,}|\+{4,})$/;
const COMPOUND = /^(?:={4,}|\*{4,}|_{4,}|--|~{4,}|'{3,}|<{3,}|\+)$/;
const CONDITION = /^(?:ifn?def|ifeval|endif|include)::/;
const TABLE = /^[|,:!]={3,}$/;
/** Lines that end a paragraph. */
const BLOCK = new RegExp(
  [CONDITION, VERBATIM, HIDDEN, COMPOUND, TABLE, /^\[[^\]]*\]$/].map(({ source }) => source).join("|"),
);
/** Beginning of a cell with its span and style, `2+a|`. */
const CELL = /(?:(?<=^|\s)[\d.+*<>^]{0,12}[adehlmsv]?)(?<!\\)\|/g;
const ITEM = /^\s*(?:\*{1,6}|-|\.{1,6}|\d{1,9}\.|[A-Za-z]\.|<(?:\d{1,4}|\.)>)\s+(?:\[[ xX*]\]\s+)?/;
const TERM = /^\s*(\S.{0,300}?)(?::{2,4}|;;)(?:\s+|$)/;
const ADMONITION = /^(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+/;
/** Attributes of a page that say something of it. */
const PROPERTY = /^(?:description|keywords|lang|language|tags|author|revdate|page-\w[\w-]*)$/;
const CODE_STYLE = /^(?:source|listing|literal|)$/;

const INLINE = new RegExp(
  [
    String.raw`\\(?<escaped>[*_\x60#{<[(^+])`,
    String.raw`(?<![\w\x60])\x60(?:\+(?<literal>[^\x60+]+)\+|(?<code>[^\x60\s](?:[^\x60]*[^\x60\s])?))\x60(?![\w\x60])`,
    String.raw`\+\+\+(?<passed>[^+]*)\+\+\+`,
    "<<(?<xref>[^<>,]{1,300})(?:,(?<xrefText>[^<>]{0,500}))?>>",
    String.raw`\[\[(?<anchor>[^\],[]{1,200})(?:,[^\][]{0,200})?\]\]`,
    String.raw`(?<url>https?:\/\/[^\s[\]<>\x60"]*[^\s[\]<>\x60".,;:!?)*_])(?:\[(?<urlText>[^\]]{0,1000})\])?`,
    String.raw`(?<![\w:])(?<macro>[a-z][a-z0-9]{1,20}):(?<target>[^\s[\]]{0,300})\[(?<macroText>[^\]]{0,2000})\]`,
    String.raw`\{(?<attribute>\w[\w-]{0,60})\}`,
    String.raw`\({3}(?<hiddenTerm>[^()]{0,500})\){3}`,
    String.raw`\(\((?<shownTerm>[^()]{0,500})\)\)`,
    String.raw`(?:\[[^\][]{0,100}\])?(?<free>\*\*|__|##|\x60\x60|\^(?=[^\s^]{1,100}\^))(?=\S)(?<inFree>(?:(?!\k<free>)[^]){1,1000})\k<free>`,
    String.raw`(?:\[[^\][]{0,100}\])?(?<!\w)(?<mark>[*_#+\x60])(?=\S)(?<inMark>(?:(?!\k<mark>)[^]){1,1000})(?<!\s)\k<mark>(?!\w)`,
  ].join("|"),
  "g",
);
const VALUE = /\{(\w[\w-]{0,60})\}/g;
/** Macros without visible text of their own. */
const SILENT = /^(?:anchor|indexterm|footnoteref|stem|latexmath)$/;
/** Text that takes the place of one attribute. */
const MAX_VALUE = 300;
const MAX_ATTRIBUTES = 1_000;

/** Document of a page of AsciiDoc. Never throws for its content. */
export function parseAdoc({ path, text }: MarkupSource): ParsedDocument {
  const source = normalizeSource(text);
  const { values, bodyStartLine, diagnostics } = parseFrontmatter(source, path);
  const reader = new AdocReader(path, new LinePage(source, values));
  reader.page.at = bodyStartLine - 1;
  reader.read();
  return reader.page.finish(path, bodyStartLine, diagnostics);
}

class AdocReader {
  readonly page: LinePage;
  readonly #path: string;
  readonly #attributes = new Map<string, string>();
  readonly #anchors = new Map<string, number>();
  /** Id, style and language that the lines before a block give it. */
  #id = "";
  #style = "";
  #language = "";
  #isTop = true;
  /** Delimiters of the blocks around the current line that are read as ordinary text. */
  readonly #open = new Set<string>();

  constructor(path: string, page: LinePage) {
    this.#path = path;
    this.page = page;
  }

  read(): void {
    const { page } = this;
    while (page.at < page.lines.length) {
      const line = page.lines[page.at]?.trimEnd() ?? "";
      if (line === "" || (line.startsWith("//") && !line.startsWith("///"))) page.at++;
      else if (isLong(line)) this.#readText(line);
      else if (!this.#readMeta(line) && !this.#readHeading(line) && !this.#readDelimited(line)) this.#readText(line);
    }
  }

  /** Reads a line that says something of the page or of the next block. */
  #readMeta(line: string): boolean {
    const [, name, value = ""] = ATTRIBUTE.exec(line) ?? [];
    const [, macro, target = "", text = ""] = BLOCK_MACRO.exec(line) ?? [];
    const [, anchor] = BLOCK_ANCHOR.exec(line) ?? [];
    const [, attributes] = BLOCK_ATTRIBUTES.exec(line) ?? [];
    const { page } = this;
    if (name !== undefined) this.#setAttribute(name, value);
    else if (anchor !== undefined) this.#id = anchor;
    else if (attributes !== undefined) this.#readAttributes(attributes);
    else if (macro !== undefined) this.#readBlockMacro(macro, target, text);
    else if (/^\.[^\s.]/.test(line)) page.addText(this.#inline(line.slice(1)), page.at + 1, "aside");
    else return false;
    page.at++;
    return true;
  }

  #setAttribute(name: string, value: string): void {
    if (name.includes("!")) this.#attributes.delete(name.replace("!", ""));
    else if (this.#attributes.size < MAX_ATTRIBUTES)
      this.#attributes.set(name.toLowerCase(), value.slice(0, MAX_VALUE));
    if (this.#isTop && PROPERTY.test(name))
      this.page.frontmatter[name.replace(/^page-/, "")] = this.#inline(value).text;
  }

  #readAttributes(written: string): void {
    const [first = "", second = ""] = written.split(",", 2).map((part) => part.trim());
    const [, style = "", id = ""] = /^([^#.%=]*)(?:[.%][^#]*)?(?:#([^.%,\s]+))?/.exec(first) ?? [];
    if (!first.includes("=") && (style !== "" || second !== "")) this.#style = style === "" ? "source" : style;
    this.#id = id || (/(?:^|,)\s*id="?([^",\s]+)/.exec(written)?.[1] ?? this.#id);
    this.#language = /^[\w+#.-]{1,40}$/.test(second) ? second : "";
  }

  #readBlockMacro(macro: string, target: string, text: string): void {
    const line = this.page.at + 1;
    if (macro === "include") {
      const href = this.#inline(target).text;
      this.page.addText({ text: "", links: [{ href, text: href }] }, line);
    } else if (/^(?:image|video|audio)$/.test(macro)) {
      const alt = /^"([^"]*)"|^([^,=]*)(?:,|$)/.exec(text);
      this.page.addText(this.#inline(alt?.[1] ?? alt?.[2] ?? ""), line, "aside");
    } else if (!/^(?:toc|ifn?def|ifeval|endif)$/.test(macro)) {
      this.page.addText(this.#inline(`${macro}:${target}[${text}]`), line, "aside");
    }
    if (this.#id !== "") this.#endBlock();
  }

  #readHeading(line: string): boolean {
    const { page } = this;
    const start = page.at + 1;
    const [, signs, written] = HEADING.exec(line) ?? [];
    if (signs !== undefined) {
      page.at++;
      this.#addHeading(signs.length, written as string, start);
      return true;
    }
    const [under, sign = ""] = UNDERLINE.exec(page.lines[start]?.slice(0, line.length + 2).trimEnd() ?? "") ?? [];
    const fits = under !== undefined && !this.#open.has(under) && Math.abs(under.length - line.length) <= 1;
    if (!fits || !/\w/.test(line) || /^[\s[.]/.test(line)) return false;
    page.at += 2;
    this.#addHeading(UNDERLINES.indexOf(sign) + 1, line, start);
    return true;
  }

  #addHeading(level: number, written: string, line: number): void {
    const { page } = this;
    const [, anchor = this.#id] = / \[\[([^\],]+)(?:,[^\]]*)?\]\]$/.exec(written) ?? [];
    const isPage = level === 1 && this.#isTop;
    const title = this.#inline(written.replace(/(?<=\s)=+$/, ""));
    if (/^(?:discrete|float)$/.test(this.#style)) page.addText(title, line);
    else page.addHeading(level, title, anchor || isPage ? anchor : this.#claimAnchor(title.text), line);
    // Antora and many sites set other signs for all pages.
    page.addId(slugify(title.text));
    this.#endBlock();
    if (!isPage) return;
    // Author and revision stand right below the title, among attributes.
    for (; page.at < page.lines.length && !isBlank(page.lines[page.at]); page.at++) {
      const [, name, value = ""] = ATTRIBUTE.exec(page.lines[page.at] ?? "") ?? [];
      this.#isTop = true;
      if (name !== undefined) this.#setAttribute(name, value);
      else if (/^(?:\w+::|\[|[=.*/-]{2,})/.test(page.lines[page.at] ?? "")) return;
    }
  }

  /** Anchor of a title that no title before has. */
  #claimAnchor(title: string): string {
    const anchor = this.#toAnchor(title);
    const uses = (this.#anchors.get(anchor) ?? 0) + 1;
    this.#anchors.set(anchor, uses);
    return uses === 1 ? anchor : `${anchor}${this.#valueOf("idseparator") ?? "_"}${uses}`;
  }

  /** Anchor as Asciidoctor makes it of a title, with the signs that the page sets. */
  #toAnchor(title: string): string {
    const words = title.toLowerCase().replace(/ -- |[^\p{L}\p{N}\p{M}_ .-]/gu, "");
    const joined = words.replace(/[ .-]+/g, this.#valueOf("idseparator") ?? "_");
    return `${this.#valueOf("idprefix") ?? "_"}${joined}`.replace(/[_-]$/, "");
  }

  #readDelimited(line: string): boolean {
    const { page } = this;
    const [verbatim, fence, fenceLanguage = ""] = VERBATIM.exec(line) ?? [];
    if (verbatim !== undefined || HIDDEN.test(line)) {
      const from = page.at + 1;
      const end = fence ?? line;
      do page.at++;
      while (page.at < page.lines.length && page.lines[page.at]?.trimEnd() !== end);
      const language = fenceLanguage || this.#language || this.#sourceLanguage();
      if (verbatim !== undefined) page.addCode(from, page.at, language);
      page.at++;
    } else if (TABLE.test(line)) {
      this.#readTable(line);
    } else if (COMPOUND.test(line)) {
      page.at++;
      if (!this.#open.delete(line)) this.#open.add(line);
      if (this.#id === "") return true;
    } else {
      return false;
    }
    this.#endBlock();
    return true;
  }

  #sourceLanguage(): string {
    return this.#style === "source" ? (this.#attributes.get("source-language") ?? "") : "";
  }

  #readTable(end: string): void {
    const { page } = this;
    const sign = end.slice(0, 1);
    for (page.at++; page.at < page.lines.length && page.lines[page.at]?.trimEnd() !== end; page.at++) {
      const row = page.lines[page.at] ?? "";
      const shown = sign === "|" ? row.replace(CELL, " ") : row.replaceAll(sign, " ");
      page.addText(this.#inline(shown), page.at + 1, "aside");
    }
    page.at++;
  }

  #readText(line: string): void {
    const { page } = this;
    const start = page.at + 1;
    const item = ITEM.exec(line)?.[0];
    const term = item === undefined ? TERM.exec(line) : null;
    const isLiteral = item === undefined && term === null && indentOf(line) > 0;
    const isCode = isLiteral || (this.#style !== "" && CODE_STYLE.test(this.#style) && item === undefined);
    const isItem = item !== undefined || term !== null;
    const skip = item?.length ?? term?.[0].length ?? ADMONITION.exec(line)?.[0].length ?? 0;
    const text = page.takeParagraph(skip, (next) => {
      return BLOCK.test(next.trimEnd()) || (isItem && (ITEM.test(next) || TERM.test(next)));
    });
    this.#isTop = false;
    if (isCode) page.addCode(start - 1, page.at, this.#language || this.#sourceLanguage());
    else page.addText(this.#inline(`${term?.[1] ?? ""} ${text.replace(/ \+$/gm, "")}`), start);
    this.#endBlock();
  }

  #endBlock(): void {
    this.page.addId(this.#id);
    this.#id = "";
    this.#style = "";
    this.#language = "";
    this.#isTop = false;
  }

  #inline(source: string): InlineText {
    const { text, links } = readInline(source, INLINE, (groups, all, link, again) => {
      const { escaped, literal, code, passed, anchor, url, urlText, attribute } = groups;
      const { xref, xrefText, macro, target = "", macroText = "", shownTerm = "" } = groups;
      const marked = groups["inFree"] ?? groups["inMark"];
      if (marked !== undefined) return again(marked);
      if (code !== undefined) return code.replace(VALUE, (all, name: string) => this.#valueOf(name) ?? all);
      const shown = escaped ?? literal ?? passed;
      if (shown !== undefined) return shown;
      if (xref !== undefined) return link(this.#toHref(xref.trim()), again(xrefText ?? nameOf(xref)));
      if (anchor !== undefined) {
        this.page.addId(anchor);
        return "";
      }
      if (url !== undefined) return link(url, again(linkText(urlText)) || url);
      if (attribute !== undefined) return this.#valueOf(attribute) ?? all;
      if (macro === undefined) return shownTerm;
      if (macro === "xref") return link(this.#toHref(target), again(linkText(macroText)) || nameOf(target));
      if (macro === "link") return link(target, again(linkText(macroText)) || target);
      // Git names its pages so.
      if (macro === "linkgit") return link(target, `${target}(${macroText})`);
      if (macro === "anchor") this.page.addId(target);
      if (macro === "footnote") return ` (${macroText})`;
      if (macro === "pass") return macroText;
      if (macro === "image" || macro === "icon") return linkText(macroText);
      return SILENT.test(macro) ? "" : `${target} ${macroText}`;
    });
    return { text, links };
  }

  #valueOf(name: string): string | undefined {
    return this.#attributes.get(name.toLowerCase());
  }

  /** Address that a cross-reference leads to. It may name a title. Antora counts from a module's folder of pages. */
  #toHref(target: string): string {
    if (!/\.adoc\b|#/.test(target)) return `#${target.includes(" ") ? this.#toAnchor(target) : target}`;
    const modules = /^(.*\/|)modules\/([^/]+)\//.exec(this.#path);
    const [, module, page = target] = /^(?:[^#]*[:@])?([^:#@]+):(?!\/)(.+)$/.exec(target) ?? [];
    return modules === null || target.startsWith("#")
      ? target
      : `/${modules[1]}modules/${module ?? modules[2]}/pages/${page}`;
  }
}

/** What a reference shows that has no text. */
function nameOf(target: string): string {
  return target.replace(/^.*#_?(?=.)|^_|#$/g, "");
}

/** First of the attributes of a link: its text. */
function linkText(written = ""): string {
  return /^"([^"]*)"/.exec(written)?.[1] ?? written.replace(/,\s*[\w-]+=.*$|\^$|^[\w-]+=.*$/, "");
}
