/**
 * Text as it is searched on a page: in one case, white space as single blanks; and the way back to where something stood. Pure.
 */
import { foldCase } from "../../core/text/fold-case.ts";

/** Text of a node without some of its white space: where, and how much up to there. Places ascend. */
export interface Gaps {
  /** Places in the folded text, behind what was left out. */
  readonly places: readonly number[];
  /** UTF-16 units that were left out up to each. */
  readonly left: readonly number[];
}

/** Text folded. @param isJoined It stands behind white space: a blank at its beginning is left out. */
export function foldText(text: string, isJoined: boolean): string {
  const blanks = foldCase(text.replace(/\s+/g, " "));
  return isJoined && blanks.startsWith(" ") ? blanks.slice(1) : blanks;
}

/** What `foldText` leaves out. */
export function listGaps(text: string, isJoined: boolean): Gaps {
  const places: number[] = [];
  const left: number[] = [];
  let sum = 0;
  for (const { 0: blanks, index } of text.matchAll(/\s+/g)) {
    const extra = blanks.length - (isJoined && index === 0 ? 0 : 1);
    if (extra === 0) continue;
    sum += extra;
    places.push(index + blanks.length - sum);
    left.push(sum);
  }
  return { places, left };
}

/** The place in a text of the n-th unit of what it was folded to. */
export function unfold({ places, left }: Gaps, n: number): number {
  return n + (left[lastUpTo(places, n)] ?? 0);
}

/** Index of the last of ascending places that is not behind `place`; -1 for none. */
export function lastUpTo(places: readonly number[], place: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
