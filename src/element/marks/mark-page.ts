/**
 * Marks on the page that somebody searched their way to: painted by the browser where it can (CSS Custom Highlight API), else
 * elements around the words. Escape, or the event `treeline-unmark` on the document, takes them away.
 */
import type { TextDirective } from "../text-fragment.ts";
import { PageText } from "./page-text.ts";
import { unwrap, wrapRanges } from "./wrap-ranges.ts";

/** Name of the highlight, for `::highlight(treeline-found)`, and class of the elements where there are none. */
const NAME = "treeline-found";
/** Event on the document that takes marks away. */
const UNMARK_EVENT = "treeline-unmark";
/** Ranges for all words together. */
const MAX_RANGES = 200;
const STYLE = `::highlight(${NAME}){background-color:Mark;color:MarkText}`;

/** What to mark. */
export interface Wanted {
  readonly directives?: readonly TextDirective[];
  readonly words?: readonly string[];
}

/** How to mark. */
export interface MarkOptions {
  /** What is looked at; the page's body when absent. */
  readonly root?: Element;
  /** Bring the first mark into view. */
  readonly isScrolled?: boolean;
}

/** Marks that stand on the page. */
interface Marks {
  readonly remove: () => void;
  /** Whether the page has let go of any: what they stood on is no longer in it. */
  readonly isLost: () => boolean;
}

let removeMarks: (() => void) | undefined;
let isLost: (() => boolean) | undefined;

/** Mark texts and words, in place of what is marked. The result is how many places there are. */
export function markPage({ directives = [], words = [] }: Wanted, options: MarkOptions = {}): number {
  unmarkPage();
  const text = new PageText(options.root ?? document.body);
  const ranges = [
    ...directives.flatMap((directive) => text.find(directive) ?? []),
    ...words.flatMap((word) => text.findWord(word, Math.ceil(MAX_RANGES / words.length))),
  ];
  const [first] = ranges;
  if (first === undefined) return 0;
  if (options.isScrolled === true) scrollTo(first);
  const marks = canPaint() ? paint(ranges) : wrap(ranges);
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key === "Escape") unmarkPage();
  };
  document.addEventListener("keydown", onKey);
  document.addEventListener(UNMARK_EVENT, unmarkPage);
  removeMarks = () => {
    document.removeEventListener("keydown", onKey);
    document.removeEventListener(UNMARK_EVENT, unmarkPage);
    marks.remove();
  };
  isLost = marks.isLost;
  return ranges.length;
}

/** Whether what was marked is no longer on the page. False where nothing is marked, or where the marks were taken away. */
export function areMarksLost(): boolean {
  return isLost?.() === true;
}

/** Take all marks away. */
function unmarkPage(): void {
  removeMarks?.();
  removeMarks = undefined;
  isLost = undefined;
}

function canPaint(): boolean {
  return typeof CSS !== "undefined" && "highlights" in CSS && typeof Highlight === "function";
}

function paint(ranges: readonly Range[]): Marks {
  // A constructed sheet needs no leave from a Content-Security-Policy. What the page itself says of the highlight wins.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer ${NAME}{${STYLE}}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return {
    remove: () => {
      CSS.highlights.delete(NAME);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    },
    isLost: () => ranges.some(({ collapsed, startContainer }) => collapsed || !startContainer.isConnected),
  };
}

function wrap(ranges: readonly Range[]): Marks {
  const marks = wrapRanges(ranges, { className: NAME });
  return { remove: () => unwrap(marks), isLost: () => marks.some((mark) => !mark.isConnected) };
}

function scrollTo({ startContainer }: Range): void {
  const element = startContainer.parentElement;
  // What is folded away is no place to be led to.
  for (let folded = element?.closest("details:not([open])"); folded != null; ) {
    folded.setAttribute("open", "");
    folded = folded.parentElement?.closest("details:not([open])");
  }
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  element?.scrollIntoView({ block: "center", behavior: isCalm ? "auto" : "smooth" });
}
