/**
 * Collects headings, blocks and links in source order and makes sections of them, with anchors and slug paths.
 *
 * A heading opens a section that ends before the next one, so the sections share out all lines of the file. When the first heading
 * stands on line 1, no line is left for the root: its range is 1 to 0.
 *
 * A heading's slug gives two names: the anchor (unique in the page: `x`, `x-1`, `x-2`) and the slug path (unique under each parent:
 * `x`, `x~2`, `x~3`). A slug never holds `#`, `%`, `/` or `~`, so paths need no escaping and suffixes cannot clash.
 */
import { slugify } from "../../../src/core/text/names.ts";
import { cutText, foldWhitespace } from "../../../src/core/text/short-text.ts";
import type { AnchorStyle } from "../../config/config.ts";
import type { ParsedBlock, ParsedLink, ParsedSection } from "../parsed-document.ts";

import { countWords, cutAtWord, summarize } from "./page-text.ts";

/** A longer slug is cut in slug paths: every descendant's id repeats it. No heading meant for people is this long. */
const MAX_PATH_SLUG_CHARS = 200;

const EMPTY_SLUG = "section";

/** A longer heading is cut, and its whole text kept as prose: every descendant repeats the title in its path. */
const MAX_TITLE_CHARS = 300;

/** Text kept of what stands inside a link that is a component. */
const MAX_LINK_TEXT_CHARS = 200;

const UNTITLED_SECTION = "Section";

/** How much a block of prose says about its section: a summary is taken from `text` if there is any. */
export type ProseRole = "text" | "aside";

type SectionDraft = ReturnType<typeof openDraft>;

export interface Heading {
  readonly level: number;
  readonly title: string;
  /** Id that the author wrote; `""` when there is none. */
  readonly explicitId: string;
  readonly line: number;
}

export class SectionCollector {
  readonly #drafts: SectionDraft[];
  readonly #anchors: AnchorRegister = new Map();
  readonly #style: AnchorStyle | "none";
  #current: SectionDraft;
  #openLink: { readonly href: string; readonly tagName: string; readonly line: number; text: string } | undefined;

  /** @param style How the site makes anchors of headings; `none`: they have those that are written, and no others. */
  constructor(style: AnchorStyle | "none" = "github") {
    this.#style = style;
    this.#current = openDraft(0, "", "", 1);
    this.#drafts = [this.#current];
  }

  get openedCount(): number {
    return this.#drafts.length - 1;
  }

  /** Opens a section. A second heading on the line of one opens none: lines belong to one section each. */
  openSection(heading: Heading): void {
    this.#finishOpenLink();
    if (this.openedCount > 0 && this.#current.startLine >= heading.line) {
      this.addProse(heading.title, heading.line, "text");
      return;
    }
    const anchor = this.#claimAnchor(heading);
    const title = heading.title || foldWhitespace(heading.explicitId.replace(/[-_]+/g, " ")) || UNTITLED_SECTION;
    this.#current = openDraft(heading.level, cutAtWord(title, MAX_TITLE_CHARS), anchor, heading.line);
    this.#drafts.push(this.#current);
    if (title.length > MAX_TITLE_CHARS) this.addProse(title, heading.line, "aside");
  }

  /** Takes a heading into the root section: it is the page's title. Its anchor counts as used. */
  mergeIntoRoot(heading: Heading): void {
    this.#claimAnchor(heading);
    if (heading.title.length > MAX_TITLE_CHARS) this.addProse(heading.title, heading.line, "aside");
  }

  /** Adds visible text to the current section. @param weight As `ParsedBlock` has it. */
  addProse(text: string, line: number, role: ProseRole, weight = 1): void {
    if (text === "") return;
    this.#current.blocks.push({ kind: "prose", text, line, ...(weight !== 1 && { weight }) });
    if (role === "text" && this.#current.firstText === "") this.#current.firstText = text;
    if (role === "aside" && this.#current.firstAside === "") this.#current.firstAside = text;
    const link = this.#openLink;
    if (link !== undefined && link.text.length < MAX_LINK_TEXT_CHARS)
      link.text = link.text === "" ? text : `${link.text} ${text}`;
  }

  /** Adds a block of code to the current section. `language` is `""` when the block names none. */
  addCode(text: string, line: number, language: string, weight = 1): void {
    if (language !== "") this.#current.codeLanguages.add(language);
    if (text.trim() !== "") this.#current.blocks.push({ kind: "code", text, line, ...(weight !== 1 && { weight }) });
  }

  addLinks(links: readonly { readonly href: string; readonly text: string }[], line: number): void {
    for (const { href, text } of links) this.#current.links.push({ href, text, line });
  }

  /** Begins a link whose text is the prose up to its closing tag. */
  openLink(tagName: string, href: string, line: number): void {
    this.#finishOpenLink();
    this.#openLink = { href, tagName, line, text: "" };
  }

  closeLink(tagName: string): void {
    if (this.#openLink?.tagName === tagName) this.#finishOpenLink();
  }

  /** The sections of a file with this title and number of lines. */
  finish(title: string, lineCount: number): ParsedSection[] {
    this.#finishOpenLink();
    const paths: SlugPathRegister = new Map();
    const sections: ParsedSection[] = [];
    const ancestors: number[] = [];
    for (const [index, draft] of this.#drafts.entries()) {
      while (ancestors.length > 0 && (this.#drafts[ancestors.at(-1) ?? 0]?.level ?? 0) >= draft.level) ancestors.pop();
      const parent = ancestors.at(-1) ?? -1;
      ancestors.push(index);
      const isRoot = index === 0;
      const parentPath = sections[parent]?.slugPath ?? "";
      sections.push({
        level: draft.level,
        title: isRoot ? cutAtWord(title, MAX_TITLE_CHARS) : draft.title,
        parent,
        slugPath: isRoot ? "" : claimSlugPath(paths, parentPath, slugify(draft.title)),
        anchor: draft.anchor,
        startLine: draft.startLine,
        endLine: (this.#drafts[index + 1]?.startLine ?? lineCount + 1) - 1,
        blocks: draft.blocks,
        codeLanguages: [...draft.codeLanguages],
        links: draft.links,
        summary: summarize(draft.firstText || draft.firstAside),
        wordCount: draft.blocks.reduce((sum, block) => sum + countWords(block.text), 0),
      });
    }
    return sections;
  }

  #claimAnchor(heading: Heading): string {
    if (heading.explicitId === "") {
      if (this.#style === "none") return "";
      const slug = makeAnchor(this.#style, heading.title);
      return claimAnchor(this.#anchors, slug, this.#style === "mkdocs" ? "_" : "-");
    }
    // No computed anchor repeats it.
    if (!this.#anchors.has(heading.explicitId)) this.#anchors.set(heading.explicitId, 0);
    return heading.explicitId;
  }

  #finishOpenLink(): void {
    const link = this.#openLink;
    this.#openLink = undefined;
    if (link === undefined) return;
    this.#current.links.push({ href: link.href, text: cutAtWord(link.text, MAX_LINK_TEXT_CHARS), line: link.line });
  }
}

function openDraft(level: number, title: string, anchor: string, startLine: number) {
  return {
    level,
    title,
    anchor,
    startLine,
    blocks: [] as ParsedBlock[],
    links: [] as ParsedLink[],
    codeLanguages: new Set<string>(),
    firstText: "",
    firstAside: "",
  };
}

/** Anchors given out so far in one document: from an anchor to the last suffix used for it. */
type AnchorRegister = Map<string, number>;

/** Slug paths given out so far in one document: from parent and slug to how often they met. */
type SlugPathRegister = Map<string, number>;

/** The anchor of the next heading with this slug, unique in the document, and notes it as used. @param sign Stands before numbers. */
function claimAnchor(register: AnchorRegister, slug: string, sign: string): string {
  const wanted = slug === "" && sign === "-" ? EMPTY_SLUG : slug;
  let anchor = wanted;
  while (anchor === "" || register.has(anchor)) {
    const suffix = (register.get(wanted) ?? 0) + 1;
    register.set(wanted, suffix);
    anchor = `${wanted}${sign}${suffix}`;
  }
  register.set(anchor, 0);
  return anchor;
}

/** The slug path of the next heading with this slug under `parentPath`, unique in the document. */
function claimSlugPath(register: SlugPathRegister, parentPath: string, slug: string): string {
  const name = slug === "" ? EMPTY_SLUG : cutText(slug, MAX_PATH_SLUG_CHARS);
  const path = parentPath === "" ? name : `${parentPath}/${name}`;
  const uses = (register.get(path) ?? 0) + 1;
  register.set(path, uses);
  return uses === 1 ? path : `${path}~${uses}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is dropped.
const CONTROLS = /[\0-\x1f]/g;
const NOT_ASCII = /[^\0-\x7f]/g;
/** What `@mdit-vue/shared` takes for punctuation. */
const VITEPRESS_PUNCTUATION = /[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g;

/** The anchor of a heading that stands alone on its page; may be empty. */
export function makeAnchor(style: AnchorStyle, title: string): string {
  switch (style) {
    case "github":
      return slugify(title);
    case "mkdocs":
      return slugifyForMkDocs(title);
    case "vitepress":
      return slugifyForVitePress(title);
  }
}

/** `slugify` of `markdown.extensions.toc`: letters that have an ASCII form, and nothing else. */
function slugifyForMkDocs(title: string): string {
  const ascii = title.normalize("NFKD").replace(NOT_ASCII, "");
  return ascii
    .replace(/[^\w\s-]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, "-");
}

/** `slugify` of `@mdit-vue/shared`: accents dropped, punctuation to `-`, a digit at the beginning behind `_`. */
function slugifyForVitePress(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(CONTROLS, "")
    .replace(VITEPRESS_PUNCTUATION, "-")
    .replace(/^-|-$/g, "")
    .replace(/^(\d)/, "_$1")
    .toLowerCase();
}
