/** What the box says in place of rows, and why there is no answer. `answer-notes.ts` has what it says of an answer. */

import type { ClientProblem } from "../client/search-client.ts";
import { make } from "./make.ts";
import { fill, type Strings } from "./strings.ts";

const MINUTE_S = 60;

/** Something to do about it. */
export interface Action {
  readonly label: string;
  readonly run: () => void;
}

/** Shows lines of text, and buttons below them; nothing hides the place. */
export function drawMessage(
  place: HTMLElement,
  lines: readonly (Node | string)[],
  actions: readonly Action[] = [],
): void {
  place.hidden = lines.length === 0;
  place.replaceChildren(...lines.map((line) => make("p", {}, line)), ...actions.map(drawAction));
}

/** A button that does something. */
export function drawAction({ label, run }: Action): HTMLButtonElement {
  const button = make("button", { type: "button", part: "action" }, label);
  button.onclick = run;
  return button;
}

/**
 * Why there is no answer, in words.
 *
 * @param wait Seconds until it may be asked again.
 * @param isTriedAgain It is asked then, by itself.
 */
export function explainProblem(problem: ClientProblem, strings: Strings, wait: number, isTriedAgain: boolean): string {
  switch (problem) {
    case "offline":
      return strings.offline;
    case "unreachable":
    case "slow":
      return strings.unreachable;
    case "too-many":
      if (wait === 0) return strings.failed;
      return isTriedAgain
        ? fill(strings.tooMany, { n: String(wait) })
        : fill(strings.tooManyLater, { n: String(Math.ceil(wait / MINUTE_S)) });
    case "no-index":
      return strings.noIndex;
    case "bad-query":
      return strings.badQuery;
    default:
      return strings.failed;
  }
}
