/** Keys, pointers and fingers in the dialog, and what they mean to it. */
import type { Choice } from "./choice.ts";
import type { Frame } from "./frame.ts";
import { isApple } from "./hotkeys.ts";
import { isCommandKey, moveChoice } from "./keyboard.ts";

/** What can have the focus: rows are chosen out of the field. */
const STOPS = "input,button";

/** What somebody did. */
export interface Deeds {
  /** The dialog is to be closed. */
  dismissed(): void;
  /** The text is another one. */
  typed(): void;
  /** A mouse or a finger is at the rows. */
  pointed(): void;
  /** A row was chosen, not followed. */
  moved(): void;
  entered(event: KeyboardEvent): void;
  clicked(option: HTMLElement, event: MouseEvent): void;
  /** The chosen recent search is not wanted any more. */
  forgot(option: number): void;
}

/** What key events of an editor are in browsers that say `isComposing` too late. */
const COMPOSING_CODE = 229;

/** Tells what is done in a dialog. */
export function watchDialog(frame: Frame, choice: Choice, deeds: Deeds): void {
  const { dialog, input, list } = frame;
  let isComposing = false;
  let pressed: EventTarget | null = null;

  frame.form.onsubmit = (event) => event.preventDefault();
  frame.close.onclick = () => deeds.dismissed();
  input.addEventListener("compositionstart", () => {
    isComposing = true;
  });
  input.addEventListener("compositionend", () => {
    isComposing = false;
    deeds.typed();
  });
  input.addEventListener("input", () => {
    if (!isComposing) deeds.typed();
  });
  const onKey = (event: KeyboardEvent): void => {
    // Keys that end a composition belong to it.
    if (event.isComposing || event.keyCode === COMPOSING_CODE) return;
    const moved = moveChoice(event, choice.index(), choice.options().length);
    if (moved !== undefined) {
      event.preventDefault();
      choice.choose(moved);
      deeds.moved();
    } else if (event.key === "Enter") {
      event.preventDefault();
      deeds.entered(event);
    } else if (event.key === "Delete" && event.shiftKey && choice.index() >= 0) deeds.forgot(choice.index());
  };
  input.addEventListener("keydown", onKey);
  const onClick = (event: MouseEvent): void => {
    const option = optionAt(event);
    // The right button opens a menu.
    if (option !== null && event.button < 2) deeds.clicked(option, event);
  };
  list.addEventListener("click", onClick);
  list.addEventListener("auxclick", onClick);
  // The focus stays in the field.
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("pointermove", (event) => {
    const option = optionAt(event);
    // Rows that move under a pointer that stands still are not chosen by it.
    if (event.pointerType !== "mouse" || (event.movementX === 0 && event.movementY === 0)) return;
    deeds.pointed();
    if (option === null || option === choice.current()) return;
    choice.choose(choice.options().indexOf(option), false);
    deeds.moved();
  });
  list.addEventListener("pointerdown", () => deeds.pointed());
  // The keyboard on the screen makes room for what is scrolled.
  list.addEventListener("touchmove", () => input.blur(), { passive: true });
  // Keys of the page are not meant while somebody types here.
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (isCommandKey(event, isApple())) {
      event.preventDefault();
      deeds.dismissed();
    } else if (event.ctrlKey || event.metaKey) return;
    // To WebKit 2.50 for GTK it is no known key together with Shift.
    else if (event.key === "Tab" || event.code === "Tab") goRound(dialog, event);
    else if (event.target === dialog) {
      // A click where nothing is to be done took the focus away.
      input.focus();
      onKey(event);
    }
  });
  // A click beside it closes it; a drag that ends there does not.
  dialog.addEventListener("pointerdown", ({ target }) => {
    pressed = target;
  });
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog && pressed === dialog) deeds.dismissed();
  });
}

function optionAt({ target }: Event): HTMLElement | null {
  return (target as Element).closest<HTMLElement>("[role=option]");
}

/**
 * The Tab key in the dialog: behind the last stop comes the first.
 *
 * Browsers would go on to controls of their own. Firefox 153 finds no way back from there into a dialog in a shadow root, and
 * there, in WebKit 2.50 too, the dialog itself is a stop.
 */

/** Goes from the last stop to the first, or the other way; elsewhere the browser goes on. */
function goRound(dialog: HTMLElement, event: KeyboardEvent): void {
  const { target, shiftKey } = event;
  const stops = [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.checkVisibility());
  const [last, first] = shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (target !== last && target !== dialog) return;
  event.preventDefault();
  first?.focus();
}
