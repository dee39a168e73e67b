/**
 * The visible text of one run of inline content, put together piece by piece, and the part that tags have in it.
 *
 * White space is folded to single spaces except in inline code, which is kept as written. Atoms (links, code, images, components)
 * that touch each other get a space between them, because a reader sees two things. Plain text and emphasis that touch are one word.
 */
import { unescapeAll } from "markdown-it/lib/common/utils.mjs";
import { isComponentName, type Tag } from "./tag.ts";

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

/** String attributes whose value is shown to readers. */
const TEXT_ATTRIBUTES = ["title", "label", "alt", "summary", "description"];

/** Elements that only style the characters inside: they never separate words. */
const STYLING = new Set(
  "abbr acronym b bdi bdo big cite del dfn em font i ins mark nobr q s small span strike strong sub sup tt u var wbr".split(
    " ",
  ),
);

/** Elements that a reader sees as one thing in the line. All others stand apart and end a line of text. */
const INLINE = new Set(
  "a audio button canvas code data iframe img input kbd label meter output picture progress samp select svg time video".split(
    " ",
  ),
);

/** How a tag separates the text before it from the text after it. */
export type TagSpacing = "none" | "atom" | "block";

/** How this tag separates text. Components count as things in the line. */
export function classifySpacing(tag: Tag): TagSpacing {
  if (isComponentName(tag.name)) return "atom";
  const name = tag.name.toLowerCase();
  if (STYLING.has(name)) return "none";
  // Custom elements have a hyphen in their name.
  return INLINE.has(name) || name.includes("-") ? "atom" : "block";
}

/** The texts of a tag's attributes that readers see, in a fixed order. */
export function readTextAttributes(tag: Tag): string[] {
  const texts: string[] = [];
  for (const name of TEXT_ATTRIBUTES) {
    const value = tag.attributes.get(name);
    if (value !== undefined && value.trim() !== "") texts.push(decodeEntities(value));
  }
  return texts;
}

/** Where a tag leads: `href` of a link, also `to` of a component. Undefined when the tag is no link. */
export function readTagLink(tag: Tag): string | undefined {
  const isComponent = isComponentName(tag.name);
  if (!isComponent && !/^(?:a|area)$/i.test(tag.name)) return undefined;
  const href = tag.attributes.get("href") ?? (isComponent ? tag.attributes.get("to") : undefined);
  return href === undefined || href === "" ? undefined : decodeEntities(href);
}

/** Adds to a run what a tag within it contributes. */
export function addTag(run: TextRun, tag: Tag): void {
  const spacing = classifySpacing(tag);
  if (spacing === "block") run.addSpace();
  if (tag.kind === "close") {
    run.closeTagLink(tag.name);
    if (spacing === "atom") run.endAtom();
    return;
  }
  // An empty component or image shows something between its neighbours.
  if (spacing === "atom") {
    if (tag.kind === "empty") run.addSpace();
    else run.startAtom();
  }
  const href = readTagLink(tag);
  if (href !== undefined && tag.kind === "open") run.openTagLink(tag.name, href);
  const texts = readTextAttributes(tag);
  for (const text of texts) {
    run.addSpace();
    run.addText(text);
    run.addSpace();
  }
  if (href !== undefined && tag.kind === "empty") run.addLink(href, texts[0] ?? "");
  if (run.anchor === "" && tag.name.toLowerCase() === "a") {
    run.anchor = tag.attributes.get("id") ?? tag.attributes.get("name") ?? "";
  }
}
