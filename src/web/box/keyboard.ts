/**
 * What keys do in the box.
 *
 * Pure: keys in, meanings out.
 */

/** Rows that a page key moves by. */
const PAGE_ROWS = 5;

/** A key with what was held beside it. */
export type Key = Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

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

/** Whether a key opens or closes the box wherever it is pressed: ⌘K on Apple's machines, Ctrl K elsewhere. */
export function isCommandKey(key: Key, isApple: boolean): boolean {
  const { altKey, ctrlKey, metaKey, shiftKey } = key;
  return !altKey && !shiftKey && (isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey) && isLetterK(key);
}

/** Whether a key is the slash, wherever the keyboard has it. */
export function isSlash({ key, altKey, ctrlKey, metaKey }: Key): boolean {
  return key === "/" && !altKey && !ctrlKey && !metaKey;
}

/** Whether keys, clicks and taps with these keys held open a tab or window of the browser. */
export function isForBrowser(event: Omit<Key, "key" | "code">): boolean {
  return event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
}

/** Keyboards of other scripts give other letters: there the place of the key counts. */
function isLetterK({ key, code }: Key): boolean {
  return /^[a-z]$/i.test(key) ? key.toLowerCase() === "k" : code === "KeyK";
}
