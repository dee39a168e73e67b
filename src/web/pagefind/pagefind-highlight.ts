/**
 * `pagefind-highlight.js`: marks the words that an address names, `?pagefind-highlight=word`, with Pagefind's interface: a page
 * says `new PagefindHighlight({ highlightParam: "highlight" })`, as a global or as the default export.
 *
 * What counts as the word is what `highlight.js` marks: whole words, and longer ones that begin with it. Marks are elements, which
 * styles of the page may name.
 */
import { PageText, readAddressWords, unwrap, wrapRanges } from "../marks/page-text.ts";

const HIGHLIGHT_PARAM = "pagefind-highlight";

const CLASS_NAME = "pagefind-highlight";

const EXCLUDE: readonly string[] = ["[data-pagefind-ignore]", "[data-pagefind-ignore] *"];

/** Places of one word that are marked in one element that is looked at. */
const MAX_RANGES = 1000;

/** Sheets of this page, by what they select. */
const sheets = new Map<string, CSSStyleSheet>();

/** Marks the words of the page's address when it is made, and anew when it is told to. A class, because Pagefind's is one. */
class PagefindHighlight {
  readonly highlightParam: string;
  readonly markContext: PagefindHighlightOptions["markContext"];
  readonly markOptions: MarkOptions & { readonly className: string; readonly exclude: readonly string[] };
  readonly addStyles: boolean;
  #marks: readonly HTMLElement[] = [];

  constructor({ markContext, highlightParam, markOptions, addStyles }: PagefindHighlightOptions = {}) {
    this.highlightParam = highlightParam ?? HIGHLIGHT_PARAM;
    this.markContext = markContext ?? null;
    this.addStyles = addStyles ?? true;
    this.markOptions = {
      ...markOptions,
      className: markOptions?.className ?? CLASS_NAME,
      exclude: [markOptions?.exclude ?? EXCLUDE].flat(),
    };
    this.highlight();
  }

  /** Mark the words that the address of the page names now, in the place of those that it named before. */
  highlight(): void {
    unwrap(this.#marks);
    this.#marks = [];
    const words = readAddressWords(location.search, [this.highlightParam]);
    if (words.length === 0) return;
    const { className, exclude, element = "mark" } = this.markOptions;
    const classes = selectClasses(className);
    if (this.addStyles && classes !== "") addStyles(classes);
    // What another of these has marked is marked already.
    const passed = classes === "" ? exclude : [...exclude, element + classes];
    const texts = listContexts(this.markContext).map((context) => new PageText(context, passed));
    const ranges = words.flatMap((word) => texts.flatMap((text) => text.findWord(word, MAX_RANGES)));
    this.#marks = wrapRanges(ranges, { className, element });
  }
}

declare global {
  interface Window {
    PagefindHighlight: typeof PagefindHighlight;
  }
}
window.PagefindHighlight = PagefindHighlight;

// biome-ignore lint/style/noDefaultExport: pages import it under this name.
export default PagefindHighlight;

/** The elements in which words are marked, none of them in another. */
function listContexts(given: PagefindHighlightOptions["markContext"]): readonly Element[] {
  const contexts = chooseContexts(given);
  return contexts.filter((one) => !contexts.some((other) => other !== one && other.contains(one)));
}

function chooseContexts(given: PagefindHighlightOptions["markContext"]): readonly Element[] {
  if (typeof given === "string") return [...document.querySelectorAll(given)];
  if (given instanceof Element) return [given];
  if (given !== null && given !== undefined) return [...given];
  const bodies = [...document.querySelectorAll("[data-pagefind-body]")];
  return bodies.length > 0 ? bodies : [document.body];
}

/** Selects elements with all classes of a name; `""` for none. */
function selectClasses(className: string): string {
  const classes = className.split(/\s+/).filter((name) => name !== "");
  return classes.map((name) => `.${CSS.escape(name)}`).join("");
}

/** A constructed sheet needs no leave from a Content-Security-Policy. */
function addStyles(selector: string): void {
  const sheet = sheets.get(selector) ?? new CSSStyleSheet();
  sheets.set(selector, sheet);
  if (document.adoptedStyleSheets.includes(sheet)) return;
  sheet.replaceSync(`:where(${selector}){background-color:yellow;color:black}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/*
 * Options of `PagefindHighlight` as Pagefind names them. Of another type they count as not given; mark.js has more of
 * `markOptions`, which change nothing here.
 */

/** How words are marked, as mark.js names it. */
interface MarkOptions {
  /** Name of the element around each; `mark` unless given. */
  readonly element?: string;
  /** Class of the elements; `""` for none. */
  readonly className?: string;
  /** Selectors of elements in which nothing is marked. */
  readonly exclude?: readonly string[];
  readonly [other: string]: unknown;
}

/** What `new PagefindHighlight` takes. */
interface PagefindHighlightOptions {
  /** Where words are marked: a selector, or elements; what `data-pagefind-body` marks, else the page, unless given. */
  readonly markContext?: string | Element | Iterable<Element> | null;
  /** Query parameter of the page's address that carries the words. */
  readonly highlightParam?: string;
  readonly markOptions?: MarkOptions;
  /** Whether marks are made yellow. A page whose own styles name the class wins. */
  readonly addStyles?: boolean;
}
