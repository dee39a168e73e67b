/**
 * The parts of a page that are read, as Markdown, and its sections in the same walk, so that each line of a section is a line of that
 * text.
 *
 * Calls itself as deep as the tree is, which `page-tree.ts` bounds. Pure.
 */

import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import type { SectionCollector } from "../markdown/sections.ts";
import { areSameTitle } from "../markdown/title.ts";
import { BLOCK_NAMES, CODE_NAMES, HEADING_NAMES, UNSEEN_NAMES } from "./block-names.ts";
import { isAddedToCode, isCodeBox, isCopyButton, readCode } from "./code-text.ts";
import { isAnchorMark } from "./element-text.ts";
import { headingAnchor, ownId, sectionTitle } from "./heading-anchor.ts";
import { type FinishedRun, InlineRun, type WeightedText } from "./inline-run.ts";
import { MarkdownLines } from "./markdown-lines.ts";
import { fenceOf } from "./markdown-text.ts";
import { attributeOf, childrenOf, classesOf, isElement, type PageElement, type PageNode, textOf } from "./page-tree.ts";
import {
  holdsBlock,
  holdsSection,
  isFormulaTwin,
  isNote,
  mergeTexts,
  NORMAL_WEIGHT,
  readTex,
  readWeight,
  shownText,
} from "./read-element.ts";
import { isSkipped, type Regions, readIndexedAttributes } from "./regions.ts";

const GROUPS: ReadonlySet<string> = new Set(["thead", "tbody", "tfoot"]);

/** Columns of a table that cells are put into by their spans, and rows that one cell reaches down. */
const MAX_COLUMNS = 50;

const MAX_SPANNED_ROWS = 200;

/** A cell that another one spans. */
const NO_RUN: FinishedRun = { lines: [], texts: [], links: [] };
/** Columns that the first row of a table is filled up to, where others have more. */
const MAX_HEADED = 50;

/** Where in the page the walk is. */
interface Place {
  /** Weight of the words. */
  readonly weight: number;
  /** Whether it is in a quote or list item. */
  readonly isInside: boolean;
  /** Whether it is in a note, whose heading says what kind of note it is. */
  readonly isInNote: boolean;
  /** Whether it is in a box around code. */
  readonly isInCode: boolean;
  /** Whether it is in a heading, whose links to itself are no links. */
  readonly isInHeading: boolean;
}

const TOP: Place = { weight: NORMAL_WEIGHT, isInside: false, isInNote: false, isInCode: false, isInHeading: false };
/** Text kept of a link that is a block. */
const MAX_LINK_TEXT = 200;

/** A page in the making. */
export class PageRenderer {
  readonly #regions: Regions;
  readonly #collector: SectionCollector;
  readonly #title: string;
  readonly #siteName: string;
  readonly #lines = new MarkdownLines();
  readonly #run = new InlineRun();
  #hasTitle = false;
  /** Ordinal of the section by id of an element in it, headings' left out. */
  readonly ids = new Map<string, number>();

  /**
   * @param title The page's title: a first heading that says the same becomes the root section's.
   * @param siteName A heading before it that is text.
   */
  constructor(regions: Regions, collector: SectionCollector, title: string, siteName = "") {
    this.#siteName = siteName;
    this.#regions = regions;
    this.#collector = collector;
    this.#title = title;
  }

  /** Reads all below an element. */
  read(root: PageElement): void {
    this.#element(root, [root], 0, TOP);
    this.#flush("text");
  }

  /** The Markdown so far. */
  get text(): string {
    return this.#lines.finish();
  }

  #children(parent: PageElement, place: Place): void {
    const isAround = this.#regions.of(parent) === "around";
    const nodes = childrenOf(parent);
    for (const [at, node] of nodes.entries()) {
      if (isElement(node)) {
        if (isAround) this.#flush("text");
        this.#element(node, nodes, at, place, isAround);
      } else if (!isAround) {
        this.#run.addText(textOf(node) ?? "", place.weight);
      }
    }
  }

  #element(element: PageElement, siblings: readonly PageNode[], at: number, above: Place, isAround = false): void {
    const region = this.#regions.of(element);
    if (region === "excluded") return;
    if (!isAround || region === "body" || region === "around") {
      for (const value of readIndexedAttributes(element)) this.#run.addApart(value, above.weight);
    }
    this.#noteId(element);
    if (region === "ignored" || (isAround && region === "read")) return;
    const place = { ...above, weight: readWeight(element) ?? above.weight };
    const { tagName } = element;
    if (tagName === "math") this.#run.addFormula(readTex(element), place.weight);
    if (UNSEEN_NAMES.has(tagName) || isCopyButton(element) || isAnchorMark(element) || isFormulaTwin(element)) return;
    if (place.isInCode && isAddedToCode(element)) return;
    if (region === "around") this.#children(element, place);
    else if (HEADING_NAMES.has(tagName)) this.#heading(element, siblings, at, place);
    else if (BLOCK_NAMES.has(tagName)) this.#block(element, place);
    else this.#inline(element, place);
  }

  #noteId(element: PageElement): void {
    const id = ownId(element);
    if (id !== "" && !this.ids.has(id)) this.ids.set(id, this.#collector.openedCount);
  }

  #inline(element: PageElement, place: Place): void {
    const { tagName } = element;
    if (tagName === "br") this.#run.breakLine();
    else if (tagName === "wbr" || tagName === "input") return;
    else if (tagName === "img") {
      this.#run.addImage(attributeOf(element, "alt") ?? "", attributeOf(element, "src") ?? "", place.weight);
    } else if (CODE_NAMES.has(tagName) && !holdsBlock(element)) {
      this.#run.addCode(shownText(element, this.#regions), place.weight);
    } else if (tagName === "a") {
      this.#link(element, place);
    } else {
      this.#children(element, place);
    }
  }

  #link(element: PageElement, place: Place): void {
    const href = attributeOf(element, "href")?.trim() ?? "";
    if (place.isInHeading && href.startsWith("#")) {
      this.#children(element, place);
    } else if (holdsBlock(element)) {
      this.#flush("text");
      const text = foldWhitespace(shownText(element, this.#regions)).slice(0, MAX_LINK_TEXT);
      if (href !== "") this.#collector.addLinks([{ href, text }], this.#lines.nextLine);
      this.#children(element, place);
      this.#flush("text");
    } else {
      const isOpen = this.#run.openLink(href);
      this.#children(element, place);
      if (isOpen) this.#run.closeLink();
    }
  }

  #heading(element: PageElement, siblings: readonly PageNode[], at: number, place: Place): void {
    this.#flush("text");
    const anchor = headingAnchor(element, siblings, at);
    // In a list, a quote or a note a heading without an address of its own is a line of it.
    if (anchor === "" && (place.isInside || place.isInNote)) {
      this.#children(element, place);
      this.#flush("text");
      return;
    }
    this.#children(element, { ...place, isInHeading: true });
    const { lines, texts, links } = this.#run.finish();
    const title = texts.map(({ text }) => text).join(" ");
    if (title === "") return;
    const level = Number(element.tagName.slice(1));
    this.#lines.leaveLists();
    const heading = { level, title, explicitId: anchor, line: this.#lines.nextLine };
    const isTitle = this.#collector.openedCount === 0 && areSameTitle(title, this.#title) && this.#isFirst(level);
    if (!isTitle || !this.#hasTitle) this.#lines.add([`${"#".repeat(level)} ${lines.join(" ")}`]);
    if (isTitle) this.#collector.mergeIntoRoot(heading);
    else if (!this.#isSection(level, title, texts)) {
      for (const { text, weight } of texts) this.#collector.addProse(text, heading.line, "aside", weight);
    } else {
      const given = sectionTitle(element, anchor);
      this.#collector.openSection({ ...heading, title: given || title });
      // The words of the heading itself are found as well.
      if (given !== "" && !areSameTitle(given, title)) this.#collector.addProse(title, heading.line, "aside");
    }
    this.#hasTitle ||= isTitle;
    this.#collector.addLinks(links, heading.line);
  }

  /** Whether a heading can be the page's title: the first one, or of level 1 like it. */
  #isFirst(level: number): boolean {
    return level === 1 || !this.#hasTitle;
  }

  /** The site's name is no section of each page, and a heading that weighs nothing is one to be read, not found. */
  #isSection(level: number, title: string, texts: readonly WeightedText[]): boolean {
    const isSiteName = level === 1 && this.#collector.openedCount === 0 && areSameTitle(title, this.#siteName);
    return !isSiteName && texts.some(({ weight }) => weight > 0);
  }

  #block(element: PageElement, place: Place): void {
    this.#flush("text");
    switch (element.tagName) {
      case "pre":
        this.#code(element, place);
        break;
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        this.#list(element, place);
        break;
      case "blockquote":
        this.#lines.open("> ", "> ");
        this.#children(element, { ...place, isInside: true });
        this.#flush("text");
        this.#lines.close();
        break;
      case "table":
        this.#table(element, place);
        break;
      case "dd":
        this.#lines.stayTight();
        this.#lines.open(": ", "  ");
        this.#children(element, { ...place, isInside: true });
        this.#flush("text");
        this.#lines.close();
        break;
      case "hr":
        this.#lines.add(["---"]);
        break;
      default:
        this.#children(element, {
          ...place,
          ...(isCodeBox(element) && { isInCode: true }),
          ...(isNote(element) && { isInNote: true }),
        });
        this.#flush(element.tagName === "figcaption" || element.tagName === "caption" ? "aside" : "text");
    }
  }

  #code(element: PageElement, { weight }: Place): void {
    const { text, language } = readCode(element, this.#regions);
    if (text.trim() === "") return;
    const fence = fenceOf(text);
    const line = this.#lines.nextLine;
    this.#lines.add([`${fence}${language}`, ...text.split("\n"), fence]);
    this.#collector.addCode(text, line, language, weight);
  }

  #list(element: PageElement, place: Place): void {
    const start = Number.parseInt(attributeOf(element, "start") ?? "", 10);
    let number = Number.isSafeInteger(start) && start >= 0 && start < 1e8 ? start : 1;
    let isFirst = !place.isInside || !this.#lines.isInside;
    for (const item of childrenOf(element)) {
      if (!isElement(item)) continue;
      if (item.tagName !== "li") {
        this.#element(item, [item], 0, { ...place, isInside: true });
        this.#flush("text");
        continue;
      }
      const mark = element.tagName === "ol" ? `${number++}. ` : "- ";
      if (!isFirst) this.#lines.stayTight();
      isFirst = false;
      this.#lines.open(mark, " ".repeat(mark.length));
      this.#element(item, [item], 0, { ...place, isInside: true });
      this.#flush("text");
      this.#lines.close();
    }
  }

  #table(element: PageElement, place: Place): void {
    if (isCodeTable(element)) {
      this.#children(element, { ...place, isInCode: true });
      this.#flush("text");
      return;
    }
    const rows = readRows(element, this.#regions);
    if (rows.some(({ cells }) => cells.some((cell) => holdsSection(cell)))) {
      this.#layout(rows, place);
      return;
    }
    const grid = new TableGrid();
    const columns = rows.map(({ cells }) => grid.place(cells));
    const width = columns.reduce((most, row) => Math.max(most, row.length), 0);
    let isBegun = false;
    for (const [at, row] of rows.entries()) {
      if (row.caption !== undefined) {
        this.#children(row.caption, place);
        this.#flush("aside");
        continue;
      }
      const cells = (columns[at] ?? []).map((cell) => {
        if (cell === undefined) return NO_RUN;
        this.#noteId(cell);
        this.#cell(cell, { ...place, weight: readWeight(cell) ?? place.weight });
        return this.#run.finish();
      });
      if (cells.every(({ texts }) => texts.length === 0)) continue;
      while (!isBegun && cells.length < Math.min(width, MAX_HEADED)) cells.push(NO_RUN);
      const written = `| ${cells.map(({ lines }) => lines.join(" ").replaceAll("|", "\\|")).join(" | ")} |`;
      if (isBegun) this.#lines.stayTight();
      const line = this.#lines.nextLine;
      this.#lines.add(
        isBegun ? [written] : [written, `|${" --- |".repeat(Math.max(cells.length, Math.min(width, MAX_HEADED)))}`],
      );
      isBegun = true;
      for (const { text, weight } of mergeTexts(cells.flatMap(({ texts }) => texts))) {
        this.#collector.addProse(text, line, "aside", weight);
      }
      for (const { links } of cells) this.#collector.addLinks(links, line);
    }
  }

  /** A table around headings that have addresses puts parts of the page beside each other. */
  #layout(rows: readonly TableRow[], place: Place): void {
    for (const { cells, caption } of rows) {
      for (const cell of caption === undefined ? cells : [caption]) {
        this.#noteId(cell);
        this.#children(cell, { ...place, weight: readWeight(cell) ?? place.weight });
        this.#flush("text");
      }
    }
  }

  /** All of a cell on one line, whatever blocks are in it. */
  #cell(element: PageElement, place: Place): void {
    for (const node of childrenOf(element)) {
      if (!isElement(node)) {
        this.#run.addText(textOf(node) ?? "", place.weight);
        continue;
      }
      const region = this.#regions.of(node);
      if (region === "excluded" || region === "ignored") continue;
      this.#noteId(node);
      if (node.tagName === "math") this.#run.addFormula(readTex(node), place.weight);
      if (UNSEEN_NAMES.has(node.tagName) || isCopyButton(node) || isAnchorMark(node) || isFormulaTwin(node)) continue;
      const own = { ...place, weight: readWeight(node) ?? place.weight };
      if (node.tagName === "pre") {
        this.#run.addText(" ", own.weight);
        this.#run.addCode(readCode(node, this.#regions).text, own.weight);
        this.#run.addText(" ", own.weight);
      } else if (BLOCK_NAMES.has(node.tagName)) {
        this.#run.addText(" ", own.weight);
        this.#cell(node, own);
        this.#run.addText(" ", own.weight);
      } else if (node.tagName === "br") {
        this.#run.addText(" ", own.weight);
      } else if (node.tagName === "a") {
        const isOpen = this.#run.openLink(attributeOf(node, "href")?.trim() ?? "");
        this.#cell(node, own);
        if (isOpen) this.#run.closeLink();
      } else if (childrenOf(node).length > 0 && !CODE_NAMES.has(node.tagName)) {
        this.#cell(node, own);
      } else {
        this.#inline(node, own);
      }
    }
  }

  /** Ends the paragraph that text was gathered for. */
  #flush(role: "text" | "aside"): void {
    if (this.#run.isEmpty && !this.#run.hasLinks) {
      this.#run.finish();
      return;
    }
    const { lines, texts, links } = this.#run.finish();
    const line = this.#lines.nextLine;
    if (lines.length > 0) this.#lines.add(lines);
    for (const { text, weight } of texts) this.#collector.addProse(text, line, role, weight);
    this.#collector.addLinks(links, line);
  }
}

/** A row with its cells, or a caption. */
interface TableRow {
  readonly cells: readonly PageElement[];
  readonly caption?: PageElement;
}

/** Whether a table shows code beside line numbers. */
function isCodeTable(table: PageElement): boolean {
  return classesOf(table).some((name) =>
    /^(?:highlighttable|rouge-table|lntable|hljs-ln|crayon-table|code-table)$/.test(name),
  );
}

/** Rows of a table; those of tables in its cells belong to the cells. */
function readRows(table: PageElement, regions: Regions): TableRow[] {
  const rows: TableRow[] = [];
  const shown = (element: PageElement): PageElement[] =>
    childrenOf(element).filter((child): child is PageElement => isElement(child) && !isSkipped(regions.of(child)));
  const visit = (element: PageElement): void => {
    for (const child of shown(element)) {
      const { tagName } = child;
      if (GROUPS.has(tagName)) visit(child);
      else if (tagName === "tr") rows.push({ cells: shown(child).filter((cell) => /^t[dh]$/.test(cell.tagName)) });
      else if (tagName === "caption") rows.unshift({ cells: [], caption: child });
    }
  };
  visit(table);
  return rows;
}

/**
 * Where the cells of a table stand; the further columns and rows that a cell spans are left free.
 *
 * One for a table; `place` is called for each row in order.
 */
class TableGrid {
  /** By column, rows below that a cell above reaches into. */
  readonly #reached: number[] = [];

  /** Columns of a row: a cell, or undefined where one spans. */
  place(cells: readonly PageElement[]): (PageElement | undefined)[] {
    const row: (PageElement | undefined)[] = [];
    const skipReached = (): void => {
      while ((this.#reached[row.length] ?? 0) > 0) {
        (this.#reached[row.length] as number)--;
        row.push(undefined);
      }
    };
    for (const cell of cells) {
      skipReached();
      const columns = Math.max(1, Math.min(spanOf(cell, "colspan"), MAX_COLUMNS - row.length));
      const rows = Math.min(spanOf(cell, "rowspan"), MAX_SPANNED_ROWS) - 1;
      for (let at = 0; at < columns; at++) {
        if (row.length < MAX_COLUMNS) this.#reached[row.length] = rows;
        row.push(at === 0 ? cell : undefined);
      }
    }
    skipReached();
    return row;
  }
}

/** Cells that an element spans, at least 1. */
function spanOf(cell: PageElement, name: "colspan" | "rowspan"): number {
  const span = Number.parseInt(attributeOf(cell, name) ?? "", 10);
  return span > 0 ? span : 1;
}
