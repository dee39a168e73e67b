/**
 * Buttons that make a picture larger and smaller, and links of a box that stand out while it is pointed at or has the focus. Without
 * them the picture is scrolled, and a box leads to the same picture with its links.
 */

const STEP = 1.25;
const SMALLEST = 0.2;
const LARGEST = 4;
/** Room that is shown before the first box, in units of the picture. */
const BESIDE_FIRST = 24;

/** Gives each picture of a page its buttons. */
export function enableZoom(page: Document): void {
  for (const place of page.querySelectorAll<HTMLElement>("[data-zoom]")) {
    const picture = place.querySelector("svg");
    if (picture === null) continue;
    addButtons(place, picture);
    showFirstBox(place, picture);
    showLinks(picture);
  }
}

function addButtons(place: HTMLElement, picture: SVGSVGElement): void {
  const { width, height } = picture.viewBox.baseVal;
  let scale = 1;
  const zoom = (wanted: number): void => {
    const next = Math.min(LARGEST, Math.max(SMALLEST, wanted));
    // What is in the middle stays there.
    const x = (place.scrollLeft + place.clientWidth / 2) / scale;
    const y = (place.scrollTop + place.clientHeight / 2) / scale;
    scale = next;
    picture.setAttribute("width", `${Math.round(width * scale)}`);
    picture.setAttribute("height", `${Math.round(height * scale)}`);
    place.scrollTo(x * scale - place.clientWidth / 2, y * scale - place.clientHeight / 2);
  };
  const bar = page(place).createElement("div");
  bar.className = "zoom";
  for (const [name, run] of [
    ["Larger", () => zoom(scale * STEP)],
    ["Smaller", () => zoom(scale / STEP)],
    ["Whole width", () => zoom(place.clientWidth / width)],
    ["As it is", () => zoom(1)],
  ] as const) {
    const button = page(place).createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", run);
    bar.append(button);
  }
  place.before(bar);
}

/** The corner of a picture may be empty: a narrow screen begins at its first box, or at the first that stands out. */
function showFirstBox(place: HTMLElement, picture: SVGSVGElement): void {
  const near = [...picture.querySelectorAll<SVGRectElement>(".box.near > rect:first-of-type")];
  const boxes = near.length > 0 ? near : [...picture.querySelectorAll<SVGRectElement>(".box > rect:first-of-type")];
  const places = boxes.map((box) => box.getBBox()).sort((a, b) => a.x - b.x || a.y - b.y);
  const isVisible = places.some(
    ({ x, y, width, height }) => x + width <= place.clientWidth && y + height <= place.clientHeight,
  );
  const [first] = places;
  if (first === undefined || isVisible) return;
  place.scrollTo(first.x - BESIDE_FIRST, first.y - BESIDE_FIRST);
}

function showLinks(picture: SVGSVGElement): void {
  // What the address chose stands out already.
  if (picture.classList.contains("focused")) return;
  const mark = (target: EventTarget | null, isShown: boolean): void => {
    const box = target instanceof Element ? target.closest<SVGElement>("[data-box]") : null;
    const at = box?.dataset.box;
    if (at === undefined) return;
    const ways = picture.querySelectorAll(`.ways [data-from="${at}"], .ways [data-to="${at}"]`);
    for (const way of ways) way.classList.toggle("near", isShown);
  };
  for (const [begin, end] of [
    ["pointerover", "pointerout"],
    ["focusin", "focusout"],
  ] as const) {
    picture.addEventListener(begin, ({ target }) => mark(target, true));
    picture.addEventListener(end, ({ target }) => mark(target, false));
  }
}

function page(element: Element): Document {
  return element.ownerDocument;
}
