/**
 * The life of a dialog: it opens and closes at once, whoever says so, and leaves nothing behind. While it is open the page stays
 * where it is.
 */
import { lockScroll } from "./scroll-lock.ts";

/** The keyboard on the screen comes and goes, and what is seen of the page moves beside it. */
const ROOM_EVENTS = ["resize", "scroll"] as const;

/** Opens and closes a dialog. */
export interface DialogLife {
  /** False where it is open already. */
  open(): boolean;
  /** Nothing where it is closed. */
  close(): void;
}

/** The life of one dialog. @param onClosed Called at once, however it was closed. */
export function createLife(dialog: HTMLDialogElement, onClosed: () => void): DialogLife {
  let letGo: (() => void) | undefined;
  /** Leaves the keyboard on the screen its room. */
  const leaveRoom = (): void => {
    if (visualViewport === null) return;
    dialog.style.setProperty("--_height", `${visualViewport.height}px`);
    dialog.style.setProperty("--_top", `${visualViewport.offsetTop}px`);
  };
  const close = (): void => {
    if (letGo === undefined) return;
    letGo();
    letGo = undefined;
    watcher.disconnect();
    for (const event of ROOM_EVENTS) visualViewport?.removeEventListener(event, leaveRoom);
    if (dialog.open) dialog.close();
    onClosed();
  };
  // What the page hides cannot be closed by anybody, and holds all of the page.
  const watcher = new ResizeObserver(() => {
    // On paper there is none.
    if (!dialog.checkVisibility() && !matchMedia("print").matches) close();
  });
  // The Escape key closes it first and says so later: by then it may be open again.
  dialog.addEventListener("close", () => {
    if (!dialog.open) close();
  });
  return {
    open() {
      if (dialog.open) return false;
      close();
      letGo = lockScroll();
      leaveRoom();
      for (const event of ROOM_EVENTS) visualViewport?.addEventListener(event, leaveRoom);
      dialog.showModal();
      watcher.observe(dialog);
      return true;
    },
    close,
  };
}
