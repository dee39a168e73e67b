/** The boxes of a page, in whichever shadow roots they are, and where one is put in pages that have none. */
import { addHotkeys, removeHotkeys } from "./keyboard.ts";
import { ATTRIBUTES, ELEMENT_NAME } from "./make.ts";

/** A page that changes all the time is looked through this often at most, in milliseconds. */
const LOOK_EVERY_MS = 100;
/** How long a place may take to come before the box goes into the corner, in milliseconds. */
const PATIENCE_MS = 3_000;

/**
 * Puts a box where the address of the script says (`?place=SELECTOR`), as a button in the corner where it says nothing or no
 * such place comes. Other parameters are attributes of the box. It stays in pages that are changed by script: what removes it
 * together with its place gets it back.
 */
export function placeBox(script: string): void {
  const parameters = new URL(script).searchParams;
  const place = parameters.get("place");
  const box = makeBox(parameters);
  if (box.getAttribute("hotkeys") !== "off") addHotkeys();
  let isPatient = place !== null;
  let timer = 0;

  const put = (): void => {
    timer = 0;
    if (hasOtherBox(box)) {
      box.remove();
      removeHotkeys();
      return;
    }
    const target = place === null ? null : find(place);
    if (target === null && isPatient) return;
    const parent = target ?? document.body;
    if (box.parentNode === parent) return;
    box.toggleAttribute("floating", target === null);
    parent.append(box);
    keepInSight(box);
  };

  const begin = (): void => {
    put();
    setTimeout(() => {
      isPatient = false;
      put();
    }, PATIENCE_MS);
    listeners.add(() => hasOtherBox(box) && box.remove());
    for (const change of ["resize", "scroll"]) visualViewport?.addEventListener(change, () => keepInSight(box));
    new MutationObserver(() => {
      const isThere = box.isConnected && (place === null || !box.hasAttribute("floating"));
      if (!isThere && timer === 0) timer = setTimeout(put, LOOK_EVERY_MS);
    }).observe(document, { childList: true, subtree: true, attributeFilter: ["data-has-hydrated"] });
  };
  // A page that a framework takes over has to be as the server wrote it until then.
  if (place === null || document.readyState === "complete") begin();
  else addEventListener("load", () => whenIdle(begin), { once: true });
}

/** A page that is wider than a phone has its corner outside of what is seen. */
function keepInSight(box: HTMLElement): void {
  const seen = visualViewport;
  if (seen === null) return;
  const [right, below] = [seen.offsetLeft + seen.width - innerWidth, seen.offsetTop + seen.height - innerHeight];
  const isOutside = box.hasAttribute("floating") && seen.scale <= 1 && innerWidth - seen.width > 1;
  const beside = getComputedStyle(box).direction === "rtl" ? seen.offsetLeft : right;
  box.style.translate = isOutside ? `${beside}px ${below}px` : "";
}

function whenIdle(begin: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(begin, { timeout: LOOK_EVERY_MS * 5 });
  else setTimeout(begin, LOOK_EVERY_MS);
}

function find(selector: string): Element | null {
  try {
    return document.querySelector(selector);
  } catch {
    // Not a selector: no place.
    return null;
  }
}

function makeBox(parameters: URLSearchParams): HTMLElement {
  const box = document.createElement(ELEMENT_NAME);
  for (const [name, value] of parameters) {
    if (ATTRIBUTES.includes(name)) box.setAttribute(name, value);
  }
  return box;
}

const boxes = new Set<Element>();
/** Called with each box that comes, as long as the page is there. */
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
