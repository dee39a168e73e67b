/** Leads to what was found: the page's router first, then the browser. */
import { withTextFragment } from "../text-fragment.ts";
import { make } from "./make.ts";
import type { Row } from "./rows.ts";

/** What a page is told before a hit is followed. */
export interface SelectDetail {
  readonly url: string;
  readonly page: Row["page"];
  readonly section: Row["section"];
}

/** Name of the event. Cancelled, it leaves the way there to the page. */
const SELECT_EVENT = "treeline-search:select";

/** Tells the page what was chosen. Gives false where the page goes there itself. */
export function announceChoice(host: EventTarget, detail: SelectDetail): boolean {
  return host.dispatchEvent(new CustomEvent(SELECT_EVENT, { detail, bubbles: true, composed: true, cancelable: true }));
}

/**
 * Goes to an address as a link of the page does. Routers listen for clicks on links, which those in a shadow root hide from
 * them; one outside is seen. They get the plain address; only where none takes over, the browser gets the one that says what
 * to mark.
 */
export function goTo(address: string, { marks }: Row): void {
  const link = make("a", { href: address });
  link.hidden = true;
  document.body.append(link);
  const onClick = (event: MouseEvent): void => {
    if (event.defaultPrevented) markWhereItLeads(address, marks);
    else link.href = withTextFragment(address, marks);
  };
  addEventListener("click", onClick);
  link.click();
  removeEventListener("click", onClick);
  link.remove();
}

/** Marks what was found once a page that is changed by script shows it. */
export function markWhereItLeads(address: string, marks: Row["marks"]): void {
  const marking = withTextFragment(address, marks);
  if (marking === address) return;
  const mark = async (): Promise<void> => {
    const { markBehind } = await import("../marks/mark-when-shown.ts");
    markBehind(marking);
  };
  // The way there matters more than marks.
  mark().catch(() => undefined);
}
