/**
 * Elements around texts of a page, where the browser has no highlights of its own, or where the page wants elements. They are taken away without a trace.
 */

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
