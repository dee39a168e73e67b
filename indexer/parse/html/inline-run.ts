/**
 * A run of text inside a block: what it reads like, what it is as Markdown, and the links in it.
 *
 * Pure.
 */
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import { asParsed, leadsNowhere } from "./link-target.ts";
import { codeSpan, destination, escapeLineStart, escapeText } from "./markdown-text.ts";

/** Text that weighs the same. */
export interface WeightedText {
  readonly text: string;
  readonly weight: number;
}

/** A link with its text. */
interface RunLink {
  readonly href: string;
  readonly text: string;
}

/** What a run holds. */
export interface FinishedRun {
  /** Lines of Markdown, none of them empty. */
  readonly lines: readonly string[];
  /** Visible text, one part where all of it weighs the same. */
  readonly texts: readonly WeightedText[];
  readonly links: readonly RunLink[];
}

/** Text kept of a link. */
const MAX_LINK_TEXT = 200;
/** A longer address holds a program or a form; of such a link the text is shown. */
const MAX_SHOWN_ADDRESS = 300;

/** Text of one block under construction. */
export class InlineRun {
  /** Of each line its pieces: a line of many links is joined once. */
  #lines: string[][] = [[]];
  #parts: { text: string; readonly weight: number }[] = [];
  #links: RunLink[] = [];
  #open: { readonly href: string; readonly at: number; text: string } | undefined;
  #isEmpty = true;

  /** Whether nothing is in it that is seen. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Whether links are in it, be they seen or not. */
  get hasLinks(): boolean {
    return this.#links.length > 0;
  }

  /** Adds text. */
  addText(text: string, weight: number): void {
    this.#add(text, escapeText(text), weight);
  }

  /** Adds a span of code. */
  addCode(text: string, weight: number): void {
    const code = foldWhitespace(text);
    if (code === "") this.#add(text, text, weight);
    else this.#add(code, codeSpan(code), weight);
  }

  /** Adds a formula as it is written in TeX. */
  addFormula(text: string, weight: number): void {
    const formula = foldWhitespace(text);
    if (formula !== "") this.#add(formula, `$${formula}$`, weight);
  }

  /** Adds an image. */
  addImage(alt: string, src: string, weight: number): void {
    const text = foldWhitespace(alt);
    if (text === "") return;
    this.#add(
      text,
      src === "" || src.length > MAX_SHOWN_ADDRESS || leadsNowhere(src)
        ? escapeText(text)
        : `![${escapeText(text)}](${destination(src)})`,
      weight,
    );
  }

  /** Adds text that stands apart from what is before and behind it. */
  addApart(text: string, weight: number): void {
    this.addText(` ${text} `, weight);
  }

  /** Begins a new line. */
  breakLine(): void {
    if (this.#open !== undefined) this.#add(" ", " ", this.#parts.at(-1)?.weight ?? 1);
    else {
      this.#note(" ", this.#parts.at(-1)?.weight ?? 1);
      this.#lines.push([]);
    }
  }

  /** Begins a link. One inside another is part of it. Whether it was begun. */
  openLink(href: string): boolean {
    if (this.#open !== undefined) return false;
    this.#open = { href: asParsed(href), at: this.#line.length, text: "" };
    return true;
  }

  /** Ends the link. */
  closeLink(): void {
    const link = this.#open;
    this.#open = undefined;
    if (link === undefined) return;
    const text = foldWhitespace(link.text);
    this.#links.push({ href: link.href, text: text.slice(0, MAX_LINK_TEXT) });
    // A link without text is not seen; one to a script leads nowhere.
    if (text === "" || link.href === "" || link.href.length > MAX_SHOWN_ADDRESS || leadsNowhere(link.href)) return;
    const written = this.#line.splice(link.at).join("");
    const inner = foldWhitespace(written);
    const before = /^\s/.test(written) ? " " : "";
    const behind = /\s$/.test(written) ? " " : "";
    this.#line.push(`${before}[${inner}](${destination(link.href)})${behind}`);
  }

  /** What the run holds; it is empty again. */
  finish(): FinishedRun {
    this.closeLink();
    const lines = this.#lines
      .map((pieces) => foldWhitespace(pieces.join("")))
      .filter((line) => line !== "")
      .map(escapeLineStart);
    const texts = this.#parts
      .map(({ text, weight }) => ({ text: foldWhitespace(text), weight }))
      .filter(({ text }) => text !== "");
    const links = this.#links.filter(({ href }) => href !== "" && !leadsNowhere(href));
    this.#lines = [[]];
    this.#parts = [];
    this.#links = [];
    this.#isEmpty = true;
    return { lines, texts, links };
  }

  get #line(): string[] {
    return this.#lines.at(-1) as string[];
  }

  #add(text: string, markdown: string, weight: number): void {
    this.#line.push(markdown);
    this.#note(text, weight);
    if (this.#open !== undefined && this.#open.text.length < MAX_LINK_TEXT) this.#open.text += text;
  }

  #note(text: string, weight: number): void {
    const last = this.#parts.at(-1);
    if (last !== undefined && last.weight === weight) last.text += text;
    else this.#parts.push({ text, weight });
    if (this.#isEmpty && /\S/.test(text)) this.#isEmpty = false;
  }
}
