/**
 * The Tab key in the dialog: behind the last stop comes the first.
 *
 * Browsers would go on to controls of their own. Firefox 153 finds no way back from there into a dialog in a shadow root, and
 * there, in WebKit 2.50 too, the dialog itself is a stop.
 */

/** What can have the focus: rows are chosen out of the field. */
const STOPS = "input,button";

/** Goes from the last stop to the first, or the other way; elsewhere the browser goes on. */
export function goRound(dialog: HTMLElement, event: KeyboardEvent): void {
  const { target, shiftKey } = event;
  const stops = [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.checkVisibility());
  const [last, first] = shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (target !== last && target !== dialog) return;
  event.preventDefault();
  first?.focus();
}
