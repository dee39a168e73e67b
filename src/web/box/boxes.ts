/** The boxes that are in the page, in whichever shadow roots they are: no selector finds those. */

const boxes = new Set<Element>();
const listeners = new Set<() => void>();

/** Says that a box is in the page now. */
export function addBox(box: Element): void {
  boxes.add(box);
  for (const tell of listeners) tell();
}

/** Says that a box is no longer in the page. */
export function removeBox(box: Element): void {
  boxes.delete(box);
}

/** Whether the page has a box beside this one. */
export function hasOtherBox(box?: Element): boolean {
  return boxes.size > Number(box !== undefined && boxes.has(box));
}

/** Calls a function with each box that comes, as long as the page is there. */
export function whenBoxComes(tell: () => void): void {
  listeners.add(tell);
}
