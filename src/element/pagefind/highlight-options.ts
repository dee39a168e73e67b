/**
 * Options of `PagefindHighlight` as Pagefind names them. Of another type they count as not given; mark.js has more of
 * `markOptions`, which change nothing here.
 *
 * Types, and defaults as Pagefind has them.
 */

/** How words are marked, as mark.js names it. */
export interface MarkOptions {
  /** Name of the element around each; `mark` unless given. */
  readonly element?: string;
  /** Class of the elements; `""` for none. */
  readonly className?: string;
  /** Selectors of elements in which nothing is marked. */
  readonly exclude?: readonly string[];
  /** Called with each element. */
  readonly each?: (element: HTMLElement) => unknown;
  /** Called with each word that stands nowhere. */
  readonly noMatch?: (word: string) => unknown;
  /** Called at the end with the number of elements. */
  readonly done?: (count: number) => unknown;
  readonly [other: string]: unknown;
}

/** What `new PagefindHighlight` takes. */
export interface PagefindHighlightOptions {
  /** Where words are marked: a selector, or elements; what `data-pagefind-body` marks, else the page, unless given. */
  readonly markContext?: string | Element | Iterable<Element> | null;
  /** Query parameter of the page's address that carries the words. */
  readonly highlightParam?: string;
  readonly markOptions?: MarkOptions;
  /** Whether marks are made yellow. A page whose own styles name the class wins. */
  readonly addStyles?: boolean;
}

export const HIGHLIGHT_PARAM = "pagefind-highlight";
export const CLASS_NAME = "pagefind-highlight";
export const EXCLUDE: readonly string[] = ["[data-pagefind-ignore]", "[data-pagefind-ignore] *"];
