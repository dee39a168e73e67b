/**
 * Marks that carry through Markdown what it has no words for: ids, weights, links that show no text.
 *
 * A mark is a short run of noncharacters inside a line, which a Markdown parser takes for letters. The parser reads the text with
 * its marks, a reader gets it without them, and both count the same lines. A page that forges marks can only repeat its own.
 */
import { foldWhitespace } from "../../../src/core/text/short-text.ts";
import { areSameTitle } from "../markdown/page-text.ts";
import { type Heading, type ProseRole, SectionCollector } from "../markdown/sections.ts";
import type { ParsedLink, ParsedSection } from "../parsed-document.ts";
import { NORMAL_WEIGHT } from "./elements.ts";

interface Mark {
  readonly id?: string;
  readonly weight?: number;
  readonly link?: Pick<ParsedLink, "href" | "text">;
  readonly heading?: MarkedHeading;
}

/** Facts of a heading beside its text and level. */
interface MarkedHeading {
  readonly role: "title" | "section" | "text";
  /** Id that an address scrolls to; `""` without one. */
  readonly anchor: string;
  /** Title that the page gives its section instead of the text; `""` without one. */
  readonly title: string;
}

const DESTINATIONS = /\]\((?:<[^>]*>|[^)]*)\)/g;
const FIRST_DIGIT = 0xfdd1;
const BASE = 30;
const MARK_END = "\ufdd0";
const MARK = /([\ufdd1-\ufdee]+)\ufdd0/g;

export class PageMarks {
  readonly #marks: Mark[] = [];

  add(mark: Mark): string {
    let text = MARK_END;
    let rest = this.#marks.push(mark) - 1;
    do {
      text = String.fromCharCode(FIRST_DIGIT + (rest % BASE)) + text;
      rest = Math.floor(rest / BASE);
    } while (rest > 0);
    return text;
  }

  split(text: string): (string | Mark)[] {
    if (!text.includes(MARK_END)) return [text];
    return text.split(MARK).flatMap((part, at): readonly (string | Mark)[] => {
      if (at % 2 === 0) return part === "" ? [] : [part];
      const mark = this.#marks[[...part].reduce((sum, digit) => sum * BASE + digit.charCodeAt(0) - FIRST_DIGIT, 0)];
      return mark === undefined ? [] : [mark];
    });
  }
}

/** A text without marks. @param isBare Also without addresses of links, which are other ones on each page. */
export function withoutMarks(text: string, isBare = false): string {
  const shown = text.replace(MARK, "");
  return isBare ? shown.replace(DESTINATIONS, "]").trim() : shown;
}

interface WeightedText {
  readonly text: string;
  readonly weight: number;
}

export class SiteSections extends SectionCollector {
  readonly #marks: PageMarks;
  #weight = NORMAL_WEIGHT;
  /** Ordinals of sections by the ids of elements in them. */
  readonly ids = new Map<string, number>();

  constructor(marks: PageMarks) {
    super("none");
    this.#marks = marks;
  }

  override openSection(heading: Heading): void {
    const parts = this.#marks.split(heading.title);
    const marks = parts.filter((part) => typeof part !== "string");
    const { role, anchor, title: given } = marks.find((mark) => mark.heading !== undefined)?.heading ?? NO_HEADING;
    const texts = this.#read(parts, heading.line);
    const title = texts.map(({ text }) => text).join(" ");
    if (role === "title") super.mergeIntoRoot({ ...heading, title, explicitId: anchor });
    else if (role === "text" || texts.every(({ weight }) => weight === 0)) this.#addTexts(texts, heading.line, "aside");
    else {
      super.openSection({ ...heading, title: given || title, explicitId: anchor });
      // The words of the heading itself are found as well.
      if (given !== "" && !areSameTitle(given, title)) super.addProse(title, heading.line, "aside");
    }
    this.noteIds(marks);
  }

  override mergeIntoRoot(heading: Heading): void {
    this.openSection(heading);
  }

  override addProse(text: string, line: number, role: ProseRole): void {
    const parts = this.#marks.split(text);
    this.noteIds(parts);
    this.#addTexts(this.#read(parts, line), line, role);
  }

  override addCode(text: string, line: number, language: string): void {
    const parts = this.#marks.split(text);
    this.noteIds(parts);
    this.#read(parts, line);
    super.addCode(withoutMarks(text), line, language, this.#weight);
  }

  override addLinks(links: readonly Pick<ParsedLink, "href" | "text">[], line: number): void {
    super.addLinks(
      links.map(({ href, text }) => ({ href, text: foldWhitespace(withoutMarks(text)) })),
      line,
    );
  }

  /** A heading without an id is reached by the one above it. */
  override finish(title: string, lineCount: number): ParsedSection[] {
    const shown: ParsedSection[] = [];
    for (const section of super.finish(title, lineCount)) {
      shown.push({ ...section, anchor: section.anchor || (shown[section.parent]?.anchor ?? "") });
    }
    return shown;
  }

  noteIds(parts: readonly (string | Mark)[]): void {
    for (const part of parts) {
      if (typeof part === "string" || part.id === undefined || this.ids.has(part.id)) continue;
      this.ids.set(part.id, this.openedCount);
    }
  }

  /** Reads a text and its marks. @returns its parts of one weight each. */
  #read(parts: readonly (string | Mark)[], line: number): WeightedText[] {
    const texts: { text: string; readonly weight: number }[] = [];
    for (const part of parts) {
      const last = texts.at(-1);
      if (typeof part !== "string") {
        this.#weight = part.weight ?? this.#weight;
        if (part.link !== undefined) super.addLinks([part.link], line);
      } else if (last?.weight === this.#weight) last.text += part;
      else texts.push({ text: part, weight: this.#weight });
    }
    return texts.map((part) => ({ ...part, text: foldWhitespace(part.text) })).filter((part) => part.text !== "");
  }

  #addTexts(texts: readonly WeightedText[], line: number, role: ProseRole): void {
    for (const { text, weight } of texts) super.addProse(text, line, role, weight);
  }
}

const NO_HEADING: MarkedHeading = { role: "section", anchor: "", title: "" };
