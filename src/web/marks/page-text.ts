/**
 * The text of a page as a reader sees it, and where something stands in it. Bounded: of a huge page only the beginning is looked
 * at.
 */

import { countFirst } from "../../core/bytes/numbers.ts";
import { foldCase } from "../../core/text/normalize.ts";
import { UNSPACED } from "../../core/text/tokenize.ts";
import type { TextDirective } from "../text-fragment.ts";

/** UTF-16 units that are looked at. */
const MAX_TEXT = 1_000_000;

/** What is not text of the page, or is somebody's own; links that generators put behind headings, too. */
const LEFT_OUT =
  ".header-anchor,.headerlink,.hash-link,.sl-anchor-link,script,style,noscript,template,textarea,input,select,option,button,svg,iframe,object,[contenteditable],[hidden],treeline-search";
const WORD = /[\p{L}\p{M}\p{N}_]/u;
/** Among these any place may be an edge of a word. */
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, "u");
/** Elements that text does not run across: what ends before one and what begins in it are two words. */
const BLOCK =
  /^(?:ADDRESS|ARTICLE|ASIDE|BLOCKQUOTE|BR|DD|DETAILS|DIV|DL|DT|FIGCAPTION|FIGURE|FOOTER|FORM|H[1-6]|HEADER|HR|LI|MAIN|NAV|OL|P|PRE|SECTION|SUMMARY|TABLE|TD|TH|TR|UL)$/;

interface Piece {
  readonly node: Text;
  /** Its text as far as it is looked at. */
  readonly text: string;
  /** White space at its beginning follows other white space, and is left out. */
  readonly isJoined: boolean;
}

/** The text of a page. A class, because texts are found in what was collected once. */
export class PageText {
  readonly #pieces: readonly Piece[];
  /** Where the text of each begins in the whole. */
  readonly #starts: readonly number[];
  /** In small letters, white space as single blanks. */
  readonly #text: string;

  /**
   * @param root What is looked at.
   * @param leftOut Selectors of elements that are passed over, beside those that are no text.
   */
  constructor(root: Element, leftOut: readonly string[] = []) {
    const pieces: Piece[] = [];
    const starts: number[] = [];
    let text = "";
    const passedOver = [LEFT_OUT, ...leftOut].join();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
      node instanceof Element && node.matches(passedOver) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    let block: Element | null = null;
    for (let node = walker.nextNode(); node !== null && text.length < MAX_TEXT; node = walker.nextNode()) {
      if (!(node instanceof Text)) {
        if (node instanceof Element && node.tagName === "BR" && !text.endsWith(" ")) text += " ";
        continue;
      }
      const own = blockOf(node);
      if (own !== block && text !== "" && !text.endsWith(" ")) text += " ";
      block = own;
      const isJoined = text === "" || text.endsWith(" ");
      const piece = { node, text: node.data.slice(0, MAX_TEXT - text.length), isJoined };
      pieces.push(piece);
      starts.push(text.length);
      text += foldText(piece.text, isJoined);
    }
    this.#pieces = pieces;
    this.#starts = starts;
    this.#text = text;
  }

  /** Where a directive's text stands first; undefined where it does not. */
  find(directive: TextDirective): Range | undefined {
    const [prefix, start, suffix] = [directive.prefix, directive.start, directive.suffix].map((text) =>
      foldText(text.trim(), true),
    ) as [string, string, string];
    if (start === "") return undefined;
    for (let at = this.#text.indexOf(start); at >= 0; at = this.#text.indexOf(start, at + 1)) {
      const to = at + start.length;
      const isWhole = this.#isEdge(at) && this.#isEdge(to);
      if (isWhole && this.#follows(prefix, at) && this.#precedes(suffix, to)) return this.#range(at, to);
    }
    return undefined;
  }

  /** Words that are a word, or begin with it where it has three letters; so many at most. */
  findWord(word: string, limit: number): readonly Range[] {
    const wanted = foldText(word.trim(), true);
    const ranges: Range[] = [];
    if (wanted === "") return ranges;
    for (let at = this.#text.indexOf(wanted); at >= 0 && ranges.length < limit; ) {
      let to = at + wanted.length;
      if (wanted.length > 2) while (to < this.#text.length && !this.#isEdge(to)) to++;
      if (this.#isEdge(at) && this.#isEdge(to)) ranges.push(this.#range(at, to));
      at = this.#text.indexOf(wanted, to);
    }
    return ranges;
  }

  /** Whether a word may begin or end here. */
  #isEdge(at: number): boolean {
    const [before = " ", behind = " "] = [this.#text[at - 1], this.#text[at]];
    return !WORD.test(before) || !WORD.test(behind) || UNSPACED_LETTER.test(before) || UNSPACED_LETTER.test(behind);
  }

  #follows(prefix: string, at: number): boolean {
    return this.#text.endsWith(prefix, this.#text[at - 1] === " " ? at - 1 : at);
  }

  #precedes(suffix: string, at: number): boolean {
    return this.#text.startsWith(suffix, this.#text[at] === " " ? at + 1 : at);
  }

  #range(from: number, to: number): Range {
    const range = document.createRange();
    range.setStart(...this.#placeOf(from));
    // The last character lies in the range: behind it the next node may begin.
    const [node, offset] = this.#placeOf(to - 1);
    range.setEnd(node, offset + 1);
    return range;
  }

  /** The node that a place of the text is in, and where in it. */
  #placeOf(at: number): [Text, number] {
    const begun = countFirst(this.#starts.length, (piece) => (this.#starts[piece] as number) <= at);
    const index = Math.max(0, begun - 1);
    const { node, text, isJoined } = this.#pieces[index] as Piece;
    return [node, unfold(text, isJoined, at - (this.#starts[index] as number))];
  }
}

function blockOf(node: Node): Element | null {
  let element = node.parentElement;
  while (element !== null && !BLOCK.test(element.tagName)) element = element.parentElement;
  return element;
}

/** Text folded. @param isJoined It stands behind white space: a blank at its beginning is left out. */
export function foldText(text: string, isJoined: boolean): string {
  const blanks = foldCase(text.replace(/\s+/g, " "));
  return isJoined && blanks.startsWith(" ") ? blanks.slice(1) : blanks;
}

/** The place in a text of the n-th unit of what it was folded to. */
export function unfold(text: string, isJoined: boolean, n: number): number {
  let leftOut = 0;
  for (const { 0: blanks, index } of text.matchAll(/\s+/g)) {
    const extra = blanks.length - (isJoined && index === 0 ? 0 : 1);
    if (index + blanks.length - leftOut - extra > n) break;
    leftOut += extra;
  }
  return n + leftOut;
}

/** Words that are marked, and characters of each: the address may come from anybody. */
const MAX_WORDS = 20;
const MAX_WORD = 100;

/** The values of query parameters, in the order of `names`. @param search Of an address: `?highlight=word`. */
export function readAddressWords(search: string, names: readonly string[]): readonly string[] {
  const parameters = new URLSearchParams(search);
  return names
    .flatMap((name) => parameters.getAll(name))
    .filter((word) => word.trim() !== "" && word.length <= MAX_WORD)
    .slice(0, MAX_WORDS);
}

/** What stands around a text. */
interface Wrapping {
  /** Name of the element; `mark` unless given. */
  readonly element?: string;
  /** Class of the element; none where it is `""`. */
  readonly className: string;
}

/** Put elements around ranges, in the order of the page; a range across several elements gets several. */
export function wrapRanges(
  ranges: readonly Range[],
  { element = "mark", className }: Wrapping,
): readonly HTMLElement[] {
  // From the last to the first, so that no element moves the places of those still to come.
  const marks = inOrder(ranges.flatMap(listTexts))
    .reverse()
    .map(({ node, from, to }) => {
      const part = from > 0 ? node.splitText(from) : node;
      if (to - from < part.data.length) part.splitText(to - from);
      const mark = document.createElement(element);
      if (className !== "") mark.className = className;
      part.replaceWith(mark);
      mark.append(part);
      return mark;
    });
  return marks.reverse();
}

/** Take elements away and leave what is in them. */
export function unwrap(elements: readonly HTMLElement[]): void {
  for (const element of elements) {
    const parent = element.parentNode;
    element.replaceWith(...element.childNodes);
    parent?.normalize();
  }
}

interface TextPart {
  readonly node: Text;
  readonly from: number;
  readonly to: number;
}

/** Parts as they stand on the page; what lies in another one is left out. */
function inOrder(parts: readonly TextPart[]): TextPart[] {
  const sorted = [...parts].sort((a, b) => {
    if (a.node === b.node) return a.from - b.from;
    return a.node.compareDocumentPosition(b.node) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  });
  const kept: TextPart[] = [];
  for (const part of sorted) {
    const last = kept.at(-1);
    if (last?.node !== part.node || part.from >= last.to) kept.push(part);
  }
  return kept;
}

/** Text nodes of a range, with the part of each that lies in it. */
function listTexts(range: Range): readonly TextPart[] {
  const found: TextPart[] = [];
  const walker = document.createTreeWalker(range.commonAncestorContainer, NodeFilter.SHOW_TEXT);
  for (let node: Node | null = walker.currentNode; node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text) || !range.intersectsNode(node)) continue;
    const from = node === range.startContainer ? range.startOffset : 0;
    const to = node === range.endContainer ? range.endOffset : node.data.length;
    if (to > from && node.data.slice(from, to).trim() !== "") found.push({ node, from, to });
  }
  return found;
}
