/**
 * The parts of a page that are read, as Markdown with marks (`site-sections.ts`).
 *
 * Inline elements but links, code and images leave only their text, so that words are found as they are read. The writer calls
 * itself as deep as the tree is, which `page-tree.ts` bounds.
 */
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import { attributeOf } from "../../config/selectors.ts";
import { areSameTitle } from "../markdown/page-text.ts";
import {
  asParsed,
  BLOCK_NAMES,
  HeadingAnchors,
  holdsBlock,
  isAddedToCode,
  isCodeBox,
  isCodeTable,
  isNote,
  isUnseen,
  leadsNowhere,
  NORMAL_WEIGHT,
  ownId,
  plainText,
  readCode,
  readWeight,
  resolveAgainstBase,
  sectionTitle,
} from "./elements.ts";
import { childrenOf, isElement, type PageElement, type Regions, readIndexedAttributes, textOf } from "./page-tree.ts";
import { type PageMarks, withoutMarks } from "./site-sections.ts";

/** Quotes and list items inside each other; deeper ones are written like this one, so that no nesting makes lines long. */
const MAX_CONTAINERS = 12;
const MAX_LINK_TEXT = 200;
/** A longer address holds a program or a form; of such a link the text is shown. */
const MAX_SHOWN_ADDRESS = 300;

/** Columns of a table that cells are put into by their spans, and rows that one cell reaches down. */
const MAX_SPANNED_COLUMNS = 50;
const MAX_SPANNED_ROWS = 200;

const SIGNS = /[\\*`]|<(?=[A-Za-z/!?])|(?<![\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])|~~+|\](?=[([])|&(?=#?\w{1,30};)/gu;
/** Signs that begin a line and would make a heading, quote, list, rule, fence, definition or table of it. */
const LINE_START = /^(?:#{1,6}(?=\s|$)|>|[-+](?=\s|$)|(?:[-=]\s*){3,}$|~{3}|:(?=\s|$)|\||[-:][-:\s]*\|[-:|\s]*$)/;
const NUMBER = /^(\d{1,9})([.)])(?=\s|$)/;
const SPACES_AND_MARKS = /[\s\ufdd0-\ufdef]+/g;
const MARKS = /[\ufdd0-\ufdef]+/g;
const LEADING_MARKS = /^[\ufdd0-\ufdef]+/;
const LINKS = /\[[^\]]*\]/g;
const ENTITY = /&(?=#?\w{1,30};)/g;

type Place = Readonly<typeof TOP>;

const TOP = {
  weight: NORMAL_WEIGHT,
  depth: 0,
  /** Whether it is in a note, whose heading says what kind of note it is. */
  isInNote: false,
  isInCode: false,
  /** Whether it is in a heading, whose links to itself are no links. */
  isInHeading: false,
  isInLink: false,
  /** Whether blocks are parts of one line: in headings, links and cells. */
  isOneLine: false,
  /** Begins the first line of an item of the list around it; `""` outside of lists. */
  sign: "",
  isTight: false,
};

interface Block {
  readonly text: string;
  /** Whether no empty line stands before it. */
  readonly isTight: boolean;
  readonly heading?: "title" | "section" | "text" | undefined;
}

/** Facts of a page that decide what is written of it. */
interface PageFacts {
  readonly title: string;
  /** A first heading that each page of the site repeats; `""` where there is none. */
  readonly siteName: string;
  /** Of `<base href>`, else `""`. */
  readonly base: string;
  readonly path: string;
}

export class MarkdownWriter {
  readonly #regions: Regions;
  readonly #page: PageFacts;
  readonly #marks: PageMarks;
  readonly #anchors: HeadingAnchors;
  #blocks: Block[] = [];
  /** Markdown of the paragraph that is open, and the text after it that is not escaped yet. */
  #run = "";
  #plain = "";
  #weight = NORMAL_WEIGHT;
  #hasTitle = false;
  titleAnchor = "";
  #hasSection = false;

  constructor(root: PageElement, regions: Regions, page: PageFacts, marks: PageMarks) {
    this.#regions = regions;
    this.#page = page;
    this.#marks = marks;
    this.#anchors = new HeadingAnchors(root, regions);
  }

  write(element: PageElement): void {
    this.#element(element, TOP);
    this.#endParagraph();
  }

  /** The Markdown, and the marks after its last word. @param chrome Lines to leave out at both ends, as are links before the title. */
  finish(chrome?: ReadonlySet<string>): { readonly text: string; readonly rest: string } {
    const blocks = chrome === undefined ? this.#blocks : this.#withoutChrome(chrome);
    return { text: blocks.length === 0 ? "" : `${joinBlocks(blocks)}\n`, rest: this.#run };
  }

  #withoutChrome(chrome: ReadonlySet<string>): readonly Block[] {
    const blocks = this.#blocks;
    const isPlain = ({ text }: Block): boolean =>
      this.#marks.split(text).every((part) => typeof part === "string" || part.weight === undefined);
    const isShared = (block: Block): boolean =>
      isPlain(block) && block.text.split("\n").every((line) => !isSeen(line) || chrome.has(withoutMarks(line, true)));
    const isMenu = (block: Block): boolean =>
      isPlain(block) &&
      (block.heading === "text" || !/[\p{L}\p{N}]/u.test(withoutMarks(block.text, true).replace(LINKS, "")));
    const title = blocks.findIndex(({ heading }) => heading === "title");
    const first = title < 0 ? blocks.findIndex((block) => block.heading !== undefined || !isShared(block)) : title;
    if (first < 0) return blocks;
    const lead = blocks.slice(0, first).filter((block) => !isShared(block) && (title < 0 || !isMenu(block)));
    let end = blocks.length;
    // A heading goes where nothing is left below it.
    const isDropped = (block: Block): boolean => isShared(block) && (!block.heading || end < blocks.length);
    while (end > first + 1 && isDropped(blocks[end - 1] as Block)) end--;
    const [head, ...text] = blocks.slice(first, end) as [Block, ...Block[]];
    // The title begins the text: excerpts leave it out there.
    return title > 0 && [head, ...lead].every(isPlain) ? [head, ...lead, ...text] : [...lead, head, ...text];
  }

  #children(parent: PageElement, place: Place): void {
    const isAround = this.#regions.of(parent) === "around";
    for (const node of childrenOf(parent)) {
      if (!isElement(node)) {
        if (!isAround) this.#text(textOf(node) ?? "", place.weight);
        continue;
      }
      if (isAround && !place.isOneLine) this.#endParagraph();
      this.#element(node, place, isAround);
    }
  }

  #element(element: PageElement, above: Place, isAround = false): void {
    const region = this.#regions.of(element);
    if (region === "excluded") return;
    if (!isAround || region === "body" || region === "around") {
      for (const value of readIndexedAttributes(element)) this.#text(` ${value} `, above.weight);
    }
    const id = ownId(element);
    if (id !== "") this.#plain += this.#marks.add({ id });
    if (region === "ignored" || (isAround && region === "read")) return;
    const place = { ...above, weight: readWeight(element) ?? above.weight };
    const { tagName } = element;
    if (tagName === "math") this.#formula(readTex(element), place.weight);
    if (isUnseen(element) || (place.isInCode && isAddedToCode(element))) return;
    if (region === "around") this.#children(element, place);
    else if (!BLOCK_NAMES.has(tagName)) this.#inline(element, place);
    else if (place.isOneLine) this.#blockInLine(element, place);
    else if (/^h[1-6]$/.test(tagName)) this.#heading(element, place);
    else this.#block(element, place);
  }

  #text(text: string, weight: number): void {
    if (weight !== this.#weight && /\S/.test(text)) this.#weigh(weight);
    this.#plain += text.replace(/\s+/g, " ");
  }

  #weigh(weight: number): void {
    if (weight === this.#weight) return;
    this.#plain += this.#marks.add({ weight });
    this.#weight = weight;
  }

  #markup(markdown: string, weight: number): void {
    this.#weigh(weight);
    this.#settle();
    this.#run += markdown;
  }

  #settle(): void {
    if (this.#plain === "") return;
    this.#run += escapeText(this.#plain);
    this.#plain = "";
  }

  /** Takes the open paragraph away, with what a function adds to a new one. */
  #runOf(write: () => void): string {
    this.#settle();
    const outer = this.#run;
    this.#run = "";
    write();
    this.#settle();
    const inner = this.#run;
    this.#run = outer;
    return inner;
  }

  #inline(element: PageElement, place: Place): void {
    const { tagName } = element;
    if (tagName === "wbr" || tagName === "input") return;
    if (tagName === "br") {
      if (place.isOneLine) this.#text(" ", place.weight);
      else this.#markup("\n", this.#weight);
    } else if (tagName === "img") {
      this.#image(foldWhitespace(attributeOf(element, "alt") ?? ""), attributeOf(element, "src") ?? "", place.weight);
    } else if (/^(?:code|kbd|samp|tt)$/.test(tagName) && !holdsBlock(element)) {
      this.#code(plainText(element, undefined, this.#regions), place.weight);
    } else if (tagName === "a") {
      this.#link(element, place);
    } else {
      this.#children(element, place);
    }
  }

  #code(text: string, weight: number): void {
    const code = foldWhitespace(text);
    if (code === "") {
      this.#text(text, weight);
      return;
    }
    this.#weigh(weight);
    this.#settle();
    this.#run = addCode(this.#run, code);
  }

  #formula(text: string, weight: number): void {
    const formula = foldWhitespace(text);
    if (formula !== "") this.#markup(`$${formula}$`, weight);
  }

  #image(alt: string, src: string, weight: number): void {
    if (alt === "") return;
    const isShown = src !== "" && src.length <= MAX_SHOWN_ADDRESS && !leadsNowhere(src);
    if (isShown) this.#markup(`![${escapeText(alt)}](${destination(asParsed(src))})`, weight);
    else this.#text(alt, weight);
  }

  #link(element: PageElement, place: Place): void {
    const { base, path } = this.#page;
    const written = asParsed(attributeOf(element, "href") ?? "");
    const isLink = written !== "" && !leadsNowhere(written) && !place.isInLink;
    if (!isLink || (place.isInHeading && written.startsWith("#"))) {
      this.#children(element, place);
      return;
    }
    const href = resolveAgainstBase(written, base, path);
    const isBlock = holdsBlock(element) && !place.isOneLine;
    if (isBlock || href.length > MAX_SHOWN_ADDRESS) {
      const text = foldWhitespace(plainText(element, MAX_LINK_TEXT, this.#regions)).slice(0, MAX_LINK_TEXT);
      if (isBlock) this.#endParagraph();
      this.#plain += this.#marks.add({ link: { href, text } });
      this.#children(element, { ...place, isInLink: true });
      if (isBlock) this.#endParagraph();
      return;
    }
    const inner = this.#runOf(() => this.#children(element, { ...place, isInLink: true, isOneLine: true }));
    if (!isSeen(inner)) {
      // It leads somewhere though it shows nothing.
      this.#run += this.#marks.add({ link: { href, text: "" } }) + inner;
      return;
    }
    if (this.#run.endsWith("!")) this.#run = `${this.#run.slice(0, -1)}\\!`;
    const before = /^[\ufdd0-\ufdef]*\s/.test(inner) ? " " : "";
    const after = /\s[\ufdd0-\ufdef]*$/.test(inner) ? " " : "";
    this.#run += `${before}[${foldMarked(inner)}](${destination(href)})${after}`;
  }

  #blockInLine(element: PageElement, place: Place): void {
    this.#text(" ", place.weight);
    if (element.tagName === "pre") this.#code(readCode(element, this.#regions).text, place.weight);
    else this.#children(element, place);
    this.#text(" ", place.weight);
  }

  #heading(element: PageElement, place: Place): void {
    this.#endParagraph();
    const anchor = this.#anchors.of(element);
    // In a list, a quote or a note a heading without an address of its own is a line of it.
    if (anchor === "" && (place.depth > 0 || place.isInNote)) {
      this.#children(element, place);
      this.#endParagraph();
      return;
    }
    this.#children(element, { ...place, isInHeading: true, isOneLine: true });
    this.#settle();
    if (!isSeen(this.#run)) return;
    // Signs at the end would close the heading.
    const text = foldMarked(this.#run).replace(/(?<=^|\s)#+$/, "\\$&");
    this.#run = "";
    const level = Number(element.tagName.slice(1));
    const role = this.#roleOf(level, withoutMarks(text, true));
    if (role === "title" && this.#hasTitle) {
      this.#run = text.match(MARKS)?.join("") ?? "";
      return;
    }
    if (role === "title") this.titleAnchor = anchor;
    this.#hasTitle ||= role === "title";
    this.#hasSection ||= role === "section";
    const mark = this.#marks.add({ heading: { role, anchor, title: sectionTitle(element, anchor) } });
    this.#add(`${"#".repeat(level)} ${mark}${text}`, false, role);
  }

  /** The first heading that repeats the title is the page's own; the site's name is no section of each page. */
  #roleOf(level: number, text: string): "title" | "section" | "text" {
    const { title, siteName } = this.#page;
    if (this.#hasSection) return "section";
    if (areSameTitle(text, title) && (level === 1 || !this.#hasTitle)) return "title";
    return level === 1 && areSameTitle(text, siteName) ? "text" : "section";
  }

  #block(element: PageElement, place: Place): void {
    this.#endParagraph();
    switch (element.tagName) {
      case "pre":
        this.#codeBlock(element, place.weight);
        break;
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        this.#list(element, place);
        break;
      case "blockquote":
        this.#container(element, place, "> ", "> ", false);
        break;
      case "dd":
        this.#container(element, place, ": ", "  ", true);
        break;
      case "li":
        this.#container(element, place, place.sign, " ".repeat(place.sign.length), place.isTight);
        break;
      case "table":
        this.#table(element, place);
        break;
      case "hr":
        this.#add("---");
        break;
      default:
        this.#children(element, {
          ...place,
          isInCode: place.isInCode || isCodeBox(element),
          isInNote: place.isInNote || isNote(element),
        });
        this.#endParagraph();
    }
  }

  #codeBlock(element: PageElement, weight: number): void {
    const { text, language } = readCode(element, this.#regions);
    if (text.trim() === "") return;
    this.#weigh(weight);
    this.#settle();
    const fence = "`".repeat(Math.max(3, longest(text.match(/`{3,}/g) ?? []) + 1));
    this.#add(`${fence}${language}\n${this.#run}${text}\n${fence}`);
    this.#run = "";
  }

  /**
   * A quote, list item or definition.
   *
   * @param first Begins its first line.
   * @param rest Begins all others.
   */
  #container(element: PageElement, place: Place, first: string, rest: string, isTight: boolean): void {
    // Sections are parts of the page, not of an item.
    const isPlain = first === "" || place.depth >= MAX_CONTAINERS || (first !== "> " && this.#anchors.areIn(element));
    if (isPlain) {
      this.#children(element, { ...place, sign: "" });
      this.#endParagraph();
      return;
    }
    const outer = this.#blocks;
    this.#blocks = [];
    this.#children(element, { ...place, depth: place.depth + 1, sign: "" });
    this.#endParagraph();
    const lines = joinBlocks(this.#blocks).split("\n");
    this.#blocks = outer;
    this.#add(
      lines
        .map((line, at) => {
          const before = at === 0 ? first : rest;
          return line === "" ? before.trimEnd() : before + line;
        })
        .join("\n"),
      isTight,
    );
  }

  #list(element: PageElement, place: Place): void {
    const isOrdered = element.tagName === "ol";
    const start = Number.parseInt(attributeOf(element, "start") ?? "", 10);
    let number = Number.isSafeInteger(start) && start >= 0 && start < 1e8 ? start : 1;
    // Only a list that begins with 1 interrupts a paragraph.
    let isTight = place.depth > 0 && (!isOrdered || number === 1);
    for (const item of childrenOf(element)) {
      if (!isElement(item)) continue;
      this.#element(item, { ...place, sign: isOrdered ? `${number}. ` : "- ", isTight });
      this.#endParagraph();
      if (item.tagName === "li") number++;
      isTight = true;
    }
  }

  /** A row with a section in it is no row: its cells are parts of the page beside each other. */
  #table(element: PageElement, place: Place): void {
    if (isCodeTable(element)) {
      this.#children(element, { ...place, isInCode: true });
      this.#endParagraph();
      return;
    }
    const { rows, captions } = readTable(element, this.#regions);
    for (const caption of captions) this.#block(caption, place);
    const grid = placeCells(rows);
    const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
    let lines: string[] = [];
    const endTable = (): void => {
      if (lines.length > 0) this.#add(lines.join("\n"));
      lines = [];
    };
    for (const row of grid) {
      if (row.some((cell) => cell !== undefined && this.#anchors.areIn(cell))) {
        endTable();
        for (const cell of row) if (cell !== undefined) this.#block(cell, place);
        continue;
      }
      const cells = row.map((cell) => (cell === undefined ? "" : this.#cell(cell, place)));
      if (!cells.some(isSeen)) {
        this.#run += cells.join("");
        continue;
      }
      const isHead = lines.length === 0;
      while (isHead && cells.length < width) cells.push("");
      lines.push(`| ${cells.join(" | ")} |`);
      if (isHead) lines.push(`|${" --- |".repeat(width)}`);
    }
    endTable();
  }

  /** All of a cell on one line, whatever blocks are in it. */
  #cell(cell: PageElement, place: Place): string {
    const text = this.#runOf(() => this.#element(cell, { ...place, isOneLine: true }));
    return foldMarked(text).replaceAll("|", "\\|");
  }

  #add(text: string, isTight = false, heading?: Block["heading"]): void {
    this.#blocks.push({ text, isTight, heading });
  }

  /** Ends the open paragraph. Marks behind its last word go to the next one. */
  #endParagraph(): void {
    this.#settle();
    const lines: string[] = [];
    let marks = "";
    for (const line of this.#run.split("\n")) {
      const text = foldMarked(marks + line);
      marks = "";
      if (isSeen(text)) lines.push(escapeLineStart(text));
      else marks = text.replaceAll(" ", "");
    }
    this.#run = marks;
    if (lines.length > 0) this.#add(lines.join("\n"));
  }
}

function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ text, isTight }, at) => (at === 0 ? text : `${isTight ? "\n" : "\n\n"}${text}`)).join("");
}

function isSeen(text: string): boolean {
  return /[^\s\ufdd0-\ufdef]/.test(text);
}

/** Text on one line, as `foldWhitespace` has it, without regard to marks between spaces. */
function foldMarked(text: string): string {
  if (!text.includes("\ufdd0")) return foldWhitespace(text);
  return text
    .replace(SPACES_AND_MARKS, (run) => (/\s/.test(run) ? ` ${run.replace(/\s+/g, "")}` : run))
    .replace(/^ | (?=[\ufdd0-\ufdef]*$)/g, "");
}

/** Escapes the signs of a text that would be markup, and no others. */
function escapeText(text: string): string {
  return text.replace(SIGNS, (signs) => [...signs].map((sign) => `\\${sign}`).join(""));
}

/** Escapes the sign that would make a block of another kind of a line. */
function escapeLineStart(line: string): string {
  const [marks = ""] = LEADING_MARKS.exec(line) ?? [];
  const text = line.slice(marks.length);
  return marks + (LINE_START.test(text) ? `\\${text}` : text.replace(NUMBER, "$1\\$2"));
}

/** Adds a span of code. Spans that touch are one to a reader; written beside each other they would be none. */
function addCode(run: string, code: string): string {
  if (!run.endsWith("`")) return run + codeSpan(code);
  const begin = run.lastIndexOf("`", run.length - 2);
  const last = run.slice(begin + 1, -1);
  const isSimple = begin >= 0 && last !== "" && !last.endsWith("\\") && !/[`\\]/.test(run[begin - 1] ?? "");
  return isSimple ? run.slice(0, begin) + codeSpan(last + code) : `${run} ${codeSpan(code)}`;
}

function codeSpan(code: string): string {
  const signs = "`".repeat(longest(code.match(/`+/g) ?? []) + 1);
  return code.startsWith("`") || code.endsWith("`") ? `${signs} ${code} ${signs}` : `${signs}${code}${signs}`;
}

/** A link's destination; in angle brackets where its signs would end it. */
function destination(href: string): string {
  const address = href.replace(/[\s<>\\]+/g, (signs) => encodeURIComponent(signs)).replace(ENTITY, "\\&");
  return /[()]/.test(address) ? `<${address}>` : address;
}

/** A formula as its author wrote it, where the page says so; else `""`. */
function readTex(element: PageElement): string {
  for (const child of childrenOf(element)) {
    if (!isElement(child)) continue;
    const isTex = child.tagName === "annotation" && attributeOf(child, "encoding") === "application/x-tex";
    const tex = isTex ? plainText(child) : readTex(child);
    if (tex !== "") return tex;
  }
  return "";
}

function longest(runs: readonly string[]): number {
  return runs.reduce((most, run) => Math.max(most, run.length), 0);
}

/** Rows of a table with their cells; those of tables in its cells belong to the cells. */
function readTable(table: PageElement, regions: Regions) {
  const rows: PageElement[][] = [];
  const captions: PageElement[] = [];
  const shown = (element: PageElement): PageElement[] =>
    childrenOf(element).filter((child): child is PageElement => isElement(child) && !regions.skips(child));
  const visit = (element: PageElement): void => {
    for (const child of shown(element)) {
      if (/^t(?:head|body|foot)$/.test(child.tagName)) visit(child);
      else if (child.tagName === "tr") rows.push(shown(child).filter((cell) => /^t[dh]$/.test(cell.tagName)));
      else if (child.tagName === "caption") captions.push(child);
    }
  };
  visit(table);
  return { rows, captions };
}

/** Columns of each row: a cell, or undefined where one from before or above spans. */
function placeCells(rows: readonly (readonly PageElement[])[]): (PageElement | undefined)[][] {
  /** By column, rows below that a cell reaches into. */
  const reached: number[] = [];
  return rows.map((cells) => {
    const row: (PageElement | undefined)[] = [];
    const skipReached = (): void => {
      for (let left = reached[row.length] ?? 0; left > 0; left = reached[row.length] ?? 0) {
        reached[row.length] = left - 1;
        row.push(undefined);
      }
    };
    for (const cell of cells) {
      skipReached();
      const columns = Math.max(1, Math.min(spanOf(cell, "colspan"), MAX_SPANNED_COLUMNS - row.length));
      const below = Math.min(spanOf(cell, "rowspan"), MAX_SPANNED_ROWS) - 1;
      for (let at = 0; at < columns; at++) {
        if (row.length < MAX_SPANNED_COLUMNS) reached[row.length] = below;
        row.push(at === 0 ? cell : undefined);
      }
    }
    skipReached();
    return row;
  });
}

function spanOf(cell: PageElement, name: "colspan" | "rowspan"): number {
  const span = Number.parseInt(attributeOf(cell, name) ?? "", 10);
  return span > 0 ? span : 1;
}
