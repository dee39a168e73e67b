/** Keys that open a box from anywhere on the page: one listener for all boxes. */
import { isCommandKey, isSlash } from "./keyboard.ts";

/** A box that keys may open. */
export interface HotkeyTarget {
  /** Opens it; false where it cannot be. */
  openByKey(): boolean;
}

const EDITABLE = "input,textarea,select,[role=textbox],[role=searchbox],[role=combobox]";
const targets = new Set<HotkeyTarget & Node>();

/** Whether this machine has a ⌘ key. */
export function isApple(): boolean {
  return /Mac|iP(hone|ad|od)/.test(navigator.platform);
}

/** Keys open the box from now on, where no box before it in the page can be. */
export function addHotkeys(target: HotkeyTarget & Node): void {
  if (targets.size === 0) addEventListener("keydown", onKeyDown);
  targets.add(target);
}

/** Keys no longer open the box. */
export function removeHotkeys(target: HotkeyTarget & Node): void {
  targets.delete(target);
  if (targets.size === 0) removeEventListener("keydown", onKeyDown);
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || event.repeat) return;
  if (!isCommandKey(event, isApple()) && !isSlash(event)) return;
  if (isEditing(event.composedPath()[0])) return;
  const inOrder = [...targets].sort((a, b) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING ? 1 : -1,
  );
  if (inOrder.some((target) => target.openByKey())) event.preventDefault();
}

/** Whether somebody types here. */
function isEditing(target: EventTarget | undefined): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(EDITABLE));
}
