/**
 * The visible text of one run of inline content, put together piece by piece.
 *
 * White space is folded to single spaces except in inline code, which is kept as written. Atoms
 * (links, code, images, components) that touch each other get a space between them, because a
 * reader sees two things; plain text and emphasis that touch are one word and stay one.
 *
 * Pure: text in, values out. No I/O, no clock.
 */
import { unescapeAll } from "markdown-it/lib/common/utils.mjs";

/** A link found in a run of text. */
export interface RunLink {
  readonly href: string;
  readonly text: string;
}

interface OpenLink {
  readonly href: string;
  readonly firstPart: number;
}

/** Destinations that run code or carry data lead nowhere a reader could go. */
const NO_DESTINATION = /^\s*(?:javascript|vbscript|data):/i;

/** Collects the text and the links of one paragraph, heading, cell or piece of HTML. */
export class TextRun {
  readonly links: RunLink[] = [];
  /** Id of an `<a id>` or `<a name>` in the run; `""` when there is none. */
  anchor = "";
  readonly #parts: string[] = [];
  #endsWithSpace = true;
  #endsWithAtom = false;
  #markdownLinks: OpenLink[] = [];
  #tagLink: (OpenLink & { readonly tagName: string }) | undefined;

  /** Adds prose; its white space is folded. */
  addText(raw: string): void {
    let text = raw.replace(/\s+/g, " ");
    if (this.#endsWithSpace && text.startsWith(" ")) text = text.slice(1);
    this.#add(text);
  }

  /** Adds inline code exactly as written. */
  addCode(code: string): void {
    this.startAtom();
    this.#add(code);
    this.endAtom();
  }

  /** Separates what comes next from what is there. */
  addSpace(): void {
    if (!this.#endsWithSpace) this.#add(" ");
  }

  /** Begins something that a reader sees as a thing of its own. */
  startAtom(): void {
    if (this.#endsWithAtom) this.addSpace();
  }

  /** Ends what `startAtom` began. */
  endAtom(): void {
    this.#endsWithAtom = true;
  }

  /** Begins a Markdown link; they may nest inside each other's images. */
  openLink(href: string): void {
    this.startAtom();
    this.#markdownLinks.push({ href, firstPart: this.#parts.length });
  }

  /** Ends the innermost Markdown link. */
  closeLink(): void {
    const link = this.#markdownLinks.pop();
    if (link !== undefined) this.#finishLink(link);
    this.endAtom();
  }

  /** Begins a link written as a tag. Such links cannot nest: an open one ends here. */
  openTagLink(tagName: string, href: string): void {
    this.#closeAnyTagLink();
    this.#tagLink = { href, firstPart: this.#parts.length, tagName };
  }

  /** Ends the link that a tag of this name opened, if it is open. */
  closeTagLink(tagName: string): void {
    if (this.#tagLink?.tagName === tagName) this.#closeAnyTagLink();
  }

  /** Adds a link that has no content of its own. */
  addLink(href: string, text: string): void {
    if (!NO_DESTINATION.test(href)) this.links.push({ href, text });
  }

  /** Whether no text has been added yet. */
  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** The text so far, without white space at its ends. Open links end here. */
  finish(): string {
    this.#closeAnyTagLink();
    return this.#parts.join("").trim();
  }

  #add(text: string): void {
    if (text === "") return;
    this.#parts.push(text);
    this.#endsWithSpace = text.endsWith(" ");
    this.#endsWithAtom = false;
  }

  #closeAnyTagLink(): void {
    const link = this.#tagLink;
    this.#tagLink = undefined;
    if (link !== undefined) this.#finishLink(link);
  }

  #finishLink(link: OpenLink): void {
    this.addLink(link.href, this.#textFrom(link.firstPart));
  }

  #textFrom(firstPart: number): string {
    return this.#parts.slice(firstPart).join("").trim();
  }
}

/** The text with its HTML entities decoded; backslashes stay. */
export function decodeEntities(text: string): string {
  return text.includes("&") ? unescapeAll(text.replaceAll("\\", "\\\\")) : text;
}
