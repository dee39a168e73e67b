/** Keeps the page behind a dialog where it is: it neither scrolls nor becomes wider where its scroll bar goes. */

/** Dialogs that hold the page. */
let holders = 0;
/** What the page itself says, from before the first of them. */
let before: readonly [string, string] = ["", ""];

/** Holds the page; the function that comes back lets it go, once. The page moves again when nobody holds it any more. */
export function lockScroll(): () => void {
  const root = document.documentElement;
  const { style } = root;
  if (holders++ === 0) {
    before = [style.overflow, style.scrollbarGutter];
    if (innerWidth > root.clientWidth) style.scrollbarGutter = "stable";
    style.overflow = "hidden";
  }
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    if (--holders === 0) [style.overflow, style.scrollbarGutter] = before;
  };
}
