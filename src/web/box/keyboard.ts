/** What keys do in the box. */

const PAGE_ROWS = 5;

/** A key with what was held beside it. */
type Key = Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

/**
 * The row that a key leads to, of `count` rows of which `current` is chosen (-1 for none). Arrows go round, page keys stop
 * at the ends. Undefined for keys that do not choose, `Home` and `End` among them: these move in the text.
 */
export function moveChoice(key: Key, current: number, count: number): number | undefined {
  if (count === 0 || key.altKey || key.ctrlKey || key.metaKey || key.shiftKey) return undefined;
  switch (key.key) {
    case "ArrowDown":
      return (current + 1) % count;
    case "ArrowUp":
      return (current <= 0 ? count : current) - 1;
    case "PageDown":
      return Math.min(current + PAGE_ROWS, count - 1);
    case "PageUp":
      return Math.max(current - PAGE_ROWS, 0);
    default:
      return undefined;
  }
}

/** Whether a key is ⌘K on Apple's machines, Ctrl K elsewhere, or the same with another letter. */
export function isCommandKey(key: Key, isApple: boolean, letter = "k"): boolean {
  const { altKey, ctrlKey, metaKey, shiftKey } = key;
  return !altKey && !shiftKey && (isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey) && isLetter(key, letter);
}

/** Whether a key is the slash, wherever the keyboard has it. */
function isSlash({ key, altKey, ctrlKey, metaKey }: Key): boolean {
  return key === "/" && !altKey && !ctrlKey && !metaKey;
}

/** Whether keys, clicks and taps with these keys held open a tab or window of the browser. */
export function isForBrowser(event: Omit<Key, "key" | "code">): boolean {
  return event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}

/** Keyboards of other scripts give other letters: there the place of the key counts. */
function isLetter({ key, code }: Key, letter: string): boolean {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() === letter : code === `Key${letter.toUpperCase()}`;
}

export type Choice = ReturnType<typeof createChoice>;

/** Chooses among the options of `list` for a text field. */
export function createChoice(input: HTMLElement, list: HTMLElement) {
  let chosen: HTMLElement | undefined;
  const options = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>("[role=option]")];
  return {
    options,
    /** Index of the chosen row; -1 for none. */
    index: () => (chosen === undefined ? -1 : options().indexOf(chosen)),
    current: () => (chosen !== undefined && list.contains(chosen) ? chosen : undefined),
    /** Chooses a row, -1 for none, and brings it into view where asked. */
    choose(index: number, isInView = true) {
      const all = options();
      chosen = all[index];
      all.forEach((option, at) => {
        option.id = `option-${at}`;
        option.setAttribute("aria-selected", String(at === index));
        // Groups count for themselves in some browsers.
        option.setAttribute("aria-posinset", String(at + 1));
        option.setAttribute("aria-setsize", String(all.length));
      });
      input.setAttribute("aria-expanded", String(all.length > 0));
      if (chosen === undefined) {
        input.removeAttribute("aria-activedescendant");
        return;
      }
      input.setAttribute("aria-activedescendant", chosen.id);
      // The first row of a group is shown with the heading of its page.
      if (isInView) chosen.scrollIntoView({ block: "nearest" });
    },
  };
}

interface HotkeyTarget {
  /** Opens it; false where it cannot be. */
  openByKey(): boolean;
}

const EDITABLE =
  "input:not([type=checkbox],[type=radio]),textarea,select,[role=textbox],[role=searchbox],[role=combobox]";
const targets = new Set<HotkeyTarget & Node>();
let isListening = false;
/** One was pressed before any box was there. */
let isAsked = false;

export function isApple(): boolean {
  return /Mac|iP(hone|ad|od)/.test(navigator.platform);
}

/** Keys open the box from now on, where no box before it in the page can be; without one, the first that comes. */
export function addHotkeys(target?: HotkeyTarget & Node): void {
  if (!isListening) addEventListener("keydown", onKeyDown);
  isListening = true;
  if (target === undefined) return;
  targets.add(target);
  // Its element is in the page, and the page is still being put together.
  if (isAsked) setTimeout(() => targets.has(target) && target.openByKey());
  isAsked = false;
}

/** Without a box: none comes. */
export function removeHotkeys(target?: HotkeyTarget & Node): void {
  if (target !== undefined) targets.delete(target);
  if (targets.size > 0) return;
  removeEventListener("keydown", onKeyDown);
  isListening = false;
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat) return;
  if (!isCommandKey(event, isApple()) && !isSlash(event)) return;
  if (isEditing(event.composedPath()[0])) return;
  const inOrder = [...targets].sort((a, b) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1,
  );
  isAsked = targets.size === 0;
  if (isAsked || inOrder.some((target) => target.openByKey())) event.preventDefault();
}

function isEditing(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(EDITABLE));
}
