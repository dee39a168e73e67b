/** What the box says beside rows: corrections, that nothing was found, why there is no answer. */

import { shortenText } from "../../core/text/cut-text.ts";
import { UNSPACED } from "../../core/text/unspaced.ts";
import type { ClientProblem, Found } from "../client/search-client.ts";
import { cleanText, isolate, make } from "./make.ts";
import { fill, type Strings } from "./strings.ts";

/** In scripts without blanks words are pairs of letters, which nobody typed as words. */
const PAIR = new RegExp(`^[${UNSPACED}]+$`, "u");
const MINUTE_S = 60;
/** Characters of what was typed that a sentence repeats. */
const MAX_REPEATED = 60;

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

/** What was searched for in place of what was typed, and which words nothing holds. */
export function drawNotes(found: Found, strings: Strings): readonly Node[] {
  const { corrections, missingWords } = found;
  const notes: Node[] = [];
  if (corrections.length > 0) {
    const to = corrections.map((word) => word.to).join(", ");
    notes.push(drawFilled(strings.showing, { to, from: corrections.map((word) => word.from).join(", ") }));
  }
  const corrected = new Set(corrections.map((word) => word.from));
  const words = missingWords.filter((word) => !corrected.has(word) && !PAIR.test(word));
  // That a query found nothing is said below, in full.
  const isAll = found.pages.length === 0 && words.length >= found.query.split(/\s+/).length;
  if (words.length > 0 && !isAll) notes.push(drawFilled(strings.missing, { words: words.join(", ") }));
  return notes;
}

/** A sentence with what was typed set apart in it. */
export function drawFilled(text: string, values: Readonly<Record<string, string>>): Node {
  const sentence = document.createDocumentFragment();
  for (const piece of text.split(/(\{\w+\})/)) {
    const value = values[piece.slice(1, -1)];
    sentence.append(value === undefined ? piece : make("b", {}, isolate(shortenText(cleanText(value), MAX_REPEATED))));
  }
  return sentence;
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
