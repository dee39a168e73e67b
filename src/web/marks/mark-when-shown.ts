/**
 * Marks after a link was followed on a page that is changed by script: the browser does nothing there with a text fragment,
 * and the text comes some time after the address.
 */
import { readTextFragment, type TextDirective } from "../text-fragment.ts";
import { PageText } from "./page-text.ts";

/** Name of the highlight, for `::highlight(treeline-found)`. */
const NAME = "treeline-found";

/** Event on the document that takes marks away. */
const UNMARK_EVENT = "treeline-unmark";

const MAX_RANGES = 200;

const STYLE = `::highlight(${NAME}){background-color:Mark;color:MarkText}`;

let removeMarks: (() => void) | undefined;

/** Whether what was marked is no longer on the page; undefined where nothing is marked, or where the marks were taken away. */
let isLost: (() => boolean) | undefined;

/** How long a page may take to show what the link led to. */
const PATIENCE_MS = 4000;
/** Between two looks at a page that changes: it is read from its beginning each time. */
const PAUSE_MS = 250;
/** And so many times as long as the last look took: most of the time is the page's own. */
const PAUSE_TIMES = 9;

interface WhenShown {
  /** Bring the first mark into view. */
  readonly isScrolled?: boolean;
  /** Whether the page has come where it is to be marked; where it is, when absent. */
  readonly isThere?: () => boolean;
}

let stopWaiting: (() => void) | undefined;

/**
 * Mark something as soon as the page has it, and once more where the page replaces what was marked; what was waited for before is
 * given up.
 */
export function markWhenShown(wanted: Wanted, { isThere = () => true, isScrolled = false }: WhenShown = {}): void {
  // What is older knows no highlights, and its pages have no marks.
  if (!("highlights" in CSS)) return;
  stopWaiting?.();
  let isMarked = false;
  let isWaiting = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let notBefore = 0;
  const attempt = (): void => {
    isWaiting = false;
    if (isLost?.() === true) isMarked = false;
    if (isMarked || !isThere()) return;
    const start = performance.now();
    isMarked = markPage(wanted, isScrolled) > 0;
    const end = performance.now();
    notBefore = end + Math.max(PAUSE_MS, PAUSE_TIMES * (end - start));
  };
  const look = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    timer = setTimeout(attempt, Math.max(0, notBefore - performance.now()));
  };
  const observer = new MutationObserver(look);
  const patience = setTimeout(() => stopWaiting?.(), PATIENCE_MS);
  stopWaiting = () => {
    stopWaiting = undefined;
    observer.disconnect();
    clearTimeout(timer);
    clearTimeout(patience);
  };
  observer.observe(document.documentElement, { childList: true, subtree: true, characterData: true });
  look();
}

/**
 * Marks what an address says, as soon as a page that is changed by script has come there: the page of that address, or another one
 * than `from`, for routers may lead on.
 *
 * @param marking The address with what to mark.
 * @param from Address of the page when the link was followed: a router may have changed it since.
 */
export function markBehind(marking: string, from: string): void {
  const { address, directives } = readTextFragment(marking);
  if (directives.length === 0) return;
  const before = nameOf(new URL(from));
  const isHere = nameOf(new URL(address, from)) === before;
  markWhenShown({ directives }, { isScrolled: true, isThere: () => isHere || nameOf(location) !== before });
}

/** What of an address says which page it is of. */
function pageOf({ pathname, search }: Pick<URL, "pathname" | "search">): string {
  return pathname + search;
}

/** The same for every spelling of one page: sites leave `.html`, `index.html` and a slash at the end out, or add them. */
function nameOf({ pathname, search }: Pick<URL, "pathname" | "search">): string {
  return pathname.replace(/(?:\.html?|\/(?:index(?:\.html?)?)?)$/, "") + search;
}

/**
 * Whenever a link with a text fragment is followed and the page is not loaded anew, mark what it names. The result ends
 * that.
 */
export function markBehindLinks(): () => void {
  const onClick = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((one): one is HTMLAnchorElement => one instanceof HTMLAnchorElement);
    if (link === undefined || (link.target !== "" && link.target !== "_self")) return;
    // On the page itself the browser follows a fragment, and marks what it names.
    if (link.origin === location.origin && pageOf(link) !== pageOf(location)) markBehind(link.href, location.href);
  };
  document.addEventListener("click", onClick, true);
  return () => document.removeEventListener("click", onClick, true);
}

interface Wanted {
  readonly directives?: readonly TextDirective[];
  readonly words?: readonly string[];
}

/** Mark texts and words, in place of what is marked. The result is how many places there are. */
function markPage({ directives = [], words = [] }: Wanted, isScrolled: boolean): number {
  unmarkPage();
  const text = new PageText(document.body);
  const ranges = [
    ...directives.flatMap((directive) => text.find(directive) ?? []),
    ...words.flatMap((word) => text.findWord(word, Math.ceil(MAX_RANGES / words.length))),
  ];
  const [first] = ranges;
  if (first === undefined) return 0;
  if (isScrolled) scrollTo(first);
  const unpaint = paint(ranges);
  const onKey = ({ key }: KeyboardEvent): void => {
    if (key === "Escape") unmarkPage();
  };
  document.addEventListener("keydown", onKey);
  document.addEventListener(UNMARK_EVENT, unmarkPage);
  removeMarks = () => {
    document.removeEventListener("keydown", onKey);
    document.removeEventListener(UNMARK_EVENT, unmarkPage);
    unpaint();
  };
  isLost = () => ranges.some(({ collapsed, startContainer }) => collapsed || !startContainer.isConnected);
  return ranges.length;
}

function unmarkPage(): void {
  removeMarks?.();
  removeMarks = undefined;
  isLost = undefined;
}

/** Paints ranges. The function that comes back takes the paint away. */
function paint(ranges: readonly Range[]): () => void {
  // A constructed sheet needs no leave from a Content-Security-Policy. What the page itself says of the highlight wins.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer ${NAME}{${STYLE}}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return () => {
    CSS.highlights.delete(NAME);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
  };
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
